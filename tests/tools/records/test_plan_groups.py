"""Tests of groups where joins repeat what is measured."""

from typing import Any

import pytest

from agent.records.query_plan import Column, Having, NotTest, Query, Related, Test
from tests.tools.records.league import SCHEMA, column, having, query, selector_of, when
from tools.records.guarded_select import Selector
from tools.records.plan_compiler import compile_plan, compile_unknown

BUDGET, TEAM = column("team", "budget"), column("team", "name")
PRIZE, SKILLS = column("award", "prize"), column("player", "skills")
PLAYED = column("player", "_document")
LEAGUE = {
    "team": [
        {"team_id": 1, "name": "Ajax", "budget": 5.0},
        {"team_id": 2, "name": "Roma", "budget": 7.0},
    ],
    "player": [
        {"player_id": 1, "team_id": 1, "name": "Ann", "skills": ["Run", "swim"]},
        {"player_id": 2, "team_id": 1, "name": "Bea", "skills": ["run"]},
        {"player_id": 3, "team_id": 2, "name": "Cid", "skills": ["swim"]},
    ],
    "award": [
        {"player_id": 1, "title": "Best", "prize": 10},
        {"player_id": 1, "title": "Fair", "prize": 10},
        {"player_id": 3, "title": "Best", "prize": 12},
    ],
}


@pytest.fixture(scope="module")
def selector(tmp_path_factory: pytest.TempPathFactory) -> Selector:
    return selector_of(LEAGUE, tmp_path_factory.mktemp("league"))


def grouped(operation: str, measure: object, by: Column, *having: Having) -> Query:
    return query("player", operation, measure, group_by=(by,), having=having)


def counted(number: float, test: Test) -> Having:
    return having("count", None, "=", number, where=test)


SWIMS = when(SKILLS, "=", "swim")
AWARDED = Related(kind="award")

ENOUGH = having("count", None, ">=", 2)
CASES: dict[str, tuple[Query, list[tuple[Any, ...]]]] = {
    "documents with enough rows that pass":
        (grouped("list", None, PLAYED, having("count", None, ">=", 2, where=SWIMS)), [("league",)]),
    "a measure of what several records share counts once, the records each":
        (grouped("sum", BUDGET, SKILLS, ENOUGH), [("Run", 5.0), ("swim", 12.0)]),
    "none of a group's rows passes":
        (grouped("list", None, TEAM, counted(0, NotTest(part=AWARDED))), [("Roma",)]),
    "every one passes":
        (grouped("list", None, TEAM, counted(0, NotTest(part=SWIMS))), [("Roma",)]),
    "rows are counted once however joins repeat them":
        (grouped("sum", PRIZE, TEAM, counted(1, AWARDED)), [("Ajax", 20), ("Roma", 12)]),
    "equal measures of several linked records add up":
        (grouped("count", None, TEAM, having("sum", PRIZE, ">", 15)), [("Ajax", 2)]),
    "a result and a test may measure different things":
        (grouped("avg", BUDGET, SKILLS, ENOUGH, having("sum", PRIZE, "=", 32)), [("swim", 6.0)]),
}  # fmt: skip


@pytest.mark.parametrize(("query", "expected"), CASES.values(), ids=CASES)
def test_groups(selector: Selector, query: Query, expected: list[tuple[Any, ...]]) -> None:
    assert list(selector.select(compile_plan(query, SCHEMA))) == expected


def test_rows_that_do_not_state_what_groups_count_are_in_doubt(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    players = [{"player_id": 1, "team_id": 1, "age": 20}, {"player_id": 2, "team_id": 1}]
    selector = selector_of({**LEAGUE, "player": players}, tmp_path_factory.mktemp("doubt"))
    old = when(column("player", "age"), ">", 30)
    teams = (column("player", "team_id"),)
    plan = query("player", "list", group_by=teams, having=(counted(0, old),))
    assert selector.select(compile_plan(plan, SCHEMA)) == ()
    doubted = selector.select(compile_unknown(plan, SCHEMA))
    assert [row[0] for row in doubted] == [2 + len(LEAGUE["team"])]
