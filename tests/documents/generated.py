"""Documents made from scratch, from a seed: numbers and levels at the edges, of every form."""

from random import Random
from typing import Any

from tests.documents.judges import renewed

LN2 = "693147180559945309417232121458"
LEVELS = [("1", "0", "1"), ("1/2", "0", "1"), ("500", "0", "1"), ("1000000", "0", "1"),
          ("1/1000000", "0", "1"), ("0", "1", "2"), ("0", "1/2", "9/4"), ("0", "1000000", "2"),
          ("0", "1", "1000001/1000000"), (f"-{LN2}", "1" + "0" * 30, "2"),
          (LN2, "1" + "0" * 30, "1/2"), ("1/2", "1", "3")]
FRACTIONS = ["1", "2", "1/2", "3/2", "7/3", "1001/1000", "1" + "0" * 60,
             "1" + "0" * 299 + "1/1" + "0" * 300, "1/1" + "0" * 40, "0", "-1", "2/4", "1/0"]
POWERS = [0, 1, 61, 62, 63, 900, 1000, 1001, 5000, 131072, 262080, 262144, 8 * 10**6, 8 * 10**6 + 1]
UNITS = ["1", "1", "1/2", "1/100", "1/13107", "1/26215", "1/1000000000000", "2/3"]


def spaces(random: Random) -> tuple[dict[str, Any], int, str | None]:
    """A space, how many points it has, and what a document says of its neighbors."""
    size, length = random.choice([2, 3, 4]), random.choice(FRACTIONS)
    lines = [["0" if i == j else length for j in range(3)] for i in range(3)]
    two = {"family": "path", "low": 0, "high": 1}
    return random.choice([
        ({"family": "path", "low": 0, "high": size - 1}, size, "x"),
        ({"family": "complete", "nodes": size}, size, "x"),
        ({"family": "cycle", "nodes": size}, size, "x"),
        ({"family": "star", "leaves": size}, size + 1, "x"),
        ({"family": "graph", "nodes": ["a", "b", "c"],
          "edges": [[0, 1, length], [1, 2, "1"]]}, 3, "x"),
        ({"family": "product", "combine": "max", "factors": [two, two]}, 4, "x"),
        ({"family": "grid", "shape": [2, 2], "step": length, "metric": "euclidean"}, 4, None),
        ({"family": "matrix", "labels": ["a", "b", "c"], "distances": lines}, 3, None),
    ])


def weight(random: Random) -> str:
    power = random.choice(POWERS if random.random() < 0.2 else POWERS[:9])
    head = random.choice(["1", "1", "3", "0", "ff", f"{random.getrandbits(70):x}"])
    return random.choice([head, head, f"{head}p{random.choice([power, -power])}"])


def matrix(random: Random, size: int) -> dict[str, Any]:
    """Rows that are alike but for an entry, or nearly tie, or have nothing in common."""
    kind = random.choice(["alike", "tied", "free"])
    row = [weight(random) for _ in range(size)]
    rows = []
    for y in range(size):
        if kind == "tied":
            shift, base = random.choice([0, 200, 5000]), random.choice([2, 3])
            row = [f"{(base ** abs(y - z) << shift) + random.choice([0, 0, 1]):x}"
                   for z in range(size)]
        elif kind == "free" or random.random() < 0.5:
            row = [weight(random) if kind == "free" or z == y else w for z, w in enumerate(row)]
        rows.append(" ".join(row))
    return {"form": "matrix", "rows": rows}


def generated(seed: int) -> dict[str, Any]:
    """A document with a fitting digest; most are well formed."""
    random = Random(seed)
    space, size, neighbors = spaces(random)
    form = random.choice(["matrix", "matrix", "kernel", "kernel", "subset", "noise"])
    evidence, outputs = "theorem", "sets"
    law: dict[str, Any]
    if form == "matrix":
        evidence, outputs, law = "enumerated", "inputs", matrix(random, size)
    elif form == "kernel":
        weights = [random.choice(FRACTIONS[:4]) for _ in range(size)]
        evidence, outputs = "kernel", "inputs"
        law = {"form": form, "ratio": random.choice(FRACTIONS), "unit": random.choice(UNITS),
               "weights": random.choice([weights, ["1"] * size, ["1", *["0"] * (size - 1)]])}
    elif form == "subset":
        space = {"family": "complete", "nodes": random.choice([3, 10**7 + 1, 10**15, 10**15 + 1])}
        law, neighbors = {"form": form, "ratio": random.choice(FRACTIONS), "size": 1}, "x"
    else:
        space, outputs = {"family": "path", "low": 0, "high": 10**15}, "integers"
        law, neighbors = {"form": form, "ratio": random.choice(FRACTIONS),
                          "law": "two-sided geometric"}, "x"
    rational, coefficient, base = random.choice(LEVELS)
    delta = random.choice(["0", "0", "1/100", "1/2", "1/3"]) if neighbors else "0"
    return renewed({
        "format": "tightrope/mechanism", "version": 1, "space": space, "neighbors": neighbors,
        "outputs": outputs, "mechanism": law, "construction": None, "optimality": None,
        "claim": {"epsilon": {"rational": rational, "coefficient": coefficient, "base": base},
                  "delta": delta, "evidence": evidence},
    })
