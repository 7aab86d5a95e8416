"""`design`, `compare`, `tradeoff` and `improve` about a query on datasets."""

import json
from itertools import product

import pytest

CUBE = "hamming:values=2,people=3"
DATASETS = list(product((0, 1), repeat=3))


def written(path, rows, header="dataset,value"):
    path.write_text("\n".join([header, *rows]) + "\n")
    return path


@pytest.fixture
def asked(tmp_path):
    rows = [f'"{a},{b},{c}",{(a + b) * c / 2}' for a, b, c in DATASETS]
    return written(tmp_path / "query.csv", rows)


def test_a_design_answers_with_values_and_is_proved_by_the_receipt(tightrope, asked, tmp_path):
    file = tmp_path / "m.json"
    found = tightrope("design", CUBE, "--query", asked, "--epsilon", "1", "-o", file, "--json").json
    assert (found["inputs"], found["outputs"], found["certified"]) == (8, 3, True)
    assert found["gap"] <= 1e-6
    assert json.loads(file.read_text())["outputs"] == [0, "0.5", 1]
    assert tightrope("verify", file, "--json").json["holds"]


def test_columns_of_parts_json_and_names_say_the_same(tightrope, tmp_path):
    parts = written(tmp_path / "parts.csv", [f"{a},{b},{c},{a + b + c}" for a, b, c in DATASETS],
                    "p,q,r,value")
    table = tmp_path / "table.json"
    table.write_text(json.dumps({f"{a},{b},{c}": a + b + c for a, b, c in DATASETS}))
    values = {
        tightrope("design", CUBE, "--query", source, "--ratio", "2", "--construction", "ladder",
                  "--json").json["value"]
        for source in (parts, table, "sum")
    }
    assert len(values) == 1


def test_a_comparison_lists_both_levels_of_every_construction(tightrope, asked):
    found = tightrope("compare", CUBE, "--query", asked, "--epsilon", "1", "--json").json
    rows = {row["construction"]: row for row in found["rows"]}
    nominal, ladder = (rows[name]["level_proved"]["upper"] for name in ("ladder-nominal", "ladder"))
    assert nominal < ladder <= 1
    assert rows["privacy-first"]["parameters"].startswith("radius=")
    assert rows["optimal"]["value"] <= min(row["value"] for row in rows.values() if row["value"])
    said = tightrope("compare", CUBE, "--query", asked, "--epsilon", "1").out
    assert "Parameters" in said
    assert "Nominal mechanisms" in said


def test_vectors_need_a_metric_only_if_it_is_not_euclidean(tightrope, tmp_path):
    two = written(tmp_path / "two.csv", [f'"{a},{b},{c}",{a + b},{c}' for a, b, c in DATASETS],
                  "dataset,u,v")
    options = ("design", CUBE, "--query", two, "--epsilon", "1", "--construction", "k-norm")
    largest, total = (
        tightrope(*options, "--values", metric, "--json").json["value"]
        for metric in ("chebyshev", "manhattan")
    )
    assert largest < total


def test_losses_may_be_files_by_dataset_or_by_value(tightrope, tmp_path):
    pair = written(tmp_path / "pair.csv", ["0,0", "1,1", "2,1"])
    by_value = written(tmp_path / "v.csv", ["1,0"], "0,5")
    by_dataset = written(tmp_path / "d.csv", ["1,0", "1,0"], "0,5")
    found = [
        tightrope("design", "path:0..2", "--query", pair, "--ratio", "2", "--loss", loss,
                  "--json").json["value"]
        for loss in (by_value, by_dataset)
    ]
    assert found[0] == pytest.approx(found[1])


def test_a_tradeoff_and_a_largest_loss_take_a_query(tightrope, asked):
    rows = tightrope("tradeoff", CUBE, "--query", asked, "--epsilons", "1:2:1", "--json").json
    assert {row["epsilon"] for row in rows["rows"]} == {1.0, 2.0}
    found = tightrope("design", CUBE, "--query", asked, "--max-loss", "0.15", "--json").json
    assert found["value"] <= 0.15


def test_a_nominal_ladder_is_improved(tightrope, asked, tmp_path):
    file = tmp_path / "ladder.json"
    tightrope("design", CUBE, "--query", asked, "--epsilon", "1", "--construction",
              "ladder-nominal", "-o", file)
    found = tightrope("theory", "improve", file, "--query", asked, "--json").json
    assert found["after"] < found["before"]


@pytest.mark.parametrize(("rows", "told"), [
    (['"0,0,0",1', '"0,0,0",2'], "names the dataset (0, 0, 0) twice"),
    (['"0,0,0",1', '"0,0,1",2'], "has no value for the dataset (0, 1, 0); it has 2 of 8"),
    (['"0,0,7",1'], "is not a point of"),
    (['"0,0,0",'], "the value of the dataset (0, 0, 0) is missing"),
    ([f'"{a},{b},{c}",no' for a, b, c in DATASETS], "expected a number as the value of"),
    ([f'"{a},{b},{c}",4' for a, b, c in DATASETS], "one value only"),
    ([f'"{a},{b},{c}",nan' for a, b, c in DATASETS], "expected a number as the value of"),
])
def test_a_query_that_is_none_is_refused_in_one_sentence(tightrope, tmp_path, rows, told):
    bad = written(tmp_path / "bad.csv", rows)
    said = tightrope("design", CUBE, "--query", bad, "--epsilon", "1")
    assert said.code == 2
    assert told in said.sentence


def test_values_outside_their_space_and_empty_measures_are_refused(tightrope, asked, tmp_path):
    named = written(tmp_path / "named.csv", [f'"{a},{b},{c}",{"xyz"[a + b]}'
                                             for a, b, c in DATASETS])
    options = ("design", CUBE, "--epsilon", "1", "--query")
    said = tightrope(*options, named, "--values", "categories:x/y")
    assert "the value 'z' is not a point of categories:x/y" in said.sentence
    zero = written(tmp_path / "zero.csv", ["0,0", "1,0"], "value,weight")
    assert "zero everywhere" in tightrope(*options, asked, "--measure", zero).err
    twice = written(tmp_path / "twice.csv", ["0,1", "0,1"], "value,weight")
    assert "twice" in tightrope(*options, asked, "--measure", twice).err
    said = tightrope("design", CUBE, "--epsilon", "1", "--measure", zero)
    assert "--values and --measure go with --query" in said.sentence
    assert "triangles is a query of the unlabeled graphs" in tightrope(
        *options, "triangles").err
