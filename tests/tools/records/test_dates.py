"""Dates as records hold them."""

import pytest

from tools.records.dates import date_order, read_date


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("2021-03-04T10:00:00Z", "2021-03-04"),
        ("Monday, 3 May 2021", "2021-05-03"),
        ("on the 3rd of May 2021", "2021-05-03"),
        ("May 2021", "2021-05"),
        ("FY2021", "2021"),
        ("FY 2021", "2021"),
        ("fiscal year ended 31 December 2020", "2020-12-31"),
        ("20210331", "2021-03-31"),
        ("03.04.2020", "2020-04-03"),
        ("in 1998", "1998"),
        ("1235", "1235"),
        ("25/12/2020", "2020-12-25"),
        ("12/25/2020", "2020-12-25"),
    ],
)
def test_a_date_is_as_precise_as_it_is_written(text: str, date: str) -> None:
    assert read_date(text) == (date, "")


@pytest.mark.parametrize("text", ["Q1 2021", "2021 Q3", "first quarter of 2021", "summer 2021"])
def test_a_quarter_is_its_year(text: str) -> None:
    assert read_date(text) == ("2021", "only the year of it is a date")


@pytest.mark.parametrize(
    ("samples", "order"),
    [
        (["25/12/2020", "03/04/2020"], "day first"),
        (["12/25/2020"], "month first"),
        (["03/04/2020"], None),
        (["25/12/2020", "12/25/2020"], None),
        ([], None),
    ],
)
def test_the_order_needs_one_certain_date_and_no_other_against_it(
    samples: list[str], order: str | None
) -> None:
    assert date_order(samples) == order


def test_a_day_against_the_order_is_read_as_it_must_be() -> None:
    assert read_date("25/12/2020", "month first") == ("2020-12-25", "")
