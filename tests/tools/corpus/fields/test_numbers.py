import pytest

from tools.corpus.fields.catalogue import catalogue, read_together
from tools.corpus.fields.field_values import field_value


def test_a_number_is_read_by_the_marks_of_its_field_however_its_key_is_spelt() -> None:
    read = read_together(
        [
            {"Rent": field_value("1.200 €"), "Mass": field_value("1.200 kg")},
            {"rent": field_value("2.350,50 €"), "Mass": field_value("0.5 kg")},
        ]
    )
    assert [values.popitem()[1].number for values in read] == [1.2, 0.5]
    assert [values.popitem()[1].number for values in read] == [1200.0, 2350.5]


def test_day_and_month_are_told_apart_by_the_other_dates_of_the_field() -> None:
    raws = ["03/04/2014", "25/12/2013", "2014-05-06", "1.2.2014"]
    read = read_together([{"Signed": field_value(raw)} for raw in raws])
    assert [each["Signed"].date for each in read] == [
        "2014-04-03",
        "2013-12-25",
        "2014-05-06",
        "2014-02-01",
    ]
    both = read_together([{"Signed": field_value(raw)} for raw in ("03/04/2014", "4/25/14", "x")])
    assert both[0]["Signed"].date == "2014"


@pytest.mark.parametrize(
    ("raws", "items"),
    [
        ([f"City {number}, ST" for number in range(9)], "City 0, ST"),
        (["Ann, Bob", "Cy", "Ann", "Dee", "Bob, Ed", "Flo", "Gus", "Hal"], ("Ann", "Bob")),
        (["Crane, bay 4", *map(str, "abcdefgh")], "Crane, bay 4"),
        (["Ann, Bob", "Cy"], ("Ann", "Bob")),
        (["[Ann, Bob]", *map(str, "abcdefgh")], ("Ann", "Bob")),
    ],
)
def test_a_comma_parts_items_where_the_field_holds_lists(
    raws: list[str], items: str | tuple[str, ...]
) -> None:
    wanted = items if isinstance(items, tuple) else (items,)
    given = {"[Ann, Bob]": ("Ann", "Bob")}
    read = read_together([{"Who": field_value(raw, items=given.get(raw))} for raw in raws])
    assert read[0]["Who"].items == wanted
    assert read_together(read) == read


def test_a_field_of_numbers_knows_their_units() -> None:
    raws = ["12,500 EUR", "950 EUR", "EUR 80", "$1,200.50 per month"]
    fields, _ = catalogue([{"Cost": field_value(raw)} for raw in raws])
    assert (fields[0].type, fields[0].units) == ("number", ("EUR", "$ per month"))


def test_a_number_that_may_be_thousands_is_none() -> None:
    (values,) = read_together([{"Rent": field_value("1.200")}])
    assert values["Rent"].number is None
