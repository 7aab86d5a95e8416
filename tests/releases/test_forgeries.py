"""An attacker's releases: every field forged in turn, with digests that fit. None is proved."""

import copy

import pytest

from tests.documents.mutations import parent, places
from tests.releases.test_publication import FORM, QUESTIONS, ROWS, codes, sealed
from tightrope.declarations import Declaration
from tightrope.errors import AnswerIsNo, BadInput
from tightrope.ledger import Budget, Ledger, Scope, law_digest
from tightrope.releases import open_books
from tightrope.releases.publication import reviewed

ASKED = ["sum", "median", "maximum", "frequent", "quantiles", "counts"]
FREE = {("head",), ("drawn",), ("declared",), *(("entry", name) for name in (
    "number", "budget", "time", "seal", "request", "spent"))}
"""What only the ledger binds, as long as it has its type. It binds drawn numbers, too, and what is
declared of columns that the question does not touch."""

RESEALED = {("entry", "law"), ("entry", "declaration")}


@pytest.fixture(scope="module")
def books(tmp_path_factory):
    ledger = Ledger.create(tmp_path_factory.mktemp("books") / "l.sqlite")
    ledger.open_budget(Budget("now", Scope.of(Declaration.of(FORM)), "1000"))
    return open_books(ROWS, FORM, ledger=ledger, budget="now")


def others(value):
    """Values near this one, and of other types."""
    if isinstance(value, str):
        yield from (value + "0", "1/2" if value != "1/2" else "1/3", 1)
    elif type(value) is int:
        yield from (value + 1, value - 1, str(value), float(value), True)
    elif isinstance(value, dict | list):
        yield from ([], {}, "x")
    yield from (() if value is None else (None,))


def resealed(document):
    """The document with every digest in it made anew, that of its laws in the entry too."""
    made = copy.deepcopy(document)
    try:
        made["laws"] = [sealed(law) for law in made["laws"]]
        made["entry"]["law"] = law_digest(made["laws"])
        made["entry"]["declaration"] = Declaration.of(made["declared"]).digest
    except (AttributeError, BadInput, KeyError, TypeError, ValueError):
        pass  # of another type: it stays as it was forged
    return sealed(made)


def judged(document):
    try:
        return reviewed(document)
    except (AnswerIsNo, BadInput):
        return None


@pytest.mark.parametrize("ask", ASKED)
def test_no_forged_field_is_proved_and_neither_judge_says_more_than_the_other(books, ask):
    original = books.ask(QUESTIONS[ask], "7/10", request=f"my {ask}").document()
    assert codes(original) == (0, 3)
    for path in places(original):
        bound = not {path[:1], path[:2]} & (FREE | RESEALED) and path[-1] != "digest"
        for other in others(parent(original, path)[path[-1]]):
            made = copy.deepcopy(original)
            parent(made, path)[path[-1]] = other
            made = resealed(made)
            (verdict, checker), found = codes(made), judged(made)
            assert verdict in (0, 1, 2), path
            assert checker in (1, 2, 3), path
            if verdict == 0:  # then nothing was forged that a document binds
                assert checker == 3, path
                assert not bound or made == original, (path, other)
                assert all(str(part) for part in found.checked)
            else:
                assert path[0] != "entry" or checker != 3, (path, other)
                assert found is None or found.checked == (), (path, other)
