"""The ε that the members of a family force, as they grow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tightrope.plots import COLOR, blank, unread
from tightrope.theory.limits.families import FamilyVerdict

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def family_figure(family: FamilyVerdict) -> Figure:
    """The lower bound of every member, and the level that is enough for all, if there is one."""
    figure, (axes,) = blank(6.4, 3.8)
    numbers = [member.number for member in family.members]
    axes.plot(numbers, [member.epsilon for member in family.members], "o-", color=COLOR,
              label="ε at least, by points far apart")
    if family.enough is not None:
        axes.axhline(family.enough, color="#4f8f4f", linestyle="--",
                     label=f"ε = {family.enough:.4g} is enough")
        axes.set_yscale("symlog")
    if numbers:  # bodies of one shape have no members to look at
        axes.set_xscale("log", base=2)
    axes.set_xticks(numbers, [str(n) for n in numbers])
    axes.set_xlabel("N")
    axes.set_ylabel("ε, at diameter 1")
    axes.set_ylim(bottom=0)
    axes.legend(frameon=False, fontsize="small")
    axes.set_title(unread(family.facts().title), wrap=True)
    return figure
