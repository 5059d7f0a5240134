"""What is counted or listed where two tables name it: a register, and rows that refer to it."""

from collections.abc import Callable

import pytest

from agent.records.query_plan import Plan, Query
from agent.records.record_replies import QueryReply
from agent.records.record_schema import Tables
from tests.agent.reasoners.rules.records.querying.conftest import SmallTables, kind_of, tables_of

Ask = Callable[[str, Tables], QueryReply]


@pytest.fixture(scope="module")
def fleet() -> SmallTables:
    return tables_of(
        [
            kind_of("sheet", "person:text ship:text salary:integer"),
            kind_of("vessel_register", "ship:text built:integer flag:text"),
        ],
        {
            "sheet": "Ann|Aurora|4500\nJosé|Aurora|3900\nZoë|Björn|5200",
            "vessel_register": "Aurora|1998|Panama\nBjörn|2003|Norway\nFaro|2011|Panama",
        },
        "sheet.ship>vessel_register.ship",
    )


def query_of(plan: Plan | None) -> Query:
    assert isinstance(plan, Query)
    return plan


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("How many ships fly the flag of Panama?", "vessel_register"),
        ("How many ships were built after 2000?", "vessel_register"),
        ("Which ships fly the flag of Panama?", "vessel_register"),
        ("How many ships do the sheets name?", "sheet"),
    ],
    ids=["counted", "counted by a number", "listed", "of rows that are named"],
)
def test_things_are_taken_from_the_table_that_has_all_of_them(
    question: str, kind: str, fleet: SmallTables, ask: Ask
) -> None:
    plan = query_of(ask(question, fleet).plan)
    assert [(each.kind, each.attribute) for each in plan.distinct] == [(kind, "ship")]
