"""A folded document written in full, by plain search over its text."""


def places(text):
    return [int(token) for token in text.split()]


def by_hand(entries, moves, moved):
    """Fill in copies one by one, by search, until nothing changes."""
    found = [None if isinstance(entry, int) else entry for entry in entries]
    for _ in entries:
        for k, entry in enumerate(entries):
            if found[k] is None:
                origin = moves[entry].index(k)
                if found[origin] is not None:
                    found[k] = moved(found[origin], entry)
    return found


def written_in_full(content):
    pairs = [(places(g), places(h)) for g, h in content.pop("symmetry")]

    def moved_row(text, j):
        tokens = text.split()
        return " ".join(tokens[pairs[j][1].index(z)] for z in range(len(tokens)))

    def moved_multipliers(text, j):
        parts, g = text.split(), pairs[j][0]
        triples = zip(parts[::3], parts[1::3], parts[2::3], strict=True)
        return " ".join(f"{g[int(a)]} {g[int(b)]} {amount}" for a, b, amount in triples)

    law, claim = content["mechanism"], content["optimality"]
    law["rows"] = by_hand(law["rows"], [g for g, _ in pairs], moved_row)
    claim["multipliers"] = by_hand(claim["multipliers"], [h for _, h in pairs], moved_multipliers)
    return content
