"""Documents of mechanisms that a few numbers describe: saved, loaded, proved again, refused."""

import copy
import json
from fractions import Fraction

import pytest

from tests.documents.judges import CANNOT, HOLDS, NO, library_says
from tests.documents.mutations import parent, places
from tests.exact.oracle import ends_within
from tests.privacy.test_theorems import FORMS, on_line, stairs
from tests.privacy.test_theorems import NAMES as IDS
from tightrope import files, receipt, receipt_theorems
from tightrope.documents import accept, compose, digest_of, read, render
from tightrope.documents.forms import NAMES, form_of, fraction
from tightrope.errors import BadDocument, BadInput, CannotCheck, NotIntact, NotPrivate
from tightrope.exact import Level
from tightrope.mechanisms import (
    GaussianMechanism,
    KeyNoise,
    KeySelection,
    NoiseMechanism,
    SubsetMechanism,
    TallyNoise,
    UnaryMechanism,
)
from tightrope.privacy import certified
from tightrope.spaces import Tallies, categories, path, sums

STAIRCASE = NoiseMechanism(sums(people=4, maximum=3), Fraction(2), 3, 2)
SAMPLES = [
    *((mechanism, ratio) for mechanism, _, ratio, _ in FORMS),
    (STAIRCASE, Fraction(2)),
    (NoiseMechanism(path(0, 9), Fraction(2)), Fraction(2)),
    (SubsetMechanism(categories(4), 2, Fraction(3)), Fraction(3)),
    (UnaryMechanism(categories(4), Fraction(1, 2), Fraction(1, 4)), Fraction(3)),
]
NAMED = [*IDS, "staircase", "geometric", "subset", "unary"]


def rewritten(document, **changes):
    """The document with other fields of its mechanism, and a digest that fits."""
    changed = {**document, "mechanism": {**document["mechanism"], **changes}}
    return render({**changed, "digest": digest_of(changed)})


def test_every_form_of_the_table_is_tried_here():
    with_delta = {KeySelection, KeyNoise, GaussianMechanism}  # tests/mechanisms
    assert {type(mechanism) for mechanism, _ in SAMPLES} == set(NAMES) - with_delta


def test_the_other_receipt_names_the_one_that_checks_a_form():
    assert all(receipt.OTHERS[name] == "receipt_theorems.py" for name in NAMES.values())


@pytest.mark.parametrize(("mechanism", "ratio"), SAMPLES, ids=NAMED)
def test_saving_and_loading_is_the_identity_and_proves_again(mechanism, ratio, tmp_path):
    proved = certified(mechanism, Level.ratio(ratio))
    files.save(proved, tmp_path / "m.json")
    loaded = files.load(tmp_path / "m.json")
    assert loaded.mechanism == mechanism
    assert type(loaded.mechanism) is type(mechanism)
    assert loaded.certificate == proved.certificate
    assert render(compose(loaded)) == render(compose(proved))


@pytest.mark.parametrize(("mechanism", "ratio"), SAMPLES, ids=NAMED)
def test_a_document_holds_declarations_alone(mechanism, ratio):
    """Composed before and after a draw it is the same, and every field is one of a declaration."""
    document = compose(certified(mechanism, Level.ratio(ratio)))
    assert set(document) == {"format", "version", "space", "outputs", "mechanism", "claim",
                             "construction", "optimality", "digest"}
    assert document["claim"]["evidence"] == "theorem"


@pytest.mark.parametrize(("mechanism", "ratio"), SAMPLES, ids=NAMED)
def test_a_claim_beyond_the_theorem_is_not_loaded(mechanism, ratio):
    document = compose(certified(mechanism, Level.ratio(ratio)))
    claim = {**document["claim"], "epsilon": {"rational": "1/100", "coefficient": "0", "base": "1"}}
    changed = {**document, "claim": claim}
    with pytest.raises(NotIntact):
        accept(read(render({**changed, "digest": document["digest"]})))
    with pytest.raises((NotPrivate, CannotCheck)):
        accept(read(render({**changed, "digest": digest_of(changed)})))


@pytest.mark.parametrize(("mechanism", "ratio"), SAMPLES, ids=NAMED)
def test_fields_that_are_not_what_they_must_be_are_refused(mechanism, ratio):
    document = compose(certified(mechanism, Level.ratio(ratio)))
    for name in document["mechanism"]:
        for wrong in (None, 2.5, True, "1e9", "x", [1], {}, -1, "0", 0):
            proper = type(wrong) is int and (
                wrong == 0 if name in ("radius", "below", "above", "jump") else name == "shift")
            if wrong != document["mechanism"][name] and not proper:
                with pytest.raises((BadDocument, BadInput)):
                    read(rewritten(document, **{name: wrong}))
    changed = {**document, "outputs": "inputs"}
    with pytest.raises(BadDocument):
        read(render({**changed, "digest": digest_of(changed)}))
    table = {**document, "mechanism": {"form": "table", "rows": 3, "base": document["mechanism"]}}
    if mechanism.answers != "sets":
        with pytest.raises(BadDocument):
            read(render({**table, "digest": digest_of(table)}))


@pytest.mark.parametrize("rungs", [
    [[["0", "1"]], ["0", "1"]], [[["-1", "1", "2"]]], [[["-1"]]], [[[-1, 1]]], [[["-1", 1]]],
    [[["-1.0", "1.0"]]], [[["-1", "1e0"]]], [[["-1", "1"], "12"]], [[["-1", "1"]], "x"], [[]], [],
    [[["-1", "1"]], [[-3, 3]]], [[["-1", "1"]], [["-3", "-1"], [1, 3]]], [{"-1": "1"}], "x", None,
])
def test_rungs_that_are_no_pairs_of_fractions_in_text_are_refused(rungs):
    document = compose(certified(FORMS[0][0], Level.ratio(FORMS[0][2])))
    assert document["mechanism"]["rungs"][0] == [["-1", "1"]]
    with pytest.raises(BadDocument):
        read(rewritten(document, rungs=rungs))


def test_an_empty_rung_is_saved_and_loaded():
    mechanism = on_line(stairs(None, (0, 1), (1, 3)), (0, 2))
    content = compose(certified(mechanism, Level.ratio(4)))
    assert content["mechanism"]["rungs"][0] is None
    assert read(render(content)).mechanism == mechanism


@pytest.mark.parametrize(("mechanism", "ratio"), SAMPLES[: len(FORMS)], ids=IDS)
def test_datasets_that_are_not_what_they_must_be_are_refused(mechanism, ratio):
    document = compose(certified(mechanism, Level.ratio(ratio)))
    spaces = [{"family": "graphs"}, {"family": "graphs", "nodes": "4"}, {"family": "graphs",
              "nodes": 4, "more": 1}, {"family": "records", "size": 3, "low": 0, "high": 0},
              {"family": "line", "changes": [["0", "1e400"]]}, {"family": "line", "changes": 1},
              {"family": "line", "changes": [["0", "2"], ["1", "3"]]},
              {"family": "line", "changes": [["0", "0"]]}, path(0, 3).describe()]
    for space in spaces:
        changed = {**document, "space": space}
        with pytest.raises((BadDocument, BadInput)):
            read(render({**changed, "digest": digest_of(changed)}))
    for name in ("neighbors", "optimality"):
        changed = {**document, name: [] if name != "neighbors" else None}
        with pytest.raises(BadDocument):
            read(render({**changed, "digest": digest_of(changed)}))


KNOWN_TO_THE_CURATOR = (
    "ladder", "smooth", "global", "privacy-first", "degrees", "tally", "rank", "frequent",
    "quantile", "mode", "box", "planar", "planar-laplace", "planar-steps",
    "trace")


@pytest.mark.parametrize(("mechanism", "ratio"), SAMPLES, ids=NAMED)
def test_the_receipt_proves_the_level_and_names_what_only_the_curator_knows(
    mechanism, ratio, tmp_path, capsys
):
    file = tmp_path / "m.json"
    files.save(certified(mechanism, Level.ratio(ratio)), file)
    document = json.loads(file.read_text())
    left = document["mechanism"]["form"] in KNOWN_TO_THE_CURATOR
    assert receipt_theorems.main([str(file), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["holds"], report["intact"], report["unchecked"]) == (True, True, [])
    assert len(report["checked"]) == 1
    assert len(report["only_holder"]) == left
    assert report["neighbors"] == certified(mechanism, Level.ratio(ratio)).certificate.neighbors
    file.write_text(json.dumps({**document, "neighbors": "others"}))
    assert receipt_theorems.main([str(file)]) == 1


def test_a_ratio_whose_power_is_too_long_to_write_out_is_judged_at_once_by_both(tmp_path, capsys):
    """q^10000 with q of 4,000 digits would have 10^8 bits; what only the curator knows is open."""
    noise = TallyNoise(Tallies(10_000, 10_000, 10_000), 2)
    document = compose(certified(noise, Level.epsilon(10_000)))
    changed = rewritten(document, ratio=f"{10**4000 + 1}/{10**4000}")
    (tmp_path / "m.json").write_bytes(changed)
    with ends_within(20):
        assert library_says(changed) == 0
        assert receipt_theorems.main([str(tmp_path / "m.json"), "--json"]) == 0
        report = json.loads(capsys.readouterr().out)
        assert (len(report["checked"]), len(report["only_holder"])) == (1, 1)
        above = rewritten(document, ratio=f"{10**4000 * 3 + 1}/{10**4000}")
        (tmp_path / "m.json").write_bytes(above)
        assert library_says(above) == CANNOT
        assert receipt_theorems.main([str(tmp_path / "m.json"), "--json"]) == CANNOT
        assert json.loads(capsys.readouterr().out)["checked"] == []


@pytest.mark.parametrize(("mechanism", "ratio"), SAMPLES, ids=NAMED)
@pytest.mark.parametrize("delta", ["0", "1/1000", "1/3"])
def test_the_receipt_never_says_more_than_the_library_of_another_level(
    mechanism, ratio, delta, tmp_path, capsys
):
    """Refuted by both, proved by both, or left open by both."""
    document = compose(certified(mechanism, Level.ratio(ratio)))
    file = tmp_path / "m.json"
    found = set()
    for base in (ratio, ratio - Fraction(1, 10**20), ratio * (1 + Fraction(1, 10**9)),
                 Fraction(9, 8), ratio * Fraction(2, 3) + Fraction(1, 3), Fraction(50)):
        document["claim"] = {"epsilon": {"rational": "0", "coefficient": "1", "base": str(base)},
                             "delta": delta, "evidence": "theorem"}
        changed = render({**document, "digest": digest_of(document)})
        file.write_bytes(changed)
        ours, theirs = library_says(changed), receipt_theorems.main([str(file)])
        found.add(ours)
        assert theirs == ours
    assert HOLDS in found
    assert found & {NO, CANNOT} or delta == "1/3"


@pytest.mark.parametrize(("mechanism", "ratio"), SAMPLES, ids=NAMED)
def test_what_the_library_cannot_read_is_no_document_for_the_receipt(
    mechanism, ratio, tmp_path, capsys
):
    document = compose(certified(mechanism, Level.ratio(ratio)))
    file = tmp_path / "m.json"
    for place in places(document):
        if place[0] in ("space", "mechanism", "outputs", "optimality", "claim"):
            for other in (None, True, 0, 1, 3, -1, 10**30, 1.5, "1", "2", "0", "x", "1/2", [], {},
                          [["0", "1"]], [[["0", "1"]]], "triangles", "line", "graphs", "mode"):
                changed = copy.deepcopy(document)
                parent(changed, place)[place[-1]] = other
                text = render({**changed, "digest": digest_of(changed)})
                file.write_bytes(text)
                ours, theirs = library_says(text), receipt_theorems.main([str(file)])
                assert theirs == ours, (place, other)


def test_noise_with_steps_of_one_is_written_as_geometric_and_no_other():
    assert form_of(NoiseMechanism(path(0, 9), Fraction(2))) == {
        "form": "noise", "law": "two-sided geometric", "ratio": "2"}
    assert form_of(NoiseMechanism(sums(people=4, maximum=2), Fraction(2), 2, 1)) == {
        "form": "noise", "law": "staircase", "ratio": "2", "step": 2, "first": 1}


def test_a_form_is_read_by_its_name_whatever_else_stands_beside():
    subset = SubsetMechanism(categories(4), 2, Fraction(3))
    document = compose(certified(subset, Level.ratio(3)))
    assert read(rewritten(document, law="two-sided geometric")).mechanism == subset


def test_noise_is_not_for_datasets():
    document = compose(certified(NoiseMechanism(path(0, 9), Fraction(2)), Level.ratio(2)))
    changed = {**document, "space": {"family": "graphs", "nodes": 4}}
    with pytest.raises(BadDocument, match="integer noise is not for"):
        read(render({**changed, "digest": digest_of(changed)}))


@pytest.mark.parametrize("text", ["2.0", "1e3", " 1", "1 ", "1/0", "1/-2", "1/", "/2", "", "+1",
                                  "1_0", "٢", "0x1", 1, 1.5, None, True, "9" * 5000])
def test_a_fraction_is_written_in_one_way(text):
    with pytest.raises(BadDocument, match="the ratio is not a fraction of the form p/q"):
        fraction(text, "the ratio")
    assert fraction("-06/4", "the ratio") == Fraction(-3, 2)
