import re
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from agent.errors import QueryError
from agent.records.query_plan import (
    AllTests,
    Arithmetic,
    Column,
    Combination,
    Elapsed,
    FirstStated,
    Having,
    NotTest,
    Number,
    Plan,
    Query,
    Related,
    Test,
    measured,
)
from agent.records.record_schema import Schema
from tests.tools.records.league import (
    LEAGUE,
    SCHEMA,
    aggregate,
    column,
    having,
    query,
    result_of,
    rows_of,
    selector_of,
    stored,
    table,
    when,
)
from tools.records.guarded_select import Selector
from tools.records.plan_results import Results, combined
from tools.records.sql_terms import Statement

FOUNDED, BUDGET = column("team", "founded"), column("team", "budget")
TITLE = column("award", "title")
AGE, NAME, SKILLS = column("player", "age"), column("player", "name"), column("player", "skills")
CITY, TEAM, PRIZE = column("team", "city"), column("team", "name"), column("award", "prize")


@pytest.fixture(scope="module")
def selector(tmp_path_factory: pytest.TempPathFactory) -> Selector:
    return selector_of(LEAGUE, tmp_path_factory.mktemp("league"))


def counted(kind: str, *tests: Test) -> Query:
    where = AllTests(parts=tests) if len(tests) > 1 else next(iter(tests), None)
    return query(kind, "count", where=where)


MEAN = aggregate("avg", AGE, "player")
MEDIAN = aggregate("median", AGE, "player", where=when(CITY, "=", "oslo"))
AGES = [("Ann", 20), ("Bea", 30), ("Cid", 40), ("Dan", None)]
OLD = counted("player", when(AGE, ">", 25.0))
PER_BUDGET = Arithmetic(operator="/", left=Number(number=10), right=BUDGET)


PLANS: dict[str, tuple[Plan, list[tuple[Any, ...]]]] = {
    "text without accents": (counted("team", when(TEAM, "=", "etoile")), [(1,)]),
    "wildcards are letters": (counted("team", when(TEAM, "contains", "%")), [(0,)]),
    "a year holds its days": (counted("team", when(FOUNDED, "=", "1955")), [(2,)]),
    "a mere year may be any of its days":
        (counted("team", when(FOUNDED, "!=", "1955-01-09")), [(1,)]),
    "any value of a list": (counted("player", when(SKILLS, "=", "RUN")), [(2,)]),
    "two values of a list":
        (counted("player", when(SKILLS, "=", "run"), when(SKILLS, "=", "swim")), [(1,)]),
    "no value of a list": (counted("player", when(SKILLS, "!=", "run")), [(1,)]),
    "one linked record that passes both":
        (counted("team", when(NAME, "=", "ann"), when(AGE, "=", 30.0)), [(0,)]),
    "one way through two kinds":
        (counted("team", when(NAME, "=", "ann"), when(PRIZE, ">", 25.0)), [(0,)]),
    "at most one related": (counted("team", Related(kind="player", at_most=1)), [(2,)]),
    "not related two kinds away": (
        counted("team", NotTest(part=Related(kind="award", where=when(PRIZE, ">=", 30.0)))),
        [(2,)],
    ),
    "above the average": (counted("player", when(AGE, ">", aggregate=MEAN)), [(1,)]),
    "above the median of some": (counted("player", when(AGE, ">=", aggregate=MEDIAN)), [(2,)]),
    "a measure of linked records, each once":
        (query("team", "sum", AGE, where=when(CITY, "=", "oslo")), [(90,)]),
    "a record once, however many are joined":
        (query("team", "count", group_by=(TITLE,)), [("Best", 1), ("Fair", 1)]),
    "an own measure once for each group":
        (query("player", "sum", AGE, group_by=(TITLE,)), [("Best", 50), ("Fair", 20)]),
    "groups of a list's values": (
        query("player", "count", group_by=(SKILLS,), order="descending"),
        [("Run", 2), ("chess", 1), ("swim", 1)],
    ),
    "groups kept by their average": (
        query("player", "list", group_by=(TEAM,), having=(having("avg", AGE, ">", 30),)),
        [("Étoile",)],
    ),
    "groups by two columns": (
        query("award", "max", PRIZE, group_by=(TEAM, NAME), order="descending"),
        [("Ajax, Bea", 30), ("Ajax, Ann", 10)],
    ),
    "different values": (query("team", "count_distinct", distinct=(CITY,)), [(1,)]),
    "a list shows what names its rows":
        (query("player", "list", where=when(AGE, "null")), [("Dan",)]),
    "a measure does not name its row":
        (query("player", "list", AGE, order="ascending", show=(NAME, AGE)), AGES),
    "a list by name": (
        query("team", "list", order="descending", show=(TEAM,), limit=2),
        [("Étoile",), ("Roma",)],
    ),
    "a list with linked names": (
        query("player", "list", show=(NAME, TEAM), where=when(AGE, "<", 40.0)),
        [("Ann, Ajax",), ("Bea, Ajax",)],
    ),
    "the average of the first two":
        (query("player", "avg", AGE, order="descending", limit=2), [(35.0,)]),
    "a division by nothing is nothing": (
        query("team", "list", PER_BUDGET, order="descending", show=(TEAM,)),
        [("Ajax", 2.0), ("Roma", None), ("Étoile", None)],
    ),
    "a share of all": (Combination(operator="/", left=OLD, right=counted("player")), [(0.5,)]),
    "a growth from nothing": (
        Combination(operator="growth", left=OLD, right=counted("player", when(AGE, ">", 99.0))),
        [(None,)],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("plan", "rows"), PLANS.values(), ids=PLANS)
def test_a_plan_gives(selector: Selector, plan: Plan, rows: list[tuple[Any, ...]]) -> None:
    assert rows_of(plan, selector) == rows


NO_TIME = Elapsed(start=FOUNDED, end=FOUNDED, unit="days")
WRONG: dict[str, tuple[Plan, str]] = {
    "kind": (counted("plyer"), "did you mean 'player'"),
    "attribute": (query("player", "sum", column("player", "agee")),
                  "'player' has no attribute 'agee'; did you mean 'age'"),
    "average of text": (query("player", "avg", NAME), "is text; numbers"),
    "text for a number": (counted("player", when(AGE, ">", "old")), "'old' is none"),
    "no date": (counted("team", when(FOUNDED, ">", "last May")), "YYYY-MM-DD"),
    "two types": (counted("player", when(AGE, "=", column=NAME)), "cannot be compared"),
    "nothing to compare with": (counted("player", when(AGE, ">")), "compared with nothing"),
    "no measure": (query("player", "sum"), "needs a measure"),
    "the time between numbers": (
        query("player", "max", Elapsed(start=column("player", "joined"), end=AGE, unit="days")),
        "elapsed needs dates or times, and 'age' is integer",
    ),
    "the first of two types":
        (query("player", "max", FirstStated(of=(AGE, NAME))), "'age' is integer, 'name' is text"),
    "the first of two measures":
        (query("team", "sum", FirstStated(of=(BUDGET, NO_TIME))), "'first_stated' of 'days' and"),
    "having of nothing": (
        query("player", "count", group_by=(NAME,), having=(having("avg", None, ">", 1),)),
        "needs `of`",
    ),
    "at most fewer than at least":
        (counted("team", Related(kind="player", at_least=3, at_most=2)), "no number is both"),
    "a combination of lists": (
        Combination(operator="-", left=query("team", "list"), right=counted("team")),
        "two numbers",
    ),
    "a way that is not there": (
        counted("team", Related(kind="player", through="captain")),
        "uses the attribute 'captain'",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("plan", "message"), WRONG.values(), ids=WRONG)
def test_a_wrong_plan_says_what_would_do(selector: Selector, plan: Plan, message: str) -> None:
    with pytest.raises(QueryError, match=re.escape(message)):
        result_of(plan, selector)


def test_the_first_value_stated_and_the_time_between_two_come_to_one_unit(tmp_path: Path) -> None:
    stop = table("stop", site="text", length="number minutes", begun="time", over="time",
                 times="integer", each="number hours")  # fmt: skip
    rows = [
        {"site": "a", "length": 30.0},
        {"site": "a", "begun": "2023-01-14 02:10", "over": "2023-01-14 02:55"},
        {"site": "b", "begun": "23:50", "over": "00:20"},
        {"site": "b", "times": 3, "each": 0.5},
        {"site": "b", "begun": "12:00"},
    ]
    store = stored(tmp_path / "r.sqlite", {"stop": rows}, Schema(kinds=(stop,)))
    length, times, each, begun, over = (
        column("stop", name) for name in ("length", "times", "each", "begun", "over")
    )
    in_all = Arithmetic(operator="*", left=times, right=each)
    between = Elapsed(start=begun, end=over, unit="hours")
    lasted = FirstStated(of=(length, in_all, between))
    total = query("stop", "sum", lasted, group_by=(column("stop", "site"),))
    schema, selector = store.tables().schema, Selector(store.path)
    assert rows_of(total, selector, schema) == [("a", 75.0), ("b", 120.0)]
    assert result_of(total, selector, schema).unit == "minutes"
    assert Results(schema, selector.select).in_doubt(total) == {5: True}
    assert measured(total, alone=True) == (column("stop", "site"),)


def test_times_are_compared_by_what_both_state(tmp_path: Path) -> None:
    schema = Schema(kinds=(table("visit", at="time"),))
    rows = [{"at": each} for each in ("2018-03-21 14:05", "2018-03-21 06:30:10", "2018-03-22")]
    store = stored(tmp_path / "records.sqlite", {"visit": rows}, schema)
    later = query("visit", "count", where=when(column("visit", "at"), ">", "2018-03-21T06:30"))
    assert rows_of(later, Selector(store.path), schema) == [(2,)]


DEAL = Schema(kinds=(table("deal", euros="number EUR", dollars="number USD", bare="number"),))


@pytest.mark.parametrize(
    ("operator", "other", "told"),
    [
        ("+", "dollars", "different units"),
        ("-", "dollars", "different units"),
        ("growth", "dollars", "different units"),
        ("/", "dollars", ""),
        ("-", "euros", ""),
        ("-", "bare", ""),
    ],
)
def test_numbers_of_different_units_have_a_ratio_only(operator: Any, other: str, told: str) -> None:
    empty = Results(DEAL, lambda _: ())
    euros, beside = column("deal", "euros"), column("deal", other)
    left, right = (query("deal", "sum", each) for each in (euros, beside))
    plan = Combination(operator=operator, left=left, right=right)
    with pytest.raises(QueryError, match=told) if told else nullcontext():
        combined(plan, empty.of(left), empty.of(right))
    if operator != "growth":
        measure = Arithmetic(operator=operator, left=euros, right=beside)
        with pytest.raises(QueryError, match=told) if told else nullcontext():
            empty.of(query("deal", "sum", measure))


def test_units_go_along_where_they_mean_something(selector: Selector) -> None:
    prize = query("award", "sum", PRIZE)
    ratio = Combination(operator="/", left=prize, right=prize)
    plans = (prize, ratio, query("award", "variance", PRIZE))
    assert [result_of(each, selector).unit for each in plans] == ["EUR", None, None]


def test_what_is_not_stated_is_named_row_by_row(selector: Selector) -> None:
    results = Results(SCHEMA, selector.select)
    plan = query("player", "avg", AGE, where=when(CITY, "=", "oslo"))
    assert results.in_doubt(plan) == {7: False}
    assert results.in_doubt(query("team", "count", group_by=(AGE,))) == {}
    young = counted("team", Related(kind="player", where=when(AGE, "<", 18.0), at_most=0))
    assert results.in_doubt(young) == {}


def test_sums_are_exact_beyond_what_sqlite_holds(tmp_path: Path) -> None:
    selector = selector_of({"award": [{"prize": 2**62 + 1}] * 4}, tmp_path)
    assert rows_of(query("award", "sum", PRIZE), selector) == [(2**64 + 4,)]
    points = [{"player_id": 1, "score": each} for each in (0.1, 0.2, 0.3, 1e16, -1e16)]
    selector = selector_of({"player": points}, tmp_path / "players")
    assert rows_of(query("player", "sum", column("player", "score")), selector) == [(0.6,)]


PLAYED = column("player", "_document")


def grouped(operation: str, measure: object, by: Column, *having: Having) -> Query:
    return query("player", operation, measure, group_by=(by,), having=having)


def holding(number: float, test: Test) -> Having:
    return having("count", None, "=", number, where=test)


RUNS = when(SKILLS, "=", "run")
AWARDED = Related(kind="award")

ENOUGH = having("count", None, ">=", 2)
GROUPS: dict[str, tuple[Query, list[tuple[Any, ...]]]] = {
    "documents with enough rows that pass":
        (grouped("list", None, PLAYED, having("count", None, ">=", 2, where=RUNS)), [("league",)]),
    "a measure of what several records share counts once, the records each":
        (grouped("sum", BUDGET, SKILLS, ENOUGH), [("Run", 5.0)]),
    "enough different values, whatever their case":
        (grouped("list", None, TEAM, having("count_distinct", SKILLS, ">=", 2)), [("Ajax",)]),
    "none of a group's rows passes":
        (grouped("list", None, TEAM, holding(0, AWARDED)), [("Étoile",)]),
    "every one passes":
        (grouped("list", None, TEAM, holding(0, NotTest(part=RUNS))), [("Ajax",)]),
    "rows are counted once however joins repeat them":
        (grouped("sum", PRIZE, TEAM, holding(2, AWARDED)), [("Ajax", 50)]),
    "equal measures of several linked records add up":
        (grouped("count", None, TEAM, having("sum", PRIZE, ">", 45)), [("Ajax", 2)]),
    "a result and a test may measure different things":
        (grouped("avg", BUDGET, SKILLS, ENOUGH, having("sum", PRIZE, "=", 50)), [("Run", 5.0)]),
}  # fmt: skip


@pytest.mark.parametrize(("query", "expected"), GROUPS.values(), ids=GROUPS)
def test_groups_where_joins_repeat_what_is_measured(
    selector: Selector, query: Query, expected: list[tuple[Any, ...]]
) -> None:
    assert rows_of(query, selector) == expected


def test_rows_that_do_not_state_what_groups_count_are_in_doubt(tmp_path: Path) -> None:
    players = [{"player_id": 1, "team_id": 1, "age": 20}, {"player_id": 2, "team_id": 1}]
    selector = selector_of({**LEAGUE, "player": players}, tmp_path)
    old = when(AGE, ">", 30)
    teams = (column("player", "team_id"),)
    plan = query("player", "list", group_by=teams, having=(holding(0, old),))
    assert rows_of(plan, selector) == []
    assert [*Results(SCHEMA, selector.select).in_doubt(plan)] == [2 + len(LEAGUE["team"])]
    for test in (having("count_distinct", AGE, "<=", 1), having("avg", AGE, "<", 30)):
        plan = query("player", "list", group_by=teams, having=(test,))
        assert rows_of(plan, selector) == [("1",)]
        assert [*Results(SCHEMA, selector.select).in_doubt(plan)] == [2 + len(LEAGUE["team"])]


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
    def length(levels: int) -> int:
        sent: list[Statement] = []
        Results(SCHEMA, lambda each: sent.append(each) or ()).in_doubt(deep(levels, most))
        return len(sent[0].sql)

    assert length(6) - length(4) < 1.5 * (length(4) - length(2))


def test_tests_may_be_six_deep_and_those_too_deep_are_refused_with_what_to_do(
    selector: Selector,
) -> None:
    results = Results(SCHEMA, selector.select)
    assert results.of(deep(6)).value == 1
    assert len(results.in_doubt(deep(6))) <= 1
    with pytest.raises(QueryError, match="ask for fewer steps"):
        results.of(deep(30))


def test_an_aggregate_within_aggregates_is_computed_once(selector: Selector) -> None:
    """Each level computed twice would be a million for twenty levels."""
    sent: list[Statement] = []

    def select(statement: Statement) -> Sequence[tuple[Any, ...]]:
        sent.append(statement)
        return selector.select(statement)

    where = when(AGE, ">", 1)
    for _ in range(20):
        mean = aggregate("avg", AGE, "player", where=where)
        where = when(AGE, ">", aggregate=mean)
    results = Results(SCHEMA, select)
    results.of(query("player", "count", where=where))
    results.in_doubt(query("player", "count", where=where))
    assert len(sent) == 22
