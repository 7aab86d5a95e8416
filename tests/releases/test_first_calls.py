"""The first lines that a new user types, with the README only: an answer, or what leads to it."""

from datetime import date

import numpy as np
import pandas as pd
import pytest

import tightrope as tr

DF = pd.DataFrame({"age": np.arange(400) % 60, "sex": ["f", "m"] * 200})
FULL = r'tr\.mean\(df, "age", epsilon=1, low=0, high=100\)'

ANSWERED = {  # what is typed, and what the answer is near
    "count": (lambda: tr.count(DF, epsilon=1), 400),
    "mean": (lambda: tr.mean(DF, "age", epsilon=1, low=0, high=100), 28.5),
    "a text for epsilon": (lambda: tr.mean(DF, "age", epsilon="0.5", low=0, high=100), 28.5),
    "a series": (lambda: tr.mean(DF["age"], epsilon=1, low=0, high=100), 28.5),
    "a list": (lambda: tr.mean(list(DF["age"]), epsilon=1, low=0, high=100), 28.5),
    "a median": (lambda: tr.median(DF, "age", epsilon=1, low=0, high=100), 29),
    "a quantile": (lambda: tr.quantiles(DF, "age", 0.9, epsilon=1, low=0, high=100), 53),
    "a share": (lambda: tr.proportion(DF, "age >= 30", epsilon=1), 0.475),
    "a condition": (lambda: tr.count(DF, epsilon=1, where="sex = 'f'"), 200),
    "a sum": (lambda: tr.sum(DF, "age", epsilon=1, low=0, high=100), DF["age"].sum()),
    "a level": (lambda: tr.count(DF, epsilon=tr.Level.ratio(3)), 400),
}


@pytest.mark.parametrize("call", ANSWERED)
def test_a_first_call_is_answered_near_the_truth(call):
    """Beyond 40 times the 95 % error, noise is rarer than 10^-9."""
    ask, truth = ANSWERED[call]
    release = ask()
    spread = 10 if "ranks" in release.plan.unit_of_error else 40 * release.error
    assert abs(float(release) - truth) <= spread
    assert repr(release).splitlines()[-1] == (
        "Nothing was booked: to keep a budget, use tr.open(…).")


def test_a_file_is_asked_by_its_name(tmp_path):
    DF.to_csv(tmp_path / "file.csv", index=False)
    release = tr.mean(tmp_path / "file.csv", "age", epsilon=50, low=0, high=100)
    assert float(release) == pytest.approx(DF["age"].mean(), abs=1)
    frame = tr.histogram(str(tmp_path / "file.csv"), "sex", epsilon=50, values=["f", "m"])
    assert frame.to_frame()["answer"].to_pylist() == [200, 200]


LED = {
    "no bounds": (lambda: tr.mean(DF, "age"), r'epsilon=1, low=…, high=….*somebody\'s value'),
    "no level": (lambda: tr.mean(DF, "age", low=0, high=100), r"epsilon=0\.5.*or ratio=2"),
    "no column": (lambda: tr.mean(DF, epsilon=1, low=0, high=100), "name the column"),
    "no table": (lambda: tr.mean(), FULL),
    "no declaration": (lambda: tr.open(DF), r"tr\.open\(data, .d\.toml.*tr\.declare\(data\)"),
    "all by position": (lambda: tr.mean(DF, "age", 1, 0, 100), FULL),
    "bounds": (lambda: tr.mean(DF, "age", epsilon="0.5", bounds=(17, 42)),
               rf"bounds is low and high here: write {FULL}"),
    "eps": (lambda: tr.mean(DF, "age", eps=1, low=0, high=100), "eps is epsilon here"),
    "a misspelled column": (lambda: tr.mean(DF, "agee", epsilon=1, low=0, high=100),
                            r"no column 'agee' \(did you mean age\?\)"),
    "a column of another table": (lambda: tr.mean(DF, "weight", epsilon=1, low=0, high=9),
                                  "no column 'weight'; it has age, sex"),
    "zero": (lambda: tr.mean(DF, "age", epsilon=0, low=0, high=100), "ε above 0.*found ε = 0"),
    "a negative level": (lambda: tr.count(DF, epsilon=-1), "such as 0.5.*found -1"),
    "no values": (lambda: tr.histogram(DF, "sex", epsilon=1), r'values=\["f", "m"\].*bins=\[0'),
    "a number of bins": (lambda: tr.histogram(DF, "age", epsilon=1, bins=10), "bins is a list"),
    "by a name": (lambda: tr.mean(DF, "age", epsilon=1, low=0, high=100, by="sex"),
                  r'by=\{"sex": \["f", "m"\]\}'),
    "no quotes": (lambda: tr.count(DF, epsilon=1, where="sex = f"), "write 'f'"),
    "a Python comparison": (lambda: tr.count(DF, epsilon=1, where="age > 3 & age < 9"),
                            "no &: write and"),
    "a column for a condition": (lambda: tr.proportion(DF, "sex", epsilon=1), "after the column"),
    "a mask": (lambda: tr.proportion(DF, DF["age"] > 30, epsilon=1), 'such as "age >= 30"'),
    "the space": (lambda: tr.histogram(30, 4),
                  r"counts a column of a table; the space is tr\.spaces\.histogram\("),
    "the mechanism": (lambda: tr.median(1, size=5, low=0, high=9), r"tr\.theory\.median"),
    "a missing file": (lambda: tr.mean("nowhere.csv", "age", epsilon=1, low=0, high=9),
                       "there is no file nowhere.csv"),
    "several as one": (lambda: float(tr.histogram(DF, "sex", epsilon=1, values=["f", "m"])),
                       r"\.to_frame\(\)"),
    "a document": (lambda: tr.count(DF, epsilon=1).document(), r"tr\.open"),
    "books without a budget": (lambda: tr.open(DF, {"dataset": "d", "columns": {"age": {
        "type": "number", "low": 0, "high": 100}}}).mean("age", 1), "unbooked=True"),
    "the size of a budget": (lambda: tr.open(DF, "d.toml", ledger="b.sqlite", budget="b",
                                             epsilon=2), r"ledger\.open_budget\(Budget\.of\("),
    "bounds that are dates": (lambda: tr.median(DF, "age", epsilon=1, low="2025-01-01",
                                                high="2025-12-31"), r'ask\("median of age", 1'),
    "bounds that are days": (lambda: tr.mean(DF, "age", epsilon=1, low=date(2025, 1, 1), high=9),
                             "bounds here are numbers"),
    "levels that are no list": (lambda: tr.account(0.5, 0.5), r"expected a list.*\[0\.5"),
    "an unbooked answer to keep": (lambda: tr.save(tr.count(DF, epsilon=1), "c.json"), r"tr\.open"),
}


@pytest.mark.parametrize("call", LED)
def test_a_first_call_that_cannot_be_answered_is_led_on_in_one_sentence(call):
    ask, said = LED[call]
    with pytest.raises(tr.TightropeError, match=said) as told:
        ask()
    assert "\n" not in str(told.value)
    assert len(str(told.value)) < 400
    assert told.value._render_traceback_() == [f"{type(told.value).__name__}: {told.value}"]


@pytest.mark.parametrize(("name", "said"), [
    ("quantile", r"tr\.quantiles\(df"), ("laplace", r"tr\.mean"), ("average", r"tr\.mean\(df"),
    ("var", r"tr\.variance\(df"), ("release", r"tr\.open\(…\)\.ask"),
    ("std", r"tr\.variance"), ("max", "maximum of age"), ("path", r"tr\.spaces\.path"),
    ("counts", r"tr\.histogram"), ("BadInput", r"tr\.errors\.BadInput"),
    ("query", r"tr\.files\.read_query"),
    ("randomized_response", r"tr\.constructions\.randomized_response"),
])
def test_a_name_that_moved_or_is_tried_says_where_to_go(name, said):
    with pytest.raises(AttributeError, match=said) as told:
        getattr(tr, name)
    assert told.value.name == name


def test_a_booked_answer_is_saved_as_the_document_that_verify_reads(tmp_path):
    form = {"dataset": "d", "columns": {"sex": {"type": "category", "values": ["f", "m"]}}}
    ledger = tr.Ledger.create(tmp_path / "books.sqlite")
    scope = tr.ledger.Scope.of(tr.Declaration.of(form))
    ledger.open_budget(tr.Budget("2026", scope, 1))
    books = tr.open(DF[["sex"]], form, ledger=ledger, budget="2026")
    release = books.ask("histogram of sex", epsilon=0.5)
    for name in ("r.json", "r.json.gz"):
        tr.save(release, tmp_path / name)
        published = tr.releases.read_release(tmp_path / name)
        assert published.holds
        assert published.content["answers"] == release.document()["answers"]
        with pytest.raises(tr.TightropeError, match=r"tr\.releases\.read_release"):
            tr.load(tmp_path / name)


def test_a_picture_without_matplotlib_is_told_what_to_install(monkeypatch):
    from tightrope import extras

    release = tr.histogram(DF, "sex", epsilon=1, values=["f", "m"])
    monkeypatch.setattr(extras, "find_spec", lambda package: None)
    with pytest.raises(tr.TightropeError, match=r'pip install "tightrope\[plot\]"'):
        release.plot()
