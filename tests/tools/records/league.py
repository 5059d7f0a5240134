"""A small league: three linked kinds with every type, a list attribute, and gaps."""

from pathlib import Path
from typing import Any

from agent.records.query_plan import Aggregate, Column, Combination, Compare, Having, Plan, Query
from agent.records.record import Cell, Record
from agent.records.record_schema import Attribute, CellValue, Kind, Link, Schema
from tools.records.guarded_select import Selector
from tools.records.plan_results import Result, Results, combined
from tools.records.record_store import RecordStore

Row = dict[str, Any]
Database = dict[str, list[Row]]


def table(name: str, /, *, grain: str = "row", **columns: str) -> Kind:
    """Return a kind by what its columns hold: `number EUR` has a unit, `text *` is a list."""
    made = []
    for each, told in columns.items():
        holds, _, more = told.partition(" ")
        unit = more if more != "*" else None
        made.append({"name": each, "type": holds, "many": more == "*", "unit": unit or None})
    return Kind.model_validate({"name": name, "grain": grain, "attributes": made})


SCHEMA = Schema(
    kinds=(
        table("team", team_id="integer", name="text", city="text", founded="date",
              budget="number EUR"),
        table("player", player_id="integer", team_id="integer", name="text", age="integer",
              score="number", active="boolean", joined="date", skills="text *"),
        table("award", player_id="integer", title="text", prize="integer EUR"),
    ),
    links=(
        Link(kind="player", attribute="team_id", to_kind="team", to_attribute="team_id"),
        Link(kind="award", attribute="player_id", to_kind="player", to_attribute="player_id"),
    ),
)  # fmt: skip
LEAGUE: Database = {
    "team": [
        {"team_id": 1, "name": "Ajax", "city": "Oslo", "founded": "1900-03", "budget": 5.0},
        {"team_id": 2, "name": "Étoile", "city": "OSLO", "founded": "1955-01-09", "budget": 0.0},
        {"team_id": 3, "name": "Roma", "city": None, "founded": "1955", "budget": None},
    ],
    "player": [
        {"player_id": 1, "team_id": 1, "name": "Ann", "age": 20, "skills": ["Run", "swim"]},
        {"player_id": 2, "team_id": 1, "name": "Bea", "age": 30, "skills": ["run"]},
        {"player_id": 3, "team_id": 2, "name": "Cid", "age": 40, "skills": []},
        {"player_id": 4, "team_id": None, "name": "Dan", "age": None, "skills": ["chess"]},
    ],
    "award": [
        {"player_id": 1, "title": "Best", "prize": 10},
        {"player_id": 1, "title": "Fair", "prize": 10},
        {"player_id": 2, "title": "Best", "prize": 30},
    ],
}


def column(kind: str, name: str) -> Column:
    return Column(kind=kind, attribute=name)


def query(kind: str, operation: str, measure: object = None, **told: Any) -> Query:
    return Query.model_validate({"kind": kind, "operation": operation, "measure": measure, **told})


def when(left: object, comparator: str, value: object = None, **than: Any) -> Compare:
    return Compare.model_validate({"left": left, "comparator": comparator, "value": value, **than})


def aggregate(operation: str, of: object, kind: str, where: object = None) -> Aggregate:
    told = {"operation": operation, "of": of, "kind": kind, "where": where}
    return Aggregate.model_validate(told)


def having(operation: str, of: object, comparator: str, number: float, **told: Any) -> Having:
    given = {"operation": operation, "of": of, "comparator": comparator, "number": number}
    return Having.model_validate(given | told)


def kind(name: str, *attributes: str, **more: Any) -> Kind:
    """Return a kind of texts."""
    own = tuple(Attribute(name=each, type="text") for each in attributes)
    return Kind(name=name, attributes=own, **more)


def record(kind: str, row: Row, document: str = "league", label: str = "") -> Record:
    cells: list[Cell] = []
    for name, value in row.items():
        values: list[CellValue] = value if isinstance(value, list) else [value]
        cells += [Cell(attribute=name, value=each, original=str(each)) for each in values]
    return Record(kind=kind, document=document, label=label, cells=tuple(cells))


def selector_of(database: Database, folder: Path) -> Selector:
    """Return who reads a database that is stored in a folder."""
    stored(folder / "records.sqlite", database).close()
    return Selector(folder / "records.sqlite")


def stored(path: Path, database: Database, schema: Schema = SCHEMA) -> RecordStore:
    store = RecordStore(path)
    store.write_schema(schema)
    records = [record(kind, row) for kind, rows in database.items() for row in rows]
    store.put("league", "digest", records)
    store.tables()
    return store


def result_of(plan: Plan, selector: Selector, schema: Schema = SCHEMA) -> Result:
    results = Results(schema, selector.select)
    if isinstance(plan, Query):
        return results.of(plan)
    return combined(plan, results.of(plan.left), results.of(plan.right))


def rows_of(plan: Plan, selector: Selector, schema: Schema = SCHEMA) -> list[tuple[Any, ...]]:
    """Return what a plan comes to: its number, or each item's name and, if it has one, number."""
    result = result_of(plan, selector, schema)
    if isinstance(plan, Combination) or not (plan.group_by or plan.operation == "list"):
        return [(result.value,)]
    plain = plan.operation == "list" and plan.measure is None
    return [(each.name,) if plain else (each.name, each.value) for each in result.items]
