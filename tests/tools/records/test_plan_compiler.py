import re
from pathlib import Path
from typing import Any

import pytest

from agent.errors import QueryError
from agent.records.query_plan import (
    Aggregate,
    AllTests,
    Arithmetic,
    Combination,
    Compare,
    Elapsed,
    FirstStated,
    Having,
    NotTest,
    Number,
    Plan,
    Query,
    Related,
    measured,
)
from agent.records.record_schema import Attribute, AttributeType, Kind, Schema
from tests.tools.records.league import SCHEMA, column, selector_of, stored
from tools.records.guarded_select import Selector
from tools.records.plan_compiler import compile_plan, compile_unknown

FOUNDED, BUDGET = column("team", "founded"), column("team", "budget")
TITLE = column("award", "title")
AGE, NAME, SKILLS = column("player", "age"), column("player", "name"), column("player", "skills")
CITY, TEAM, PRIZE = column("team", "city"), column("team", "name"), column("award", "prize")

LEAGUE = {
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
        {"player_id": 1, "title": "Fair", "prize": 20},
        {"player_id": 2, "title": "Best", "prize": 30},
    ],
}


@pytest.fixture(scope="module")
def selector(tmp_path_factory: pytest.TempPathFactory) -> Selector:
    return selector_of(LEAGUE, tmp_path_factory.mktemp("league"))


def when(left: Any, comparator: Any, value: Any = None) -> Compare:
    return Compare(left=left, comparator=comparator, value=value)


def counted(kind: str, where: Any) -> Query:
    return Query(kind=kind, operation="count", where=where)


PLANS: dict[str, tuple[Plan, list[tuple[Any, ...]]]] = {
    "text without case": (counted("team", when(TEAM, "=", "ÉTOILE")), [(1,)]),
    "text that is a number": (counted("team", when(TEAM, "=", 225.0)), [(0,)]),
    "wildcards are letters": (counted("team", when(TEAM, "contains", "%")), [(0,)]),
    "a year holds its days": (
        counted("team", when(FOUNDED, "=", "1955")),
        [(2,)],
    ),
    "after a year begins with the next": (
        counted("team", when(FOUNDED, ">", 1900.0)),
        [(2,)],
    ),
    "a mere year may be any of its days": (
        counted("team", when(FOUNDED, "!=", "1955-01-09")),
        [(1,)],
    ),
    "any value of a list": (counted("player", when(SKILLS, "=", "RUN")), [(2,)]),
    "two values of a list": (
        counted("player", AllTests(parts=(when(SKILLS, "=", "run"), when(SKILLS, "=", "swim")))),
        [(1,)],
    ),
    "no value of a list": (counted("player", when(SKILLS, "!=", "run")), [(1,)]),
    "no list at all": (counted("player", when(SKILLS, "null")), [(1,)]),
    "a list of linked records": (counted("team", when(SKILLS, "=", "swim")), [(1,)]),
    "one linked record that passes both": (
        counted("team", AllTests(parts=(when(NAME, "=", "ann"), when(AGE, "=", 30.0)))),
        [(0,)],
    ),
    "one way through two kinds": (
        counted("team", AllTests(parts=(when(NAME, "=", "ann"), when(PRIZE, ">", 25.0)))),
        [(0,)],
    ),
    "none related": (counted("team", Related(kind="player", at_most=0)), [(1,)]),
    "two or more related": (counted("team", Related(kind="player", at_least=2)), [(1,)]),
    "at most one related": (counted("team", Related(kind="player", at_most=1)), [(2,)]),
    "not related two kinds away": (
        counted("team", NotTest(part=Related(kind="award", where=when(PRIZE, ">=", 30.0)))),
        [(2,)],
    ),
    "above the average": (
        counted(
            "player",
            Compare(
                left=AGE,
                comparator=">",
                aggregate=Aggregate(operation="avg", of=AGE, kind="player"),
            ),
        ),
        [(1,)],
    ),
    "above the median of some": (
        counted(
            "player",
            Compare(
                left=AGE,
                comparator=">=",
                aggregate=Aggregate(
                    operation="median", of=AGE, kind="player", where=when(CITY, "=", "oslo")
                ),
            ),
        ),
        [(2,)],
    ),
    "a measure two kinds up": (
        Query(kind="award", operation="sum", measure=BUDGET),
        [(15.0,)],
    ),
    "a measure of linked records, each once": (
        Query(kind="team", operation="sum", measure=AGE, where=when(CITY, "=", "oslo")),
        [(90,)],
    ),
    "a record once, however many are joined": (
        Query(kind="team", operation="count", group_by=(TITLE,)),
        [("Best", 1), ("Fair", 1)],
    ),
    "an own measure once for each group": (
        Query(kind="player", operation="sum", measure=AGE, group_by=(TITLE,)),
        [("Best", 50), ("Fair", 20)],
    ),
    "groups without case": (
        Query(kind="team", operation="count", group_by=(CITY,)),
        [("OSLO", 2)],
    ),
    "groups of a list's values": (
        Query(kind="player", operation="count", group_by=(SKILLS,), order="descending"),
        [("Run", 2), ("chess", 1), ("swim", 1)],
    ),
    "groups kept by their average": (
        Query(
            kind="player",
            operation="list",
            group_by=(TEAM,),
            having=(Having(operation="avg", of=AGE, comparator=">", number=30),),
        ),
        [("Étoile",)],
    ),
    "groups by two columns": (
        Query(
            kind="award", operation="max", measure=PRIZE, group_by=(TEAM, NAME), order="descending"
        ),
        [("Ajax", "Bea", 30), ("Ajax", "Ann", 20)],
    ),
    "different values": (Query(kind="team", operation="count_distinct", distinct=(CITY,)), [(1,)]),
    "different pairs": (
        Query(kind="award", operation="count_distinct", distinct=(NAME, TITLE)),
        [(3,)],
    ),
    "each value once": (
        Query(kind="award", operation="list", distinct=(TITLE,)),
        [("Best",), ("Fair",)],
    ),
    "a list shows what names its rows": (
        Query(kind="player", operation="list", where=when(AGE, "null")),
        [("Dan",)],
    ),
    "nulls come last": (
        Query(kind="player", operation="list", measure=AGE, order="ascending"),
        [("Ann", 20), ("Bea", 30), ("Cid", 40), ("Dan", None)],
    ),
    "a measure does not name its row": (
        Query(kind="player", operation="list", measure=AGE, order="ascending", show=(NAME, AGE)),
        [("Ann", 20), ("Bea", 30), ("Cid", 40), ("Dan", None)],
    ),
    "a list by name": (
        Query(kind="team", operation="list", order="descending", show=(TEAM,), limit=2),
        [("Étoile",), ("Roma",)],
    ),
    "a list with linked names": (
        Query(kind="player", operation="list", show=(NAME, TEAM), where=when(AGE, "<", 40.0)),
        [("Ann", "Ajax"), ("Bea", "Ajax")],
    ),
    "the average of the first two": (
        Query(kind="player", operation="avg", measure=AGE, order="descending", limit=2),
        [(35.0,)],
    ),
    "a division by nothing is nothing": (
        Query(
            kind="team",
            operation="list",
            measure=Arithmetic(operator="/", left=Number(number=10), right=BUDGET),
            order="descending",
            show=(TEAM,),
        ),
        [("Ajax", 2.0), ("Roma", None), ("Étoile", None)],
    ),
    "whole numbers divide to fractions": (
        Query(
            kind="player",
            operation="min",
            measure=Arithmetic(operator="/", left=AGE, right=Number(number=3)),
        ),
        [(20 / 3,)],
    ),
    "a share of all": (
        Combination(
            operator="/",
            left=counted("player", when(AGE, ">", 25.0)),
            right=counted("player", None),
        ),
        [(0.5,)],
    ),
    "a growth from nothing": (
        Combination(
            operator="growth",
            left=counted("player", None),
            right=counted("player", when(AGE, ">", 99.0)),
        ),
        [(None,)],
    ),
    "how many more": (
        Combination(operator="-", left=counted("player", None), right=counted("team", None)),
        [(1,)],
    ),
}


@pytest.mark.parametrize(("plan", "rows"), PLANS.values(), ids=PLANS)
def test_a_plan_gives(selector: Selector, plan: Plan, rows: list[tuple[Any, ...]]) -> None:
    assert list(selector.select(compile_plan(plan, SCHEMA)).rows) == rows


WRONG: dict[str, tuple[Plan, str]] = {
    "kind": (counted("plyer", None), "did you mean 'player'"),
    "attribute": (
        Query(kind="player", operation="sum", measure=column("player", "agee")),
        "'player' has no attribute 'agee'; did you mean 'age'",
    ),
    "kind of a column": (
        counted("player", when(column("club", "x"), "=", 1.0)),
        "no kind 'club'",
    ),
    "average of text": (Query(kind="player", operation="avg", measure=NAME), "is text; numbers"),
    "least of text": (
        Query(kind="player", operation="min", measure=NAME),
        "numbers, dates or times",
    ),
    "arithmetic with text": (
        Query(
            kind="player",
            operation="sum",
            measure=Arithmetic(operator="+", left=AGE, right=NAME),
        ),
        "'name' is text",
    ),
    "text for a number": (counted("player", when(AGE, ">", "old")), "'old' is none"),
    "number for an order of texts": (counted("player", when(NAME, ">", 3.0)), "holds text"),
    "no date": (counted("team", when(FOUNDED, ">", "last May")), "YYYY-MM-DD"),
    "no truth": (counted("player", when(column("player", "active"), "=", "maybe")), "neither"),
    "words in a number": (counted("player", when(AGE, "contains", "2")), "compares text"),
    "two types": (
        counted("player", Compare(left=AGE, comparator="=", column=NAME)),
        "cannot be compared",
    ),
    "nothing to compare with": (counted("player", when(AGE, ">")), "compared with nothing"),
    "no measure": (Query(kind="player", operation="sum"), "needs a measure"),
    "the time between numbers": (
        Query(
            kind="player",
            operation="max",
            measure=Elapsed(start=column("player", "joined"), end=AGE, unit="days"),
        ),
        "elapsed needs dates or times, and 'age' is integer",
    ),
    "the first of two types": (
        Query(kind="player", operation="max", measure=FirstStated(of=(AGE, NAME))),
        "'age' is integer, 'name' is text",
    ),
    "the first of two measures": (
        Query(
            kind="team",
            operation="sum",
            measure=FirstStated(of=(BUDGET, Elapsed(start=FOUNDED, end=FOUNDED, unit="days"))),
        ),
        "'first_stated' of 'days' and 'EUR'",
    ),
    "nothing distinct": (
        Query(kind="player", operation="count_distinct"),
        "values of what",
    ),
    "having without groups": (
        Query(
            kind="player",
            operation="count",
            having=(Having(operation="count", comparator=">", number=1),),
        ),
        "need group_by",
    ),
    "having of nothing": (
        Query(
            kind="player",
            operation="count",
            group_by=(NAME,),
            having=(Having(operation="avg", comparator=">", number=1),),
        ),
        "needs `of`",
    ),
    "limit of none": (
        Query(kind="player", operation="list", limit=0),
        "the limit is 0",
    ),
    "at most fewer than at least": (
        counted("team", Related(kind="player", at_least=3, at_most=2)),
        "no number is both",
    ),
    "a combination of lists": (
        Combination(
            operator="-", left=Query(kind="team", operation="list"), right=counted("team", None)
        ),
        "two numbers",
    ),
    "a way that is not there": (
        counted("team", Related(kind="player", through="captain")),
        "uses the attribute 'captain'",
    ),
}


@pytest.mark.parametrize(("plan", "message"), WRONG.values(), ids=WRONG)
def test_a_wrong_plan_says_what_would_do(plan: Plan, message: str) -> None:
    with pytest.raises(QueryError, match=re.escape(message)):
        compile_plan(plan, SCHEMA)


def test_the_first_value_stated_and_the_time_between_two_come_to_one_unit(tmp_path: Path) -> None:
    types: dict[str, AttributeType] = {
        "site": "text", "length": "number", "begun": "time", "over": "time", "times": "integer",
    }  # fmt: skip
    columns = [Attribute(name=name, type=type_) for name, type_ in types.items()]
    columns[1] = columns[1].model_copy(update={"unit": "minutes"})
    columns.append(Attribute(name="each", type="number", unit="hours"))
    stop = Kind(name="stop", grain="row", attributes=tuple(columns))
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
    query = Query(kind="stop", operation="sum", measure=lasted, group_by=(column("stop", "site"),))
    schema = store.tables().schema
    statement = compile_plan(query, schema)
    assert Selector(store.path).select(statement).rows == (("a", 75.0), ("b", 120.0))
    assert statement.outputs[-1].unit == "minutes"
    unknown = Selector(store.path).select(compile_unknown(query, schema))
    assert unknown.rows == ((5, True, False),)
    assert measured(query, alone=True) == (column("stop", "site"),)


def test_units_go_along_where_they_mean_something() -> None:
    prize = Query(kind="award", operation="sum", measure=PRIZE)
    [total] = compile_plan(prize, SCHEMA).outputs
    ratio = Combination(operator="/", left=prize, right=prize)
    [share] = compile_plan(ratio, SCHEMA).outputs
    [variance] = compile_plan(
        Query(kind="award", operation="variance", measure=PRIZE), SCHEMA
    ).outputs
    assert (total.unit, share.unit, variance.unit) == ("EUR", None, None)


def test_what_is_not_stated_is_named_row_by_row(selector: Selector) -> None:
    query = Query(kind="player", operation="avg", measure=AGE, where=when(CITY, "=", "oslo"))
    assert selector.select(compile_unknown(query, SCHEMA)).rows == ((7, False, False),)
    by_age = Query(kind="team", operation="count", group_by=(AGE,))
    assert selector.select(compile_unknown(by_age, SCHEMA)).rows == ()
    young = counted("team", Related(kind="player", where=when(AGE, "<", 18.0), at_most=0))
    assert selector.select(compile_unknown(young, SCHEMA)).rows == ()


def test_a_text_that_is_none_is_refused_even_where_its_test_falls_away() -> None:
    where = Related(kind="player", where=when(column("player", "name"), "=", "A\ud800"), at_least=0)
    with pytest.raises(QueryError, match="half of a surrogate pair"):
        compile_plan(counted("team", where), SCHEMA)
