import json
import re
import sys
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest

from tests.cli.runner import outside, receipt
from tightrope.documents import digest_of


def rewrite(path, change, *, digest=True):
    """Change a document, with its digest computed anew or left as it was."""
    content = json.loads(path.read_text())
    change(content)
    if digest:
        content["digest"] = digest_of(content)
    path.write_text(json.dumps(content))


def break_a_tight_ratio(content):
    content["mechanism"]["rows"][0] = "9 2 2"


def test_a_claim_that_holds(tightrope, document):
    answer = tightrope("verify", document, "--json")
    assert answer.code == 0
    found = answer.json
    assert found["holds"] is True
    assert found["intact"] is True
    assert found["epsilon_exact"] == "ln(2)"
    assert found["witness"] is None
    best = found["optimality"]
    assert (best["goal"], best["loss"], best["holds"]) == ("average", "absolute", True)
    assert best["bound"] <= 5 / 9 <= best["value"]
    assert best["gap"] < 1e-6
    assert found["evidence"] == "enumerated"
    assert found["checked"] == 12


def test_a_changed_document_is_a_no_though_its_claim_holds(tightrope, document, folder):
    rewrite(folder / document, lambda content: content.update(construction=None), digest=False)
    answer = tightrope("verify", document, "--json")
    assert answer.code == 1
    assert answer.json["intact"] is False
    assert answer.json["holds"] is True
    assert "was changed" in tightrope("verify", document).out


@pytest.mark.parametrize("digest", [True, False])
def test_a_broken_ratio_is_named_with_and_without_a_new_digest(
    tightrope, document, folder, digest
):
    rewrite(folder / document, break_a_tight_ratio, digest=digest)
    answer = tightrope("verify", document, "--json")
    assert answer.code == 1
    found = answer.json
    assert found["intact"] is digest
    assert found["holds"] is False
    witness = found["witness"]
    assert (witness["first"], witness["second"], witness["outputs"]) == (1, 0, [1])
    assert witness["probabilities"] == ["1/3", "2/13"]
    assert witness["distance"] == "1"
    assert found["epsilon_exact"] == "ln(13/6)"


@pytest.mark.parametrize(("field", "number"), [("bound", 0.56), ("value", 0.55)])
def test_a_false_claim_of_optimality_is_a_no(tightrope, document, folder, field, number):
    rewrite(folder / document, lambda content: content["optimality"].update({field: number.hex()}))
    answer = tightrope("verify", document, "--json")
    assert answer.code == 1
    assert answer.json["holds"] is answer.json["optimality"]["holds"] is False
    assert answer.json["witness"] is None
    assert "NOT supported" in " ".join(tightrope("verify", document).out.split())


def test_noise_says_nothing_about_optimality(tightrope):
    tightrope("design", "path:0..9", "--ratio", "2", "--construction", "two-sided-geometric",
              "-o", "noise.json")
    assert tightrope("verify", "noise.json", "--json").json["optimality"] is None


def test_another_level_may_be_asked_of_a_document(tightrope, document):
    assert tightrope("verify", document, "--ratio", "3/2").code == 1
    assert tightrope("verify", document, "--epsilon", "0.7").code == 0
    found = tightrope("verify", document, "--epsilon", "0.1", "--delta", "0.5", "--json").json
    assert found["holds"] is True
    assert found["delta"] == 0.5
    assert found["delta_proved"][1] <= 0.5


def test_a_bare_matrix_needs_its_space(tightrope, folder):
    (folder / "m.csv").write_text("0.5,0.5\n0.25,0.75\n")
    answer = tightrope("verify", "m.csv")
    assert answer.code == 2
    assert "needs the space of its inputs" in answer.sentence


def test_a_bare_matrix_is_judged_by_any_finite_level(tightrope, folder):
    (folder / "m.csv").write_text("0.5,0.5\n0.25,0.75\n")
    answer = tightrope("verify", "m.csv", "--space", "categories:2", "--json")
    assert answer.code == 0
    assert answer.json["intact"] is None
    assert answer.json["epsilon_exact"] == "ln(2)"
    (folder / "zero.csv").write_text("1,0\n0.25,0.75\n")
    answer = tightrope("verify", "zero.csv", "--space", "categories:2", "--json")
    assert answer.code == 1
    assert answer.json["holds"] is False
    assert answer.json["epsilon"] is None
    assert "no finite level" in answer.json["witness"]["reason"]


def test_fractions_in_a_matrix_are_exact(tightrope, folder):
    (folder / "m.csv").write_text("2/3,1/6,1/6\n1/3,1/3,1/3\n1/6,1/6,2/3\n")
    options = ("--space", "path:0..2", "--ratio", "2")
    assert tightrope("verify", "m.csv", *options).code == 0
    assert tightrope("verify", "m.csv", "--space", "path:0..2", "--ratio", "1.99").code == 1


@pytest.mark.parametrize("ending", ["csv", "tsv", "json", "npy", "parquet"])
def test_a_matrix_may_come_in_any_of_the_formats(tightrope, folder, ending):
    rows = [[0.5, 0.5], [0.25, 0.75]]
    path = folder / f"m.{ending}"
    if ending == "npy":
        np.save(path, np.array(rows))
    elif ending == "json":
        path.write_text(json.dumps(rows))
    elif ending == "parquet":
        import pyarrow as pa
        import pyarrow.parquet as pq

        pq.write_table(pa.table({"0": [0.5, 0.25], "1": [0.5, 0.75]}), path)
    else:
        between = "," if ending == "csv" else "\t"
        path.write_text("".join(between.join(map(str, row)) + "\n" for row in rows))
    found = tightrope("verify", path.name, "--space", "categories:2", "--json").json
    assert found["epsilon_exact"] == "ln(2)"


def test_rows_that_miss_1_by_a_little_are_divided_by_their_total(tightrope, folder):
    (folder / "m.csv").write_text("0.5000001,0.5\n0.25,0.75\n")
    found = tightrope("verify", "m.csv", "--space", "categories:2", "--json").json
    assert found["row_error"] == pytest.approx(1e-7, rel=0.01)
    said = tightrope("verify", "m.csv", "--space", "categories:2").out
    assert "became the denominator" in said


def test_labels_of_a_matrix_put_its_rows_in_order(tightrope, folder):
    (folder / "m.csv").write_text(",0,1,2\n2,1/6,1/6,2/3\n0,2/3,1/6,1/6\n1,1/3,1/3,1/3\n")
    found = tightrope("verify", "m.csv", "--space", "path:0..2", "--ratio", "2", "--json").json
    assert found["holds"] is True


def test_outputs_need_not_be_inputs(tightrope, folder):
    (folder / "m.csv").write_text("low,high\n0.75,0.25\n0.5,0.5\n0.25,0.75\n")
    found = tightrope("verify", "m.csv", "--space", "path:0..2", "--ratio", "3/2", "--json").json
    assert found["holds"] is False
    assert found["witness"]["outputs"] in (["low"], ["high"])


def test_json_rows_with_labels_are_a_matrix_and_not_a_document(tightrope, folder):
    content = {"rows": [["1/2", "1/2"], ["1/4", "3/4"]], "column_labels": ["a", "b"]}
    (folder / "m.json").write_text(json.dumps(content))
    found = tightrope("verify", "m.json", "--space", "categories:2", "--json").json
    assert found["epsilon_exact"] == "ln(2)"


def test_a_document_is_not_judged_on_another_space(tightrope, document):
    answer = tightrope("verify", document, "--space", "path:0..3")
    assert answer.code == 2
    assert "path:0..2" in answer.sentence
    assert tightrope("verify", document, "--space", "path:0..2").code == 0


def test_delta_is_refused_where_no_neighbors_are_declared(tightrope, folder):
    (folder / "m.csv").write_text("0.5,0.5\n0.25,0.75\n")
    options = ("--space", "grid:2x1", "--epsilon", "1", "--delta", "0.1")
    assert tightrope("verify", "m.csv", *options).code == 3


@pytest.mark.parametrize("options", [(), ("--space", "categories:2")])
def test_rows_that_break_off_are_said_to_break_off(tightrope, folder, options):
    (folder / "m.json").write_text("[[0.5, 0.5], [0.2")
    answer = tightrope("verify", "m.json", *options)
    assert answer.code == 2
    assert "breaks off or goes wrong at line 1, column 18" in answer.sentence


def test_with_delta_the_pure_level_is_called_so(tightrope, folder):
    options = ("categories:3", "--ratio", "2", "--delta", "0.05")
    designed = tightrope("design", *options, "-o", "d.json").out
    for said in (designed, tightrope("verify", "d.json").out):
        assert "level at δ = 0" in " ".join(said.split())
        assert "level proved" not in said
        assert "smallest level" not in said


@pytest.mark.parametrize("command", [
    ("design",), ("certify", "m.csv", "--space"), ("verify", "m.csv", "--space"),
])
def test_what_is_promised_is_true_of_inputs_a_thousand_apart(tightrope, folder, command):
    (folder / "far.csv").write_text("from,to,length\nno,yes,1000\n")
    (folder / "m.csv").write_text("0.75,0.25\n0.25,0.75\n")
    said = " ".join(tightrope(*command, "edges:far.csv", "--epsilon", "1/100").out.split())
    assert "Any two inputs are 1000 apart" in said
    assert "factor e^(1000 ε) = 22,027." in said  # e^10 = 22026.47
    assert "1.01" not in said


def test_inspect_says_how_far_apart_inputs_are(tightrope, folder):
    (folder / "far.csv").write_text("from,to,length\nno,yes,1000\nyes,maybe,20\n")
    (folder / "m.csv").write_text("0.75,0.25\n0.25,0.75\n0.25,0.75\n")
    said = tightrope("inspect", "m.csv", "--space", "edges:far.csv").out
    assert "from 20 to 1020" in said


@pytest.mark.parametrize("off", [Decimal("1e-7"), Decimal("1e-12"), Decimal("1e-14")])
def test_a_refutation_prints_the_digits_that_decide(tightrope, folder, off):
    with localcontext() as exact:
        exact.prec = 40
        ratio = Decimal("0.5").exp() + off  # just more than e^0.5
        high = (ratio / (1 + ratio)).quantize(Decimal("1e-25"))
        true, level = high / (1 - high), (high / (1 - high)).ln()
    (folder / "m.csv").write_text(f"{Fraction(high)},{Fraction(1 - high)}\n"
                                  f"{Fraction(1 - high)},{Fraction(high)}\n")
    answer = tightrope("verify", "m.csv", "--space", "path:0..1", "--epsilon", "0.5")
    assert answer.code == 1
    said = " ".join(answer.out.split())
    stated = re.search(r"have the ratio (\S+), more than the allowed (\S+)\.", said)
    found, allowed = stated.groups()
    assert Decimal(found) > Decimal(allowed)
    assert abs(Decimal(found) - true) < off
    least = Decimal(re.search(r"smallest level (\S+)", said)[1])
    assert least > Decimal("0.5")
    assert abs(least - level) < off


def test_a_refuted_delta_prints_the_digits_that_decide(tightrope, folder):
    # the hockey-stick sum is 2/3 - 3/2 · 1/3 = 1/6; δ is a little less
    (folder / "m.csv").write_text("2/3,1/3\n1/3,2/3\n")
    answer = tightrope("verify", "m.csv", "--space", "path:0..1", "--ratio", "1.5",
                       "--delta", "0.16666666666666")
    assert answer.code == 1
    said = " ".join(answer.out.split())
    found, allowed = re.search(r"probability (\S+), more than .* \+ δ = (\S+), with", said).groups()
    assert Decimal(found) > Decimal(allowed)


def test_a_level_just_inside_the_one_asked_for_is_told_from_it(tightrope, folder):
    tightrope("design", "path:0..3", "--epsilon", "0.5", "-o", "g.json")
    said = " ".join(tightrope("verify", "g.json").out.split())
    assert Decimal(re.search(r"smallest level (\S+)", said)[1]) < Decimal("0.5")


def test_components_are_said_to_be_open_before_anything_is_promised(tightrope, folder):
    (folder / "e.csv").write_text("from,to\na,b\nc,d\ne,e\n")
    said = " ".join(tightrope("design", "edges:e.csv", "--ratio", "2", "-o", "m.json").out.split())
    open_first = "Which of the 3 components an input lies in is NOT protected at all. Any two"
    assert open_first in said
    assert open_first in " ".join(tightrope("verify", "m.json").out.split())
    inspected = " ".join(tightrope("inspect", "m.json").out.split())
    assert "infinite between 3 components, which are NOT protected" in inspected
    checked = receipt("m.json")
    lines = checked.out.splitlines()
    where = next(i for i, line in enumerate(lines) if line.startswith("NOT private"))
    assert "which of the 3 components" in lines[where]
    assert where < next(i for i, line in enumerate(lines) if line.startswith("claim"))
    assert checked.code == 0


def test_what_is_to_be_typed_next_names_the_space_as_it_was_typed(tightrope, folder):
    (folder / "far.csv").write_text("no,yes\n0,3\n3,0\n")
    (folder / "law.csv").write_text("1,0\n1/2,1/2\n")
    refuted = tightrope("verify", "law.csv", "--space", "matrix:far.csv", "--epsilon", "1")
    assert refuted.code == 1
    typed = re.search(r"tightrope certify (\S+ --space \S+)", refuted.out)[1].split()
    mended = tightrope("certify", *typed, "--epsilon", "1", "-o", "mended.json")
    assert mended.code == 0


def test_positions_on_the_earth_say_their_unit_in_every_command(tightrope, folder):
    (folder / "towns.csv").write_text("label,lat,lon\nA,0,0\nB,0,0.001\nC,0,0.002\n")
    # a thousandth of a degree of the equator is 111.195 m
    for text, said, near in (
        ("points:towns.csv", "ε is per meter", 111.195),
        ("points:towns.csv,unit=km", "ε is per kilometer", 0.111195),
    ):
        made = tightrope("design", text, "--epsilon", "0.01", "-o", "t.json", "--force")
        assert made.code == 0
        shown = tightrope("verify", "t.json")
        for answer in (made, shown):
            words = " ".join(answer.out.split())
            assert said in words
        content = json.loads((folder / "t.json").read_text())
        assert float(Fraction(content["space"]["distances"][0][1])) == pytest.approx(near, rel=1e-4)
        assert receipt("t.json").code == 0


def test_a_smallest_level_that_is_only_bracketed_is_not_called_one_number(tightrope, folder):
    # normalizers bound the level of a large kernel from above; adjacent cells from below
    made = tightrope("design", "grid:33x33", "--epsilon", "0.2", "--construction", "exponential",
                     "-o", "k.json", "--json").json
    low, high = made["level_proved"]["lower"], made["level_proved"]["upper"]
    assert low < 0.99 * high
    said = " ".join(tightrope("verify", "k.json").out.split())
    assert f"at most, {low:.6g} at least" in said


LOADED = """
import sys
from tightrope.cli import main
try:
    main(["verify", sys.argv[1]])
finally:
    loaded = {tuple(name.split(".")[:2]) for name in sys.modules}
    assert ("tightrope", "documents") in loaded
    print([room for room in ("constructions", "theory") if ("tightrope", room) in loaded])
"""


def test_a_document_is_verified_without_loading_any_construction(document):
    answer = outside(sys.executable, "-c", LOADED, document)
    assert answer.code == 0
    assert answer.out.rstrip().endswith("[]")


@pytest.mark.parametrize("name", ["index.html", "report.md", "tables.xlsx"])
def test_a_file_of_a_report_leads_to_its_folder(tightrope, folder, name):
    (folder / "year").mkdir()
    (folder / "year" / name).write_text("x")
    refused = tightrope("verify", f"year/{name}")
    assert refused.code == 2
    assert "give its folder, `tightrope verify year`" in refused.sentence
