"""H16, Figures 6.2 and 6.3: the largest errors of Warner's and Mangat's designs."""

from __future__ import annotations

from fractions import Fraction

from tightrope.papers.item import Finding, Item, Verdict, finding
from tightrope.plots import Chart, Panel, Span, Tint, line
from tightrope.surveys import mangat, warner, worst_variance

F = Fraction
_HALF = F(1, 2)
_ALPHAS = tuple(F(k, 1000) for k in (
    11, 12, 13, 15, 17, 19, 20, 25, 30, 40, 50, 60, 80, 101, 103, 105, 110, 115, 120, 130, 140,
    150, 160, 170, 180, 190, 200, 225, 250, 300, 350, 400, 450, 500, 600, 700, 800, 900, 1000))
_TINTS = (Tint.MAIN, Tint.SECOND, Tint.THIRD, Tint.FOURTH)


def _ratio_of_maxima(
    *, shares: tuple[Fraction, ...] = (F(1, 100), F(1, 10)), alphas: tuple[Fraction, ...] = _ALPHAS
) -> Finding:
    shown, marks, agrees, right = [], [], True, True
    apart = False
    for tint, share in zip(_TINTS, shares, strict=False):
        rates, printed, places = [], [], [alpha for alpha in alphas if alpha > share]
        for alpha in places:
            pw = alpha * (1 - share) / (alpha * (1 - share) + share * (1 - alpha))
            pm = (alpha - share) / (alpha * (1 - share))
            rates.append(worst_variance(warner(pw), 1) / worst_variance(mangat(pm), 1))
            printed.append((1 + share * (1 - alpha) / (alpha * (1 - share))) ** 2)
            top = 1 / (4 * pm * pm) if 2 * pm >= 1 else (1 - pm) / pm
            right &= rates[-1] == 1 / (4 * (2 * pw - 1) ** 2) / top
        agrees &= rates == printed
        differ = [a for a, b, c in zip(places, rates, printed, strict=True) if b != c]
        shown += [f"{float(rates[0]):.4f} ({float(printed[0]):.4f}) at π = {share}, α = "
                  f"{places[0]}; as plotted at {len(places) - len(differ)} of {len(places)} α"
                  + (f", not up to {max(differ)}" if differ else "")]
        marks.append(line(f"π = {float(share):g}", places, rates, tint))
        if differ:
            upto = places.index(max(differ)) + 2  # and the first at which both agree
            marks.append(line("" if apart else "as printed", places[:upto], printed[:upto],
                              Tint.WRONG))
            apart = True
    return finding(
        "the ratio of the largest errors, Warner over Mangat, is (1 + π(1 - α)/(α(1 - π)))²",
        f"found and, in brackets, as plotted: {'; '.join(shown)}",
        agrees,
        "so wherever Mangat's p is at least 1/2; for α near π that p is less, and (6.12) fails.",
        ours=right,
        chart=Chart((Panel("", tuple(marks), "degree of privacy violation α",
                           "largest variance, Warner over Mangat", logarithmic=True),),
                    "for α < 2π/(1 + π) Mangat's p is below 1/2, his largest error smaller than "
                    "(6.12), and the ratio larger." if apart else ""),
    )


def _saving(*, steps: int = 40, least: Fraction = F(0)) -> Finding:
    grid = [q for q in (F(k, steps) for k in range(1, steps + 1)) if q >= least]
    fixed = [worst_variance(mangat(q), 1, sampling=False) for q in grid]
    drawn = [worst_variance(mangat(q), 1) for q in grid]
    plotted = [1 / (4 * q * q) for q in grid]
    without = sum(v == (1 - q) / q for q, v in zip(grid, fixed, strict=True))
    printed = sum(v == p for v, p in zip(drawn, plotted, strict=True))
    true = [p if 2 * q >= 1 else (1 - q) / q for q, p in zip(grid, plotted, strict=True)]
    below = [q for q in grid if 2 * q <= 1 and least < _HALF]
    return finding(
        "without sampling the largest n Var is (1 - p)/p, with it 1/(4p²), which is never less",
        f"of {len(grid)} designs with p from {grid[0]} on, (1 - p)/p in {without} without and "
        f"1/(4p²) in {printed} with sampling; the true one is never less: "
        f"{all(a <= b for a, b in zip(fixed, drawn, strict=True))}",
        without == printed == len(grid),
        "below p = 1/2 the largest with sampling is (1 - p)/p as well, at π = 0: nothing is saved.",
        ours=without == len(grid) and drawn == true,
        chart=Chart((Panel("", (
            line("with sampling", grid, drawn), line("without sampling", grid, fixed, Tint.SECOND),
            *((line("with sampling, as printed", below, plotted[:len(below)], Tint.WRONG),
               Span(0.0, 0.5, "nothing is saved")) if below else ()),
        ), "p", "largest n Var", heights=(0.0, 10.0), limits=(0.0, 1.0)),), (
            "below p = 1/2 the variance is largest at π = 0 and there (1 - p)/p, with sampling as "
            "without." if below else "")),
    )


ITEMS = (
    Item("h16", "figure-6.2", "Warner's largest error over Mangat's", Verdict.CORRECTED,
         _ratio_of_maxima, varied={"shares": (F(1, 20),)}, dropped={"alphas": (_HALF,)},
         pictured=True),
    Item("h16", "figure-6.3", "With and without sampling", Verdict.CORRECTED, _saving,
         varied={"steps": 10}, dropped={"least": _HALF}, pictured=True),
)
