"""Surveys: randomized response from plan to result (H16, Chapter 6).

Its modules stand in six rows, and each row uses those before it:
a design (`designs`, `protection`, `variance`, `optimum`, `best_designs`);
a plan (`planning`, `sizes`, `margins`, `plans`, `aim_plans`, `study_plans`);
a study, whose levels add up to its total (`questions`, `study`, `study_levels`, `creation`);
a survey: file, texts, label and proof (`survey_file`, `survey_edit`, `label`, `verification`);
the field: links, pages, server and store (`fielding`, `links`, `server`, `survey_store`);
results (`estimation`, `findings`, `group_differences`, `regression`, `waves`, `exports`).
"""

from tightrope.surveys.aim_plans import plan_aim
from tightrope.surveys.best_designs import aim_of, best_design
from tightrope.surveys.bins import Bins, Outside
from tightrope.surveys.comparison import (
    Compared,
    compare_at_violation,
    designs_at,
    designs_at_violation,
)
from tightrope.surveys.creation import create_survey, survey_at
from tightrope.surveys.cross_tables import cross_table
from tightrope.surveys.designs import (
    Design,
    answer_names,
    binary,
    crosswise,
    custom,
    direct_question,
    forced_response,
    k_ary,
    kuk,
    mangat,
    read_design,
    unrelated_question,
    warner,
)
from tightrope.surveys.differences import difference
from tightrope.surveys.estimation import QuestionEstimate, estimate_answers, joint
from tightrope.surveys.exports import check_export, question_mechanisms, write_export
from tightrope.surveys.fielding import checked_address, checked_site, port_of
from tightrope.surveys.finding import bars
from tightrope.surveys.findings import Report, report, results
from tightrope.surveys.group_differences import compare_groups
from tightrope.surveys.links import add_links, print_links
from tightrope.surveys.margins import ExpectedMargins, expected_margins
from tightrope.surveys.optimum import (
    best_binary,
    best_super_binary,
    best_vertex,
    feasible,
    super_binary,
    switching_prevalence,
    thesis_corners,
    thesis_g,
    thesis_optimum,
)
from tightrope.surveys.page_code import page_code
from tightrope.surveys.planning import Bound, plan_difference, plan_margin
from tightrope.surveys.plans import SurveyPlan, plan_survey
from tightrope.surveys.protection import delta_at, privacy_violation, protection, prove
from tightrope.surveys.quantities import quantities
from tightrope.surveys.questions import Branch, Kind, Question, SecondQuestion
from tightrope.surveys.regression import regress
from tightrope.surveys.server import results_page, survey_application
from tightrope.surveys.study import Split, Study, StudyQuestion
from tightrope.surveys.study_designs import design_at
from tightrope.surveys.study_file import read_study
from tightrope.surveys.study_levels import question_levels
from tightrope.surveys.study_plans import plan_study
from tightrope.surveys.survey_edit import edit_survey
from tightrope.surveys.survey_file import Survey, read_survey, store_path, survey_in
from tightrope.surveys.survey_store import Submission, SurveyStore
from tightrope.surveys.variance import all_shares, shares_of, unit_variance, worst_variance
from tightrope.surveys.verification import verify_survey
from tightrope.surveys.waves import Trend, compare_waves
from tightrope.surveys.words import draft_translation

__all__ = [
    "Bins",
    "Bound",
    "Branch",
    "Compared",
    "Design",
    "ExpectedMargins",
    "Kind",
    "Outside",
    "Question",
    "QuestionEstimate",
    "Report",
    "SecondQuestion",
    "Split",
    "Study",
    "StudyQuestion",
    "Submission",
    "Survey",
    "SurveyPlan",
    "SurveyStore",
    "Trend",
    "add_links",
    "aim_of",
    "all_shares",
    "answer_names",
    "bars",
    "best_binary",
    "best_design",
    "best_super_binary",
    "best_vertex",
    "binary",
    "check_export",
    "checked_address",
    "checked_site",
    "compare_at_violation",
    "compare_groups",
    "compare_waves",
    "create_survey",
    "cross_table",
    "crosswise",
    "custom",
    "delta_at",
    "design_at",
    "designs_at",
    "designs_at_violation",
    "difference",
    "direct_question",
    "draft_translation",
    "edit_survey",
    "estimate_answers",
    "expected_margins",
    "feasible",
    "forced_response",
    "joint",
    "k_ary",
    "kuk",
    "mangat",
    "page_code",
    "plan_aim",
    "plan_difference",
    "plan_margin",
    "plan_study",
    "plan_survey",
    "port_of",
    "print_links",
    "privacy_violation",
    "protection",
    "prove",
    "quantities",
    "question_levels",
    "question_mechanisms",
    "read_design",
    "read_study",
    "read_survey",
    "regress",
    "report",
    "results",
    "results_page",
    "shares_of",
    "store_path",
    "super_binary",
    "survey_application",
    "survey_at",
    "survey_in",
    "switching_prevalence",
    "thesis_corners",
    "thesis_g",
    "thesis_optimum",
    "unit_variance",
    "unrelated_question",
    "verify_survey",
    "warner",
    "worst_variance",
    "write_export",
]
