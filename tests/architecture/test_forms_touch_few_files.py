"""A new form of mechanism is a module of its own and a few lines elsewhere."""

import re
from typing import get_args

import pytest

from tests.architecture.source import modules
from tightrope.mechanisms import DataMechanism, Mechanism

HOMES = {"mechanisms/forms.py", "mechanisms/__init__.py", "privacy/theorems.py",
         "privacy/formulas.py", "privacy/lemmas.py", "documents/forms.py"}


def named(form):
    """The modules that name a form, beside its own module and the names at the root."""
    word = re.compile(rf"\b{form.__name__}\b")
    own = form.__module__.removeprefix("tightrope.").replace(".", "/") + ".py"
    return {m.where for m in modules() if word.search(m.text)} - {own, "__init__.py"}


@pytest.mark.parametrize("form", get_args(DataMechanism), ids=lambda form: form.__name__)
def test_a_form_on_datasets_needs_a_theorem_a_document_and_who_builds_it(form):
    beyond = named(form) - HOMES
    assert len(beyond) <= 2, sorted(beyond)


def test_no_module_asks_whether_a_mechanism_is_a_table_to_find_its_base():
    wanted = re.compile(r"\.base if isinstance\(|isinstance\(\w+, TableMechanism\)")
    assert [m.where for m in modules() if wanted.search(m.text)] == []


def test_no_module_compares_the_family_of_a_space_as_text():
    wanted = re.compile(r"""describe\(\)\[["']family["']\]""")
    assert [m.where for m in modules() if wanted.search(m.text)] == []


def test_every_form_says_what_it_answers_with_and_what_one_input_goes_through():
    for form in get_args(Mechanism):
        assert {"base", "rows", "answers", "space"} <= {*dir(form), *form.__dataclass_fields__}
