"""What an answer from records names, quotes and tells of itself."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from agent.evidence import Entity
from agent.records.query_plan import NotTest, Plan, Query, Related, Test
from agent.records.record import Cell, Failure, Record
from agent.records.record_replies import QueryReply
from graphs.records.available_records import AtHand
from graphs.records.query_outcome import carried_out
from graphs.records.recorded_answer import Named, completeness, entities, told_apart, warnings
from tests.graphs.linking import TEXT, held, reply
from tests.tools.records.league import column, query, when

LUND = when(column("clinic", "town"), "=", "lund")
LONG = when(column("visit", "minutes"), ">", 30)


@pytest.fixture
def found(tmp_path: Path) -> Iterator[AtHand]:
    with held(tmp_path) as found:
        yield found


def told(plan: Plan, found: AtHand, *, listed: int = 99) -> list[str]:
    outcome = carried_out(reply(plan), found)
    _, left = entities(outcome.items[:listed], outcome, found)
    return list(warnings(outcome, found, left, min(listed, len(outcome.items))))


def longest(limit: int) -> Query:
    minutes = column("visit", "minutes")
    return query("visit", "list", minutes, order="descending", limit=limit)


def test_a_tie_at_the_last_place_is_told_with_its_value_and_names(found: AtHand) -> None:
    (tie,) = told(longest(1), found)
    assert tie.startswith("place 1 is a tie: 1 more with the same value 40 is left out (")
    assert told(longest(2), found) == []


def test_documents_that_could_not_be_read_are_counted_and_named(found: AtHand) -> None:
    found = replace(found, documents=5, failed=("b",), partial=("c", "a"))
    failed, partial, unread = told(query("visit", "count"), found)
    assert failed.startswith("1 document (b) could not be read into records: `headcount records")
    assert partial.startswith("only parts of 2 documents (a, c) could be read into records: ")
    assert unread.startswith("1 document has not been read into records yet: ")


def test_what_is_not_listed_is_told(found: AtHand) -> None:
    (cut,) = told(query("visit", "list"), found, listed=1)
    assert cut.startswith("the first 1 item of 3 are listed")


def test_a_value_that_could_not_be_taken_is_told_apart_from_one_that_is_not_stated(
    found: AtHand,
) -> None:
    why = "in '€', which cannot be converted to 'USD'"
    refused = Failure(
        document="hall", kind="visit", attribute="minutes", original="€80", reason=why
    )
    unread = Record(kind="visit", document="hall", cells=())
    found.store.put("hall", "digest", [unread], [refused])
    found = replace(found, tables=found.store.tables(), documents=2, covered=("town", "hall"))
    total = query("visit", "sum", column("visit", "minutes"))
    lacking, taken = told(total, found)
    assert lacking == "the sum leaves out 1 of 4 rows of visit for lack of a value (minutes)"
    assert taken.startswith(
        f"1 value of visit.minutes could not be taken, as '€80' of 'hall' ({why})"
    )


LEAVING_OUT = {
    "SELECT doctor_id, sum(minutes) FROM visit GROUP BY doctor_id": (1, 4),
    "SELECT avg(n) FROM (SELECT sum(minutes) AS n FROM visit GROUP BY doctor_id)": (1, 6),
    "SELECT doctor_id, avg(minutes) OVER (ORDER BY doctor_id) AS so_far FROM visit": (1, 4),
    "SELECT sum(minutes) FROM visit WHERE minutes IS NOT NULL": None,
    "SELECT count(minutes) FROM visit": None,
}


@pytest.mark.parametrize(("sql", "left"), LEAVING_OUT.items())
def test_sums_of_a_free_statement_say_what_they_leave_out(
    found: AtHand, sql: str, left: tuple[int, int] | None
) -> None:
    silent = Record(kind="visit", document="hall", cells=(Cell(attribute="doctor_id", value=12),))
    found.store.put("hall", "digest", [silent])
    found = replace(found, tables=found.store.tables())
    outcome = carried_out(
        QueryReply(why="", answerable=True, missing="", plan=None, sql=sql), found
    )
    words = "the statement's sums and averages leave out {} of {} rows for lack of a value"
    told = warnings(outcome, found, 0, len(outcome.items))
    assert [each for each in told if "leave out" in each] == ([words.format(*left)] if left else [])
    assert ("row without" in completeness(outcome, found).method) is bool(left)


def test_a_text_is_found_whatever_its_accents(found: AtHand) -> None:
    test = when(column("clinic", "town"), "=", "Lünd")
    outcome = carried_out(reply(query("clinic", "count", where=test)), found)
    assert outcome.value == 2


def shown(plan: Plan, found: AtHand) -> tuple[Entity, ...]:
    outcome = carried_out(reply(plan), found)
    return entities(outcome.items, outcome, found)[0]


def quotes(entity: Entity) -> set[str]:
    assert all(TEXT[each.start : each.end] == each.quote for each in entity.evidence)
    return {each.quote for each in entity.evidence}


def doctors(where: Test | None = None) -> Query:
    return query("doctor", "list", where=where, show=(column("doctor", "name"),))


def test_a_linked_row_that_made_a_row_pass_is_quoted_with_the_values_that_link_it(
    found: AtHand,
) -> None:
    first, second = shown(doctors(LUND), found)
    assert quotes(first) == {
        "doctor name Alm", "doctor clinic_code S", "clinic code S", "clinic town Lund",
    }  # fmt: skip
    assert "doctor name Ek" in quotes(second)


def test_only_the_linked_rows_that_pass_are_quoted(found: AtHand) -> None:
    clinic, _ = shown(query("clinic", "count", where=LONG), found)
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
