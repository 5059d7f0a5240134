import numpy as np
import pytest

from evals.aggbench.queries import Query, Wanted, compose, worded
from evals.aggbench.rules import (
    FieldRule,
    HeadingRule,
    Logic,
    MentionRule,
    Mined,
    Noun,
    Rule,
    Truths,
    YearRule,
    by_rule,
)

LEASE = Noun(one="lease", many="leases")
A, B, C = (MentionRule(term=each) for each in "ABC")
DOGS, CATS = HeadingRule(title="Dogs"), HeadingRule(title="Cats")
STATUS = FieldRule(field="Lease-Status", value="Open")


@pytest.mark.parametrize(
    ("rules", "logic", "text"),
    [
        ([A], "single", "How many leases mention “A”?"),
        ([A, B], "AND", "How many leases mention “A” and “B”?"),
        ([A, B, C], "OR", "How many leases mention “A”, “B” or “C”?"),
        ([A, STATUS], "AND", "How many leases mention “A” and have the lease status “Open”?"),
        ([DOGS, CATS], "OR", "How many leases have a section headed “Dogs” or “Cats”?"),
        (
            [DOGS, CATS],
            "AND",
            "How many leases have a section headed “Dogs” and have a section headed “Cats”?",
        ),
        (
            [YearRule(field="Signed", comparison="since", year=2014), A, B],
            "OR",
            (
                "How many leases have a date in 2014 or later in the field “Signed”, mention “A” "
                "or mention “B”?"
            ),
        ),
    ],
)
def test_a_question_says_its_conditions(rules: list[Rule], logic: Logic, text: str) -> None:
    conditions = tuple(by_rule(each, LEASE) for each in rules)
    query = Query(conditions, logic, Truths(frozenset("x")))
    assert worded(query, "count") == text
    assert worded(query, "list") == "Find all leases that" + text[15:-1] + "."


def conditions(**satisfied: str) -> tuple[list[Mined], dict[str, Truths]]:
    found = [by_rule(MentionRule(term=each), LEASE) for each in satisfied]
    truths = [Truths(frozenset(each)) for each in satisfied.values()]
    return found, {each.id: truth for each, truth in zip(found, truths, strict=True)}


def test_half_of_the_composites_are_joined_by_and_as_far_as_there_are_any() -> None:
    found, truths = conditions(one="abcd", two="cdef", three="aefg", four="bdfh")
    made = compose(found, truths, Wanted(composites=6), np.random.default_rng(0))
    assert [each.logic for each in made] == ["single"] * 4 + ["AND"] * 3 + ["OR"] * 3
    assert len({(each.logic, frozenset(each.conditions)) for each in made}) == len(made)
    apart, truths = conditions(one="ab", two="cd", three="ef")
    made = compose(apart, truths, Wanted(composites=4), np.random.default_rng(0))
    assert {each.logic for each in made} == {"single", "OR"}


def test_a_condition_that_changes_nothing_is_not_joined() -> None:
    found, truths = conditions(all="abcd", some="ab")
    made = compose(found, truths, Wanted(composites=4), np.random.default_rng(0))
    assert {each.logic for each in made} == {"single"}


def test_conditions_on_different_things_are_not_joined() -> None:
    found, truths = conditions(one="abcd", two="cdef")
    tool = found[1].model_copy(update={"entity_type": "tool"})
    made = compose([found[0], tool], truths, Wanted(composites=4), np.random.default_rng(0))
    assert {each.logic for each in made} == {"single"}
