"""What an answer from records names, quotes and tells of itself."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from agent.evidence import Entity
from agent.records.query_plan import Combination, NotTest, Plan, Query, Related, Test
from agent.records.record import Cell, Record
from agent.records.record_replies import QueryReply
from agent.records.record_schema import CellValue, Schema
from graphs.records.available_records import AtHand
from graphs.records.recorded_answer import (
    Named,
    absent,
    carried_out,
    entities,
    told_apart,
    warnings,
)
from tests.tools.records.league import SCHEMA, column, query, record, table, when
from tools.records.record_store import RecordStore

ROWS: dict[str, list[dict[str, CellValue]]] = {
    "team": [
        {"team_id": 1, "name": "North", "city": "Ystad"},
        {"team_id": 2, "name": "South", "city": "Lund"},
        {"team_id": 3, "name": "East", "city": "Lund"},
    ],
    "player": [
        {"player_id": 11, "name": "Ek", "team_id": 1},
        {"player_id": 12, "name": "Alm", "team_id": 2},
        {"player_id": 13, "name": "Ek", "team_id": 2},
    ],
    "award": [
        {"player_id": 11, "prize": 20},
        {"player_id": 11, "prize": 40},
        {"player_id": 12, "prize": 40},
    ],
}


def _drawn_up() -> tuple[str, list[Record]]:
    text, records = "", []
    for kind, rows in ROWS.items():
        for row in rows:
            cells = []
            for name, value in row.items():
                start, quote = len(text), f"{kind} {name} {value}"
                text += f"{quote}; "
                place = {"quote": quote, "start": start, "end": len(text) - 2}
                cells.append(Cell.model_validate({"attribute": name, "value": value, **place}))
            records.append(Record(kind=kind, document="town", cells=tuple(cells)))
    return text, records


TEXT, RECORDS = _drawn_up()
"""What the records were read from."""


@contextmanager
def opened(folder: Path, schema: Schema, records: Sequence[Record]) -> Iterator[AtHand]:
    """Open a store of some records."""
    store = RecordStore(folder / "records.sqlite")
    store.write_schema(schema)
    names = tuple(dict.fromkeys(each.document for each in records))
    for name in names:
        store.put(name, "digest", [each for each in records if each.document == name])
    tables = store.tables()
    yield AtHand(store=store, tables=tables, documents=len(names), covered=names, failed=())
    store.close()


def reply(plan: Plan | None, sql: str | None = None) -> QueryReply:
    return QueryReply(why="", answerable=True, missing="", plan=plan, sql=sql)


LUND = when(column("team", "city"), "=", "lund")
LONG = when(column("award", "prize"), ">", 30)


@pytest.fixture
def found(tmp_path: Path) -> Iterator[AtHand]:
    with opened(tmp_path, SCHEMA, RECORDS) as found:
        yield found


def told(plan: Plan, found: AtHand, *, listed: int = 99) -> list[str]:
    outcome = carried_out(reply(plan), found)
    _, left = entities(outcome.items[:listed], outcome, found)
    return list(warnings(outcome, found, left, min(listed, len(outcome.items))))


def test_documents_that_could_not_be_read_are_counted_and_named(found: AtHand) -> None:
    found = replace(found, documents=5, failed=("b",), partial=("c", "a"))
    failed, partial, unread = told(query("award", "count"), found)
    assert failed.startswith("1 document (b) could not be read into records: `headcount records")
    assert partial.startswith("only parts of 2 documents (a, c) could be read into records: ")
    assert unread.startswith("not read into records yet: 1 document; ")


@pytest.mark.parametrize(("silent", "first"), [(2, True), (1, False)])
def test_a_number_of_the_fewer_rows_says_so_first(tmp_path: Path, silent: int, first: bool) -> None:
    stating = [each for each in RECORDS if each.kind == "award"][: 1 + (not first)]
    others = [Record(kind="award", document=f"d{at}") for at in range(silent)]
    mean = Query(kind="award", operation="avg", measure=column("award", "prize"))
    with opened(tmp_path, SCHEMA, [*stating, *others]) as found:
        said, *_ = told(mean, found)
    assert said.startswith("of 1 row only") == first


def test_what_is_not_listed_is_told(found: AtHand) -> None:
    (cut,) = told(query("award", "list"), found, listed=1)
    assert cut.startswith("the first 1 item of 3 are listed")


def test_a_value_that_no_text_states_is_told_and_proved_by_no_other(found: AtHand) -> None:
    code = Cell(attribute="team_id", value=9, quote=TEXT[:5], start=0)
    named = Record(kind="team", document="hall", cells=(Cell(attribute="city", value="Oslo"), code))
    found.store.put("hall", "digest", [named])
    found = replace(found, tables=found.store.tables())
    city = column("team", "city")
    plan = query("team", "list", where=when(city, "=", "oslo"), show=(city,))
    outcome = carried_out(reply(plan), found)
    (oslo,), left = entities(outcome.items, outcome, found)
    assert (oslo.name, oslo.evidence) == ("Oslo", ())
    (told,) = warnings(outcome, found, left, 1)
    assert told == "without a quote: 1 value of team.city; the document's name or fields say so"


def shown(plan: Plan, found: AtHand) -> tuple[Entity, ...]:
    outcome = carried_out(reply(plan), found)
    return entities(outcome.items, outcome, found)[0]


def quotes(entity: Entity) -> set[str]:
    assert all(TEXT[each.start : each.end] == each.quote for each in entity.evidence)
    return {each.quote for each in entity.evidence}


def players(where: Test | None = None) -> Query:
    return query("player", "list", where=where, show=(column("player", "name"),))


def test_a_linked_row_that_made_a_row_pass_is_quoted_with_the_values_that_link_it(
    found: AtHand,
) -> None:
    first, second = shown(players(LUND), found)
    assert quotes(first) == {
        "player name Alm", "player team_id 2", "team team_id 2", "team city Lund",
    }  # fmt: skip
    assert "player name Ek" in quotes(second)


def test_only_the_linked_rows_that_pass_are_quoted(found: AtHand) -> None:
    team, _ = shown(query("team", "count", where=LONG), found)
    assert {"award prize 40", "award player_id 11", "player player_id 11"} <= quotes(team)
    assert "award prize 20" not in quotes(team)


def test_of_what_is_absent_the_row_itself_is_the_proof(found: AtHand) -> None:
    none = NotTest(part=Related(kind="award"))
    (player,) = shown(players(none), found)
    assert quotes(player) == {"player name Ek"}


def row(name: str, *, label: str = "", document: str = "d") -> Named:
    return name, Record(kind="tool", document=document, label=label, cells=())


def test_rows_of_one_name_are_told_apart_by_label_or_document() -> None:
    labelled = [row("Lee", label="Tool 1"), row("Lee", label="Tool 2")]
    assert told_apart(labelled) == ["Lee (Tool 1)", "Lee (Tool 2)"]
    elsewhere = [row("Lee", document="a"), row("Lee", document="b")]
    assert told_apart(elsewhere) == ["Lee (a)", "Lee (b)"]


WRITERS = (column("book", "first"), column("book", "second"))
BOOK = table("book", first="text", second="text")


def books(folder: Path, *rows: tuple[str | None, str]) -> AbstractContextManager[AtHand]:
    """Open a store of books by their two writers, one book a document."""
    named = ({"first": first, "second": second} for first, second in rows)
    told = ({name: each for name, each in row.items() if each is not None} for row in named)
    records = [record("book", row, f"d{number}") for number, row in enumerate(told)]
    return opened(folder, Schema(kinds=(BOOK,)), records)


def test_groups_of_several_columns_are_not_taken_for_one_another(tmp_path: Path) -> None:
    rows = [("Smith, John", "Lee"), ("Smith", "John, Lee"), ("Smith", "John, Lee")]
    with books(tmp_path, *rows) as found:
        outcome = carried_out(reply(query("book", "count", group_by=WRITERS)), found)
    assert outcome.value == {'"Smith, John", Lee': 1, 'Smith, "John, Lee"': 2}
    assert {each.name: len(each.records) for each in outcome.items} == outcome.value


def test_a_row_without_a_name_is_called_by_its_document(tmp_path: Path) -> None:
    with books(tmp_path, ("Lee", "Ek"), (None, "Ek")) as found:
        named = [each.name for each in shown(query("book", "list", show=WRITERS[:1]), found)]
    assert sorted(named) == ["Lee", "d1"]


def test_what_ties_with_the_last_row_kept_is_told_by_value_and_names(tmp_path: Path) -> None:
    rows = [("Lee", "9"), ("Ek", "7"), ("Alm", "7"), ("Ode", "7"), ("Ray", "3")]
    named = {"measure": WRITERS[1], "show": WRITERS[:1], "order": "descending"}
    tie = "place 2 is a tie: 2 more with the same value 7 are left out (Ek, Ode): ask for more"
    with books(tmp_path, *rows) as found:
        for limit, ties in {1: [], 2: [tie], 5: []}.items():
            plan = query("book", "list", limit=limit, **named)
            warned = [each for each in told(plan, found) if "tie" in each]
            assert [each[: len(tie)] for each in warned] == ties


def test_words_that_no_row_holds_are_named(tmp_path: Path) -> None:
    with books(tmp_path, ("Lée Ann", "Ek"), ("Alm", None)) as found:
        for word, missing in {"lee": [], "ek": ["'ek' in book.first"]}.items():
            test = when(WRITERS[0], "=", word)
            assert absent(query("book", "count", where=test), found) == missing


def test_a_row_behind_both_numbers_of_a_combination_is_listed_once(tmp_path: Path) -> None:
    of_lee = query("book", "count", where=when(WRITERS[0], "=", "Lee"))
    with books(tmp_path, ("Lee", "1"), ("Ek", "2")) as found:
        plan = Combination(operator="/", left=of_lee, right=query("book", "count"))
        outcome = carried_out(reply(plan), found)
    assert outcome.value == 0.5
    assert outcome.statement.sql.count("SELECT ") == 2
    assert outcome.statement.parameters == ("lee",)
    assert [each.records for each in outcome.items] == [(1,), (2,)]
