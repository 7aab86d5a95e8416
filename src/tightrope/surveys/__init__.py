"""Surveys: randomized response from plan to result (H16, Chapter 6).

Plan a design and a sample size, ask with the answer randomized in the respondent's browser,
and read the shares of the true answers with intervals.
"""

from tightrope.surveys.answers import answer_names, read_design
from tightrope.surveys.comparison import Compared, compare_at_violation
from tightrope.surveys.creation import checked_address, create_survey, design_at
from tightrope.surveys.designs import Design, binary, mangat, warner
from tightrope.surveys.differences import difference
from tightrope.surveys.estimation import QuestionEstimate, estimate_answers
from tightrope.surveys.findings import Report, bars, report, results
from tightrope.surveys.label import promise
from tightrope.surveys.optimum import (
    best_binary,
    best_vertex,
    feasible,
    switching_prevalence,
    thesis_corners,
    thesis_g,
    thesis_optimum,
)
from tightrope.surveys.page_code import page_code, thresholds
from tightrope.surveys.planning import Bound, plan_margin, planned_answers, smallest_plan
from tightrope.surveys.plans import SurveyPlan, plan_survey
from tightrope.surveys.protection import privacy_violation, protection
from tightrope.surveys.server import results_page, survey_application
from tightrope.surveys.super_binary import super_binary
from tightrope.surveys.survey_file import Question, read_survey, store_path
from tightrope.surveys.survey_store import SurveyStore
from tightrope.surveys.variance import shares_of, unit_variance, worst_variance

__all__ = [
    "Bound",
    "Compared",
    "Design",
    "Question",
    "QuestionEstimate",
    "Report",
    "SurveyPlan",
    "SurveyStore",
    "answer_names",
    "bars",
    "best_binary",
    "best_vertex",
    "binary",
    "checked_address",
    "compare_at_violation",
    "create_survey",
    "design_at",
    "difference",
    "estimate_answers",
    "feasible",
    "mangat",
    "page_code",
    "plan_margin",
    "plan_survey",
    "planned_answers",
    "privacy_violation",
    "promise",
    "protection",
    "read_design",
    "read_survey",
    "report",
    "results",
    "results_page",
    "shares_of",
    "smallest_plan",
    "store_path",
    "super_binary",
    "survey_application",
    "switching_prevalence",
    "thesis_corners",
    "thesis_g",
    "thesis_optimum",
    "thresholds",
    "unit_variance",
    "warner",
    "worst_variance",
]
