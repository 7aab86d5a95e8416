"""The only disk: tables, spaces and matrices from files, and mechanism documents.

Everything is read whole or streamed, and written whole or not at all. What comes from a
file is checked here, once; only certified mechanisms are run, saved or loaded.
"""

from typing import TYPE_CHECKING

from tightrope.doors import on_demand

if TYPE_CHECKING:
    from tightrope.choices import Missing, Reporting, Split
    from tightrope.data.accounts import ListAccount, account_for
    from tightrope.data.beside import remove_files
    from tightrope.data.booking import TableBooking, booking_of
    from tightrope.data.cells import arrow_of, cells_of, doubles_of
    from tightrope.data.clear import ORDER, SORTED
    from tightrope.data.counting import count_column, count_items
    from tightrope.data.declaring import Draft, draft_declaration, read_declaration
    from tightrope.data.definitions import read_definition
    from tightrope.data.domains import Sets, read_domain
    from tightrope.data.drawing import Drawn, draw_column, draw_values
    from tightrope.data.edge_lists import EdgeList, read_edges
    from tightrope.data.estimation import estimate_column
    from tightrope.data.files import (
        StrPath,
        extension,
        read_bytes,
        refuse_existing,
        replacing,
        replacing_all,
        write_bytes,
    )
    from tightrope.data.frames import frame_of
    from tightrope.data.ledger import (
        Account,
        Balance,
        Booked,
        Budget,
        Charge,
        Ledger,
        LedgerReport,
        Scope,
        drawn_once,
        level_of,
    )
    from tightrope.data.matrices import read_matrix, read_vector
    from tightrope.data.mechanisms import document_bytes, item_names, load, read_document, save
    from tightrope.data.node_sets import NodeSet, declared_nodes, named_nodes, read_nodes
    from tightrope.data.outputs import read_outputs
    from tightrope.data.predicates import read_predicate
    from tightrope.data.protected import ProtectedColumn, Sanitized
    from tightrope.data.queries import query_table, read_measure, read_query
    from tightrope.data.recipe import protect, sanitize
    from tightrope.data.releases import (
        Answer,
        Ask,
        Gain,
        OpenTable,
        Plan,
        PublishedRelease,
        Question,
        Release,
        answer_columns,
        asked_level,
        error_facts,
        is_release,
        legends,
        open_books,
        optimal_gains,
        plan_release,
        read_release,
        release_bytes,
        release_content,
        release_figure,
    )
    from tightrope.data.report_columns import count_reports
    from tightrope.data.sanitization import Randomized, sanitize_table
    from tightrope.data.sources import open_source, schema_of, text_source
    from tightrope.data.spaces import read_space, read_space_file
    from tightrope.data.subjects import Subject, is_document, on_space, read_rows, read_subject
    from tightrope.data.survey_store import (
        LinkState,
        NewSurvey,
        Outcome,
        StoredAnswer,
        Submission,
        SurveyStore,
        refuse_answers,
        write_survey,
    )
    from tightrope.data.tables import open_table, write_table, writing
else:
    __getattr__ = on_demand(__name__)

__all__ = [
    "ORDER",
    "SORTED",
    "Account",
    "Answer",
    "Ask",
    "Balance",
    "Booked",
    "Budget",
    "Charge",
    "Draft",
    "Drawn",
    "EdgeList",
    "Gain",
    "Ledger",
    "LedgerReport",
    "LinkState",
    "ListAccount",
    "Missing",
    "NewSurvey",
    "NodeSet",
    "OpenTable",
    "Outcome",
    "Plan",
    "ProtectedColumn",
    "PublishedRelease",
    "Question",
    "Randomized",
    "Release",
    "Reporting",
    "Sanitized",
    "Scope",
    "Sets",
    "Split",
    "StoredAnswer",
    "StrPath",
    "Subject",
    "Submission",
    "SurveyStore",
    "TableBooking",
    "account_for",
    "answer_columns",
    "arrow_of",
    "asked_level",
    "booking_of",
    "cells_of",
    "count_column",
    "count_items",
    "count_reports",
    "declared_nodes",
    "document_bytes",
    "doubles_of",
    "draft_declaration",
    "draw_column",
    "draw_values",
    "drawn_once",
    "error_facts",
    "estimate_column",
    "extension",
    "frame_of",
    "is_document",
    "is_release",
    "item_names",
    "legends",
    "level_of",
    "load",
    "named_nodes",
    "on_space",
    "open_books",
    "open_source",
    "open_table",
    "optimal_gains",
    "plan_release",
    "protect",
    "query_table",
    "read_bytes",
    "read_declaration",
    "read_definition",
    "read_document",
    "read_domain",
    "read_edges",
    "read_matrix",
    "read_measure",
    "read_nodes",
    "read_outputs",
    "read_predicate",
    "read_query",
    "read_release",
    "read_rows",
    "read_space",
    "read_space_file",
    "read_subject",
    "read_vector",
    "refuse_answers",
    "refuse_existing",
    "release_bytes",
    "release_content",
    "release_figure",
    "remove_files",
    "replacing",
    "replacing_all",
    "sanitize",
    "sanitize_table",
    "save",
    "schema_of",
    "text_source",
    "write_bytes",
    "write_survey",
    "write_table",
    "writing",
]
