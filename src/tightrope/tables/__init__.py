"""Private rows: files, frames and databases, one rule for cells, and what randomizes columns.

A cell's meaning depends on that cell and the declaration alone, and nothing that is refused or
printed depends on rows.
"""

from typing import TYPE_CHECKING

from tightrope.doors import on_demand

if TYPE_CHECKING:
    from tightrope.tables.aims import estimate_aim, estimate_aims
    from tightrope.tables.cells import arrow_of, cells_of, doubles_of
    from tightrope.tables.codebooks import read_codebook
    from tightrope.tables.declaring import draft_declaration, draft_schema, named_schema
    from tightrope.tables.drawing import draw_column, draw_values
    from tightrope.tables.estimation import (
        Estimates,
        cross_table,
        estimate_column,
        estimate_columns,
        randomized_columns,
    )
    from tightrope.tables.frames import Relation, frame_of, gathered, released
    from tightrope.tables.graphs import EdgeList, NodeSet, declared_nodes, named_nodes, read_edges
    from tightrope.tables.interviews import Interview
    from tightrope.tables.keeping import ORDER, SORTED
    from tightrope.tables.passages import Passage
    from tightrope.tables.plans import plan_sanitizing
    from tightrope.tables.protected import ProtectedColumn, Sanitized
    from tightrope.tables.protection import protect
    from tightrope.tables.recipe import sanitize
    from tightrope.tables.sources.opening import (
        Source,
        check_source,
        is_database,
        kinds_of,
        open_rows,
        open_source,
        schema_of,
    )
    from tightrope.tables.tables import (
        fill_table,
        is_text_table,
        open_table,
        write_table,
        writing,
    )
else:
    __getattr__ = on_demand(__name__)

__all__ = [
    "ORDER",
    "SORTED",
    "EdgeList",
    "Estimates",
    "Interview",
    "NodeSet",
    "Passage",
    "ProtectedColumn",
    "Relation",
    "Sanitized",
    "Source",
    "arrow_of",
    "cells_of",
    "check_source",
    "cross_table",
    "declared_nodes",
    "doubles_of",
    "draft_declaration",
    "draft_schema",
    "draw_column",
    "draw_values",
    "estimate_aim",
    "estimate_aims",
    "estimate_column",
    "estimate_columns",
    "fill_table",
    "frame_of",
    "gathered",
    "is_database",
    "is_text_table",
    "kinds_of",
    "named_nodes",
    "named_schema",
    "open_rows",
    "open_source",
    "open_table",
    "plan_sanitizing",
    "protect",
    "randomized_columns",
    "read_codebook",
    "read_edges",
    "released",
    "sanitize",
    "schema_of",
    "write_table",
    "writing",
]
