"""Which linked records stand behind a row."""

from typing import Any

import pytest

from agent.records.query_plan import AllTests, Compare, NotTest, Query, Related
from tests.tools.records.league import SCHEMA, column, stored
from tools.records.guarded_select import Selector
from tools.records.plan_compiler import compile_links

LEAGUE = {
    "team": [
        {"team_id": 1, "name": "Ajax", "city": "Oslo"},
        {"team_id": 2, "name": "Roma", "city": "Rome"},
    ],
    "player": [
        {"player_id": 1, "team_id": 1, "name": "Ann", "age": 20, "skills": ["run"]},
        {"player_id": 2, "team_id": 1, "name": "Bea", "age": 30, "skills": []},
        {"player_id": 3, "team_id": 2, "name": "Cid", "age": 40, "skills": []},
    ],
    "award": [
        {"player_id": 1, "title": "Best", "prize": 10},
        {"player_id": 1, "title": "Fair", "prize": 20},
        {"player_id": 3, "title": "Best", "prize": 30},
    ],
}
Pairs = dict[str, list[tuple[int, int]]]


@pytest.fixture(scope="module")
def selector(tmp_path_factory: pytest.TempPathFactory) -> Selector:
    path = tmp_path_factory.mktemp("league") / "records.sqlite"
    stored(path, LEAGUE).close()
    return Selector(path)


def numbered(selector: Selector) -> dict[int, int]:
    """Return of each record's id its place within its kind."""
    places = {}
    for kind in LEAGUE:
        ids = selector.run(f"SELECT _record FROM {kind} ORDER BY _record").rows
        places |= {record: place for place, (record,) in enumerate(ids, start=1)}
    return places


def linked(selector: Selector, query: Query, most: int = 20) -> Pairs:
    places = numbered(selector)
    return {
        each.kind: [
            (places[row[0]], places[row[1]]) for row in selector.select(each.statement).rows
        ]
        for each in compile_links(query, SCHEMA, most)
    }


def when(kind: str, name: str, value: Any) -> Compare:
    return Compare(left=column(kind, name), comparator="=", value=value)


def counted(kind: str, where: Any) -> Query:
    return Query(kind=kind, operation="count", where=where)


def test_a_column_of_another_kind_names_its_record(selector: Selector) -> None:
    query = counted("player", when("team", "city", "oslo"))
    assert linked(selector, query) == {"team": [(1, 1), (2, 1)]}


def test_the_path_between_is_named_too(selector: Selector) -> None:
    query = counted("award", when("team", "city", "Oslo"))
    assert linked(selector, query) == {"player": [(1, 1), (2, 1)], "team": [(1, 1), (2, 1)]}


def test_records_that_satisfy_a_test_are_named_and_no_others(selector: Selector) -> None:
    query = counted("team", when("award", "title", "fair"))
    assert linked(selector, query) == {"award": [(1, 2)], "player": [(1, 1)]}


def test_tests_within_tests_have_their_own_records(selector: Selector) -> None:
    inner = Related(kind="award", where=when("award", "title", "Best"))
    query = counted("team", Related(kind="player", where=inner))
    assert linked(selector, query) == {"award": [(1, 1), (2, 3)], "player": [(1, 1), (2, 3)]}


@pytest.mark.parametrize(
    "where",
    [Related(kind="award", at_most=0), NotTest(part=Related(kind="award"))],
    ids=["at most none", "denied"],
)
def test_that_there_is_none_needs_no_record_but_the_row(selector: Selector, where: Any) -> None:
    assert linked(selector, counted("player", where)) == {}


def test_what_is_computed_with_is_named(selector: Selector) -> None:
    query = Query(kind="player", operation="sum", measure=column("award", "prize"))
    assert linked(selector, query) == {"award": [(1, 1), (1, 2), (3, 3)]}


def test_more_than_enough_are_counted(selector: Selector) -> None:
    (links,) = compile_links(counted("player", Related(kind="award")), SCHEMA, most=1)
    rows = selector.select(links.statement).rows
    assert [row[2] for row in rows] == [2, 1]


def test_the_columns_that_link_are_told(selector: Selector) -> None:
    where = AllTests(parts=(when("team", "city", "Oslo"), Related(kind="award")))
    links = {each.kind: each.columns for each in compile_links(counted("player", where), SCHEMA)}
    assert links == {
        "team": (column("player", "team_id"), column("team", "team_id")),
        "award": (column("player", "player_id"), column("award", "player_id")),
    }
