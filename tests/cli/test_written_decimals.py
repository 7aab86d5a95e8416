"""In every command that reads a public text file, a written decimal is that number: 0.1 is 1/10.

Each file below decides differently if its decimals are rounded to doubles: 0.55 and 0.44 have the
ratio 5/4 exactly, 0.1 and 0.2 add up to 0.3, and a prior of 0.125 is just regular.
"""

import json
from fractions import Fraction

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.cli.runner import receipt
from tightrope.utility import LossMatrix, Prior

FILES = {
    "m.csv": "0.55,0.45\n0.44,0.56\n",
    "m.tsv": "0.55\t0.45\n0.44\t0.56\n",
    "m.json": "[[0.55, 0.45], [0.44, 0.56]]",
    "named.json": '{"rows": [[0.55, 0.45], [0.44, 0.56]], "column_labels": ["a", "b"]}',
    "fine.csv": "0.1,0.2,0.7\n0.3,0.3,0.4\n",
    "coarse.csv": "0.3,0.7\n0.6,0.4\n",
    "just.toml": "ratio = 1.25\n",
    "just.json": '{"bounds": [{"ratio": 1.25}]}',
    "below.toml": "ratio = 1.24999999999999999999999999\n",
    "below.json": '{"corners": [[0, 0], [0.44, 0.549999999999999999999999], [0.45, 0.56], [1, 1]]}',
    "corner.json": '{"corners": [[0, 0], [0.44, 0.55], [0.45, 0.56], [1, 1]]}',
    "p.csv": "0.2\n0.2\n0.2\n0.275\n0.125\n",
    "p.json": "[0.2, 0.2, 0.2, 0.275, 0.125]",
    "p.tsv": "0\t0.2\n1\t0.2\n2\t0.2\n3\t0.275\n4\t0.125\n",
    "loss.csv": "0,0.1\n0.3,0\n",
    "d.csv": "0,0.1\n0.1,0\n",
    "x.csv": "label,x\na,0\nb,0.1\n",
    "e.csv": "from,to,length\na,b,0.1\n",
    "values.csv": "dataset,value\n0,0.1\n1,0.3\n",
    "weights.csv": "value,weight\n0.1,0.1\n0.3,0.2\n",
    "cover.csv": "0.1\n0.3\n",
    "coin.csv": "0.9,0.1\n0.3,0.7\n",
}
TWO, LEVEL = ("--space", "categories:2"), ("--ratio", "1.25")


@pytest.fixture(autouse=True)
def files(folder):
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")


@pytest.mark.parametrize("file", ["m.csv", "m.tsv", "m.json", "named.json"])
@pytest.mark.parametrize(
    ("command", "exact"),
    [
        ("verify", lambda answer: answer["epsilon_exact"] == "ln(5/4)"),
        ("theory excess", lambda answer: answer["rows"][0]["excess_text"] == "0"),
        ("certify", lambda answer: answer["moved"] == 0 and not answer["changed"]),
        ("theory generalize", lambda answer: answer["epsilon_text"] == "ln(5/4)"),
        ("theory improve", lambda answer: answer["certified"]),
    ],
)
def test_a_matrix_has_its_level_in_every_command(tightrope, file, command, exact):
    loss = ("--loss", "binary") if "improve" in command else ()
    answer = tightrope(*command.split(), file, *TWO, *LEVEL, *loss, "--json")
    assert answer.code == 0, answer
    assert exact(answer.json)
    below = tightrope("verify", file, *TWO, "--ratio", "1.24999999999999999999999999", "--json")
    assert below.code == 1


@pytest.mark.parametrize(
    ("arguments", "exact"),
    [
        (("inspect", "m.csv", *TWO), lambda answer: answer["level"]["exact"] == "ln(5/4)"),
        (("theory", "generality", "coarse.csv", "fine.csv", *TWO),
         lambda answer: answer["order"] == "less general" and answer["doubles"] is None),
        (("theory", "prior", "categories:2", *LEVEL, "--mechanism", "m.csv"),
         lambda answer: answer["private"]),
        *((("theory", "prior", "categories:5", "--ratio", 4, "--prior", file),
           lambda answer: answer["regular"]) for file in ("p.csv", "p.tsv", "p.json")),
        *((("verify", "m.csv", *TWO, "--definition", file), lambda answer: answer["holds"])
          for file in ("just.toml", "just.json", "corner.json")),
        *((("verify", "m.csv", "--space", f"{kind}:{file}", "--epsilon", "ln(5/4)*10"),
           lambda answer: answer["epsilon_exact"] == "ln(5/4)*10")
          for kind, file in (("matrix", "d.csv"), ("points", "x.csv"), ("edges", "e.csv"))),
        (("theory", "query", "path:0..1", "--query", "values.csv"),
         lambda answer: answer["sensitivity"] == "1/5"),
        (("survey", "plan", "--matrix", "coin.csv"),
         lambda answer: answer["rows"][0]["matrix"][0] == ["9/10", "1/10"]),
    ],
    ids=lambda part: " ".join(map(str, part)) if isinstance(part, tuple) else "",
)
def test_a_written_decimal_is_exact_in_every_command(tightrope, arguments, exact):
    answer = tightrope(*arguments, "--json")
    assert answer.code == 0, answer
    assert exact(answer.json), answer.json


@pytest.mark.parametrize("file", ["below.toml", "below.json"])
def test_a_definition_has_every_digit_that_is_written(tightrope, file):
    assert tightrope("verify", "m.csv", *TWO, "--definition", file, "--json").code == 1


FIVE = ("categories:5", "--ratio", 4, "--prior", "p.csv")


@pytest.mark.parametrize(
    "arguments",
    [
        ("design", *FIVE),
        ("compare", *FIVE),
        ("tradeoff", "categories:5", "--prior", "p.csv", "--epsilons", "1:1:1"),
        ("theory", "thresholds", "categories:5", "--prior", "p.csv", "--from", "1/2"),
        ("theory", "prior", *FIVE),
        ("inspect", "five.csv", "--space", "categories:5", "--prior", "p.csv"),
        ("theory", "improve", "five.csv", "--space", *FIVE, "--loss", "binary"),
        ("certify", "five.csv", "--space", *FIVE, "--loss", "binary"),
    ],
    ids=lambda part: part[0],
)
def test_a_prior_is_exact_in_every_command(tightrope, folder, monkeypatch, arguments):
    rows = ["0.2,0.2,0.2,0.2,0.2"] * 5
    (folder / "five.csv").write_text("\n".join(rows), encoding="utf-8")
    made, check = [], Prior.__post_init__

    def remember(prior):
        check(prior)
        made.append(prior.weights)

    monkeypatch.setattr(Prior, "__post_init__", remember)
    answer = tightrope(*arguments, "--json")
    assert answer.code == 0, answer
    fifth = Fraction(1, 5)
    assert (fifth, fifth, fifth, Fraction(11, 40), Fraction(1, 8)) in made


@pytest.mark.parametrize(
    "arguments",
    [
        ("design", "categories:2", "--ratio", 2, "--loss", "loss.csv", "-o", "made.json"),
        ("design", "path:0..1", "--query", "values.csv", "--ratio", 2, "--loss", "loss.csv"),
        ("compare", "categories:2", "--ratio", 2, "--loss", "loss.csv"),
        ("tradeoff", "categories:2", "--epsilons", "1:1:1", "--loss", "loss.csv"),
        ("theory", "improve", "m.csv", *TWO, *LEVEL, "--loss", "loss.csv"),
        ("certify", "m.csv", *TWO, *LEVEL, "--loss", "loss.csv"),
    ],
    ids=lambda part: " ".join(map(str, part[:3])),
)
def test_a_loss_is_exact_in_every_command(tightrope, folder, monkeypatch, arguments):
    made, check = [], LossMatrix.__post_init__

    def remember(loss):
        check(loss)
        made.append(loss.exact)

    monkeypatch.setattr(LossMatrix, "__post_init__", remember)
    answer = tightrope(*arguments, "--json")
    assert answer.code == 0, answer
    assert ((0, Fraction(1, 10)), (Fraction(3, 10), 0)) in made


def test_a_document_has_the_loss_that_was_written(tightrope, folder):
    (folder / "costs.csv").write_text("0,0.1\n0.1,0\n", encoding="utf-8")
    made = tightrope("design", "categories:2", "--ratio", 3, "--loss", "costs.csv", "-o", "d.json",
                     "--json")
    assert made.code == 0, made
    document = json.loads((folder / "d.json").read_text())
    assert document["optimality"]["loss"] == ["0x0.0p+0 1/10", "1/10 0x0.0p+0"]
    claim = tightrope("verify", "d.json", "--json").json["optimality"]
    assert claim["holds"]
    assert Fraction(claim["bound"]) <= Fraction(1, 40) <= Fraction(claim["value"])
    assert receipt("d.json", "--json").code == 0


def test_a_measure_is_exact(tightrope):
    answer = tightrope("theory", "accuracy", "path:0..1", "--query", "values.csv", "--measure",
                       "weights.csv",
                       "--radius", "0.1", "--failure", "0.1", "--json")
    assert [row["least_ball"] for row in answer.json["exponential"] if row["base"] == "given"] == [
        pytest.approx(1 / 3, abs=1e-16)
    ]
    covered = tightrope("theory", "accuracy", "path:0..1", "--query", "values.csv", "--cover",
                        "cover.csv",
                        "--radius", "0.1", "--failure", "0.1", "--json")
    assert covered.code == 0


# ---- doubles that arrive as doubles -------------------------------------------------------------


def save_doubles(folder):
    rows = np.array([[0.55, 0.45], [0.44, 0.56]])
    np.save(folder / "m.npy", rows)
    pq.write_table(pa.table({"a": rows[:, 0], "b": rows[:, 1]}), folder / "m.parquet")
    np.save(folder / "p.npy", np.array([0.2, 0.2, 0.2, 0.275, 0.125]))
    np.save(folder / "fine.npy", np.array([[0.1, 0.2, 0.7], [0.3, 0.3, 0.4]]))
    np.save(folder / "half.npy", np.array([[0.5, 0.5], [0.25, 0.75]]))


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("verify", "m.npy", *TWO, *LEVEL), "0.5500000000000000444…"),
        (("verify", "m.parquet", *TWO, *LEVEL), "0.5500000000000000444…"),
        (("verify", "m.npy", *TWO, "--definition", "just.toml"), "0.5500000000000000444…"),
        (("theory", "excess", "m.npy", *TWO, *LEVEL), "0.5500000000000000444…"),
        (("theory", "generality", "coarse.csv", "fine.npy", *TWO), "0.1000000000000000055…"),
        (("theory", "prior", "categories:5", "--ratio", 4, "--prior", "p.npy"),
         "0.2000000000000000111…"),
    ],
)
def test_a_no_that_rests_on_doubles_says_so(tightrope, folder, arguments, told):
    save_doubles(folder)
    for more in ((), ("--json",)):
        answer = tightrope(*arguments, *more)
        shown = str(answer.json) if more else " ".join(answer.out.split())
        assert answer.code == 1
        assert f"was taken as the binary number {told}; in a text file it is exact" in shown


def test_a_no_that_decimals_would_say_too_is_told_without_a_word_about_doubles(tightrope, folder):
    save_doubles(folder)
    for file, ratio in (("m.npy", "1.2"), ("half.npy", "1.99")):
        answer = tightrope("verify", file, *TWO, "--ratio", ratio)
        assert answer.code == 1
        assert "binary" not in answer.out


# ---- rows that do not add up to 1 ---------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        ("verify", "third.csv", *TWO),
        ("verify", "third.csv", *TWO, "--definition", "wide.toml"),
        ("theory", "excess", "third.csv", *TWO, "--ratio", 2),
        ("inspect", "third.csv", *TWO),
        ("certify", "third.csv", *TWO, "--ratio", 2),
        ("theory", "generalize", "third.csv", *TWO, "--ratio", 2),
        ("theory", "improve", "third.csv", *TWO, "--ratio", 2, "--loss", "binary"),
        ("theory", "generality", "third.csv", "third.csv", *TWO),
        ("theory", "prior", "categories:2", "--ratio", 2, "--mechanism", "third.csv"),
    ],
    ids=lambda part: part[0],
)
def test_rows_are_divided_by_their_totals_where_asked(tightrope, folder, arguments):
    (folder / "third.csv").write_text("0.3333,0.6666\n0.5,0.5\n", encoding="utf-8")
    (folder / "wide.toml").write_text("ratio = 2", encoding="utf-8")
    refused = tightrope(*arguments)
    assert refused.code == 2
    assert refused.sentence.endswith(
        "row 0 adds up to 0.9999; expected 1 within 1e-06, or ask to divide each row by its total "
        "(--normalize)."
    )
    answer = tightrope(*arguments, "--normalize")
    assert answer.code == 0, answer
    said = " ".join(answer.out.split())
    assert "within 0.0001 of 1; each total became the denominator" in said
    assert tightrope(*arguments, "--normalize", "--json").json["row_error"] == pytest.approx(1e-4)
    exact = tightrope("verify", "third.csv", *TWO, "--normalize", "--json")
    assert exact.json["epsilon_exact"] == "ln(3/2)"


@pytest.mark.parametrize(
    "arguments",
    [
        ("design", *FIVE),
        ("theory", "measure", FIVE[0], "mutual-information", *FIVE[1:]),
        ("design", "categories:5", "--max-loss", "1/2", "--prior", "p.csv"),
        ("compare", *FIVE),
        ("tradeoff", "categories:5", "--prior", "p.csv", "--epsilons", "1:1:1"),
        ("theory", "thresholds", "categories:5", "--prior", "p.csv", "--from", "1/2"),
        ("theory", "prior", *FIVE),
        ("inspect", "five.csv", "--space", "categories:5", "--prior", "p.csv"),
        ("theory", "improve", "five.csv", "--space", "categories:5", "--ratio", 4, "--prior",
         "p.csv"),
        ("certify", "five.csv", "--space", "categories:5", "--ratio", 4, "--prior", "p.csv",
         "--loss", "binary"),
    ],
    ids=lambda parts: " ".join(map(str, parts[:2])),
)
def test_a_prior_is_divided_by_its_total_where_asked(tightrope, folder, arguments):
    (folder / "five.csv").write_text("0.2,0.2,0.2,0.2,0.2\n" * 5, encoding="utf-8")
    (folder / "p.csv").write_text("0.2\n0.2\n0.2\n0.2\n0.1999\n", encoding="utf-8")
    refused = tightrope(*arguments)
    assert refused.code == 2
    assert refused.sentence == ("p.csv adds up to 0.9999; expected 1 within 1e-06, or ask to "
                                "divide by the total (--normalize).")
    answer = tightrope(*arguments, "--normalize", "--json")
    assert (answer.code, json.loads(answer.out).get("error")) == (0, None)
    assert " ".join(answer.err.split()) == (
        "p.csv adds up to 0.9999; every number in it was divided by that.")
    (folder / "p.csv").write_text("2000/9999\n2000/9999\n2000/9999\n2000/9999\n1999/9999\n",
                                  encoding="utf-8")
    exact = json.loads(tightrope(*arguments, "--json").out)
    untimed = {name: value for name, value in json.loads(answer.out).items() if name != "seconds"}
    assert {name: value for name, value in exact.items() if name != "seconds"} == untimed
