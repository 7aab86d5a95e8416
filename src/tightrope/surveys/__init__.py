"""Surveys: randomized response from plan to result (H16, Chapter 6).

Plan a design and a sample size, ask with the answer randomized in the respondent's browser,
and read the shares of the true answers with intervals.
"""

from tightrope.surveys.answers import answer_names, read_design
from tightrope.surveys.comparison import (
    Compared,
    compare_at_violation,
    designs_at,
    designs_at_violation,
)
from tightrope.surveys.creation import CreatedSurvey, checked_address, create_survey, design_at
from tightrope.surveys.designs import (
    Design,
    binary,
    crosswise,
    custom,
    forced_response,
    k_ary,
    kuk,
    mangat,
    unrelated_question,
    warner,
)
from tightrope.surveys.differences import difference
from tightrope.surveys.estimation import QuestionEstimate, estimate_answers, joint
from tightrope.surveys.findings import Finding, Report, bars, report, results
from tightrope.surveys.label import promise, question_label, total_promise
from tightrope.surveys.optimum import (
    Optimum,
    best_binary,
    best_vertex,
    feasible,
    switching_prevalence,
    thesis_corners,
    thesis_g,
    thesis_optimum,
)
from tightrope.surveys.page_code import page_code, thresholds
from tightrope.surveys.planning import (
    Bound,
    Plan,
    coverage,
    plan_difference,
    plan_margin,
    planned_answers,
    power_at,
    smallest_plan,
)
from tightrope.surveys.plans import SurveyPlan, plan_survey
from tightrope.surveys.protection import delta_at, privacy_violation, protection, prove
from tightrope.surveys.server import results_page, survey_application
from tightrope.surveys.super_binary import best_super_binary, super_binary
from tightrope.surveys.survey_file import (
    Question,
    Survey,
    read_survey,
    store_path,
    survey_bytes,
    survey_of,
)
from tightrope.surveys.survey_store import (
    LinkState,
    NewSurvey,
    Outcome,
    Submission,
    SurveyStore,
    write_survey,
)
from tightrope.surveys.variance import shares_of, unit_variance, worst_variance

__all__ = [
    "Bound",
    "Compared",
    "CreatedSurvey",
    "Design",
    "Finding",
    "LinkState",
    "NewSurvey",
    "Optimum",
    "Outcome",
    "Plan",
    "Question",
    "QuestionEstimate",
    "Report",
    "Submission",
    "Survey",
    "SurveyPlan",
    "SurveyStore",
    "answer_names",
    "bars",
    "best_binary",
    "best_super_binary",
    "best_vertex",
    "binary",
    "checked_address",
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
    "write_survey",
]
