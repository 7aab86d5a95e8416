"""Where Spark writes: folders on this machine's disk, and addresses of other systems.

A name without an address, or one that begins with `file:`, is a folder here, which all executors
must see. Every other address is of a system that Spark knows, such as `hdfs://` or `s3a://`.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any, Final

from tightrope.errors import BadInput
from tightrope.files import StrPath, check_name_of_file
from tightrope.tables.sources import translating_spark_errors

_ADDRESS: Final = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):/")
_FILE: Final = re.compile(r"file:(//(localhost)?(?=/))?", re.IGNORECASE)
_PATTERN: Final = re.compile(r"([\\{}\[\]*?])")


def folder_of(output: StrPath) -> Path | None:
    """The folder on this disk that is meant, links followed; None for another address.

    >>> folder_of("file:///out/a[1]").as_posix(), folder_of("hdfs://host/out")
    ('/out/a[1]', None)
    """
    check_name_of_file(output)
    text = os.fspath(output)
    address = None if isinstance(output, os.PathLike) else _ADDRESS.match(text)
    if address is not None and address[1].lower() != "file":
        return None
    return Path(os.path.realpath(text if address is None else _FILE.sub("", text, count=1)))


def literal(address: str) -> str:
    r"""An address that Spark reads as it is written, and not as a pattern.

    >>> literal("file:///out/a[1]")
    'file:///out/a\\[1\\]'
    """
    return _PATTERN.sub(r"\\\1", address)


def refuse_used(session: Any, address: str) -> None:
    """Refuse an address where something is, before any row is read."""
    from pyspark.errors import AnalysisException

    with translating_spark_errors():
        try:
            _ = session.read.format("binaryFile").load(literal(address)).schema
        except AnalysisException as error:
            if error.getCondition() == "PATH_NOT_FOUND":
                return
            raise
    raise BadInput(f"{address} exists already; name a new folder.", path=address)
