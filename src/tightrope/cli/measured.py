"""`tightrope design --maximize`: the mechanism that tells most, by a measure without a loss."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING

from tightrope.choices import Measure

if TYPE_CHECKING:
    from rich.console import Console

    from tightrope.cli.targets import DocumentTarget, PictureTarget
    from tightrope.exact import Level
    from tightrope.spaces import Space
    from tightrope.theory import MostTelling
    from tightrope.utility import Prior


@dataclass(frozen=True)
class AskedMeasure:
    """What is to be measured, where, and where the answer goes."""

    space: Space
    level: Level
    measure: Measure
    prior: Prior
    document: DocumentTarget
    picture: PictureTarget

    def deliver(self, *, as_json: bool) -> None:
        """Find the mechanism, write it and show it."""
        from tightrope.characters import shorten
        from tightrope.cli.progress import working
        from tightrope.cli.report import deliver
        from tightrope.mechanisms import finite
        from tightrope.plots import mechanism_figure
        from tightrope.theory import max_measure_given_level

        start = perf_counter()
        with working("designing and proving"):
            found = max_measure_given_level(
                self.space, self.level, self.measure, prior=self.prior
            )
        seconds = perf_counter() - start
        title = f"{self.measure.value} on {shorten(self.space.text)}, {self.level!s}"
        self.picture.draw(lambda: mechanism_figure(finite(found.certified.mechanism), title))
        self.document.keep(found.certified)
        answer = {
            **found.as_json(), "seconds": seconds,
            "file": self.document.name, "picture": self.picture.name,
        }
        deliver(answer, lambda screen: self._show(screen, found), as_json=as_json)

    def _show(self, screen: Console, found: MostTelling) -> None:
        from tightrope.cli.report import facts, paragraph
        from tightrope.cli.wording import number, probability_table, protection, space_text
        from tightrope.mechanisms import count_outputs
        from tightrope.privacy import promise

        unit = " bits" if found.measure is Measure.MUTUAL_INFORMATION else ""
        certificate, mechanism = found.certified.certificate, found.certified.mechanism
        exact = found.value == found.bound
        best = "the same: this is the optimum" if exact else (
            f"at most {number(float(found.bound), 10)}{unit}, proved"
        )
        rows: list[tuple[str, object]] = [
            ("measure", f"{found.measure.value}: {number(float(found.value), 10)}{unit}"),
            ("best possible", best),
            ("by", found.theorem),
            ("space", f"{space_text(self.space.text)}: {self.space.size:,} inputs, "
             f"{count_outputs(mechanism):,} outputs"),
            ("level asked", str(certificate.level)),
            ("proof", f"{certificate.evidence.value}: {certificate.statement}"),
            ("file", self.document.name),
            ("picture", self.picture.name),
        ]
        screen.print(facts(rows))
        if (small := probability_table(mechanism)) is not None:
            screen.print()
            screen.print(small)
        paragraph(
            screen,
            promise(certificate.level, mechanism.space),
            protection(mechanism, certificate.level),
        )
        if self.document.name is None:
            paragraph(screen, "Nothing was written; add -o FILE to keep this mechanism.")
