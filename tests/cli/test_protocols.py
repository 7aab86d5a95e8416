"""`sanitize --protocol`: reports of sets, from the table to the estimate."""

import csv
import json

import numpy as np
import pytest

VALUES = [f"v{i}" for i in range(30)]
LIST = "/".join(VALUES)
COLUMN = ("--column", "color", "--values", LIST, "--ratio", "9")


@pytest.fixture
def colors(folder):
    chosen = np.random.default_rng(4).choice(30, 4000, p=np.arange(1, 31) / 465)
    with (folder / "colors.csv").open("w", newline="") as out:
        lines = csv.writer(out)
        lines.writerow(["id", "color"])
        lines.writerows([i, VALUES[v]] for i, v in enumerate(chosen))
    return np.bincount(chosen, minlength=30) / 4000


@pytest.mark.parametrize("protocol", ["subset", "unary", "best"])
@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_reports_are_written_proved_and_estimated(tightrope, folder, colors, protocol, ending):
    out = f"out.{ending}"
    done = tightrope("sanitize", "colors.csv", *COLUMN, "--protocol", protocol, "-o", out, "--json")
    assert done.code == 0, done.err
    document = done.json["mechanism"]
    assert tightrope("verify", document).code == 0
    assert tightrope("inspect", document).code == 0
    found = tightrope("estimate", out, "--column", "color", "--mechanism", document, "--json").json
    assert [row["value"] for row in found["rows"]] == VALUES
    # at ratio 9 and 4,000 rows the spread of each estimate is below 0.02
    errors = [row["estimate"] - p for row, p in zip(found["rows"], colors, strict=True)]
    assert max(map(abs, errors)) < 0.12
    claim = json.loads((folder / document).read_text())
    assert claim["mechanism"]["base"]["form"] == {"unary": "unary"}.get(protocol, "subset")


def test_the_best_protocol_depends_on_the_number_of_values_alone(tightrope, survey, folder, colors):
    few = tightrope("sanitize", survey, "--column", "answer", "--values", "no/yes", "--ratio", "9",
                    "--protocol", "best", "-o", "few.csv", "--json").json
    assert few["columns"][0]["protocol"] == "randomized-response"
    many = tightrope("sanitize", "colors.csv", *COLUMN, "--protocol", "best", "-o", "many.csv",
                     "--json").json
    assert many["columns"][0]["protocol"] == "subset-selection"


def test_a_column_of_another_mechanism_is_refused(tightrope, folder, colors):
    tightrope("sanitize", "colors.csv", *COLUMN, "--protocol", "subset", "-o", "a.csv")
    tightrope("sanitize", "colors.csv", *COLUMN, "--protocol", "unary", "-o", "b.csv")
    for table in ("colors.csv", "b.csv"):
        wrong = tightrope("estimate", table, "--column", "color", "--mechanism",
                          "a.csv.color.mechanism.json")
        assert wrong.code == 2
        assert "no report of this mechanism" in wrong.err


def test_what_has_no_such_protocol_is_refused_and_nothing_is_written(tightrope, folder, colors):
    for values, protocol in ((LIST, "both"), ("sets:a/b/c", "subset")):
        refused = tightrope("sanitize", "colors.csv", "--column", "color", "--values", values,
                            "--ratio", "9", "--protocol", protocol, "-o", "no.csv")
        assert refused.code == 2
        assert "protocol" in refused.err
        assert sorted(path.name for path in folder.iterdir() if path.name.startswith("no")) == []


@pytest.mark.parametrize("protocol", ["response", "subset", "unary", "best"])
def test_extreme_levels_are_served_or_refused_in_a_sentence(tightrope, folder, survey, protocol):
    for epsilon in ("1e-18", "800"):
        done = tightrope("sanitize", survey, "--column", "answer", "--values", "no/yes/maybe",
                         "--epsilon", epsilon, "--protocol", protocol, "-o", "o.csv", "--force")
        assert done.code == 0, done.err
        assert tightrope("verify", "o.csv.answer.mechanism.json").code == 0
    refused = tightrope("sanitize", survey, "--column", "answer", "--values", "no/yes",
                        "--epsilon", "30000", "--protocol", protocol, "-o", "big.csv")
    assert refused.code == 2
    assert "use a smaller ε" in refused.err
    assert not (folder / "big.csv").exists()


def test_columns_share_a_minute_level(tightrope, survey):
    for protocol in ("response", "best"):
        done = tightrope("sanitize", survey, "--column", "answer", "--values", "no/yes",
                         "--column", "color", "--values", "0/1/2", "--epsilon", "1e-18",
                         "--protocol", protocol, "-o", "o.csv", "--force")
        assert done.code == 0, done.err
