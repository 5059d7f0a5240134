"""Tests that stand within tests: how long their SQL is, how deep it may be."""

import pytest

from agent.errors import QueryError
from agent.records.query_plan import Query, Related, Test
from tests.tools.records.league import SCHEMA, aggregate, column, query, selector_of, when
from tools.records.guarded_select import Selector
from tools.records.plan_compiler import compile_plan, compile_unknown


@pytest.fixture(scope="module")
def selector(tmp_path_factory: pytest.TempPathFactory) -> Selector:
    database = {"team": [{"team_id": 1, "name": "Ajax"}]}
    return selector_of(database, tmp_path_factory.mktemp("league"))


def deep(levels: int, most: int | None = None) -> Query:
    """Ask for teams with a player with an award with a player …."""
    last = "player" if levels % 2 else "award"
    name = "age" if levels % 2 else "prize"
    where: Test = when(column(last, name), ">", 1)
    for level in range(levels, 0, -1):
        where = Related(kind="player" if level % 2 else "award", where=where, at_most=most)
    return query("team", "count", where=where)


@pytest.mark.parametrize("most", [None, 0, 3])
def test_tests_in_tests_grow_the_statement_by_their_number(most: int | None) -> None:
    lengths = [len(compile_unknown(deep(levels, most), SCHEMA).sql) for levels in (2, 4, 6)]
    assert lengths[2] - lengths[1] < 1.5 * (lengths[1] - lengths[0])


def test_tests_six_deep_can_be_run(selector: Selector) -> None:
    for statement in (compile_plan(deep(6), SCHEMA), compile_unknown(deep(6), SCHEMA)):
        assert len(selector.select(statement)) <= 1


def test_tests_too_deep_are_refused_with_what_to_do(selector: Selector) -> None:
    with pytest.raises(QueryError, match="ask for fewer steps"):
        selector.select(compile_plan(deep(30), SCHEMA))


def test_an_aggregate_within_aggregates_is_compiled_once() -> None:
    """Each level compiled twice would be a million for twenty levels."""
    age = column("player", "age")
    where = when(age, ">", 1)
    for _ in range(20):
        mean = aggregate("avg", age, "player", where=where)
        where = when(age, ">", aggregate=mean)
    plan = query("player", "count", where=where)
    assert compile_plan(plan, SCHEMA).sql.count("AVG(") == 20
    assert compile_unknown(plan, SCHEMA).sql.count("AVG(") <= 60
