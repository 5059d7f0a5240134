"""Predicates decide metadata conditions as their docstring says."""

from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest

from agent.corpus_view import FieldValue
from agent.predicates import could_state, decide, name_value, satisfies
from agent.question import Comparison, Predicate


def text(*items: str) -> FieldValue:
    return FieldValue(raw=", ".join(items), items=items)


def dated(date: str) -> FieldValue:
    return FieldValue(raw=date, items=(date,), date=date)


def number(value: float) -> FieldValue:
    return FieldValue(raw=f"{value:g}", items=(f"{value:g}",), number=value)


def predicate(comparison: Comparison, *values: str, length: bool = False) -> Predicate:
    return Predicate(
        field="f", comparison=comparison, values=values, of="length" if length else "value"
    )


long = FieldValue(raw="4929123456789012345", items=("4929123456789012345",))
SATISFIED = {
    "is without case": (text("Final"), predicate("is", "final"), True),
    "is by words": (text("MIT-License"), predicate("is", "mit license"), True),
    "is keeps plus signs": (text("C++"), predicate("is", "C"), False),
    "is on any item": (text("A", "B"), predicate("is", "b"), True),
    "values are alternatives": (text("A"), predicate("is", "x", "a"), True),
    "has all of several": (text("A", "B C", "D"), predicate("has_all", "b c", "a"), True),
    "has all whole": (text("A", "B C"), predicate("has_all", "a", "c"), False),
    "has all of nothing named": (text("A"), predicate("has_all"), False),
    "has all without the field": (None, predicate("has_all", "a"), False),
    "contains words": (text("MIT License"), predicate("contains", "mit"), True),
    "contains whole words": (text("Submit"), predicate("contains", "mit"), False),
    "versions are words": (text("3.10"), predicate("is", "3.1"), False),
    "missing does not exist": (None, predicate("exists"), False),
    "missing is wanted": (None, predicate("exists", "false"), True),
    "present is not wanted": (text("x"), predicate("exists", "false"), False),
    "missing is nothing": (None, predicate("is", "x"), False),
    "length": (text("a", "b"), predicate("at_least", "2", length=True), True),
    "missing has no items": (None, predicate("less_than", "1", length=True), True),
    "exact length": (text("a"), predicate("is", "2", length=True), False),
    "between includes its ends": (number(7), predicate("between", "7", "9"), True),
    "more than excludes": (number(7), predicate("more_than", "7"), False),
    "a number of many digits": (long, predicate("is", "4929123456789012346"), False),
    "itself among many digits": (long, predicate("is", "4929123456789012345"), True),
    "more by its last digit": (long, predicate("more_than", "4929123456789012344"), True),
    "versions by parts": (text(">=3.10"), predicate("at_least", "3.9"), True),
    "words have no order": (text("free"), predicate("at_least", "3"), False),
    "whole year": (dated("2001-12-31"), predicate("between", "2001", "2001"), True),
    "after the year": (dated("2001-12-31"), predicate("more_than", "2001"), False),
    "a month of the year": (dated("2001-05"), predicate("is", "2001"), True),
    "before a month": (dated("2001-05-02"), predicate("less_than", "2001-06"), True),
}


@pytest.mark.parametrize(("value", "tested", "expected"), SATISFIED.values(), ids=SATISFIED)
def test_a_value_satisfies_a_predicate(
    value: FieldValue | None, tested: Predicate, expected: bool
) -> None:
    assert satisfies(value, tested) is expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("pep-0484", 484.0),
        ("rfc7231", 7231.0),
        ("2019/memo", None),
        ("rfcs/0019-opt-in-2", 19.0),
        ("mail#12", 12.0),
    ],
)
def test_the_number_of_a_name(name: str, expected: float | None) -> None:
    assert name_value(name).number == expected


@pytest.mark.parametrize(
    ("field", "written", "comparison", "bound", "expected"),
    [
        ("Python-Version", "3.10", "at_least", "3.9", True),
        ("Python-Version", "3.10", "less_than", "3.2", False),
        ("Python-Version", "3.10", "is", "3.1", False),
        ("Python-Version", "3.10", "is", "3.10", True),
        ("minVersion", "3.9", "more_than", "3.10", False),
        ("Python-Version", "4", "at_least", "3.10", True),
        ("Rent", "3.10", "is", "3.1", True),
        ("Rent", "3.10", "at_least", "3.9", False),
        ("Conversion", "3.10", "is", "3.1", True),
    ],
)
def test_a_version_is_no_decimal(
    field: str, written: str, comparison: Comparison, bound: str, *, expected: bool
) -> None:
    value = FieldValue(raw=written, items=(written,), number=float(written))
    wanted = Predicate(field=field, comparison=comparison, values=(bound,))
    assert satisfies(value, wanted) is expected


@pytest.mark.parametrize(
    ("value", "told", "expected"),
    [
        (None, predicate("is", "red"), None),
        (text(""), predicate("is", "red"), None),
        (text("see annex"), predicate("more_than", "5"), None),
        (text("see annex"), predicate("is", "5"), None),
        (text("1.234"), predicate("more_than", "5"), None),
        (text("1.234", "2.345"), predicate("less_than", "5"), None),
        (text("n/a, see remarks"), predicate("is", "open"), None),
        (text("tbc"), predicate("contains", "open"), None),
        (text("tbc"), predicate("is", "tbc"), True),
        (number(4), predicate("more_than", "5"), False),
        (None, predicate("at_most", "2", length=True), None),
        (None, predicate("exists"), False),
        (text("n/a"), predicate("exists"), False),
        (FieldValue(raw="[]", items=("[]",)), predicate("exists"), False),
        (FieldValue(raw="1234", items=("1234",), number=1234), predicate("is", "01234"), False),
        (FieldValue(raw="01234", items=("01234",), number=1234), predicate("is", "1234"), False),
        (FieldValue(raw="01234", items=("01234",), number=1234), predicate("is", "01234"), True),
        (text("none"), predicate("is", "none"), True),
        (text("€8,140.00"), predicate("contains", "€"), True),
        (text("Gdańsk"), predicate("is", "gdansk"), True),
        (dated("2001"), predicate("is", "2001-05"), None),
        (dated("2001"), predicate("less_than", "2001-06"), None),
        (dated("2001"), predicate("between", "2001-03-01", "2002"), None),
        (dated("2001"), predicate("at_least", "2001-01-01"), True),
        (dated("2001"), predicate("more_than", "2002"), False),
        (text("<5"), predicate("is", "5"), False),
        (text("<5"), predicate("is", "<5"), True),
        (text("~5"), predicate("contains", "5"), False),
        (text(">5"), predicate("at_most", "5"), None),
        (text("-5"), predicate("is", "5"), False),
        (text("A-"), predicate("is", "A"), False),
        (text("Grade A-"), predicate("contains", "A-"), True),
    ],
)
def test_what_is_missing_or_says_nothing_of_a_limit_is_left_open_and_signs_tell(
    value: FieldValue | None, told: Predicate, expected: bool | None
) -> None:
    assert decide(value, told) is expected


@pytest.mark.parametrize(("stating", "alike"), [(1, 3), (3, 0)])
def test_what_hardly_a_document_states_prose_elsewhere_could_state(stating: int, alike: int):
    rows = {number: text("Ohio") for number in range(stating)}
    corpus: Any = Mock(
        documents=[*(f"data/{at}" for at in range(stating)), *(f"letters/{at}" for at in range(3))],
        fields=[SimpleNamespace(name="law", written=True)],
        field_values=lambda _: rows,
    )
    letters = range(stating, stating + 3)
    assert len(could_state(corpus, "law", letters)) == alike
