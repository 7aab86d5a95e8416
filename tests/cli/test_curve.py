"""`tightrope curve`: knots before data, a band, a document, rows that tell nothing."""

import pytest

from tests.cli.runner import receipt

DECLARED = ("--people", 4, "--low", 0, "--high", 10, "--epsilon", 2)


@pytest.fixture
def table(folder):
    (folder / "t.csv").write_text("id,a,b,c,d\n1,1,2,3,4\n2,2,3,4,5\n3,3,4,5,6\n4,x,,5,99\n")
    return "t.csv"


def test_a_dry_run_needs_the_names_of_columns_alone(tightrope, folder):
    (folder / "t.csv").write_text("id,a,b,c,d\n")
    answer = tightrope("curve", "t.csv", "--columns", "a:d", *DECLARED, "--lipschitz", "0.5",
                       "--dry-run", "--json")
    assert answer.code == 0
    told = answer.json
    assert "values" not in told
    assert [choice["knots"] for choice in told["choices"]] == [1, 2, 3, 4]
    assert told["bound"] == min(choice["bound"] for choice in told["choices"])
    assert told["half_width"] > 0


def test_a_curve_comes_with_knots_values_and_band(tightrope, table):
    answer = tightrope("curve", table, "--columns", "a,b,c,d", *DECLARED, "--json")
    assert answer.code == 0
    told = answer.json
    assert told["knots"] == ["a", "b", "c", "d"]
    assert len(told["values"]) == len(told["band"]) == 4
    assert all(low <= value <= high
               for value, (low, high) in zip(told["values"], told["band"], strict=True))
    assert told["epsilon"] == 2


def test_a_document_is_proved_and_the_receipt_names_what_the_holder_knows(tightrope, table):
    made = tightrope("curve", table, "--columns", "a:d", *DECLARED, "-o", "c.json",
                     "--plot", "c.svg")
    assert made.code == 0
    assert "Nothing was booked" in made.out
    assert tightrope("verify", "c.json", "--json").json["holds"] is True
    checked = receipt("c.json", "--json")
    assert checked.code == 0
    assert "totals" in checked.json["only_holder"][0]


def test_what_rows_hold_changes_neither_the_exit_code_nor_what_is_declared(tightrope, folder):
    told = []
    for rows in ("1,2\n", "x,\n\n\n,,,,\n", "", "1e999,-inf\n" * 40):
        (folder / "t.csv").write_text("a,b\n" + rows)
        answer = tightrope("curve", "t.csv", "--columns", "a:b", *DECLARED, "--json")
        assert (answer.code, answer.err) == (0, "")
        told.append({k: v for k, v in answer.json.items()
                     if k not in ("values", "band", "curve", "curve_band")})
    assert all(one == told[0] for one in told)


@pytest.mark.parametrize(("options", "said"), [
    (("--columns", "a:z"), "first and the last time"),
    ((), "name the columns"),
    (("--columns", "a,z"), "'z'"),
    (("--columns", "a:d", "--knots", 9), "from 1 to 4 knots"),
    (("--columns", "a:d", "--times", "1,2"), "4 times"),
    (("--columns", "a:d", "--confidence", "2"), "confidence"),
    (("--columns", "a:d", "--resolution", "3"), "whole number of steps"),
])
def test_declarations_that_do_not_fit_are_refused(tightrope, table, options, said):
    answer = tightrope("curve", table, *options, *DECLARED, "--json")
    assert answer.code == 2
    assert said in answer.json["error"]
