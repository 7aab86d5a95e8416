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


def test_a_description_of_a_variable_is_no_category(tmp_path):
    columns = codebook(tmp_path, "name,label,min,max,value labels\nage,Age in years,17,42,\n"
                                 "sex,Sex as stated,,,f=women;m=men\nnote,A remark,,,\n")
    assert columns == {
        "age": {"type": "number", "low": "17", "high": "42"},
        "sex": {"type": "category", "values": ["f", "m"], "labels": {"f": "women", "m": "men"}}}


def test_labels_may_be_fewer_than_codes_and_stand_in_any_order(tmp_path):
    columns = codebook(tmp_path, "name,codes,labels\noften,1;2;9,2=rarely;1=never\n")
    assert columns["often"]["values"] == ["1", "2", "9"]
    assert columns["often"]["labels"] == {"1": "never", "2": "rarely"}


def test_a_field_may_stand_on_any_line_of_a_variable(tmp_path):
    columns = codebook(tmp_path, "name,type,code,missing\nsex,,f,\nsex,factor,m,m\n")
    assert columns["sex"] == {"type": "category", "values": ["f", "m"], "missing": "m"}


@pytest.mark.parametrize(("content", "said"), [
    ("name,min,max\nage,0,1\n".encode("utf-16"), "not UTF-8"), (b"", "is empty"),
    (b'name,codes\nsex,"f;m\n', "not a readable table"), (b"PAR1\x00\xff", "not UTF-8"),
    (b"name,codes\nsex," + b";".join(b"%d" % code for code in range(10**6)), "not a readable"),
])
def test_a_file_that_is_no_text_table_is_refused_in_a_sentence(tmp_path, content, said):
    (tmp_path / "book.csv").write_bytes(content)
    with pytest.raises(BadInput, match=said) as refused:
        read_codebook(tmp_path / "book.csv")
    assert len(str(refused.value)) < 300


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_line_ends_and_a_byte_order_mark_change_nothing(tmp_path, ending, mark):
    (tmp_path / "book.csv").write_bytes(
        f"{mark}name,min,max\nage,0,1\n".replace("\n", ending).encode())
    assert read_codebook(tmp_path / "book.csv") == {
        "age": {"type": "number", "low": "0", "high": "1"}}


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
    ("name,type,min,max\nage,int,0,1\nage,int,0,2\n", "several lines that differ in high"),
    ("name,type,min,max\nage,int,0,1\nage,int,0,1\n", "several lines, as codes have"),
    ("name,code,label\nsex,f,\x1b[2J\n", "control"),
    ("name,code,label\nsex,f,a\n,m,b\n", "row 2 after the titles names no variable"),
    ("name,type,code\nsex,factor,f\nsex,number,m\n", "differ in type"),
    ("name,code,missing\nsex,f,f\nsex,m,m\n", "differ in missing"),
    ("name,type,codes\nsex,factor,=1+1;m\n", "'1\\+1' has no code"),
    ("name,codes,labels\nsex,f;m,f=women;x=men\n", "label for 'x'"),
    ("name,codes,labels\nsex,f;m,f=women;f=men\n", "two labels for one code"),
    ("name,type,min,max,codes\nage,int,0,9,99=refused\n", "has bounds and codes"),
    ("name,type,min,max,codes\nday,date,2024-01-01,2024-12-31,x\n", "has bounds and codes"),
    ("name;min;max\nage;0;9\n", "commas stand between its cells"),
    ("name,min,max,step\nage,0,10,1e-400\n", "2\\^40 steps"),
    ("name,min,max\nage,0,1\x1b0\n", "no number"), ("\x1bname,min,max\nage,0,1\n", "no code book"),
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


def test_a_step_is_that_of_a_number(tmp_path):
    columns = codebook(tmp_path, "name,type,min,max,step\nday,date,2024-01-01,2024-12-31,1\n"
                       "age,number,0,9,0.5\n")
    assert columns == {
        "day": {"type": "date", "low": "2024-01-01", "high": "2024-12-31"},
        "age": {"type": "number", "low": "0", "high": "9", "resolution": "0.5"}}
