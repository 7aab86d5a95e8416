"""The disk for public things: bytes, matrices, priors, spaces, queries, mechanism documents.

A file is written whole or not at all. What a file says is checked here, once; decimals are
read exactly. Only certified mechanisms are saved or loaded.
"""

from typing import TYPE_CHECKING

from tightrope.doors import on_demand

if TYPE_CHECKING:
    from tightrope.files.beside import (
        ITEMS,
        SAMPLED,
        mechanism_path,
        remove_files,
        stale_mechanisms,
    )
    from tightrope.files.declarations import read_declaration
    from tightrope.files.definitions import read_definition
    from tightrope.files.example_tables import example
    from tightrope.files.families import read_sets
    from tightrope.files.file_locks import locked
    from tightrope.files.files import (
        StrPath,
        check_name_of_file,
        extension,
        making_folder,
        private_folder,
        read_bytes,
        reading,
        refuse_existing,
        refuse_existing_folder,
        replacing,
        replacing_all,
        write_bytes,
    )
    from tightrope.files.folders import read_folder, write_folder
    from tightrope.files.formats import SURVEY, is_survey, says_format
    from tightrope.files.functions import function_in
    from tightrope.files.lines import header_line, text_of
    from tightrope.files.matrices import read_matrix, read_vector
    from tightrope.files.mechanisms import (
        construction_of,
        document_bytes,
        is_definition,
        load,
        read_document,
        save,
        verify_definition,
    )
    from tightrope.files.outputs import read_outputs
    from tightrope.files.predicates import read_predicate
    from tightrope.files.queries import query_table, read_measure, read_query
    from tightrope.files.sheets import PARQUET, read_column, read_form, read_sheet
    from tightrope.files.spaces import read_space
    from tightrope.files.splitter import (
        DELIMITERS,
        first_line,
        line_cells,
        line_names,
        plain_lines,
        split_lines,
        text_batches,
    )
    from tightrope.files.subjects import Subject, is_document, on_space, read_rows, read_subject
else:
    __getattr__ = on_demand(__name__)

__all__ = [
    "DELIMITERS",
    "ITEMS",
    "PARQUET",
    "SAMPLED",
    "SURVEY",
    "StrPath",
    "Subject",
    "check_name_of_file",
    "construction_of",
    "document_bytes",
    "example",
    "extension",
    "first_line",
    "function_in",
    "header_line",
    "is_definition",
    "is_document",
    "is_survey",
    "line_cells",
    "line_names",
    "load",
    "locked",
    "making_folder",
    "mechanism_path",
    "on_space",
    "plain_lines",
    "private_folder",
    "query_table",
    "read_bytes",
    "read_column",
    "read_declaration",
    "read_definition",
    "read_document",
    "read_folder",
    "read_form",
    "read_matrix",
    "read_measure",
    "read_outputs",
    "read_predicate",
    "read_query",
    "read_rows",
    "read_sets",
    "read_sheet",
    "read_space",
    "read_subject",
    "read_vector",
    "reading",
    "refuse_existing",
    "refuse_existing_folder",
    "remove_files",
    "replacing",
    "replacing_all",
    "save",
    "says_format",
    "split_lines",
    "stale_mechanisms",
    "text_batches",
    "text_of",
    "verify_definition",
    "write_bytes",
    "write_folder",
]
