"""Changes to documents: any digit, any field, any type."""

import copy
from typing import Any

from hypothesis import strategies as st

Path = tuple[Any, ...]

TEXTS = [
    "", "0", "1", "2", "-1", "1/2", "3/2", "2/4", "1/0", "0/1", "-1/2", "0.5", "1e3", " 1", "+1",
    "01", "1/-2", "x", "inputs", "integers", "matrix", "kernel", "noise", "table", "enumerated",
    "theorem", "replace", "add-remove", "euclidean", "manhattan", "chebyshev", "sum", "max",
    "path", "cycle",
    "1 1", "4 1 1", "1 0 1", "0 0 0", "1p-3 1 1", "1  1", "F 1 1", "10000000", "1/1000000000",
    "９", "1_0", "\ud800",
    "0 1 3f", "1 0 1", "0 0 1", "0x1.8000000000000p+0", "-0x1.0000000000000p-1", "0x0.0p+0",
    "average", "worst", "uniform", "binary", "absolute", "squared",
]
WHOLE = [-1, 0, 1, 2, 3, 4, 7, 10**6, 10**16, 10**40]
OTHERS = [None, True, False, 1.0, 0.5, 1e300, [], {}, [1], ["a"], [[0, 1]], {"family": "path"},
          {"family": "path", "low": 0, "high": 2}, {"name": "x"}]


def places(value: Any, path: Path = ()) -> list[Path]:
    """Every node of a JSON value below the root."""
    found = []
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, part in items:
        found.append((*path, key))
        if isinstance(part, dict | list):
            found += places(part, (*path, key))
    return found


def parent(document: Any, path: Path) -> Any:
    for key in path[:-1]:
        document = document[key]
    return document


@st.composite
def changed_text(draw, text: str) -> str:
    kind = draw(st.sampled_from(["digit", "digit", "digit", "drop", "insert", "pool"]))
    if kind == "pool" or not text:
        return draw(st.sampled_from(TEXTS))
    at = draw(st.integers(0, len(text) - 1))
    if kind == "drop":
        return text[:at] + text[at + 1 :]
    new = draw(st.sampled_from("0123456789abcdfp-/ x."))
    if kind == "insert":
        return text[:at] + new + text[at:]
    digits = [i for i, c in enumerate(text) if c in "0123456789abcdef"] or [at]
    at = draw(st.sampled_from(digits))
    return text[:at] + draw(st.sampled_from("0123456789abcdef")) + text[at + 1 :]


@st.composite
def changed(draw, value: Any) -> Any:
    """Another value in the place of this one."""
    if draw(st.integers(0, 9)) == 0:
        return draw(st.sampled_from([*OTHERS, *TEXTS, *WHOLE]))
    if isinstance(value, str):
        return draw(changed_text(value))
    if isinstance(value, bool | float) or value is None:
        return draw(st.sampled_from([*OTHERS, *TEXTS, *WHOLE]))
    if isinstance(value, int):
        step = st.sampled_from([value + 1, value - 1, value + 2, float(value), str(value)])
        return draw(st.one_of(step, st.sampled_from(WHOLE)))
    if isinstance(value, list):
        new = list(value)
        kind = draw(st.sampled_from(["drop", "repeat", "reverse", "append", "swap"]))
        if kind == "reverse" or not new:
            return new[::-1]
        at = draw(st.integers(0, len(new) - 1))
        if kind == "drop":
            del new[at]
        elif kind == "repeat":
            new.insert(at, new[at])
        elif kind == "append":
            new.append(draw(st.sampled_from([*OTHERS, "1", 1])))
        else:
            new[0], new[at] = new[at], new[0]
        return new
    new = dict(value)
    if new and draw(st.booleans()):
        del new[draw(st.sampled_from(sorted(new)))]
    else:
        new[draw(st.sampled_from(["extra", "ratio", "unit", "rows", "step", "low"]))] = draw(
            st.sampled_from([*OTHERS, "1", "x"])
        )
    return new


@st.composite
def mutated(draw, document: dict[str, Any]) -> dict[str, Any]:
    """The document with one to three changes anywhere."""
    found = copy.deepcopy(document)
    for _ in range(draw(st.sampled_from([1, 1, 1, 2, 3]))):
        every = places(found)
        # fields that decide the claim more often than words
        heavy = [p for p in every if p[0] in ("mechanism", "claim", "space", "optimality")]
        path = draw(st.sampled_from(draw(st.sampled_from([every, heavy or every, heavy or every]))))
        holder = parent(found, path)
        if draw(st.integers(0, 7)) == 0:
            del holder[path[-1]]
        else:
            # a copy: what is drawn from the pools above must not be changed by the next change
            holder[path[-1]] = copy.deepcopy(draw(changed(holder[path[-1]])))
    return found
