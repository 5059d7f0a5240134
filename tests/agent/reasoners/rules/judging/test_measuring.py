"""The measured number of a sentence is an amount, never what numbers or dates something."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.question import Measure
from agent.reasoners.rules.judging.measuring import measured

RENT = Measure(text="rent")
DOSE = Measure(text="dose")
NOTICE = Measure(text="notice period in days", unit="days")
OUTAGE = Measure(text="outage in minutes", unit="minutes")


def _value(text: str, measure: Measure, *, about: bool = False) -> float | None:
    found = measured(text, (0, len(text)), 0, measure, about=about)
    return None if found is None else found.quantity.value


@pytest.mark.parametrize(
    ("text", "measure", "value"),
    [
        ("4.2 The rent is USD 2,400 per month.", RENT, 2400),
        ("12. Rent: 900", RENT, 900),
        ("(3) The monthly rent of 2000 is due on 1 May 2021.", RENT, 2000),
        ("The rent, which clause 9 governs, is: EUR 4,800.", RENT, 4800),
        ("The deposit of USD 500 and the rent of USD 700 are due.", RENT, 700),
        ("The rent is USD 700 and the deposit is USD 1,400.", RENT, 700),
        ("Rent (3,100 CHF)", RENT, 3100),
        ("On 14 March 2022 the parties set a rent equal to 850.", RENT, 850),
        ("In March 2022 the rent was 850.", RENT, 850),
        ("2.1 Start with 10 tablets; the dose is 5 mg daily.", DOSE, 5),
        ("3.2.1 Dosing follows section 4 of table 2.", DOSE, None),
        ("Version 2.4 of ward 7 gave a 75 mg dose.", DOSE, 75),
        ("sixty (60) days' notice under Section 12", NOTICE, 60),
        ("The outage of 3 May 2020 lasted 45 minutes at 10:30.", OUTAGE, 45),
        ("The outage lasted from 2 to 4 May.", OUTAGE, None),
        ("Turnout was 61.5% in 2020.", Measure(text="turnout"), 61.5),
        ("In 2014, sold 12", Measure(text="number sold"), 12),
        ("20 customers were affected on day 3.", Measure(text="number of customers"), 20),
    ],
)  # fmt: skip
def test_the_amount_is_taken(text: str, measure: Measure, value: float | None) -> None:
    assert _value(text, measure) == value


@pytest.mark.parametrize(
    "text",
    [
        "4. RENT AND DEPOSIT",
        "1.1 This rent is agreed on 14 March 2027.",
        "In 2023 the rent of the building was reviewed under section 14.",
        "Rent is due on the 5th day of each month; see clauses 7 and 8.",
        "Rent form P-1000, page 3 of 9, No. 17, released 2021-04-05.",
    ],
)
def test_what_numbers_or_dates_is_no_amount(text: str) -> None:
    assert _value(text, RENT, about=True) is None


def test_the_nearest_number_in_the_asked_unit_is_the_measure() -> None:
    text = "After 2 years, notice of 60 days is given within 10 days."
    found = measured(
        text, (0, len(text)), text.index("notice"), Measure(text="period", unit="days")
    )
    assert found is not None
    assert found.quantity.value == 60


def test_no_number_in_the_asked_unit_is_no_measure() -> None:
    assert _value("After 2 years.", Measure(text="period", unit="days")) is None


def test_money_counts_where_the_sentence_is_known_to_be_about_the_measure() -> None:
    text = "It comes to USD 900 a month."
    assert _value(text, RENT) is None
    assert _value(text, RENT, about=True) == 900


@given(st.text(max_size=60))
def test_any_text_can_be_measured(text: str) -> None:
    found = measured(text, (0, len(text)), 0, RENT, about=True)
    assert found is None or 0 <= found.quantity.start < found.quantity.end <= len(text)
