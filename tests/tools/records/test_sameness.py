"""When two values are the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.records.record import Cell
from agent.records.record_schema import Attribute, AttributeType, CellValue
from tools.records.sameness import same_cell, same_value


@pytest.mark.parametrize(
    ("kind", "left", "right", "same"),
    [
        ("number", 1.0, 1.0000001, True),
        ("number", 1.0, 1.001, False),
        ("number", "1.2M", 1_200_000, True),
        ("number", "several", 3, False),
        ("number", "several", None, True),
        ("integer", 2020, 2021, False),
        ("integer", 10**9, 10**9 + 1, False),
        ("boolean", "yes", True, True),
        ("boolean", True, False, False),
        ("date", "2021-03", "March 2021", True),
        ("date", "2021-03", "2021-03-01", False),
        ("text", "The Café  Royal", "cafe royal", True),
        ("text", "C++", "C", True),
        ("text", "++", "+-", False),
        ("text", 12, "12", True),
        ("text", None, None, True),
        ("text", None, "x", False),
    ],
)
def test_values_are_the_same(
    kind: AttributeType, left: CellValue, right: CellValue, *, same: bool
) -> None:
    attribute = Attribute(name="any", type=kind)
    assert same_value(left, right, attribute) is same
    assert same_value(right, left, attribute) is same


@given(st.one_of(st.floats(allow_nan=False, allow_infinity=False, max_value=1e200), st.text()))
def test_a_value_is_the_same_as_itself(value: CellValue) -> None:
    kind: AttributeType = "text" if isinstance(value, str) else "number"
    assert same_value(value, value, Attribute(name="any", type=kind))


PRICE = Attribute(name="price", type="number")


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        ((5.0, "EUR"), (5.0, "JPY"), False),
        ((5.0, "EUR"), (5.0, "€"), True),
        ((1.0, "kg"), (1000.0, "g"), True),
        ((1.0, "kg"), (1.0, "g"), False),
        ((0.41, "%"), (0.41, "percent"), True),
        ((5.0, "EUR"), (5.0, None), True),
        ((5.0, "EUR"), (6.0, None), False),
        ((5.0, "rooms"), (5.0, "guest rooms"), True),
        ((None, "kg"), (1.0, "g"), False),
    ],
)
def test_cells_are_the_same_in_their_own_units(
    left: tuple[float | None, str], right: tuple[float | None, str | None], same: bool
) -> None:
    one, other = (Cell(attribute="price", value=value, unit=unit) for value, unit in (left, right))
    assert same_cell(one, other, PRICE) is same
    assert same_cell(other, one, PRICE) is same


def test_a_declared_unit_is_that_of_both_cells() -> None:
    attribute = PRICE.model_copy(update={"unit": "kg"})
    one, other = (Cell(attribute="price", value=1.0, unit=unit) for unit in ("kg", "g"))
    assert same_cell(one, other, attribute)
