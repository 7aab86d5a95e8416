"""Documents on disk: what is saved is loaded, verified again, byte for byte the same."""

from __future__ import annotations

import gzip
import json
from fractions import Fraction
from pathlib import Path

import pytest

from tests.files.examples import names_in, response, written
from tightrope.constructions import design
from tightrope.documents import digest_of
from tightrope.documents.reading import prove_optimality
from tightrope.errors import BadDocument, BadInput, NotCertified, NotIntact, NotPrivate
from tightrope.files import load, read_document, save
from tightrope.mechanisms import written_out
from tightrope.privacy import certified


@pytest.mark.parametrize("name", ["m.json", "m.JSON.GZ"])
def test_saving_and_loading_is_the_identity(tmp_path: Path, name: str) -> None:
    made = response(("no", "yes"))
    save(made, tmp_path / name, construction={"name": "randomized-response"})
    assert load(tmp_path / name) == made
    document = read_document(tmp_path / name)
    assert document.intact
    assert document.construction == {"name": "randomized-response"}


def test_the_same_mechanism_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a.json.gz", "b.json.gz"):
        save(response(3), tmp_path / name)
    content = (tmp_path / "a.json.gz").read_bytes()
    assert content == (tmp_path / "b.json.gz").read_bytes()
    assert content[4:8] == bytes(4), "no time of writing is stored"
    save(response(3), tmp_path / "c.json")
    assert gzip.decompress(content) == (tmp_path / "c.json").read_bytes()


def test_a_changed_document_is_not_loaded(tmp_path: Path) -> None:
    path = tmp_path / "m.json"
    save(response(2), path)
    content = json.loads(path.read_text())
    content["mechanism"]["ratio"] = "4"
    path.write_text(json.dumps(content))
    assert not read_document(path).intact
    with pytest.raises(NotIntact):
        load(path)
    content["digest"] = digest_of(content)
    path.write_text(json.dumps(content))
    with pytest.raises(NotPrivate):
        load(path)


def test_only_certified_mechanisms_are_saved_and_only_under_a_name_of_a_document(
    tmp_path: Path,
) -> None:
    with pytest.raises(NotCertified):
        save(response(2).mechanism, tmp_path / "m.json")  # type: ignore[arg-type]
    with pytest.raises(BadInput, match=r"ends in \.json or \.json\.gz"):
        save(response(2), tmp_path / "m.csv")
    assert names_in(tmp_path) == set()


def test_a_document_is_not_overwritten_unless_forced(tmp_path: Path) -> None:
    path = written(tmp_path, "m.json", "mine")
    with pytest.raises(BadInput, match="exists"):
        save(response(2), path)
    assert path.read_text() == "mine"
    save(response(2), path, force=True)
    assert load(path) == response(2)


def test_what_is_no_document_is_said_with_the_name_of_the_file(tmp_path: Path) -> None:
    with pytest.raises(BadDocument, match=r"m\.json: the file is not a JSON document"):
        load(written(tmp_path, "m.json", "{"))
    with pytest.raises(BadInput, match="there is no file"):
        load(tmp_path / "missing.json")


def test_a_matrix_is_saved_with_its_exact_weights(tmp_path: Path) -> None:
    base = response(3)
    made = certified(written_out(base.mechanism), base.certificate.level)
    save(made, tmp_path / "m.json")
    assert load(tmp_path / "m.json").mechanism.row_at(0) == (
        Fraction(3, 5), Fraction(1, 5), Fraction(1, 5),
    )  # fmt: skip


def test_a_solution_keeps_its_proof_of_optimality(tmp_path):
    found = design("path:0..4", "0.5", loss="absolute")
    save(found, tmp_path / "s.json")
    kept = read_document(tmp_path / "s.json")
    assert kept.construction == {"name": found.construction}
    assert kept.optimality.value >= found.value * (1 - 1e-15)
    assert kept.optimality.bound == pytest.approx(found.bound, rel=1e-12)
    assert prove_optimality(kept).supports(kept.optimality)
    save(found.certified, tmp_path / "m.json")
    assert read_document(tmp_path / "m.json").optimality is None
