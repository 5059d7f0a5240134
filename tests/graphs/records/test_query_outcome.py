"""What a query's groups and rows are called."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from agent.records.query_plan import Combination
from agent.records.record import Cell, Record
from agent.records.record_schema import CellValue, Schema
from graphs.records.available_records import AtHand
from graphs.records.query_outcome import absent, carried_out
from graphs.records.recorded_answer import entities
from tests.graphs.linking import reply
from tests.tools.records.league import column, query, table, when
from tools.records.record_store import RecordStore

WRITERS = (column("book", "first"), column("book", "second"))
BOOK = table("book", first="text", second="text")


@contextmanager
def books(folder: Path, rows: Sequence[Sequence[CellValue]]) -> Iterator[AtHand]:
    """Open a store of books by their two writers, one book a document."""
    store = RecordStore(folder / "records.sqlite")
    store.write_schema(Schema(kinds=(BOOK,)))
    for number, writers in enumerate(rows):
        cells = tuple(
            Cell(attribute=each.attribute, value=writer, original=str(writer))
            for each, writer in zip(WRITERS, writers, strict=True)
            if writer is not None
        )
        name = f"d{number}"
        store.put(name, "digest", [Record(kind="book", document=name, cells=cells)])
    names = tuple(store.documents())
    yield AtHand(store=store, tables=store.tables(), documents=len(rows), covered=names, failed=())
    store.close()


def test_groups_of_several_columns_are_not_taken_for_one_another(tmp_path: Path) -> None:
    rows = [("Smith, John", "Lee"), ("Smith", "John, Lee"), ("Smith", "John, Lee")]
    with books(tmp_path, rows) as found:
        outcome = carried_out(reply(query("book", "count", group_by=WRITERS)), found)
    assert outcome.value == {'"Smith, John", Lee': 1, 'Smith, "John, Lee"': 2}
    assert {each.name: len(each.records) for each in outcome.items} == outcome.value


def test_a_row_without_a_name_is_called_by_its_document(tmp_path: Path) -> None:
    with books(tmp_path, [("Lee", "Ek"), (None, "Ek")]) as found:
        outcome = carried_out(reply(query("book", "list", show=WRITERS[:1])), found)
        shown, _ = entities(outcome.items, outcome, found)
    assert sorted(each.name for each in shown) == ["Lee", "d1"]


def test_what_ties_with_the_last_row_kept_is_told(tmp_path: Path) -> None:
    rows = [("Lee", "9"), ("Ek", "7"), ("Alm", "7"), ("Ode", "7"), ("Ray", "3")]
    named = {"measure": WRITERS[1], "show": WRITERS[:1], "order": "descending"}
    with books(tmp_path, rows) as found:
        second, first, all_ = (
            carried_out(reply(query("book", "list", limit=limit, **named)), found)
            for limit in (2, 1, 5)
        )
    assert [each.name for each in second.items] == ["Lee", "Alm"]
    assert [each.name for each in second.ties] == ["Ek", "Ode"]
    assert (first.ties, all_.ties) == ((), ())


def test_words_that_no_row_holds_are_named(tmp_path: Path) -> None:
    with books(tmp_path, [("Lée Ann", "Ek"), ("Alm", None)]) as found:
        for word, missing in {"lee": [], "ek": ["'ek' in book.first"]}.items():
            test = when(WRITERS[0], "=", word)
            assert absent(query("book", "count", where=test), found) == missing


def test_a_row_behind_both_numbers_of_a_combination_is_listed_once(tmp_path: Path) -> None:
    of_lee = query("book", "count", where=when(WRITERS[0], "=", "Lee"))
    with books(tmp_path, [("Lee", "1"), ("Ek", "2")]) as found:
        plan = Combination(operator="/", left=of_lee, right=query("book", "count"))
        outcome = carried_out(reply(plan), found)
    assert outcome.value == 0.5
    assert [each.records for each in outcome.items] == [(1,), (2,)]
