"""The file of a study: what it states, what it refuses, and levels that add up."""

from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tightrope import surveys as sv
from tightrope.errors import BadInput, Infeasible
from tightrope.exact import Level
from tightrope.surveys.study_levels import _Margin

WORK = """
title = "Work"
about = "Asked to learn."
epsilon = 3
links = { north = 2, south = 1 }

[[questions]]
text = "Ever taken something?"
refuse = true

[[questions]]
key = "often"
text = "How often?"
kind = "scale"
answers = ["once", "sometimes", "often"]
scores = [1, 2.5, 10]
sensitive = ["often"]
ask_if = { q1 = "yes" }

[[questions]]
text = "Hours?"
kind = "numeric"
bins = [0, 2.5, 10]
outside = "refuse"
unit = "hours"

[[questions]]
text = "Age"
clear = true
answers = "young/old"

[[questions]]
text = "Ever lied?"
kind = "crosswise"
second = { text = "Born in May?", prevalence = [0.15, 0.2] }

[[questions]]
text = "Drunk?"
kind = "unrelated"
second = { text = "Even number?", prevalence = [0.45, 0.55] }
"""


@pytest.fixture
def file(tmp_path):
    def write(text=WORK):
        path = tmp_path / "study.toml"
        path.write_text(text)
        return path

    return write


def test_a_study_file_makes_a_survey_of_every_kind(file, tmp_path):
    made = sv.create_survey(tmp_path / "s.json", file()).survey
    assert sv.read_survey((tmp_path / "s.json").read_bytes()) == made
    first, scale, hours, age, crosswise, unrelated = made.questions
    assert (made.title, made.about, made.groups) == ("Work", "Asked to learn.", ("north", "south"))
    assert first.answers == ("no", "yes", "prefer not to say")
    assert first.sensitive == ("yes",)
    assert (scale.key, scale.answers[-1], scale.sensitive) == ("often", "not asked", ("often",))
    assert scale.scores == (1, Fraction(5, 2), 10, None)
    assert scale.branch == sv.Branch("q1", ("yes",))
    assert hours.answers == ("0 to under 2.5", "2.5 to 10")
    assert hours.bins == sv.Bins((Fraction(0), Fraction(5, 2), Fraction(10)), sv.Outside.REFUSE,
                                 "hours")
    assert age.clear
    assert age.answers == ("young", "old")
    assert crosswise.level == Level.ratio(Fraction(85, 15))
    assert unrelated.second.low == Fraction(45, 100)
    levels = [q.level for q in (first, scale, hours, unrelated)]
    assert len(set(levels)) == 1
    assert levels[0].rational.denominator <= 4 * 10**6
    assert 3 - 4e-6 < float(made.total) < 3


def test_a_total_and_its_parts_add_up_exactly_where_they_can(file):
    def total(**changed):
        study = sv.read_study(file())
        return sv.survey_at(replace(study, questions=study.questions[:4], **changed)).total

    assert total() == Level.of(3)
    assert total(total=Level.ratio(7)).compare_level(Level.ratio(7)) == 0
    assert total(total=Level.epsilon(2, "0.3")) == Level.epsilon(2, "0.3")
    assert total(split=sv.Split.MARGINS) == Level.of(3)
    study = replace(sv.read_study(file()), total=Level.ratio(17))
    assert sv.survey_at(study).total.compare_level(Level.ratio(17)) == 0


positive = st.fractions(Fraction(1, 40), 5, max_denominator=40)


@settings(max_examples=60, deadline=None)
@given(positive, st.lists(positive, min_size=1, max_size=4),
       st.lists(st.fractions(Fraction(1, 90), Fraction(1, 5), max_denominator=90), max_size=3))
def test_weights_and_shares_divide_any_total_exactly(total, weights, shares):
    questions = [sv.StudyQuestion("?", weight=weight) for weight in weights]
    questions += [sv.StudyQuestion("?", share=share) for share in shares]
    levels = sv.question_levels(sv.Study("x", tuple(questions), Level.of(total)))
    assert sum(level.rational for level in levels) == total
    rest = total * (1 - sum(shares))
    for weight, level in zip(weights, levels, strict=False):
        assert level.rational == rest * weight / sum(weights)


def test_a_split_by_margins_is_nearly_the_best_of_all_splits():
    """Against every split into 40 parts, by the variance of k-ary response written down here."""
    questions = (sv.StudyQuestion("?"), sv.StudyQuestion("?", tuple("abc")),
                 sv.StudyQuestion("?", tuple("abcdef")))
    study = sv.Study("x", questions, Level.of(3), split=sv.Split.MARGINS)

    def margin(size, epsilon):
        from math import exp

        p, q = exp(epsilon) / (exp(epsilon) + size - 1), 1 / (exp(epsilon) + size - 1)
        # the variance of (1{sent} - q)/(p - q), the largest over all shares
        return max(sqrt(r * (1 - r)) / (p - q)
                   for r in (q + share * (p - q) / 200 for share in range(201)))

    def largest(levels):
        return max(margin(len(q.answers), float(level))
                   for q, level in zip(questions, levels, strict=True))

    best = min(largest((3 * a / 40, 3 * b / 40, 3 * (40 - a - b) / 40))
               for a, b in product(range(1, 39), repeat=2) if a + b < 40)
    levels = sv.question_levels(study)
    assert sum(level.rational for level in levels) == 3
    assert largest(levels) < 1.02 * best
    even = sv.question_levels(replace(study, split=sv.Split.EVEN))
    assert largest(levels) < 0.95 * largest(even)
    assert _Margin(questions[1], Level.of(3))(500) == pytest.approx(margin(3, 1.5), rel=1e-3)


@pytest.mark.parametrize("aim", ["mean", "cumulative", "shares"])
def test_a_split_by_margins_gives_a_best_design_the_margin_of_the_others(aim):
    """No other split of 24 has a smaller largest margin; that of an aim is one of its range."""
    scale = sv.StudyQuestion("?", tuple("wxyz"), design="best", aim=aim)
    questions = sv.StudyQuestion("?"), scale
    study = sv.Study("x", questions, Level.of(3), split=sv.Split.MARGINS)
    margins = [row.margin for row in sv.plan_study(study, respondents=400).rows]
    assert margins[0] == pytest.approx(margins[1], rel=0.01)
    for first in range(1, 24):
        levels = Level.of(Fraction(first, 8)), Level.of(3 - Fraction(first, 8))
        other = sv.Study("x", tuple(replace(question, epsilon=level)
                                    for question, level in zip(questions, levels, strict=True)))
        rows = sv.plan_study(other, respondents=400).rows
        assert max(row.margin for row in rows) > 0.99 * max(margins)


def test_an_unrelated_question_tells_as_much_as_its_level_allows():
    """A chance of the truth that is larger by a billionth breaks the level at an end."""
    second = sv.SecondQuestion("?", Fraction(1, 5), Fraction(3, 5))
    asked = sv.StudyQuestion("Ever?", kind=sv.Kind.UNRELATED, second=second,
                             epsilon=Level.ratio(4))
    (question,) = sv.survey_at(sv.Study("x", (asked,))).questions

    def worst(truth):
        sizes = [((1 - truth) * q, truth + (1 - truth) * q) for q in second.ends]
        return max(max(yes / no, (1 - no) / (1 - yes)) for no, yes in sizes)

    assert worst(question.truth) == 4
    assert worst(question.truth + Fraction(1, 10**9)) > 4


@pytest.mark.parametrize(("before", "after", "words"), [
    ("title =", "titel =", "unknown field 'titel'"),
    ("epsilon = 3", "epsilon = 0.5", "ε = 1.7346.*nothing is left for q1, often, q3, q6"),
    ("epsilon = 3", "", "q1 has no level"),
    ("epsilon = 3", "epsilon = 3\nratio = 2", "either epsilon or ratio"),
    ("epsilon = 3", "epsilon = 'x'", "privacy level"),
    ("epsilon = 3", "epsilon = 3\nsplit = 'fair'", "even, margins"),
    ("refuse = true", "refuse = true\nkind = 'tree'", "question 1.*choice, scale"),
    ("refuse = true", "options = ['a']", "question 1: unknown field 'options'.*write answers"),
    ("refuse = true", "refuse = 3", "question 1: refuse is true"),
    ("refuse = true", "answers = ['a']", "at least two answers"),
    ("refuse = true", "answers = ['a', 'a']", "look different"),
    ("refuse = true", "sensitive = ['maybe']", "among the answers"),
    ("refuse = true", "clear = 'yes'", "true or false"),
    ("refuse = true", "design = 'crosswise'", "second question"),
    ("refuse = true", "refuse = true\ndesign = 'warner'", "k-ary or best randomize 3"),
    ("refuse = true", "prevalence = 0.1", "design = \"best\""),
    ("refuse = true", "share = 0.1\nweight = 2", "one of epsilon, share and weight"),
    ("refuse = true", "weight = 0", "above 0"),
    ("refuse = true", "scores = [1, 2]", "scores are those of a scale"),
    ("kind = \"numeric\"", "", "a numeric question has bins"),
    ("bins = [0, 2.5, 10]", "", "those of bins"),
    ("bins = [0, 2.5, 10]", "bins = [0, 10]", "three edges"),
    ("bins = [0, 2.5, 10]", "bins = [0, 2.5, 1e400]", "at most 15 digits"),
    ("scores = [1, 2.5, 10]", "scores = [1, 2.5, 1e400]", "below 1e15"),
    ("q1 = \"yes\"", "q7 = \"yes\"", "no question 'q7'"),
    ("q1 = \"yes\"", "q1 = \"maybe\"", "some, not all"),
    ("[0.15, 0.2]", "[0.4, 0.6]", "nowhere 1/2"),
    ("[0.15, 0.2]", "0.2", "interval"),
    ("clear = true", "clear = true\nepsilon = 1", "no level"),
    ("clear = true", "clear = true\nsensitive = ['old']", "no sensitive"),
    ("kind = \"crosswise\"", "kind = \"crosswise\"\nweight = 2", "follows from its prevalence"),
    ("kind = \"crosswise\"", "kind = \"crosswise\"\nrefuse = true", "has two answers"),
    ("kind = \"crosswise\"", "kind = \"crosswise\"\nclear = true", "leave clear"),
    ("kind = \"crosswise\"", "", "no other has"),
    ("text = \"Hours?\"", "text = 7", "a text in quotes"),
    ("text = \"Hours?\"", "", "question 3: text is missing"),
    ("Hours?", "Hours\\u0007?", "control|U\\+0007"),
    ("links = {", "links = 3 #", None),
    ("links = {", "links = 'many' #", "whole number"),
])
def test_a_study_that_cannot_be_is_refused_in_one_sentence(file, tmp_path, before, after, words):
    path = file(WORK.replace(before, after, 1))
    if words is None:
        assert sv.read_study(path).links == 3
        return
    with pytest.raises(BadInput, match=f"(?s)^[^\n]*({words})") as refused:
        sv.create_survey(tmp_path / "s.json", path)
    assert str(refused.value).count("\n") == 0
    assert not (tmp_path / "s.json").exists()


def test_the_best_design_is_that_of_an_aim_by_scores(file):
    """The mean of a scale by its own scores, among those who were asked: 61/16 as expected."""
    study = sv.read_study(file(WORK.replace(
        "scores = [1, 2.5, 10]",
        'scores = [1, 2.5, 10]\ndesign = "best"\naim = "mean"\nepsilon = 1\n'
        "prevalence = [0.3, 0.3, 0.2, 0.2]")))
    made = sv.survey_at(study).questions[1]
    weights = [(Fraction(score) - Fraction(61, 16)) / Fraction(4, 5) for score in (1, 2.5, 10)]
    by_hand = sv.best_design(made.answers, 1, aim=[*weights, 0],
                             prior=["0.3", "0.3", "0.2", "0.2"]).design
    assert made.design.rows == by_hand.rows
    assert made.level == Level.of(1)
    wide = sv.StudyQuestion("?", tuple("abcdefghijk"), design="best")
    split = sv.Study("x", (wide, study.questions[0]), Level.of(1), split=sv.Split.MARGINS)
    with pytest.raises(BadInput, match="best design of 11 answers, and a split by margins"):
        sv.question_levels(split)
    with pytest.raises(BadInput, match='aim chooses the best design'):
        sv.StudyQuestion("?", aim="mean")


def test_triangular_is_private_at_no_epsilon_and_refused(file):
    for before, after in (("refuse = true", "kind = 'triangular'"),
                          ("refuse = true", "design = 'triangular'")):
        with pytest.raises(Infeasible, match="zero cell"):
            sv.survey_at(sv.read_study(file(WORK.replace(before, after, 1))))


def test_what_a_study_states_is_not_stated_again(file, tmp_path):
    for beside in ({"epsilon": 1}, {"title": "x"}, {"about": "x"}, {"links": 3}):
        with pytest.raises(BadInput, match="do not state it again"):
            sv.create_survey(tmp_path / "s.json", file(), **beside)
    bare = WORK.replace('title = "Work"', "").replace("epsilon = 3", "")
    made = sv.create_survey(tmp_path / "s.json", file(bare), 3, title="Other").survey
    assert made.title == "Other"


def test_a_broken_file_names_its_line(file):
    with pytest.raises(BadInput, match="line 3"):
        sv.read_study(file("title = 'x'\n\nepsilon = = 3"))
    with pytest.raises(BadInput, match="a study is a file"):
        sv.read_study("nothing")


def test_words_and_designs_are_a_study_too():
    study = sv.Study("x", (sv.StudyQuestion("Ever?", own=sv.warner("3/4")),))
    (question,) = sv.survey_at(study).questions
    assert question.level == Level.ratio(3)


def test_the_reference_names_every_field():
    from tests.architecture.source import ROOT
    from tightrope.surveys.study_file import FIELDS, QUESTION_FIELDS

    text = (ROOT / "docs/reference/studies.md").read_text(encoding="utf-8")
    study, question = text.split("## A question")
    assert all(f"`{field}`" in study for field in FIELDS)
    assert all(f"`{field}`" in question for field in QUESTION_FIELDS)
    stated = sv.read_study(_toml(text.partition("```toml")[2].partition("```")[0]))
    assert len(sv.survey_at(stated).questions) == 5


def _toml(text):
    import tomllib

    return tomllib.loads(text, parse_float=str)
