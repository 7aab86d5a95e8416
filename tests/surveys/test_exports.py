"""Exports hold the randomized answers with their labels, and read again give the same numbers."""

import csv
import io
from fractions import Fraction

import numpy as np
import pyreadstat
import pytest

from tests.surveys.field import drawn_truths, field_survey, kept, people, private
from tests.surveys.samples import new_store
from tightrope import surveys as sv
from tightrope import tables
from tightrope.errors import BadInput, BadTable, Refused
from tightrope.surveys.exports import export_contents
from tightrope.surveys.survey_file import Survey

HOSTILE = ('"); quit(status = 9) #', "\\\\ back \\ slash\\", " 'sp aced' ", "NA", "é,ß;", "#1",
           '\\", \\')
SEED = 20


def even(survey):
    return {q.key: np.full(len(q.answers), 1 / len(q.answers)) for q in survey.questions}


def hostile_survey():
    """Answers, questions and groups that quotes, commas or code could break."""
    wide = sv.custom(HOSTILE[:2], ("a", "b,\"c", "NA"), [["1/2", "1/4", "1/4"],
                                                         ["1/5", "3/10", "1/2"]])
    return Survey("A 'title'; drop", "", (
        private("in", HOSTILE[0], sv.k_ary(HOSTILE, 4)),
        private("by", "x" * 300, wide),
    ), ('g "1"', "c:\\new, two"))


def report_of(survey, folder, n=400, **options):
    rng = np.random.default_rng(SEED)
    groups = [survey.groups[i % len(survey.groups)] for i in range(n)]
    sent = people(survey, drawn_truths(survey, even(survey), n, rng), SEED, groups)
    with kept(folder, survey, sent) as store:
        return sv.report(survey, store, **options)


@pytest.fixture(params=[field_survey, hostile_survey], ids=["field", "hostile"])
def found(request, tmp_path):
    return report_of(request.param(), tmp_path)


def rows_of(content):
    return list(csv.DictReader(io.StringIO(content.decode(), newline="")))


def test_the_folder_holds_every_answer_sorted_and_every_name_as_it_is(found, tmp_path):
    sv.write_export(found, tmp_path / "out")
    contents = {place.name: place.read_bytes() for place in (tmp_path / "out").iterdir()}
    assert contents == export_contents(found)
    answers = rows_of(contents["answers.csv"])
    survey = found.survey
    wanted = sorted(
        (sent.group, *(q.responses[sent.responses[q.key]] for q in survey.questions))
        for sent in found.people.sent)
    assert sorted(tuple(row.values()) for row in answers) == wanted
    order = [(row["group"], *(q.responses.index(row[q.key]) for q in survey.questions))
             for row in answers]
    assert order == sorted(order)
    labels = {(row["variable"], row["role"], row["code"]): row["label"]
              for row in rows_of(contents["codebook.csv"])}
    for q in survey.questions:
        for role, names in (("answer", q.answers), ("response", q.responses)):
            assert [labels[q.key, role, str(i)] for i in range(1, len(names) + 1)] == list(names)


def test_designs_are_written_exactly_with_both_ends_of_a_prevalence(tmp_path):
    found = report_of(field_survey(), tmp_path, 50)
    rows = rows_of(export_contents(found)["design.csv"])
    for q in found.survey.questions:
        for at, design in zip(("middle", "low", "high"), (
                q.middle, *(q.ends if len(q.ends) > 1 else ())), strict=False):
            cells = {(int(row["answer"]), int(row["response"])): row for row in rows
                     if (row["variable"], row["at"]) == (q.key, at)}
            for x, line in enumerate(design.rows, start=1):
                for z, exact in enumerate(line, start=1):
                    assert Fraction(cells[x, z]["exact"]) == exact
                    assert float(cells[x, z]["probability"]) == float(exact)
    assert {row["at"] for row in rows if row["variable"] == "q5"} == {"middle", "low", "high"}
    assert {row["at"] for row in rows if row["variable"] == "q1"} == {"middle"}


@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet"])
def test_a_table_read_again_gives_the_same_shares(found, tmp_path, ending):
    place = tmp_path / f"a.{ending}"
    sv.write_export(found, place)
    file = tmp_path / "s.json"  # written by the store of these answers
    through = sv.question_mechanisms(file)
    assert set(through) == {q.key for q in found.survey.questions
                            if not q.clear and q.second is None}
    again = tables.estimate_columns(place, list(through), through, sampling=True,
                                    estimator="likelihood")
    for finding in found.findings:
        if finding.question.key not in through:
            continue
        for new, old in zip(again[finding.question.key].rows, finding.estimate.shares.rows,
                            strict=True):
            assert (new.estimate, new.low, new.high, new.adjusted) == pytest.approx(
                (old.estimate, old.low, old.high, old.adjusted), abs=1e-12)


@pytest.mark.parametrize("ending", ["sav", "dta"])
def test_spss_and_stata_files_hold_codes_and_labels(found, tmp_path, ending):
    place = tmp_path / f"a.{ending}"
    sv.write_export(found, place)
    data, meta = getattr(pyreadstat, f"read_{ending}")(place, output_format="dict")
    survey = found.survey
    names = {q.key: f"{q.key}_" if q.key in ("in", "by") else q.key for q in survey.questions}
    assert list(data) == ["group", *names.values()]
    read = sorted(zip(*(map(int, column) for column in data.values()), strict=True))
    assert read == list(zip(*(map(int, column) for column in data.values()), strict=True))
    assert read == sorted(
        (survey.groups.index(sent.group), *(sent.responses[q.key] for q in survey.questions))
        for sent in found.people.sent)
    assert meta.file_label == survey.title
    for q in survey.questions:
        labels = meta.variable_value_labels[names[q.key]]
        assert labels == {code: name.rstrip() for code, name in enumerate(q.responses)}
        title = meta.column_names_to_labels[names[q.key]]
        assert title == q.text or title == q.text[:79] + "…"


def test_long_labels_of_other_scripts_are_cut_and_never_in_half(tmp_path):
    names = tuple(f"{i}" + "\U0001f9e9漢" * 60 for i in range(2))
    survey = Survey("t", "", (private("q1", "漢" * 400, sv.k_ary(names, 4)),), ("all",))
    found = report_of(survey, tmp_path, 9)
    for ending in ("sav", "dta"):
        place = tmp_path / f"a.{ending}"
        sv.write_export(found, place)
        _, meta = getattr(pyreadstat, f"read_{ending}")(place, output_format="dict")
        for code, label in meta.variable_value_labels["q1"].items():
            assert len(label.encode()) <= 120
            assert label.removesuffix("…") == names[int(code)][: len(label) - 1]
            assert len(label) > 30


@pytest.mark.parametrize(("name", "error"), [
    ("a.xlsx", BadInput), ("a.rds", BadInput), ("a.sav", BadInput), ("there", BadInput)])
def test_exports_that_cannot_be_are_refused_and_leave_nothing(tmp_path, name, error):
    survey = field_survey()
    (tmp_path / "there").mkdir()
    with new_store(tmp_path, survey, "o", {"t": survey.groups[0]}) as store:
        empty = sv.report(survey, store)
    before = sorted(tmp_path.iterdir())
    with pytest.raises((error, BadTable)):
        sv.write_export(empty, tmp_path / name)
    assert sorted(tmp_path.iterdir()) == before


def test_weights_and_missing_packages_are_refused_before_anything_is_read(monkeypatch):
    with pytest.raises(BadInput, match="leave weights out"):
        sv.check_export("folder", weighted=True)
    with pytest.raises(BadInput, match="name a new folder"):
        sv.check_export(".")
    sv.check_export("a.csv", weighted=True)
    monkeypatch.setattr("tightrope.surveys.exports.find_spec", lambda name: None)
    with pytest.raises(Refused, match="pip install polars"):
        sv.check_export("a.sav")


def test_an_empty_folder_has_tables_without_rows(tmp_path):
    survey = field_survey()
    with new_store(tmp_path, survey, "o", {"t": survey.groups[0]}) as store:
        contents = export_contents(sv.report(survey, store))
    assert contents["answers.csv"] == b"group,q1,q2,q3,q4,q5,q6,q7\n"
    assert rows_of(contents["estimates.csv"]) == []


@pytest.mark.parametrize(("key", "says"), [
    ("q9", "no question"), ("q6", "clear"), ("q5", "second question")])
def test_a_column_that_no_one_mechanism_randomized_is_refused(tmp_path, key, says):
    report_of(field_survey(), tmp_path, 20)
    with pytest.raises(BadInput, match=says):
        sv.question_mechanisms(tmp_path / "s.json", [key])


def test_a_document_that_is_no_survey_has_no_questions(tmp_path):
    tables.sanitize(["no"], "no/yes", 1).columns[0].save(tmp_path / "m.json")
    assert sv.question_mechanisms(tmp_path / "m.json") is None


def test_no_question_takes_the_place_of_the_groups():
    with pytest.raises(BadInput, match="names the groups"):
        Survey("t", "", (private("group", "Ever?", sv.k_ary(("no", "yes"), 4)),), ("all",))
