"""What an answer from records names and quotes."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from agent.evidence import Entity
from agent.records.query_plan import Compare, NotTest, Plan, Query, Related, Test
from agent.records.record import Cell, Record
from graphs.records.available_records import AtHand
from graphs.records.query_outcome import carried_out
from graphs.records.recorded_answer import Named, entities, told_apart
from tests.graphs.linking import TEXT, column, held, reply

LUND = Compare(left=column("clinic", "town"), comparator="=", value="lund")
LONG = Compare(left=column("visit", "minutes"), comparator=">", value=30)


@pytest.fixture
def found(tmp_path: Path) -> Iterator[AtHand]:
    with held(tmp_path) as found:
        yield found


def shown(plan: Plan, found: AtHand) -> tuple[Entity, ...]:
    outcome = carried_out(reply(plan), found)
    return entities(outcome.items, outcome, found)[0]


def quotes(entity: Entity) -> set[str]:
    assert all(TEXT[each.start : each.end] == each.quote for each in entity.evidence)
    return {each.quote for each in entity.evidence}


def doctors(where: Test | None = None) -> Query:
    return Query(kind="doctor", operation="list", where=where, show=(column("doctor", "name"),))


def test_a_linked_row_that_made_a_row_pass_is_quoted_with_the_values_that_link_it(
    found: AtHand,
) -> None:
    first, second = shown(doctors(LUND), found)
    assert quotes(first) == {
        "doctor name Alm", "doctor clinic_code S", "clinic code S", "clinic town Lund",
    }  # fmt: skip
    assert "doctor name Ek" in quotes(second)


def test_only_the_linked_rows_that_pass_are_quoted(found: AtHand) -> None:
    clinic, _ = shown(Query(kind="clinic", operation="count", where=LONG), found)
    assert {"visit minutes 40", "visit doctor_id 11", "doctor id 11"} <= quotes(clinic)
    assert "visit minutes 20" not in quotes(clinic)


def test_of_what_is_absent_the_row_itself_is_the_proof(found: AtHand) -> None:
    none = NotTest(part=Related(kind="visit"))
    (doctor,) = shown(doctors(none), found)
    assert quotes(doctor) == {"doctor name Ek"}


def row(name: str, *, label: str = "", document: str = "d", **cells: str | float) -> Named:
    stated = tuple(Cell(attribute=each, value=value) for each, value in cells.items())
    record = Record(kind="tool", document=document, label=label, cells=stated)
    return name, record


@pytest.mark.parametrize(
    ("rows", "names"),
    [
        pytest.param([row("Lee", label="Tool 1"), row("Lee", label="Tool 2")],
                     ["Lee (Tool 1)", "Lee (Tool 2)"], id="by label"),
        pytest.param([row("Lee", document="a"), row("Lee", document="b")],
                     ["Lee (a)", "Lee (b)"], id="by document"),
        pytest.param([row("d", a="x"), row("d", a="x")],
                     ["d (1 of 2)", "d (2 of 2)"], id="by number, where they are the same"),
        pytest.param([row("Lee", a="x"), row("Ek", a="x")], ["Lee", "Ek"], id="not at all"),
    ],
)  # fmt: skip
def test_rows_of_one_name_are_told_apart(rows: list[Named], names: list[str]) -> None:
    assert told_apart(rows) == names
