import pytest

from agent.reasoners.rules.language.units import converted, unit_of, without_unit


@pytest.mark.parametrize(
    ("value", "unit", "wanted", "expected"),
    [
        ("3", "hours", "minutes", "180"),
        ("0.5", "hour", "min", "30"),
        ("2", "kg", "g", "2000"),
        ("3", "hours", "kg", None),
        ("3", "apples", "hours", None),
    ],
)
def test_numbers_convert_within_a_dimension(
    value: str, unit: str, wanted: str, expected: str | None
) -> None:
    assert converted(value, unit, wanted) == expected


@pytest.mark.parametrize(
    ("name", "unit"), [("minutes", "minutes"), ("feet", "feet"), ("year", ""), ("m", "")]
)
def test_a_name_of_one_word_is_a_unit_in_the_plural_alone(name: str, unit: str) -> None:
    assert unit_of([name], ["3", "2001"]) == unit


def test_a_field_without_a_common_unit_has_none() -> None:
    assert unit_of(["size"], ["3 kg", "4", "5 m"]) == ""


def test_a_name_that_is_a_unit_stays() -> None:
    assert without_unit(["hours"]) == ["hours"]
