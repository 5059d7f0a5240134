"""What an answer from records names and quotes."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from agent.evidence import Entity
from agent.records.query_plan import Compare, NotTest, Plan, Query, Related, Test
from graphs.records.at_hand import AtHand
from graphs.records.entities import entities
from graphs.records.linked_rows import linked_rows
from graphs.records.querying import carried_out
from tests.graphs.linking import TEXT, column, held, reply

LUND = Compare(left=column("clinic", "town"), comparator="=", value="lund")
LONG = Compare(left=column("visit", "minutes"), comparator=">", value=30)


@pytest.fixture
def found(tmp_path: Path) -> Iterator[AtHand]:
    with held(tmp_path) as found:
        yield found


def shown(plan: Plan, found: AtHand) -> tuple[Entity, ...]:
    outcome = carried_out(reply(plan), found)
    return entities(outcome.items, outcome, found).entities


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
    assert doctor.aliases == ("13",)


def test_linked_rows_that_are_all_named_leave_none(found: AtHand) -> None:
    linked = linked_rows(doctors(LONG), found)
    assert (linked.left, linked.why, len(linked.of)) == ({}, "", 2)


def test_a_row_is_known_by_what_no_other_row_shares(found: AtHand) -> None:
    assert [(each.name, each.aliases) for each in shown(doctors(), found)] == [
        ("Ek (11)", ("11",)), ("Alm", ("12",)), ("Ek (13)", ("13",)),
    ]  # fmt: skip


def test_different_values_are_the_entities_that_are_counted(found: AtHand) -> None:
    towns = Query(
        kind="doctor",
        operation="count_distinct",
        distinct=(column("clinic", "town"),),
        show=(column("doctor", "name"),),
    )
    assert [(each.name, each.aliases) for each in shown(towns, found)] == [
        ("Ystad", ()), ("Lund", ()),
    ]  # fmt: skip


def test_a_value_that_names_a_linked_row_has_its_code_too(found: AtHand) -> None:
    named = Query(kind="doctor", operation="count", group_by=(column("clinic", "name"),))
    assert [(each.name, each.aliases) for each in shown(named, found)] == [
        ("North", ("N",)), ("South", ("S",)),
    ]  # fmt: skip


def test_rows_without_a_name_are_told_apart_by_what_they_state(found: AtHand) -> None:
    long = Query(kind="visit", operation="count", where=LONG)
    assert [each.name for each in shown(long, found)] == [
        "town (doctor id 11)",
        "town (doctor id 12)",
    ]
    every = shown(Query(kind="visit", operation="count"), found)
    assert [each.name for each in every] == [
        "town (doctor id 11, minutes 20)", "town (doctor id 11, minutes 40)",
        "town (doctor id 12, minutes 40)",
    ]  # fmt: skip
