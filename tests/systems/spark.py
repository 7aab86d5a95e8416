"""Whether Apache Spark can run here."""

import importlib.util
import shutil

import pytest


def needed():
    """Without Spark and Java the test is left out."""
    if importlib.util.find_spec("pyspark") is None or shutil.which("java") is None:
        pytest.skip("Spark or Java is not installed here")
