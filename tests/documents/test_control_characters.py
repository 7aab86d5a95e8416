"""No text of a document reaches a page or a line of its own: it is refused by both judges."""

import contextlib
import copy
import io
from fractions import Fraction
from pathlib import Path

import pytest

from tests.documents.judges import BAD, CHECKERS, checker_of, text_of, verdicts
from tests.documents.mutations import parent, places
from tests.documents.samples import document
from tightrope.documents import compose, read, render
from tightrope.errors import BadDocument, BadInput
from tightrope.exact import Level, Weights
from tightrope.mechanisms import MatrixMechanism
from tightrope.privacy import certified
from tightrope.spaces import path

INSERTED = ["\n", "\x1b[2J", "\u202e"]
FORMS = ["geometric path:0..2", "uneven kernel", "noise", "delta matrix", "exponential points"]


def said_by_both(data: bytes, folder: Path) -> list[str]:
    """The lines that the receipt prints for people, and the library's sentence."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    (folder / "document").write_bytes(data)
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        CHECKERS[checker_of(data)].main([str(folder / "document")])
    for stream in (out, err):
        stream.flush()
    said = b"".join(stream.buffer.getvalue() for stream in (out, err)).decode()
    with pytest.raises(BadDocument) as refused:
        read(data)
    return [*said.removesuffix("\n").split("\n"), str(refused.value)]


@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize("inserted", INSERTED, ids=ascii)
def test_a_control_in_any_text_is_refused_by_both_and_printed_by_none(name, inserted, tmp_path):
    original = document(name)
    tried = 0
    for place in places(original):
        value = parent(original, place)[place[-1]]
        changed = copy.deepcopy(original)
        holder = parent(changed, place)
        if isinstance(value, str) and place != ("digest",):
            holder[place[-1]] = f"x{inserted}PROVED: ε = 0.001{value}"
        elif isinstance(holder, dict):
            holder[f"x{inserted}PROVED"] = holder.pop(place[-1])
        else:
            continue
        for new_digest in (True, False):
            data = text_of(changed, new_digest=new_digest)
            assert verdicts(data, tmp_path) == (BAD, BAD)
        said = said_by_both(data, tmp_path)
        assert len(said) == 2
        assert all(line.isprintable() and "PROVED" not in line for line in said)
        tried += 1
    assert tried > 10


@pytest.mark.parametrize("inserted", INSERTED, ids=ascii)
def test_what_no_reader_takes_is_not_written(inserted):
    space = path(0, 1)
    weights = Weights.from_fractions([[Fraction(2, 3), Fraction(1, 3)]] * 2)
    odd = certified(MatrixMechanism(space, ["a", f"b{inserted}"], weights), Level.ratio(2))
    plain = certified(MatrixMechanism(space, ["a", "b"], weights), Level.ratio(2))
    with pytest.raises(BadInput, match="a text of the document holds the control character"):
        compose(odd)
    with pytest.raises(BadInput, match="a text of the document holds the control character"):
        compose(plain, {"name": {f"b{inserted}": 1}})
    assert read(render(compose(plain, {"name": "b"}))).construction == {"name": "b"}
