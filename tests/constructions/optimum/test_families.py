"""Forms of the least loss in N and r: beside closed forms of papers, and members tried apart."""

from fractions import Fraction

import pytest

import tightrope as tr
from tests.constructions.optimum.test_exact import distances_of
from tests.crosschecks.plain_simplex import plain_optimum
from tightrope.constructions import family_pieces
from tightrope.constructions.optimum.families import _form
from tightrope.errors import BadInput, TooLarge
from tightrope.lp import FamilyForm, RationalFunction, family_forms

F = Fraction
R = RationalFunction


def written(form, number, ratio):
    """The value of a form as it is printed, worked out from its text alone."""
    return eval(form.text.replace("^", "**"), {}, {"N": F(number), "r": F(ratio)})


def plain_value(text, ratio, loss):
    space = tr.space(text)
    losses = [[F(loss(y, z)) for z in range(space.size)] for y in range(space.size)]
    return plain_optimum(distances_of(space), ratio, losses, [F(1, space.size)] * space.size)[0]


def unequal(y, z):
    return y != z


def test_randomized_response_has_one_form_for_all_sizes():
    (form,) = family_pieces("categories:N", upto=7).forms
    assert form.text == "(N - 1)/(N + r - 1)"
    assert (form.fitted, form.tried) == ((2, 3, 4), (5, 6, 7))
    assert written(form, 50, 3) == F(49, 52)


def apart(y, z):
    return abs(y - z)


@pytest.mark.parametrize(("family", "upto", "loss", "name", "ratio"), [
    ("star:N", 5, unequal, "binary", 6), ("path:0..N", 5, unequal, "binary", 2),
    ("path:0..N", 7, apart, "absolute", 3)])
def test_the_last_form_gives_a_member_that_was_not_looked_at(family, upto, loss, name, ratio):
    form, number = family_pieces(family, upto=upto, loss=name).forms[0], upto + 1
    assert form.piece == 0
    member = family.replace("N", str(number))
    assert written(form, number, ratio) == plain_value(member, F(ratio), loss)
    for number in (*form.fitted, *form.tried):
        assert written(form, number, ratio) == form.form.at(number).at(F(ratio))


def test_even_and_odd_cycles_have_forms_of_their_own():
    """Randomized response by distance: the answer y has 1/(the sum of r^-d) of its column."""
    forms = family_pieces("cycle:N", upto=11).forms
    assert [form.fitted[0] % 2 for form in forms] == [0, 1]
    for number in (20, 21, 34, 35):
        form, ratio = forms[number % 2], F(7, 3)
        kernel = sum(ratio ** -min(k, number - k) for k in range(number))
        half = F(number // 2) if number % 2 == 0 else F(number)
        text = form.text.replace("N/2", "H").replace("(N - 1)/2", "H").replace("^", "**")
        value = eval(text, {}, {"N": half, "r": ratio, "H": number // 2})
        assert value == 1 - 1 / kernel


def test_members_and_every_form_are_exact():
    family = family_pieces("path:0..N", upto=7, loss="absolute")
    for form in family.forms:
        for number in (*form.fitted, *form.tried):
            piece = dict(family.members)[number].pieces[-1 - form.piece]
            assert form.form.at(number) == piece.value
    assert [(form.piece, bool(form.form)) for form in family.forms] == [
        (0, True), (1, True), (2, False), (-1, False)]
    assert "not proved for others" in " ".join(family.facts().sentences)


def test_a_family_without_such_a_form_says_so():
    family = family_pieces("path:0..N", upto=6, loss="absolute", goal="worst")
    assert family.forms[0].text == "no form of this kind"
    assert family.forms[0].form is None
    few = family_pieces("star:N", upto=3)
    assert {form.text for form in few.forms} == {"fewer than 4 N have this piece"}


def test_a_form_that_fits_some_members_only_is_not_taken():
    """A function that leaves its form at the last number has no form."""
    values = {n: R.of(n) / (R.of(n) + R.ratio()) for n in range(1, 6)}
    assert next(form.at(6) for form in family_forms(values)) == R.of(6) / (R.of(6) + R.ratio())
    values[5] = values[5] + R.of(1)
    assert list(family_forms(values)) == []


def test_powers_of_the_number_are_among_the_forms():
    """Σ r^-k for k below n: a geometric sum, whose closed form has r^n."""
    def total(n):
        return sum((R.ratio(-k) for k in range(n)), R.of(0))

    form = next(family_forms({n: total(n) for n in range(1, 6)}))
    assert isinstance(form, FamilyForm)
    assert form.at(12) == total(12)
    text = form.text("n", even=False).replace("^", "**")
    assert eval(text, {}, {"n": 12, "r": F(3)}) == total(12).at(F(3))


def test_refusals():
    with pytest.raises(BadInput, match=r"N in place of a number, such as categories:N"):
        family_pieces("path:0..4")
    with pytest.raises(BadInput, match="have no coordinates"):
        family_pieces("cycle:N", loss="absolute", upto=3)
    with pytest.raises(BadInput, match="1 or more"):
        family_pieces("path:0..N", upto=0)
    with pytest.raises(TooLarge, match="limit of 12"):
        family_pieces("categories:N", upto=13)
    with pytest.raises(TooLarge, match="allow more time"):
        family_pieces("path:0..N", effort=tr.Effort(seconds=0))


def test_a_form_that_fails_on_the_last_member_is_none():
    values = {n: RationalFunction.of(n) / (RationalFunction.of(n) + RationalFunction.ratio())
              for n in range(2, 10)}
    assert _form(sorted(values), values, 0, 1).text == "N/(N + r)"
    values[9] = RationalFunction.of(1) / RationalFunction.ratio()
    assert _form(sorted(values), values, 0, 1) is None
