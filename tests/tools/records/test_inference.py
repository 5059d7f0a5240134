"""Types and units of columns."""

import pytest

from tools.records.inference import infer_type


@pytest.mark.parametrize(
    ("values", "kind", "unit"),
    [
        (["1", "2,000", "n/a"], "integer", None),
        (["1.5", "2"], "number", None),
        (["41%", "12.5 %"], "number", "%"),
        (["41%", "12 percent"], "number", "%"),
        (["$5", "USD 7", "7 US dollars"], "integer", "USD"),
        (["12 km", "900 metres", "3 km"], "integer", "km"),
        (["120 rooms", "85 rooms"], "integer", "rooms"),
        (["5 kg", "3 hours"], "integer", None),
        (["yes", "No", "yes"], "boolean", None),
        (["1", "0", "1"], "integer", None),
        (["2019", "2020"], "integer", None),
        (["2019", "May 2020"], "date", None),
        (["3 May 2020", "4 June 2021"], "date", None),
        (["0042", "0043"], "text", None),
        (["Ann", "Bob"], "text", None),
        (["12 High Street", "7 Mill Lane", "3 Low Road", "9 Elm Close", "4 Oak Way"], "text", None),
        (["3233 St Paul St", "3212 St Paul St"], "text", None),
        (["two", "three", "7"], "integer", None),
        ([], "text", None),
        (["n/a"], "text", None),
    ],
)
def test_a_column_has_the_type_of_nine_in_ten_values(
    values: list[str], kind: str, unit: str | None
) -> None:
    assert infer_type(values) == (kind, unit)


def test_one_odd_value_in_ten_does_not_make_text() -> None:
    assert infer_type([*map(str, range(9)), "several"]) == ("integer", None)
    assert infer_type([*map(str, range(8)), "several", "many"]) == ("text", None)
