"""Library functions that answer wrongly: what breaks under an item of a paper."""

from fractions import Fraction

import numpy as np

from tightrope.exact import Level, Surd


class Altered:
    """A value that says something else where asked for some of its parts."""

    def __init__(self, true, **changes):
        self.__dict__.update(_true=true, _changes=changes)

    @property
    def __class__(self):
        return type(self._true)

    def __getattr__(self, name):
        return self._changes[name] if name in self._changes else getattr(self._true, name)


class Wrong:
    """A value all of whose numbers are off and whose verdicts are flipped."""

    def __init__(self, true):
        self.__dict__.update(_true=true)

    @property
    def __class__(self):
        return type(self._true)

    def __getattr__(self, name):
        return wrong(getattr(self._true, name))

    def __call__(self, *given, **named):
        return wrong(self._true(*given, **named))

    def __iter__(self):
        return iter([wrong(part) for part in self._true])

    def __len__(self):
        return len(self._true)

    def __getitem__(self, place):
        return wrong(self._true[place])

    def __eq__(self, other):
        return False

    __hash__ = None


def wrong(value):
    """The value with wrong constants and flipped comparisons in it."""
    match value:
        case None | str() | bytes() | type():
            return value
        case bool() | np.bool_():
            return not value
        case int() | np.integer():
            return value + 1
        case Fraction():
            return value * Fraction(3, 2) + Fraction(1, 7)
        case float() | np.floating():
            return value * 1.5 + 0.1
        case np.ndarray():
            return ~value if value.dtype == np.bool_ else (
                value + 1 if value.dtype.kind in "iu" else value * 1.5 + 0.1)
        case dict():
            return {key: wrong(part) for key, part in value.items()}
        case Level():
            return Level.epsilon(Fraction(float(value)) * 2 + 1)
        case Surd():
            return value + Surd.of(1)
    if type(value) in (tuple, list):
        return type(value)(wrong(part) for part in value)
    return value if isinstance(value, Wrong) else Wrong(value)


def answering_wrongly(true):
    """The function, every answer of which is wrong."""
    return lambda *given, **named: wrong(true(*given, **named))
