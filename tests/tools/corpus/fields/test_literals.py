import pytest

from agent.corpus_view import FieldType
from tools.corpus.fields.field_values import field_value
from tools.corpus.fields.literals import parse_date, parse_number, parse_numbers, type_of


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("$1.2 million", 1.2e6),
        ("(1,234)", -1234.0),
        ("−5", -5.0),
        ("12%", 12.0),
        ("1.234.567,89", 1234567.89),
        ("12,5", 12.5),
        ("1 234", 1234.0),
        ("2.5e6", 2.5e6),
        ("US$ 5", 5.0),
        ("300k", 3e5),
        ("1.2 M EUR", 1.2e6),
        ("5 bn", 5e9),
        ("007", None),
        ("3.5.1", None),
        ("1-2", None),
        ("12 Main Street", None),
        ("", None),
    ],
)
def test_numbers(text: str, number: float | None) -> None:
    assert parse_number(text) == number


@pytest.mark.parametrize(
    ("texts", "numbers"),
    [
        pytest.param(["1.200", "1.234.567"], [1200.0, 1234567.0], id="groups-decide"),
        pytest.param(["1.200", "12.5"], [1.2, 12.5], id="point-decides"),
        pytest.param(["1,200", "1,234.50"], [1200.0, 1234.5], id="english"),
        pytest.param(["1,200", "12,5"], [1.2, 12.5], id="decimal-comma"),
        pytest.param(["1.200", "12,5", "12.5"], [None, 12.5, 12.5], id="they-disagree"),
        pytest.param(["1.234 million", "950"], [1.234e6, 950.0], id="before-a-scale"),
    ],
)
def test_the_numbers_of_a_field_follow_one_convention(
    texts: list[str], numbers: list[float | None]
) -> None:
    assert parse_numbers(texts) == numbers


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("2014-09-29", "2014-09-29"),
        ("2014-09-29T10:00:00Z", "2014-09-29"),
        ("September 29, 2014", "2014-09-29"),
        ("29 Sep 2014", "2014-09-29"),
        ("24th day of February, 1998", "1998-02-24"),
        ("Mon, 29 Sep 2014 10:00:00 +0000", "2014-09-29"),
        ("29.09.2014", "2014-09-29"),
        ("3/14/2014", "2014-03-14"),
        ("Sep 2014", "2014-09"),
        ("12/2014", "2014-12"),
        ("12.2014", "2014-12"),
        ("2014.09.29", "2014-09-29"),
        ("1200.5", None),
        ("2014.11", None),
        ("2014", "2014"),
        ("30 Feb 2014", None),
        ("May", None),
        ("1,234", None),
    ],
)
def test_dates(text: str, date: str | None) -> None:
    assert parse_date(text) == date


def _type(*raws: str, name: str = "") -> FieldType:
    several = sum(len(field_value(raw).items) > 1 for raw in raws)
    return type_of(raws, several=several, name=name)


@pytest.mark.parametrize(
    ("raws", "kind"),
    [
        pytest.param(("12", "1,300", "7.25"), "number", id="numbers"),
        pytest.param(("5 kg", "7 kg", "9 kg"), "number", id="one-unit"),
        pytest.param(("1.200 €", "2.350,50 €"), "number", id="thousands-that-others-tell"),
        pytest.param(("1.200 €", *["950 €"] * 19), "text", id="thousands-that-none-tells"),
        pytest.param(("29-Sep-2014", "30-Sep-2014"), "date", id="dates"),
        pytest.param(("2014", "2015"), "date", id="years"),
        pytest.param(("3.9", "3.10", "3.12"), "text", id="versions-by-trailing-zero"),
        pytest.param(("3.9", "3.5.1"), "text", id="versions-by-two-dots"),
        pytest.param(("007", "008"), "text", id="ids-with-leading-zeros"),
        pytest.param(("12 Elm", "13 Oak", "14 Ash", "15 Fir"), "text", id="addresses"),
        pytest.param(("a, b", "c", "d", "e"), "list", id="lists"),
        pytest.param(("open", "closed"), "text", id="words"),
        pytest.param((), "text", id="nothing"),
    ],
)
def test_the_type_is_what_most_values_are(raws: tuple[str, ...], kind: FieldType) -> None:
    assert _type(*raws) == kind


@pytest.mark.parametrize(
    ("other", "count", "kind"),
    [("Elm 5", 2, "date"), ("Elm 5", 3, "text"), ("open", 5, "date"), ("open", 6, "text")],
)
@pytest.mark.parametrize("turned", [False, True])
def test_nine_in_ten_make_the_type_or_three_in_four_where_the_others_have_no_digit(
    other: str, count: int, kind: FieldType, turned: bool
) -> None:
    values = [*[other] * count, *["2014"] * (20 - count)]
    assert _type(*(values[::-1] if turned else values)) == kind


@pytest.mark.parametrize(
    ("name", "kind"),
    [("net_rent", "number"), ("Price (EUR)", "number"), ("Fees", "number"), ("Current", "date")],
)
def test_four_digits_are_no_year_where_the_field_is_called_as_an_amount(
    name: str, kind: FieldType
) -> None:
    assert _type("1800", "2020", name=name) == kind
    assert _type("1800-01-02", name=name) == "date"


def test_a_field_called_version_is_no_number() -> None:
    assert _type("3.8", "3.9", name="Python-Version") == "text"
