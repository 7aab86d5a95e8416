"""Reports: released documents as one page for a board, with tables, and the check of all of it."""

from typing import TYPE_CHECKING

from tightrope.doors import on_demand

if TYPE_CHECKING:
    from tightrope.reports.blocks import ReportTable, TableCell
    from tightrope.reports.checking import verify_report
    from tightrope.reports.page import head_of, table
    from tightrope.reports.pictures import inline_svg
    from tightrope.reports.writing import rehearse_report, report
else:
    __getattr__ = on_demand(__name__)

__all__ = [
    "ReportTable",
    "TableCell",
    "head_of",
    "inline_svg",
    "rehearse_report",
    "report",
    "table",
    "verify_report",
]
