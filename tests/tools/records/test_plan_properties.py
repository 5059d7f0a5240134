from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agent.records.query_plan import Having, Plan, Query
from tests.tools.records import naive
from tests.tools.records.league import SCHEMA, Database, column, record
from tests.tools.records.league_strategies import DATES, NAMES, leagues, numbers, row_tests
from tools.records.guarded_select import Selector
from tools.records.plan_compiler import compile_plan, compile_rows, compile_unknown
from tools.records.record_store import RecordStore
from tools.records.sql_terms import Statement

SLOW = settings(max_examples=60, suppress_health_check=list(HealthCheck))
KIND = st.sampled_from(["team", "player", "award"])


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> "League":
    return League(tmp_path_factory.mktemp("league") / "records.sqlite")


class League:
    """One store, whose only document every example replaces."""

    def __init__(self, path: Path) -> None:
        self._store = RecordStore(path)
        self._store.write_schema(SCHEMA)
        self._selector = Selector(path)

    def put(self, database: Database) -> None:
        records = [record(kind, row) for kind, rows in database.items() for row in rows]
        self._store.put("league", "digest", records)

    def rows(self, statement: Statement) -> list[tuple[Any, ...]]:
        return list(self._selector.select(statement).rows)

    def result(self, plan: Plan) -> list[tuple[Any, ...]]:
        return self.rows(compile_plan(plan, SCHEMA))

    def numbers(self, kind: str) -> dict[int, int]:
        """Return the place in the league of each record of a kind."""
        ids = self._selector.run(f'SELECT _record FROM "{kind}" ORDER BY _record').rows
        return {int(str(record)): place for place, (record,) in enumerate(ids)}


@SLOW
@given(database=leagues(), kind=KIND, data=st.data())
def test_counts_are_those_of_plain_python(
    league: League, database: Database, kind: str, data: Any
) -> None:
    query = Query(kind=kind, operation="count", where=data.draw(row_tests(kind)))
    league.put(database)
    [(counted,)] = league.result(query)
    rows = league.rows(compile_rows(query, SCHEMA))
    places = league.numbers(kind)
    passed = naive.passing(database, query)
    assert counted == len(passed)
    assert [database[kind][places[row[0]]] for row in rows] == [env[kind] for env in passed]


@SLOW
@given(database=leagues(), kind=KIND, data=st.data())
def test_numbers_are_those_of_plain_python(
    league: League, database: Database, kind: str, data: Any
) -> None:
    operation = data.draw(
        st.sampled_from(["sum", "avg", "min", "max", "median", "variance", "stdev"])
    )
    measure = data.draw(numbers(kind))
    query = Query(kind=kind, operation=operation, measure=measure, where=data.draw(row_tests(kind)))
    league.put(database)
    [(result,)] = league.result(query)
    assert result == pytest.approx(naive.number(database, query))


@SLOW
@given(database=leagues(), data=st.data())
def test_groups_are_those_of_plain_python(league: League, database: Database, data: Any) -> None:
    having = st.builds(
        Having,
        operation=st.just("count"),
        comparator=st.sampled_from([">", ">=", "<", "="]),
        number=st.integers(0, 3),
    )
    query = Query(
        kind="player",
        operation=data.draw(st.sampled_from(["count", "sum", "max", "avg"])),
        measure=column("player", "age"),
        where=data.draw(st.none() | row_tests("player")),
        group_by=(
            data.draw(
                st.sampled_from(
                    [column("team", "city"), column("player", "name"), column("player", "active")]
                )
            ),
        ),
        having=tuple(data.draw(st.lists(having, max_size=1))),
        order=data.draw(st.sampled_from([None, "ascending", "descending"])),
        limit=data.draw(st.sampled_from([None, 1, 2])),
    )
    league.put(database)
    result = league.result(query)
    expected = naive.groups(database, query)
    assert [name for name, _ in result] == [name for name, _ in expected]
    assert [number for _, number in result] == pytest.approx([number for _, number in expected])


@SLOW
@given(database=leagues(), data=st.data())
def test_ranked_lists_are_those_of_plain_python(
    league: League, database: Database, data: Any
) -> None:
    query = Query(
        kind="player",
        operation="list",
        measure=data.draw(numbers("player")),
        where=data.draw(st.none() | row_tests("player")),
        order=data.draw(st.sampled_from(["ascending", "descending"])),
        limit=data.draw(st.sampled_from([None, 1, 3])),
        show=(column("player", "name"),),
    )
    league.put(database)
    result = league.result(query)
    rows = league.rows(compile_rows(query, SCHEMA))
    places = league.numbers("player")
    expected = naive.ranked(database, query)
    assert [database["player"][places[row[0]]] for row in rows] == expected
    assert [name for name, _ in result] == [row["name"] for row in expected]


@SLOW
@given(database=leagues(), kind=KIND, data=st.data())
def test_whatever_gaps_hold_the_count_stays_within_what_is_unknown(
    league: League, database: Database, kind: str, data: Any
) -> None:
    query = Query(kind=kind, operation="count", where=data.draw(row_tests(kind, certain=True)))
    league.put(database)
    [(counted,)] = league.result(query)
    unknown = league.rows(compile_unknown(query, SCHEMA))
    filled = {
        name: [data.draw(filled_row(name, row)) for row in rows] for name, rows in database.items()
    }
    full = len(naive.passing(filled, query))
    less = sum(passes for _, passes, _ in unknown)
    assert counted - less <= full <= counted + len(unknown) - less


@st.composite
def filled_row(draw: st.DrawFn, kind: str, row: dict[str, Any]) -> dict[str, Any]:
    """Draw a row that states what the other leaves open, but no more references."""
    values: dict[str, st.SearchStrategy[Any]] = {
        "name": NAMES,
        "title": NAMES,
        "city": st.just("Oslo"),
        "budget": st.integers(-3, 8).map(float),
        "age": st.integers(15, 20),
        "score": st.just(1.5),
        "active": st.booleans(),
        "prize": st.integers(0, 3),
        "skills": st.lists(NAMES, min_size=1, max_size=2),
    }
    full = dict(row)
    for name, value in row.items():
        if name in ("joined", "founded"):
            known = value or ""
            full[name] = draw(DATES.filter(lambda each, known=known: each.startswith(known)))  # type: ignore[misc]
        elif value in (None, []) and name in values:
            full[name] = draw(values[name])
    return full
