"""The randomized answers of a survey as files for R, SPSS, Stata and others.

A table has a row for each respondent: the group of the link and the response to every question,
clear ones too. Rows are sorted, so their order says nothing. A file for SPSS or Stata holds codes
with labels. A folder holds the table beside a codebook, the design of every question, the
estimates, and a script that estimates them anew in base R. The script is the same for every
survey: texts are data in tables, and never code.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from importlib.util import find_spec
from itertools import chain
from os import PathLike
from pathlib import Path
from typing import Any

import pyarrow as pa

from tightrope.characters import shorten
from tightrope.errors import BadInput, Refused
from tightrope.extras import require
from tightrope.files import (
    DELIMITERS,
    PARQUET,
    extension,
    header_line,
    is_survey,
    read_bytes,
    refuse_existing_folder,
    replacing,
    text_of,
    write_folder,
)
from tightrope.surveys.finding import Finding
from tightrope.surveys.findings import Report
from tightrope.surveys.page_code import page_file
from tightrope.surveys.questions import Question
from tightrope.surveys.respondents import GROUP, check_results
from tightrope.surveys.survey_file import read_survey
from tightrope.tables import Passage, write_table

STATISTICS = (".sav", ".dta")
"""Files for SPSS and for Stata."""
LONGEST_LABEL = 120
"""Bytes of a label of a value in SPSS; the codebook has all of it."""
LONGEST_TITLE = 80
"""Characters of the label of a variable in Stata; in SPSS it has 256 bytes."""
TITLE_BYTES = 240
RESERVED = frozenset({
    "all", "and", "by", "eq", "ge", "gt", "le", "lt", "ne", "not", "or", "to", "with",  # SPSS
    "byte", "double", "float", "if", "in", "int", "long", "using",  # Stata
})
"""Words that no variable may be named by in SPSS or in Stata; `str1` and so on besides."""


def write_export(
    report: Report, path: str | PathLike[str], *, force: bool = False
) -> None:
    """Write the randomized answers: a table, a file for SPSS or Stata, or a folder with everything.

    Parameters
    ----------
    path
        A name that ends in .csv, .tsv, .parquet, .sav or .dta; without an ending, a new folder.

    Raises
    ------
    BadInput
        if the file is there already, unless `force`, or the folder is.
    Refused
        if a file for SPSS or Stata is asked for and packages are missing.
    """
    check_results(report)
    check_export(path, weighted=bool(report.people.weights))
    if extension(path) in STATISTICS:
        _write_statistics(report, path, force)
    elif not Path(path).suffix:
        write_folder(path, export_contents(report))
    else:
        write_table(path, report.columns(), force=force)


def check_export(path: str | PathLike[str], *, weighted: bool = False) -> None:
    """Refuse an export that could not be written, before anything is read or closed."""
    ending = extension(path)
    if ending in STATISTICS:
        require("survey", "a file for SPSS or Stata")
        if find_spec("pandas") is None and find_spec("polars") is None:
            raise Refused("a file for SPSS or Stata needs pandas or Polars: pip install polars.")
    elif not Path(path).suffix:
        if weighted:
            raise BadInput("the script for R counts every answer alike: leave weights out, or "
                           "export a table.")
        refuse_existing_folder(path)
    elif ending not in (*DELIMITERS, *PARQUET):
        raise BadInput("expected an export named .csv, .tsv, .parquet, .sav or .dta, or a folder "
                       f"without an ending, found {str(path)!r}.")


def export_contents(report: Report) -> dict[str, bytes]:
    """The files of a folder by name: answers, codebook, design, estimates, and a script for R."""
    questions = report.survey.questions
    return {
        "answers.csv": _csv(report.columns()),
        "codebook.csv": _csv(_columns(_CODEBOOK, chain.from_iterable(map(_codebook, questions)))),
        "design.csv": _csv(_columns(_DESIGN, chain.from_iterable(map(_design, questions)))),
        "estimates.csv": _csv(_columns(_ESTIMATES, chain.from_iterable(
            map(_estimates, report.findings)))),
        "analysis.R": page_file("analysis.R").encode(),
    }


def question_mechanisms(
    file: str | PathLike[str], keys: Sequence[str] = ()
) -> dict[str, Passage] | None:
    """The mechanisms behind the answers of a survey's file, by key; None for another kind of file.

    A column of an export went through the one of its name, which `estimate_columns` takes. Without
    keys all questions count that one mechanism randomizes: no clear ones, and none with a second
    question whose prevalence is an interval.
    """
    if not is_survey(file):
        return None
    survey = read_survey(read_bytes(file))
    questions = {question.key: question for question in survey.questions}
    for key in keys:
        if key not in questions:
            raise BadInput(f"there is no question {shorten(key)!r} in {file}; questions here: "
                           f"{', '.join(questions)}.")
        if questions[key].clear:
            raise BadInput(f"{key} is a clear question: its column holds the true answers, and "
                           "nothing is to be estimated.")
        if len(questions[key].ends) > 1:
            raise BadInput(f"{key} rests on a second question whose prevalence is an interval: the "
                           "results of the survey estimate it for all of it.")
    # a page sends a response to every question: no cell is missing
    return {key: Passage(question.mechanism, None, None, None, question.design.prior,
                         question.scores)
            for key, question in questions.items()
            if question.certified is not None and len(question.ends) == 1
            and key in (keys or questions)}


def _write_statistics(report: Report, path: str | PathLike[str], force: bool) -> None:
    """Codes with labels, for SPSS or Stata."""
    require("survey", "a file for SPSS or Stata")
    import pyreadstat

    if not len(report.people):
        raise BadInput("there are no answers to export yet.")
    columns: dict[str, list[int]] = {}
    labels: dict[str, dict[int | float, str]] = {}
    titles: dict[str, str | None] = {}
    groups, places = report.people.levels(GROUP)
    for name, title, codes, values in (
        (GROUP, "Group of the link", places, groups),
        *((_variable(question.key), question.text, report.people.codes(question).tolist(),
           question.responses) for question in report.survey.questions),
    ):
        columns[name], titles[name] = codes, _title(title)
        labels[name] = {code: _cut(value, LONGEST_LABEL) for code, value in enumerate(values)}
    write = pyreadstat.write_sav if extension(path) == ".sav" else pyreadstat.write_dta
    with replacing(path, force=force) as unfinished:
        write(_frame(columns), str(unfinished), column_labels=titles,
              variable_value_labels=labels, file_label=_cut(report.survey.title, 60))


def _frame(columns: Mapping[str, Sequence[int]]) -> Any:
    """Sorted rows in a frame that pyreadstat takes: of pandas or Polars, whichever is there."""
    table = pa.table({name: pa.array(values, pa.int32()) for name, values in columns.items()})
    table = table.sort_by([(name, "ascending") for name in columns])
    if find_spec("pandas") is not None:
        return table.to_pandas()
    import polars

    return polars.from_arrow(table)


def _variable(key: str) -> str:
    """A name that SPSS and Stata allow: a word of theirs gets an underscore."""
    reserved = key in RESERVED or (key.startswith("str") and key[3:].isdigit())
    return f"{key}_" if reserved else key


def _title(text: str) -> str:
    whole = len(text) <= LONGEST_TITLE
    return _cut(text if whole else f"{text[: LONGEST_TITLE - 1]}…", TITLE_BYTES)


def _cut(text: str, most: int) -> str:
    """The text in at most so many bytes of UTF-8, with an ellipsis if it was cut.

    >>> _cut("Größe", 7), _cut("Größe", 6)
    ('Größe', 'Gr…')
    """
    content = text.encode()
    if len(content) <= most:
        return text
    return content[: most - len("…".encode())].decode(errors="ignore") + "…"


_CODEBOOK = ("variable", "question", "kind", "design", "epsilon", "role", "code", "label",
             "sensitive", "score")
_DESIGN = ("variable", "at", "prevalence", "answer", "response", "probability", "exact",
           "expected")
_ESTIMATES = ("variable", "scope", "group", "answer", "label", "n", "estimate", "error", "low",
              "high", "most_likely", "interval", "confidence", "sampling")


def _codebook(question: Question) -> Iterator[tuple[object, ...]]:
    """A row for each true answer and each response of a question; codes start at 1."""
    level = "" if question.level is None else question.level.text
    shared = (question.key, question.text, question.kind.value, question.design_name, level)
    scores = question.scores or (None,) * len(question.answers)
    for code, (name, score) in enumerate(zip(question.answers, scores, strict=True), start=1):
        yield (*shared, "answer", code, name, "yes" if name in question.sensitive else "no",
               "" if score is None else score)
    for code, name in enumerate(question.responses, start=1):
        yield (*shared, "response", code, name, "", "")


def _design(question: Question) -> Iterator[tuple[object, ...]]:
    """The probability of each response to a question, given each true answer.

    Of a second question: at the middle of its prevalence, and at both ends if it is an interval.
    Beside each answer stands its expected share, for which estimates are weighed.
    """
    second = question.second
    middle = "" if second is None else (second.low + second.high) / 2
    designs = [("middle", middle, question.middle)]
    if second is not None and len(question.ends) > 1:
        designs += zip(("low", "high"), second.ends, question.ends, strict=True)
    for at, prevalence, design in designs:
        expected = design.prior or (Fraction(1, len(design.rows)),) * len(design.rows)
        for x, (row, share) in enumerate(zip(design.rows, expected, strict=True), start=1):
            for z, exact in enumerate(row, start=1):
                yield question.key, at, prevalence, x, z, repr(float(exact)), exact, float(share)


def _estimates(finding: Finding) -> Iterator[tuple[object, ...]]:
    """The estimated shares of a question, overall and for each group with answers."""
    for part in finding.each:
        shares = part.estimate.shares
        scope = ("all", "") if part is finding.all else ("group", part.name)
        for code, row in enumerate(shares.rows, start=1):
            numbers = (row.estimate, row.error, row.low, row.high, row.adjusted)
            yield (finding.question.key, *scope, code, row.value, shares.n,
                   *(repr(float(number)) for number in numbers), shares.interval.value,
                   repr(shares.confidence), "yes" if shares.sampling else "no")


def _columns(
    names: Sequence[str], rows: Iterator[tuple[object, ...]]
) -> dict[str, list[str]]:
    """Rows of values as columns of text."""
    listed = [[str(cell) for cell in row] for row in rows]
    return {name: [row[place] for row in listed] for place, name in enumerate(names)}


def _csv(columns: Mapping[str, Sequence[str]]) -> bytes:
    """Columns of text as a CSV file."""
    batch = pa.record_batch({name: pa.array(cells, pa.string())
                             for name, cells in columns.items()})
    return header_line(list(columns), ",") + text_of(batch, ",")
