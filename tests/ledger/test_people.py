"""Who asked: names in the books, a budget for each inside the whole, exact and at the same time."""

import random
from fractions import Fraction
from multiprocessing import get_context

import pytest

from tests.ledger.test_audit import KEY, written
from tests.ledger.test_books import ROWS, drawn, never, one
from tightrope.errors import BadInput, Refused
from tightrope.exact import Level
from tightrope.ledger import Budget, Ledger
from tightrope.ledger.audit import audit
from tightrope.ledger.entries import Kind, entry_from
from tightrope.ledger.people import look_alike, person_name
from tightrope.ledger.sums import level_form


@pytest.fixture
def ledger(tmp_path):
    made = Ledger.create(tmp_path / "l.sqlite")
    made.open_budget(Budget("2026", ROWS, "3"), {"ana": "1", "ben": "2.5"})
    return made


def left(ledger):
    balance = ledger.balance("2026")
    return balance.remaining, {person.name: person.remaining for person in balance.people}


def test_both_sums_are_kept_and_the_smaller_rest_decides(ledger):
    ledger.book("2026", one("0.9", asker="ana"), drawn())
    with pytest.raises(Refused, match=r"ana has ε = 0\.1 left of the budget '2026', less than"):
        ledger.book("2026", one("0.2", asker="ana"), never)
    booked = ledger.book("2026", one("2", asker="ben"), drawn())
    assert (booked.remaining, booked.asker_remaining) == ("ε = 0.1", "ε = 0.5")
    with pytest.raises(Refused, match=r"the budget '2026' has ε = 0\.1 left"):
        ledger.book("2026", one("0.5", asker="ben"), never)
    ledger.book("2026", one("0.1", asker="ana"), drawn())
    assert left(ledger) == ("ε = 0", {"ana": "ε = 0", "ben": "ε = 0.5"})
    assert ledger.verify().holds


def test_a_rest_without_delta_says_so_where_delta_is_asked_for(ledger):
    asked = one(Level.epsilon(1).with_delta("1e-7"), asker="ben")
    with pytest.raises(Refused, match="the budget '2026' has ε = 3, δ = 0 left, less than the"):
        ledger.book("2026", asked, never)
    ledger.open_budget(Budget("with", ROWS, Level.epsilon(3).with_delta("1e-6")), {"ben": 2})
    with pytest.raises(Refused, match=r"ben has ε = 2, δ = 0 left of the budget 'with', less.*"
                       "people URL --budget with --person ben=2,1e-07` gives a δ"):
        ledger.book("with", asked, never)
    ledger.set_people("with", {"ben": Level.epsilon(2).with_delta("1e-07")})
    ledger.book("with", asked, drawn())


@pytest.mark.parametrize(("asker", "words"), [
    (None, r'names who may ask \(ana, ben\); say who asks: --as ana, in Python asker="ana"'),
    ("Ana", r"does not name Ana \(did you mean ana\?\)"),
    ("eva", "does not name eva; ana, ben may ask"),
])
def test_whom_the_budget_does_not_name_is_refused_with_the_spelling_that_works(
    ledger, asker, words
):
    for ask in (ledger.check, lambda *given: ledger.book(*given, never)):
        with pytest.raises(Refused, match=words):
            ask("2026", one(asker=asker))
    assert ledger.balance("2026").charges == 0


def test_where_nobody_is_named_a_name_is_refused_and_may_be_added_later(ledger):
    ledger.open_budget(Budget("open", ROWS, 1))
    ledger.book("open", one("0.3"), drawn())
    with pytest.raises(Refused, match="names nobody, and ana asks: add them with `tightrope"):
        ledger.book("open", one(asker="ana"), never)
    ledger.set_people("open", {"ana": None})
    with pytest.raises(Refused, match="say who asks"):
        ledger.book("open", one(), never)
    ledger.book("open", one("0.7", asker="ana"), drawn())
    assert ledger.balance("open").remaining == "ε = 0"
    assert ledger.balance("open").people[0].remaining == "ε = 0.3"  # the first charge is nobody's
    assert ledger.verify().holds


def test_a_persons_budget_changes_between_what_was_spent_and_the_whole(ledger):
    ledger.book("2026", one("0.8", asker="ana"), drawn())
    for level, words in (("0.7", "has spent ε = 0.8 already"), ("3.1", "inside the whole, ε = 3"),
                         (Level.epsilon(1, "1e-9"), "inside the whole"), ("0", "expected")):
        with pytest.raises(BadInput, match=words):
            ledger.set_people("2026", {"ben": "2", "ana": level})
    assert left(ledger)[1] == {"ana": "ε = 0.2", "ben": "ε = 2.5"}  # all or nothing
    ledger.set_people("2026", {"ana": "0.8"})
    with pytest.raises(Refused, match="ana has ε = 0 left"):
        ledger.book("2026", one("1e-9", asker="ana"), never)
    ledger.set_people("2026", {"ana": "3"})
    count = len(ledger.records())
    ledger.set_people("2026", {"ana": 3})
    assert len(ledger.records()) == count  # what is so already is not written again
    assert left(ledger)[1]["ana"] == "ε = 2.2"
    assert ledger.verify().holds


@pytest.mark.parametrize("name", ["", " ", "a\nb", "a\u202eb", "ana\u200b", " ana", "a  b", "a=b",
                                  "ﬁnn", "a" * 81, 7, None])
def test_a_name_reads_as_it_is_written(ledger, name):
    with pytest.raises(BadInput):
        ledger.set_people("2026", {name: 1})
    if name is not None:
        with pytest.raises(BadInput):
            one(asker=name)
    assert len(ledger.balance("2026").people) == 2


@pytest.mark.parametrize("name", ["Ana", "аna", "аnа", "ANA", "αna"])
def test_a_name_that_looks_like_another_is_refused(ledger, name):
    with pytest.raises(BadInput, match="looks like 'ana'"):
        ledger.set_people("2026", {name: 1})
    with pytest.raises(BadInput, match="looks like"):
        ledger.open_budget(Budget("other", ROWS, 1), {"ana": 1, name: 1})
    assert [balance.budget.name for balance in ledger.balances()] == ["2026"]


def test_one_name_in_two_normal_forms_is_one_person(ledger):
    assert person_name("Zoe\u0308") == "Zo\u00eb"
    ledger.set_people("2026", {"Zoe\u0308": 1})
    booked = ledger.book("2026", one(asker="Zo\u00eb"), drawn())
    assert booked.entry.body["asker"] == "Zo\u00eb"
    assert look_alike("Zoe", ["Zo\u00eb"]) is None  # an accent is seen


def test_a_request_belongs_to_whoever_asked_it(ledger):
    first = ledger.book("2026", one(request="r", asker="ana"), drawn(5))
    again = ledger.book("2026", one(request="r", asker="ana"), never)
    assert (again.again, again.entry) == (True, first.entry)
    with pytest.raises(Refused, match="was asked by ana; ask under another name"):
        ledger.book("2026", one(request="r", asker="ben"), never)
    with pytest.raises(Refused, match="was asked by ana"):
        ledger.book("2026", one(request="r"), never)


def test_records_of_budgets_without_people_are_what_they_were(ledger):
    ledger.open_budget(Budget("old", ROWS, 1))
    ledger.book("old", one(), drawn())
    opened, charge, _ = ledger.records()[-3:]
    assert {*opened.body} == {"version", "budget", "scope", "level"}
    assert {*charge.body} == {"question", "scope", "level", "mechanism", "declaration", "request",
                              "law", "spent"}


FORGED = {
    "no such person": ({"asker": "eva"}, "charged for nobody whom its budget names"),
    "nobody": ({"asker": None}, "charged for nobody whom its budget names"),
    "own sum": ({"asker_spent": None}, "wrong sum of its asker"),
    "own sum too small": ({"asker_spent": level_form(Level.of("0.3"))}, "wrong sum of its asker"),
    "whole sum": ({"spent": None}, "wrong sum"),
    "beyond": ({"level": level_form(Level.of("1.5")), "spent": level_form(Level.of("1.5")),
                "asker_spent": level_form(Level.of("1.5"))}, "beyond the budget of its asker"),
}


@pytest.mark.parametrize("name", FORGED)
def test_whoever_has_the_key_and_writes_a_wrong_sum_of_a_person_is_found(ledger, name):
    changed, words = FORGED[name]
    entry = ledger.book("2026", one("0.4", asker="ana"), drawn()).entry
    whole = [(record.kind, record.body) for record in ledger.records()]
    assert audit(KEY, written(*whole), None, []).holds
    body = {key: value for key, value in {**entry.body, **changed}.items() if value is not None}
    report = audit(KEY, written(*whole[:3], (Kind.CHARGE, body)), None, [])
    assert (report.holds, report.broken) == (False, 4)
    assert words in report.reason


@pytest.mark.parametrize("level", ["4", "0.3"])
def test_a_persons_budget_beyond_the_whole_or_below_what_was_spent_is_found(ledger, level):
    ledger.book("2026", one("0.4", asker="ana"), drawn())
    with ledger._writing() as books:
        ledger._add(books, Kind.PERSON, "2026",
                    {"person": "ana", "level": level_form(Level.of(level))})
    assert "more than the whole, or less than was spent" in ledger.verify().reason


def test_an_entry_is_read_with_its_asker_and_not_with_half_of_it(ledger):
    whole = one(asker="ana", declaration="a" * 64, law=f"sha256:{'b' * 64}")
    entry = ledger.book("2026", whole, drawn()).entry
    assert entry_from(entry.as_json()) == entry
    for changed in ({"asker": None}, {"asker": "a\nb"}, {"asker": 7}, {"asker_spent": None},
                    {"asker": "Zoe\u0308"}):
        with pytest.raises(BadInput):
            entry_from({**entry.as_json(), **changed})
    for field in ("asker", "asker_spent"):
        with pytest.raises(BadInput):
            entry_from({key: part for key, part in entry.as_json().items() if key != field})


def test_random_charges_keep_to_every_bound(tmp_path):
    """A model with fractions, written apart, allows exactly what the books allow."""
    rng = random.Random(32)
    for trial in range(6):
        ledger = Ledger.create(tmp_path / f"{trial}.sqlite")
        limits = {name: Fraction(rng.randint(1, 30), 10) for name in ("ana", "ben", "eva")}
        ledger.open_budget(Budget("2026", ROWS, 3), {n: str(v) for n, v in limits.items()})
        spent = dict.fromkeys(limits, Fraction(0))
        for _ in range(25):
            name, level = rng.choice([*limits]), Fraction(rng.randint(1, 9), 10)
            allowed = (spent[name] + level <= limits[name] and sum(spent.values()) + level <= 3)
            try:
                ledger.book("2026", one(str(level), asker=name), drawn())
                assert allowed
                spent[name] += level
            except Refused:
                assert not allowed
        balance = ledger.balance("2026")
        assert {p.name: p.spent.epsilon.rational if p.spent.epsilon else 0
                for p in balance.people} == spent
        assert ledger.verify().holds


def _ask(address, name, out):
    taken = 0
    with Ledger(**address) as ledger:
        for _ in range(12):
            try:
                ledger.book("2026", one("0.1", asker=name), drawn())
                taken += 1
            except Refused:
                pass
    out.put((name, taken))


def test_people_in_several_processes_overdraw_neither_their_own_nor_the_whole(address):
    with Ledger.create(**address) as ledger:
        ledger.open_budget(Budget("2026", ROWS, "2.5"), {"ana": "0.6", "ben": "0.9", "eva": "2"})
    context = get_context("spawn")
    out = context.Queue()
    crowd = [context.Process(target=_ask, args=(address, name, out))
             for name in ("ana", "ana", "ben", "ben", "eva", "eva")]
    for process in crowd:
        process.start()
    taken = [out.get(timeout=240) for _ in crowd]
    for process in crowd:
        process.join()
    sums = {name: sum(count for who, count in taken if who == name) for name, _ in taken}
    assert sum(sums.values()) == 25  # 6 + 9 + 20 were allowed alone
    assert sums["ana"] <= 6
    assert sums["ben"] <= 9
    with Ledger(**address) as ledger:
        assert ledger.balance("2026").remaining == "ε = 0"
        assert ledger.verify().holds
