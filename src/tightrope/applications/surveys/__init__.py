"""Surveys: randomized response from plan to result (H16, Chapter 6).

Plan a design and a sample size, ask with the answer randomized in the respondent's browser,
and read the shares of the true answers with intervals.
"""

from tightrope.applications.surveys.answers import answer_names, read_design
from tightrope.applications.surveys.comparison import (
    Compared,
    compare_at_level,
    compare_at_violation,
    designs_at,
    designs_at_violation,
)
from tightrope.applications.surveys.creation import (
    CreatedSurvey,
    checked_address,
    create_survey,
    design_at,
)
from tightrope.applications.surveys.designs import (
    TWO_QUESTIONS,
    Design,
    binary,
    crosswise,
    custom,
    forced_response,
    k_ary,
    kuk,
    mangat,
    of_mechanism,
    unrelated_question,
    warner,
)
from tightrope.applications.surveys.differences import Difference, difference
from tightrope.applications.surveys.estimation import (
    QuestionEstimate,
    estimate_answers,
    joint,
)
from tightrope.applications.surveys.findings import Finding, Report, bars, report, results
from tightrope.applications.surveys.label import promise, question_label, total_promise
from tightrope.applications.surveys.optimum import (
    Optimum,
    best_binary,
    best_vertex,
    feasible,
    switching_prevalence,
    thesis_corners,
    thesis_g,
    thesis_optimum,
)
from tightrope.applications.surveys.page_code import page_code, thresholds
from tightrope.applications.surveys.planning import (
    Bound,
    DifferencePlan,
    Plan,
    coverage,
    plan_difference,
    plan_margin,
    planned_answers,
    power_at,
    smallest_plan,
)
from tightrope.applications.surveys.plans import PlannedDesign, SurveyPlan, plan_survey
from tightrope.applications.surveys.protection import (
    Protection,
    delta_at,
    privacy_violation,
    protection,
    prove,
)
from tightrope.applications.surveys.server import results_page, survey_application
from tightrope.applications.surveys.super_binary import best_super_binary, super_binary
from tightrope.applications.surveys.survey_file import (
    Question,
    Survey,
    read_survey,
    store_path,
    survey_bytes,
    survey_of,
)
from tightrope.applications.surveys.variance import shares_of, unit_variance, worst_variance

__all__ = [
    "TWO_QUESTIONS",
    "Bound",
    "Compared",
    "CreatedSurvey",
    "Design",
    "Difference",
    "DifferencePlan",
    "Finding",
    "Optimum",
    "Plan",
    "PlannedDesign",
    "Protection",
    "Question",
    "QuestionEstimate",
    "Report",
    "Survey",
    "SurveyPlan",
    "answer_names",
    "bars",
    "best_binary",
    "best_super_binary",
    "best_vertex",
    "binary",
    "checked_address",
    "compare_at_level",
    "compare_at_violation",
    "coverage",
    "create_survey",
    "crosswise",
    "custom",
    "delta_at",
    "design_at",
    "designs_at",
    "designs_at_violation",
    "difference",
    "estimate_answers",
    "feasible",
    "forced_response",
    "joint",
    "k_ary",
    "kuk",
    "mangat",
    "of_mechanism",
    "page_code",
    "plan_difference",
    "plan_margin",
    "plan_survey",
    "planned_answers",
    "power_at",
    "privacy_violation",
    "promise",
    "protection",
    "prove",
    "question_label",
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
    "survey_bytes",
    "survey_of",
    "switching_prevalence",
    "thesis_corners",
    "thesis_g",
    "thesis_optimum",
    "thresholds",
    "total_promise",
    "unit_variance",
    "unrelated_question",
    "warner",
    "worst_variance",
]
