"""Reports: released documents as one page for a board, with tables, and the check of all of it."""

from typing import TYPE_CHECKING

from tightrope.doors import on_demand

if TYPE_CHECKING:
    from tightrope.reports.checking import verify_report
    from tightrope.reports.writing import rehearse_report, report
else:
    __getattr__ = on_demand(__name__)

__all__ = ["rehearse_report", "report", "verify_report"]
