"""Amounts with a unit over columns whose values are in several units."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from agent.records.record_replies import QueryReply
from agent.records.record_schema import MixedUnits
from tests.agent.reasoners.rules.records.querying.conftest import SmallTables, kind_of, tables_of

ROWS = "Low|900|EUR|3|kg\nMid|5500|CHF|900|g\nTop|700000|JPY|2|l"


@pytest.fixture(scope="module")
def leases() -> SmallTables:
    columns = "name:text rent:number rent_unit:text load:number load_unit:text"
    made = tables_of([kind_of("lease", columns)], {"lease": ROWS})
    mixed = (
        MixedUnits(
            kind="lease", attribute="rent", units=("EUR", "CHF", "JPY"), stated_by="rent_unit"
        ),
        MixedUnits(kind="lease", attribute="load", units=("kg", "g", "l"), stated_by="load_unit"),
    )
    return replace(made, schema=made.schema.model_copy(update={"mixed": mixed}))


@pytest.mark.parametrize(
    ("asked", "test"),
    [
        ("a rent above 5,000 EUR", "rent_unit = 'EUR' and rent > 5000.0"),
        ("a rent of at least CHF 1.5k", "rent_unit = 'CHF' and rent >= 1500.0"),
        ("a rent of at most 5,000 Swiss francs", "rent_unit = 'CHF' and rent <= 5000.0"),
        ("a rent below 90,000 yen", "rent_unit = 'JPY' and rent < 90000.0"),
        ("a rent above 5,000 GBP", "rent_unit = 'GBP' and rent > 5000.0"),
        (
            "a load above 2 kg",
            "(load_unit = 'kg' and load > 2.0 or load_unit = 'g' and load > 2000.0)",
        ),
        ("a rent above 5,000", "rent > 5000.0"),
        (
            "a rent below 900 EUR or above 5,000 CHF",
            "(rent_unit = 'EUR' and rent < 900.0 or rent_unit = 'CHF' and rent > 5000.0)",
        ),
    ],
)
def test_a_comparison_asks_for_the_unit_of_its_amount(
    asked: str,
    test: str,
    leases: SmallTables,
    ask: Callable[[str, SmallTables], QueryReply],
    told: Callable[[QueryReply], str],
) -> None:
    assert told(ask(f"How many leases have {asked}?", leases)) == f"count() lease[{test}]"
