"""The language of questions: every question comes back from its text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tightrope.errors import BadInput
from tightrope.releases import Question
from tightrope.releases.grammar import columns_in
from tightrope.releases.statistics import STATISTICS

WORDS = st.sampled_from(["age", "net income", "by", "WHERE", "of", "a, b", "a]b", "[x]", "]", "é t",
                         "1st", "", "mean", "count", "most frequent", "a;b", "it's", 'say "x"',
                         "`tick`", "and", "Missing", "x where y", " padded ", "漢字", "a\u00a0b"])
PLAIN = st.characters(exclude_categories=("Cc", "Cs", "Cf", "Zl", "Zp"))
NAMES = WORDS | st.text(PLAIN, max_size=8)


def bracketed(name):
    return f"[{name.replace(']', ']]')}]"


CONSTANTS = st.sampled_from(["3", "-0.5", "'by'", "'it''s'", '"a; b"', "'where x = 1'", "1e3"])
CONDITIONS = st.builds(
    lambda name, sign, constant: f"{bracketed(name)} {sign} {constant}",
    NAMES, st.sampled_from(["=", ">=", "<", "!="]), CONSTANTS,
)
LONGER = st.builds(lambda a, word, b: f"({a}) {word} not {b}", CONDITIONS,
                   st.sampled_from(["and", "OR"]), CONDITIONS)
CLAUSES = CONDITIONS | LONGER
DETAILS = {
    "quantiles": st.lists(st.sampled_from(["1/4", "0.5", "0.999"]), min_size=1, max_size=3),
    "frequent": st.integers(1, 99).map(str),
    "proportion": CLAUSES.map(lambda text: [text]),
    "counts": st.lists(CLAUSES, min_size=1, max_size=3, unique_by=str.strip),
}


@st.composite
def questions(draw):
    ask = draw(st.sampled_from(list(STATISTICS)))
    number = columns_in(STATISTICS[ask].phrase)
    return Question(
        ask, draw(st.lists(NAMES, min_size=number, max_size=number)),
        draw(st.lists(NAMES, max_size=3)), draw(st.none() | CLAUSES),
        draw(DETAILS[ask]) if ask in DETAILS else (),
    )


@given(questions())
def test_every_question_comes_back_from_its_text(question):
    assert Question.read(question.text) == question


@pytest.mark.parametrize(("text", "question"), [
    ("count", Question("count")),
    ("COUNT By sex", Question("count", by="sex")),
    ("mean of age by religious, sex where age >= 20",
     Question("mean", "age", ("religious", "sex"), "age >= 20")),
    ("mean of age where age >= 20 by religious",
     Question("mean", "age", "religious", "age >= 20")),
    ("histogram of a and b", Question("cross", ("a", "b"))),
    ("quantiles .25, 3 / 4 of [net income]",
     Question("quantiles", "net income", at=["1/4", "3/4"])),
    ("3 most frequent of drug", Question("frequent", "drug", at=3)),
    ("proportion of sex = 'by' and x > 1 by y",
     Question("proportion", by="y", at="sex = 'by' and x > 1")),
    ("counts of a = 1; b = ';' where c is missing",
     Question("counts", where="c is missing", at=["a = 1", "b = ';'"])),
    ("sum of count", Question("sum", "count")),
    ("mean of `old name`", Question("mean", "old name")),
    ("mode of [of]", Question("mode", "of")),
])
def test_questions_as_people_write_them(text, question):
    assert Question.read(text) == question


@pytest.mark.parametrize(("text", "said"), [
    ("mean age", "write 'mean of age'; found 'age' at character 6"),
    ("average of age", "ask 'mean of age'"),
    ("share of x = 1", "ask 'proportion of age >= 30'"),
    ("top 3 drug", "ask '3 most frequent of drug'"),
    ("quantile of age", "ask 'quantiles 0.25, 0.75 of age'"),
    ("percentile 90 of age", "ask 'quantiles 0.9 of age'"),
    ("quantiles of age", "expected probabilities, as in quantiles 0.25, 0.75 of age"),
    ("most frequent of drug", "ask '3 most frequent of drug'"),
    ("3 most frequent drug", "after 'most frequent' comes 'of' and a column"),
    ("histogram of a, b", "two columns are joined by 'and'"),
    ("standard deviation of age", "ask 'variance of age'"),
    ("number of rows", "ask 'count'"),
    ("meen of age", "did you mean mean?"),
    ("", "the question is empty"),
    ("mean of", "the question ends there"),
    ("mean of age by", "the question ends there"),
    ("mean of age where", "expected a condition, such as age >= 30"),
    ("mean of by", "one called that is written [by]"),
    ("mean of age by sex by sex", "'by' stands once; found 'by' at character 20"),
    ("count x", "expected 'by', 'where' or the end"),
    ("count by sex and age", "columns to group by have commas between them: by sex, age"),
    ("count where sex = 'f' by age and sex", "have commas between them: by sex, age"),
    ("mean of [age", "is not closed"),
    ("count where sex = 'f", "is not closed"),
    ("counts of a = 1;", "expected a condition"),
    ("count\nby x", "control"),
    (3, "a question is a text"),
])
def test_mistakes_are_answered_with_their_place_and_what_works(text, said):
    with pytest.raises(BadInput) as refused:
        Question.read(text)
    assert said in str(refused.value)


@pytest.mark.parametrize("condition", ["age > 3 by sex", "a = 1; b = 2", "x where y = 1"])
def test_no_clause_hides_in_a_condition(condition):
    with pytest.raises(BadInput, match="a condition has no"):
        Question("count", where=condition)
