"""When two values are the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.records.record import CellValue
from agent.records.schema import Attribute, AttributeType
from tools.records.sameness import same_value


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
