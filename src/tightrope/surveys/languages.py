"""The sentences that a respondent sees, one file per language.

A file of `texts` has the same keys and the same named values in every language. Its sentences
are whole: nothing is put together from pieces, whose order differs between languages. A count
chooses among the forms of a sentence by the exact number, else `other`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from itertools import count
from math import ceil, log10
from pathlib import Path
from typing import Any, Final, TypeAlias

from tightrope.errors import BadInput
from tightrope.files import read_form

Sentence: TypeAlias = "str | Mapping[str, str]"
"""A sentence, or its forms by number."""

SHIPPED: Final = ("en", "es")
PLACEHOLDER: Final = re.compile(r"\{([a-z_]+)\}")
OTHER: Final = "other"
_DIRECTION: Final = "language.direction"
_APART: Final = "\N{FIRST STRONG ISOLATE}"
_END: Final = "\N{POP DIRECTIONAL ISOLATE}"


@dataclass(frozen=True)
class Language:
    """A language by its code, with its sentences by key, as in `label.title`.

    >>> shipped("es").name, shipped("en").direction
    ('español', 'ltr')
    """

    code: str
    sentences: Mapping[str, Sentence] = field(repr=False)

    @property
    def name(self) -> str:
        """The name of the language in itself."""
        return self.say("language.name")

    @property
    def direction(self) -> str:
        """Where lines begin: `ltr` or `rtl`."""
        return self.say(_DIRECTION)

    def say(self, key: str, **values: object) -> str:
        """The sentence under a key, with its values put in; whole numbers are grouped.

        >>> shipped("en").say("page.questions", n=3)
        'There are 3 questions.'
        """
        form = self.sentences[key]
        if isinstance(form, Mapping):
            form = form.get(str(values["n"]), form[OTHER])
        return PLACEHOLDER.sub(lambda found: self._shown(values[found[1]]), form)

    def script(self) -> dict[str, Any]:
        """What the code of the page says, and how it writes numbers."""
        wanted = ("script.", "number.decimal", "number.percent")
        return {key.removeprefix("script."): value if isinstance(value, str) else dict(value)
                for key, value in self.sentences.items() if key.startswith(wanted)}

    def percent(self, p: Fraction) -> str:
        """A probability as people say it; only what cannot happen is 0%, only the certain 100%.

        >>> [shipped("en").percent(Fraction(*p)) for p in ((3, 4), (731, 1000), (1, 3000))]
        ['75%', '73.1%', '0.033%']
        >>> shipped("es").percent(Fraction(731, 1000))
        '73,1\\xa0%'
        >>> [shipped("en").percent(p) for p in (1 - Fraction(1, 10**6), Fraction(1, 10**400))]
        ['over 99.9%', 'under 0.0001%']
        """
        if Fraction(9995, 10_000) <= p < 1:
            return self.say("number.over", percent=self._percent("99.9"))
        if 0 < p < Fraction(1, 10**6):
            return self.say("number.under", percent=self._percent("0.0001"))
        value = 100 * float(p)
        return self._percent(f"{value:.2g}" if 0 < value < 1 else f"{value:.3g}")

    def percent_at_most(self, p: Fraction) -> str:
        """As `percent`, and never too low.

        >>> [shipped("en").percent_at_most(Fraction(p)) for p in ("1/25", "0.000123", "1/3")]
        ['4%', '0.013%', '33.4%']
        """
        if not Fraction(1, 10**6) <= p < Fraction(9995, 10_000):
            return self.percent(p)
        power = next(k for k in count(1) if 10**k * p >= 1)  # the place of the first digit
        unit = Fraction(1, 10 ** (power + (1 if 100 * p < 1 else 2)))
        return self.percent(ceil(p / unit) * unit)

    def times(self, factor: Fraction) -> str:
        """A factor to two decimals, whole from 10, a power of ten from 10^12; never too low.

        >>> [shipped("en").times(Fraction(*f)) for f in ((3, 1), (1492, 1001), (10001, 10))]
        ['3', '1.5', '1,001']
        >>> shipped("en").times(Fraction(10**12)), shipped("en").times(Fraction(10**5000 + 1))
        ('10^12', '10^5001')
        """
        if factor >= 10**12:
            power = int(log10(2) * ceil(factor).bit_length()) - 1
            return f"10^{next(k for k in count(power) if 10**k >= factor)}"
        if factor >= 10:
            return self._shown(ceil(factor))
        return self.decimal(f"{ceil(100 * factor) / 100:g}")

    def decimal(self, text: str) -> str:
        """A number that was written with a point, as this language writes it."""
        return text.replace(".", self.say("number.decimal"))

    def _percent(self, text: str) -> str:
        return self.say("number.percent", n=self.decimal(text))

    def _shown(self, value: object) -> str:
        """A value as a sentence has it; in a line from right to left, with a direction of its own.

        >>> shipped("en").say("label.quoted", text="a")
        '“a”'
        """
        if isinstance(value, int):
            return f"{value:,}".replace(",", str(self.sentences["number.group"]))
        return f"{_APART}{value}{_END}" if self.sentences[_DIRECTION] == "rtl" else str(value)


@lru_cache(maxsize=len(SHIPPED))
def shipped(code: str) -> Language:
    """A language that is shipped."""
    if code not in SHIPPED:
        raise BadInput(f"there are no sentences in {code[:20]!r}; shipped are "
                       f"{', '.join(SHIPPED)}.")
    content = read_form(Path(__file__).parent / "texts" / f"{code}.toml")
    return Language(code, flat(content))


def flat(content: Mapping[str, Mapping[str, Sentence]]) -> dict[str, Sentence]:
    """The sentences of all tables, by keys as in `label.title`."""
    return {f"{table}.{name}": sentence
            for table, inner in content.items() for name, sentence in inner.items()}


ENGLISH: Final = shipped("en")
