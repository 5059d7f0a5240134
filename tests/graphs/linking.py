"""A small store of linked records with quotes: clinics, doctors, and visits."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from agent.records.query_plan import Plan
from agent.records.record import Cell, Record
from agent.records.record_replies import QueryReply
from agent.records.record_schema import CellValue, Link, Schema
from graphs.records.available_records import AtHand
from tests.tools.records.league import table
from tools.records.record_store import RecordStore

_ROWS: dict[str, list[dict[str, CellValue]]] = {
    "clinic": [
        {"code": "N", "name": "North", "town": "Ystad"},
        {"code": "S", "name": "South", "town": "Lund"},
        {"code": "E", "name": "East", "town": "Lund"},
    ],
    "doctor": [
        {"id": 11, "name": "Ek", "clinic_code": "N"},
        {"id": 12, "name": "Alm", "clinic_code": "S"},
        {"id": 13, "name": "Ek", "clinic_code": "S"},
    ],
    "visit": [
        {"doctor_id": 11, "minutes": 20},
        {"doctor_id": 11, "minutes": 40},
        {"doctor_id": 12, "minutes": 40},
    ],
}
_SCHEMA = Schema(
    kinds=(
        table("clinic", code="text", name="text", town="text"),
        table("doctor", id="integer", name="text", clinic_code="text"),
        table("visit", doctor_id="integer", minutes="integer"),
    ),
    links=(
        Link(kind="doctor", attribute="clinic_code", to_kind="clinic", to_attribute="code"),
        Link(kind="visit", attribute="doctor_id", to_kind="doctor", to_attribute="id"),
    ),
)


def _drawn_up() -> tuple[str, list[Record]]:
    text, records = "", []
    for kind, rows in _ROWS.items():
        for row in rows:
            cells = []
            for name, value in row.items():
                quote = f"{kind} {name} {value}"
                start = len(text)
                text += f"{quote}; "
                cells.append(
                    Cell(
                        attribute=name,
                        value=value,
                        original=str(value),
                        quote=quote,
                        start=start,
                        end=start + len(quote),
                    )
                )
            records.append(Record(kind=kind, document="town", cells=tuple(cells), by="careful"))
    return text, records


TEXT, _RECORDS = _drawn_up()
"""What the records were read from."""


@contextmanager
def held(folder: Path) -> Iterator[AtHand]:
    """Open a store of them."""
    store = RecordStore(folder / "records.sqlite")
    store.write_schema(_SCHEMA)
    store.put("town", "digest", _RECORDS)
    yield AtHand(store=store, tables=store.tables(), documents=1, covered=("town",), failed=())
    store.close()


def reply(plan: Plan) -> QueryReply:
    return QueryReply(why="", answerable=True, missing="", plan=plan, sql=None)
