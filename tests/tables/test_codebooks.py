"""Code books: lists of variables become declared columns, in natural spellings, or are refused."""

import pytest

from tightrope.declarations import Declaration
from tightrope.errors import BadInput
from tightrope.files import read_form
from tightrope.tables import draft_declaration, read_codebook
from tightrope.tables.declaring import declaration_text, stated_values

WIDE = """Variable Name,TYPE,Min,maximum,Codes,Value_Labels,Notes
age,integer,17,42,,,"in years, as stated"
pay,double,0,1e6,,,
sex,factor,,,f;m,women;men,
often,,,,1=never|2=rarely,,
health,categorical,,,,"1=good, 2=poor",
ward,text,,,"A, B",,
admitted,date,2024-01-01,2024-12-31,,,
remark,text,,,,,
note,,,,,,
"""
LONG = """name,code,label
often,1,never
often,2,rarely
often,9,
sex,f,
sex,m,
"""


def codebook(folder, text, name="book.csv"):
    (folder / name).write_text(text)
    return read_codebook(folder / name)


def test_one_line_for_each_variable(tmp_path):
    columns = codebook(tmp_path, WIDE)
    assert columns["age"] == {"type": "number", "low": "17", "high": "42", "resolution": "1"}
    assert columns["pay"] == {"type": "number", "low": "0", "high": "1e6"}
    assert columns["sex"] == {"type": "category", "values": ["f", "m"],
                              "labels": {"f": "women", "m": "men"}}
    assert columns["often"]["labels"] == {"1": "never", "2": "rarely"}
    assert columns["health"]["values"] == ["1", "2"]
    assert columns["admitted"]["type"] == "date"
    assert columns["ward"] == {"type": "category", "values": ["A", "B"]}
    assert columns["remark"] == {"type": "text"}  # nobody lists its values
    assert "note" not in columns


def test_one_line_for_each_code(tmp_path):
    columns = codebook(tmp_path, LONG.replace(",", "\t"), "book.tsv")
    assert columns["often"] == {"type": "category", "values": ["1", "2", "9"],
                                "labels": {"1": "never", "2": "rarely"}}
    assert columns["sex"] == {"type": "category", "values": ["f", "m"]}


def test_a_draft_takes_what_is_known(tmp_path):
    data = {name: [] for name in ("age", "sex", "admitted", "other")}
    draft = draft_declaration(data, known=codebook(tmp_path, WIDE))
    (tmp_path / "d.toml").write_text(draft.text.replace('dataset = ""', 'dataset = "d"').replace(
        "[columns.other]", "[columns.other]\ntype = \"any\""))
    declared = Declaration.of(read_form(tmp_path / "d.toml"))
    assert list(declared.columns) == ["age", "sex", "admitted", "other"]
    assert declared.columns["sex"].words == {"f": "women", "m": "men"}


@pytest.mark.parametrize(("text", "said"), [
    ("age,min,max\n3,0,1\n", "is no code book"), ("variable\nage\n", "is no code book"),
    ("name,variable,min\na,b,1\n", "several titles that mean variable"),
    ("name,min,max\nage,0,\n", "one bound"), ("name,type\nage,integer\n", "states no range"),
    ("name,type,min,max\nage,complex,0,1\n", "has type 'complex'"),
    ("name,min,max\nage,9,1\n", "low bound below"), ("name,min,max\nage,low,1\n", "no number"),
    ("name,codes,labels\nsex,f;m,women\n", "2 codes and 1 labels"),
    ("name,code,label\nsex,f,a\nsex,,b\n", "one without a code"),
    ("name,code\nsex,f\nsex,f\n", "named twice"),
    ("name,type,min,max\nage,int,0,1\nage,int,0,2\n", "several lines"),
    ("name,code,label\nsex,f,\x1b[2J\n", "control"),
])
def test_a_code_book_that_is_not_clear_is_refused_in_a_sentence(tmp_path, text, said):
    with pytest.raises(BadInput, match=said):
        codebook(tmp_path, text)


def test_a_written_declaration_is_read_as_its_form(tmp_path):
    form = {"dataset": 'd "x" \\', "unit": {"person": ["id", "net pay"], "rows": 3}, "columns": {
        "net pay": {"type": "number", "low": "-0.5", "high": "1/3", "bins": ["-0.5", "0", "1"]},
        "ä": {"type": "category", **stated_values("01; 1=it's, so; \\")},
        "day": {"type": "date", "low": "2024-01-01", "high": "2024-12-31"},
        "month": {"type": "period", "of": "day", "period": "month"}}}
    (tmp_path / "d.toml").write_text(declaration_text(form), encoding="utf-8")
    assert Declaration.of(read_form(tmp_path / "d.toml")) == Declaration.of(form)
    assert form["columns"]["ä"]["values"] == ["01", "1", "\\"]
