"""What the members of a family force ε to be, as they grow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tightrope.plots import COLOR, blank, unread
from tightrope.theory.limits.families import FamilyVerdict

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def family_figure(found: FamilyVerdict) -> Figure:
    """The lower bound of every member, and the level that is enough for all, if there is one."""
    figure, (axes,) = blank(6.4, 3.8)
    numbers = [member.number for member in found.members]
    axes.plot(numbers, [member.epsilon for member in found.members], "o-", color=COLOR,
              label="ε at least, by points far apart")
    if found.enough is not None:
        axes.axhline(found.enough, color="#4f8f4f", linestyle="--",
                     label=f"ε = {found.enough:.4g} is enough for all")
        axes.set_yscale("symlog")
    axes.set_xscale("log", base=2)
    axes.set_xticks(numbers, [str(n) for n in numbers])
    axes.set_xlabel("N")
    axes.set_ylabel("ε, at diameter 1")
    axes.set_ylim(bottom=0)
    axes.legend(frameon=False, fontsize="small")
    verdict = "compatible" if found.compatible else "not compatible"
    axes.set_title(unread(f"{found.family}: {verdict}"), wrap=True)
    return figure
