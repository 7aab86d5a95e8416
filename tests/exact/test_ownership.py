"""What is owned is a copy that nobody else holds, whatever it came in."""

from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
import pytest

from tightrope.errors import BadInput
from tightrope.exact.ownership import own, owned, parts, unchanged


class Named(np.ndarray):
    """An array of a kind of its own."""


@dataclass(frozen=True, eq=False)
class Held:
    held: object

    def __post_init__(self) -> None:
        own(self)


@dataclass(frozen=True, eq=False)
class Whole:
    numbers: object

    def __post_init__(self) -> None:
        own(self, "numbers")


@pytest.mark.parametrize("kind", [np.int64, np.float64, object])
def test_an_array_of_another_kind_becomes_a_plain_one(kind):
    given = np.array([1, 2], dtype=kind).view(Named)
    found = owned(given)
    assert type(found) is np.ndarray
    given[0] = 7
    assert found.tolist() == [1, 2]


@pytest.mark.parametrize("numbers", [[0, 2**63], [2**64 - 1, 5], [3, 2**63 - 1]])
def test_whole_numbers_beyond_63_bits_keep_their_sign(numbers):
    assert owned(np.array(numbers, dtype=np.uint64)).tolist() == numbers


@pytest.mark.parametrize("place", [lambda a: (a, 3), lambda a: (3, a), lambda a: [3, (4, [a])],
                                   lambda a: {"x": (3, a)}, lambda a: a])
def test_an_array_inside_lists_tuples_and_tables_is_copied(place):
    given = np.array([1, 2])
    value = Held(place(given))
    given[0] = 7

    def arrays(held):
        if isinstance(held, np.ndarray):
            yield held
        for part in held.values() if hasattr(held, "values") else held:
            if isinstance(part, np.ndarray | tuple):
                yield from arrays(part)

    (found,) = arrays(value.held)
    assert found.tolist() == [1, 2]
    assert not found.flags.writeable


@pytest.mark.parametrize("given", [
    [1, 2], 3, np.array([1.0]), np.array([1, 2.5], dtype=object), np.array([2.5, 1], dtype=object),
    np.array([True, 2], dtype=object), np.array([2**63], dtype=np.uint64), np.array(["1"]),
])
def test_what_must_be_whole_is_an_array_of_whole_numbers(given):
    with pytest.raises(BadInput, match="numbers of Whole as an array of whole numbers"):
        Whole(given)


def test_whole_numbers_of_any_length_are_taken():
    assert Whole(np.array([1, 2**90], dtype=object)).numbers.tolist() == [1, 2**90]
    assert Whole(np.array([1, 2], dtype=np.int8)).numbers.dtype == np.int64


def test_the_parts_of_a_value_are_found_at_any_depth():
    inner = Held(np.array([1]))
    for outer in (Held((inner,)), Held((3, (4, (inner,)))), Held(inner)):
        sealed = parts(outer)
        assert any(part is inner for part, _ in sealed)
        assert unchanged(sealed)
        object.__setattr__(inner, "held", np.array([1]))
        assert not unchanged(sealed)


def test_an_array_of_a_class_of_its_own_is_copied_into_a_plain_one():
    class Odd(np.ndarray):
        """May say one thing now and another later."""

    odd = Odd.__new__(Odd, (2,), np.int64, np.array([3, 4]).tobytes())
    assert type(owned(odd)) is np.ndarray
    assert owned(odd).tolist() == [3, 4]


@pytest.mark.parametrize("values", [[], [1, 2], [2**63 - 1], [2**63]])
def test_whole_numbers_without_sign_are_kept_whatever_their_size(values):
    held = owned(np.array(values, np.uint64))
    assert held.tolist() == values
    assert (held.dtype == np.int64) is (values != [2**63])


def test_a_view_of_a_table_that_somebody_holds_is_copied():
    @dataclass(frozen=True)
    class Held:
        table: MappingProxyType

        def __post_init__(self):
            own(self)

    given = {"a": 1}
    held = Held(MappingProxyType(given))
    given["a"] = 7
    assert dict(held.table) == {"a": 1}
    assert type(held.table) is MappingProxyType
