"""The model of a survey: what a file of version 2 holds, and what no file may claim."""

import json
from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest

from tightrope import surveys as sv
from tightrope.documents import digest_of, render
from tightrope.errors import BadDocument, BadInput, BadMatrix, NotCertified, NotPrivate
from tightrope.exact import Level
from tightrope.surveys.questions import CLEAR
from tightrope.surveys.survey_file import survey_bytes

THIRD = Level.ratio(3)


def private(key, design, level=THIRD, **form):
    return sv.Question(key, f"{key}?", sv.prove(design, level), design.sensitive, design.name,
                       design.how, **form)


def choice(key="q1", level=THIRD, answers=("no", "yes"), **form):
    return private(key, sv.k_ary(answers, 3), level, **form)


def clear(key, answers=("young", "old"), **form):
    return sv.Question(key, f"{key}?", None, (), CLEAR, "", listed=answers, **form)


def crosswise(key="q9", low="7/10", high="3/4", end=None, second="Born in May?", level=THIRD):
    about = sv.SecondQuestion(second, Fraction(low), Fraction(high))
    return private(key, sv.crosswise(end or high), level, kind=sv.Kind.CROSSWISE, second=about)


def unrelated(key="q9", truth="1/2", low="1/4", high="1/3", end=None, level=None):
    about = sv.SecondQuestion("Even house number?", Fraction(low), Fraction(high))
    return private(key, sv.unrelated_question(truth, end or low), level or Level.ratio(5),
                   kind=sv.Kind.UNRELATED, second=about)


def survey(*questions):
    return sv.Survey("Work", "", questions, ("all",))


def everything():
    """One question of each kind, and a branch on a branch."""
    yes = sv.Branch("q1", ("yes",))
    return survey(
        choice("q1", answers=("no", "yes", "rather not"), refused="rather not"),
        choice("q2", answers=("a", "b", "rather not", "not asked"), refused="rather not",
               not_asked="not asked", branch=yes),
        choice("q3", answers=("low", "high", "not asked"), kind=sv.Kind.SCALE,
               not_asked="not asked", branch=sv.Branch("q2", ("a",)),
               scores=(Fraction(1), Fraction(5, 2), None)),
        choice("q4", answers=("0 to under 2", "2 to 9"), kind=sv.Kind.NUMERIC,
               bins=sv.Bins((Fraction(0), Fraction(2), Fraction(9)), sv.Outside.REFUSE, "hours"),
               scores=(Fraction(1), Fraction(11, 2))),
        clear("q5"),
        clear("q6", ("x", "y", "not asked"), not_asked="not asked",
              branch=sv.Branch("q5", ("old",))),
        crosswise("q7"),
        unrelated("q8"),
    )


def changed(made, change):
    """The file of a survey after a change, with a digest that fits."""
    document = json.loads(json.dumps(made.document()))
    change(document)
    return render({**document, "digest": digest_of(document)})


def test_every_kind_of_question_is_written_and_read_back():
    made = everything()
    content = survey_bytes(made)
    read = sv.read_survey(content)
    assert read == made
    assert survey_bytes(read) == content
    assert read.total == Level.ratio(3**5 * 5)
    assert [q.choices for q in read.questions[:2]] == [
        ("no", "yes", "rather not"), ("a", "b", "rather not")]
    assert read.questions[4].design.rows == ((1, 0), (0, 1))
    assert [q.key for q in read.private] == ["q1", "q2", "q3", "q4", "q7", "q8"]


def test_the_law_is_that_of_answers_and_not_of_words():
    made = everything()
    first, *rest = made.questions
    assert replace(made, title="Other", about="x").law == made.law
    assert replace(made, questions=(replace(first, text="Other?"), *rest)).law == made.law
    assert replace(made, questions=(replace(first, sensitive=("no",)), *rest)).law != made.law
    assert replace(made, questions=(first, *rest[:-2], rest[-1], rest[-2])).law != made.law
    old = sv.Survey("Work", "", (choice(),), ("all",), 1)
    assert old.law == old.digest


@pytest.mark.parametrize(("low", "high"), [("7/10", "3/4"), ("1/4", "3/10"), ("2/3", "2/3")])
def test_crosswise_is_proved_at_the_worst_prevalence_and_not_below(low, high):
    """Its ε is the largest |ln(p/(1 - p))| over the interval."""
    places = [Fraction(low) + k * (Fraction(high) - Fraction(low)) / 40 for k in range(41)]
    worst = max(max(p / (1 - p), (1 - p) / p) for p in places)
    for end in {low, high}:
        assert crosswise(low=low, high=high, end=end, level=Level.ratio(worst)).level
        with pytest.raises(NotPrivate):
            crosswise(low=low, high=high, end=end, level=Level.ratio(worst - Fraction(1, 10**9)))


@pytest.mark.parametrize(("truth", "low", "high"), [
    ("1/2", "1/4", "1/3"), ("1/2", "1/4", "9/10"), ("2/3", "1/2", "1/2"), ("1/5", "1/9", "1/8")])
def test_unrelated_is_proved_at_the_worst_prevalence_and_not_below(truth, low, high):
    t, a, b = Fraction(truth), Fraction(low), Fraction(high)
    worst = Fraction(0)
    for q in (a + k * (b - a) / 40 for k in range(41)):
        yes, no = (1 - t) * q, t + (1 - t) * q  # P(yes | no), P(yes | yes)
        worst = max(worst, no / yes, (1 - yes) / (1 - no))
    for end in {low, high}:
        made = unrelated("q1", truth, low, high, end, Level.ratio(worst))
        assert made.truth == t
        with pytest.raises(NotPrivate):
            unrelated("q1", truth, low, high, end, Level.ratio(worst - Fraction(1, 10**9)))


def test_estimates_for_every_prevalence_lie_between_those_at_the_ends():
    for made in (crosswise(), crosswise(low="1/4", high="2/5"), unrelated()):
        for yes in (Fraction(1, 5), Fraction(1, 2), Fraction(4, 5)):
            def share(design, yes=yes):
                a, b = design.rows[0][1], design.rows[1][1]
                return (yes - a) / (b - a)

            ends = sorted(map(share, made.ends))
            low, high = made.second.low, made.second.high
            for k in range(11):
                assert ends[0] <= share(made._at(low + k * (high - low) / 10)) <= ends[-1]


@pytest.mark.parametrize("interval", [("1/2", "3/5"), ("2/5", "3/5"), ("2/5", "1/2")])
def test_a_crosswise_interval_with_one_half_is_refused(interval):
    with pytest.raises(BadInput, match="nowhere 1/2"):
        crosswise(low=interval[0], high=interval[1], end="3/5")


@pytest.mark.parametrize("interval", [(0, "1/2"), ("1/2", 1), ("3/4", "1/4"), (-1, "1/3")])
def test_a_prevalence_is_an_interval_inside_0_and_1(interval):
    with pytest.raises(BadInput, match="inside 0 and 1"):
        sv.SecondQuestion("?", *map(Fraction, interval))


def test_conditions_name_the_second_question_and_its_interval():
    said = " ".join(crosswise().conditions)
    for words in ("Born in May?", "70% and 75%", "nothing to do", "knows no more", "once"):
        assert words in said
    assert choice().conditions == ()


NOT = {"not_asked": "not asked"}


@pytest.mark.parametrize(("make", "words"), [
    (lambda: survey(choice("q1"), choice("q1")), "same key"),
    (lambda: survey(clear("q1")), "every question is clear"),
    (lambda: choice("q1", answers=("a", "b", "not asked"), **NOT), "of some people only"),
    (lambda: choice("q1", branch=sv.Branch("q0", ("a",))), "of some people only"),
    (lambda: choice("q1", answers=("rather not", "a", "b"), refused="rather not"), "not asked"),
    (lambda: choice("q1", answers=("a", "rather not"), refused="rather not"), "at least two"),
    (lambda: choice("q1", kind=sv.Kind.SCALE), "do not fit its kind"),
    (lambda: choice("q1", scores=(Fraction(1), Fraction(2))), "do not fit its kind"),
    (lambda: choice("q1", kind=sv.Kind.SCALE, scores=(Fraction(1), None)), "a score for each"),
    (lambda: choice("q1", kind=sv.Kind.NUMERIC, scores=(Fraction(1), Fraction(2)),
                    bins=sv.Bins(tuple(map(Fraction, (0, 1, 2, 3))))), "for each bin"),
    (lambda: sv.Bins((Fraction(0), Fraction(1))), "at least three edges"),
    (lambda: sv.Bins(tuple(map(Fraction, (0, 2, 1)))), "above the one before"),
    (lambda: sv.Bins((Fraction(0), Fraction(1, 3), Fraction(1))), "at most 15 digits"),
    (lambda: clear("q1", ("a", "a\u200b")), "look different"),
    (lambda: replace(clear("q1"), sensitive=("young",)), "no sensitive"),
    (lambda: replace(clear("q1"), key="Q 1"), "the key of a question"),
    (lambda: replace(choice("q1"), listed=("a", "b")), "beside those of its mechanism"),
    (lambda: replace(choice("q1"), certified=None), "expected a certified mechanism"),
    (lambda: replace(crosswise(), kind=sv.Kind.CHOICE, second=None), "study"),
    (lambda: replace(crosswise(), kind=sv.Kind.UNRELATED), "at an end of the interval"),
    (lambda: replace(choice(), kind=sv.Kind.CROSSWISE, second=crosswise().second),
     "at an end of the interval"),
    (lambda: crosswise(end="18/25"), "at an end of the interval"),
    (lambda: private("q1", sv.k_ary(("a", "b", "c"), 3), kind=sv.Kind.UNRELATED,
                     second=crosswise().second), "has two answers"),
    (lambda: survey(crosswise("q1"), crosswise("q2")), "asked twice"),
    (lambda: survey(crosswise("q1"), crosswise("q2", second=" born in  MAY?")), "asked twice"),
    (lambda: survey(crosswise("q1", second="Q2?"), choice("q2")), "asked twice"),
])
def test_a_question_or_survey_that_cannot_be_is_refused(make, words):
    with pytest.raises((BadDocument, BadInput, NotCertified), match=words):
        make()


def branched(key="q2", question="q1", answers=("yes",)):
    return choice(key, answers=("a", "b", "not asked"), branch=sv.Branch(question, answers), **NOT)


@pytest.mark.parametrize(("make", "words"), [
    (lambda: (branched("q1", "q2"), choice("q2")), "an earlier question"),
    (lambda: (choice(), branched("q2", "q2")), "an earlier question"),
    (lambda: (choice(), branched("q2", "q9")), "an earlier question"),
    (lambda: (choice(), branched(answers=())), "some, not all"),
    (lambda: (choice(), branched(answers=("yes", "no"))), "some, not all"),
    (lambda: (choice(), branched(answers=("yes", "yes"))), "some, not all"),
    (lambda: (choice(), branched(answers=("maybe",))), "some, not all"),
    (lambda: (choice(), branched(), branched("q3", "q2", ("a", "not asked"))), "some, not all"),
    (lambda: (crosswise("q1"), branched()), "no page knows"),
    (lambda: (choice(), clear("q2", ("a", "b", "not asked"), branch=sv.Branch("q1", ("yes",)),
                              **NOT)), "would tell"),
])
def test_a_branch_is_on_an_earlier_answer_that_it_does_not_tell(make, words):
    with pytest.raises(BadInput, match=words):
        survey(*make())


def test_a_branch_may_be_on_everybody_who_was_asked():
    made = survey(choice(), branched(), branched("q3", "q2", ("a", "b")))
    assert sv.read_survey(survey_bytes(made)) == made


FIELDS = ("kind", "answers", "scores", "bins", "second", "refused", "not_asked", "ask_if", "key",
          "text", "sensitive", "design", "mechanism")
FORGED = (7, None, [], "x", ["1e999999999", "1"])
TRUE = [("text", "x"), ("key", "x"), ("refused", None), ("answers", FORGED[-1])]
"""Other words, or an answer like any other: these say nothing that was not proved."""


@pytest.mark.parametrize("make", [
    lambda: survey(everything().questions[0]), lambda: survey(choice(), branched()),
    lambda: survey(everything().questions[3]), lambda: survey(choice(), clear("q2")),
    lambda: survey(crosswise()), lambda: survey(unrelated()),
])
def test_a_forged_field_is_refused_in_one_sentence(make):
    made = make()
    for field, value in product(FIELDS, FORGED):
        def change(document, field=field, value=value):
            document["questions"][-1][field] = value

        content = changed(made, change)
        if content == survey_bytes(made):
            continue
        if (field, value) in TRUE and (field != "answers" or made.questions[-1].clear):
            assert sv.read_survey(content) != made
        else:
            with pytest.raises((BadDocument, BadInput, BadMatrix, NotPrivate), match=r"^[^\n]*$"):
                sv.read_survey(content)


@pytest.mark.parametrize("change", [
    lambda d: d.update(version=3), lambda d: d.update(version=1), lambda d: d.update(version=True),
    lambda d: d["questions"][6]["second"].update(prevalence=["7/10", "4/5"]),
    lambda d: d["questions"][6]["second"].update(prevalence=["0.7", "0.75"]),
    lambda d: d["questions"][6].update(kind="choice"),
    lambda d: d["questions"][6].update(second=None),
    lambda d: d["questions"][7]["second"].update(prevalence=["1/100", "1/3"]),
    lambda d: d["questions"][4].update(mechanism=d["questions"][0]["mechanism"]),
    lambda d: d["questions"][0].update(mechanism=None, answers=["no", "yes"]),
    lambda d: d["questions"][0].update(more=1),
    lambda d: d["questions"].reverse(),
])
def test_a_file_that_claims_more_than_was_proved_is_refused(change):
    with pytest.raises((BadDocument, BadInput, NotPrivate)):
        sv.read_survey(changed(everything(), change))
