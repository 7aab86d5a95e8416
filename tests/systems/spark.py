"""Whether Apache Spark can run here."""

import importlib.util
import shutil

import pytest


def needed(*packages):
    """Without Spark, Java and these packages the test is left out."""
    missing = [name for name in ("pyspark", *packages) if importlib.util.find_spec(name) is None]
    if missing or shutil.which("java") is None:
        pytest.skip("Spark or Java is not installed here")
