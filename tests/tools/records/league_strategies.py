"""Random leagues, and random tests and expressions over them."""

from typing import Any

from hypothesis import strategies as st

from agent.records.query_plan import (
    Aggregate,
    AllTests,
    AnyTest,
    Arithmetic,
    Column,
    Compare,
    NotTest,
    Number,
    Related,
)
from tests.tools.records.league import Database, column

NAMES = st.sampled_from(["Ana", "ANA", "Bo", "Émile", "émile", "Straße", "50%", "a_b"])
DATES = st.sampled_from(["2019", "2020", "2020-03", "2020-03-05", "2020-04", "2021-01-31"])
ORDERED = st.sampled_from(["=", "!=", "<", "<=", ">", ">="])


def maybe(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(st.none(), values)


@st.composite
def leagues(draw: st.DrawFn) -> Database:
    teams = draw(st.integers(0, 4))
    players = draw(st.integers(0, 6))
    return {
        "team": [
            {
                "team_id": number,
                "name": draw(maybe(NAMES)),
                "city": draw(maybe(st.sampled_from(["Oslo", "oslo", "Rome"]))),
                "founded": draw(maybe(DATES)),
                "budget": draw(maybe(st.integers(-3, 8).map(float))),
            }
            for number in range(teams)
        ],
        "player": [
            {
                "player_id": number,
                "team_id": draw(maybe(st.integers(0, 4))),
                "name": draw(maybe(NAMES)),
                "age": draw(maybe(st.integers(15, 20))),
                "score": draw(maybe(st.integers(-4, 4).map(lambda each: each / 2))),
                "active": draw(maybe(st.booleans())),
                "joined": draw(maybe(DATES)),
                "skills": draw(st.lists(NAMES, max_size=2, unique=True)),
            }
            for number in range(players)
        ],
        "award": [
            {
                "player_id": draw(maybe(st.integers(0, 6))),
                "title": draw(maybe(NAMES)),
                "prize": draw(maybe(st.integers(0, 3))),
            }
            for _ in range(draw(st.integers(0, 4)))
        ],
    }


NUMBERS = {
    "team": [column("team", "budget")],
    "player": [column("player", "age"), column("player", "score"), column("team", "budget")],
    "award": [column("award", "prize"), column("player", "age"), column("team", "budget")],
}


def numbers(kind: str) -> st.SearchStrategy[Any]:
    leaf = st.sampled_from(NUMBERS[kind]) | st.integers(-2, 2).map(lambda n: Number(number=n))
    return leaf | st.builds(
        Arithmetic, operator=st.sampled_from(["+", "-", "*", "/"]), left=leaf, right=leaf
    )


def compare(left: Column, values: st.SearchStrategy[Any], comparators: Any = ORDERED) -> Any:
    return st.builds(Compare, left=st.just(left), comparator=comparators, value=values)


def comparisons(*, certain: bool) -> st.SearchStrategy[Any]:
    """Return comparisons over any kind; `certain` ones say nothing of other rows or of gaps."""
    text = st.sampled_from(["=", "!=", "contains", "starts_with"])
    texts = [
        compare(each, NAMES.map(str.upper), text)
        for each in (
            column("team", "name"),
            column("player", "name"),
            column("award", "title"),
            column("player", "skills"),
        )
    ]
    dates = [
        compare(each, DATES) for each in (column("team", "founded"), column("player", "joined"))
    ]
    plain = [
        compare(column("player", "age"), st.integers(14, 21).map(float)),
        compare(column("player", "active"), st.booleans(), st.sampled_from(["=", "!="])),
        compare(column("award", "prize"), st.integers(0, 3).map(float)),
        compare(column("team", "budget"), st.integers(-3, 8).map(float)),
    ]
    if certain:
        return st.one_of(*texts, *dates, *plain)
    gaps = st.builds(
        Compare,
        left=st.sampled_from(
            [column("player", "age"), column("player", "skills"), column("team", "name")]
        ),
        comparator=st.sampled_from(["null", "not_null"]),
    )
    average = st.builds(
        Compare,
        left=st.just(column("player", "age")),
        comparator=ORDERED,
        aggregate=st.just(
            Aggregate(operation="avg", of=column("player", "age"), kind="player", where=None)
        ),
    )
    both = st.builds(
        Compare,
        left=st.just(column("player", "age")),
        comparator=ORDERED,
        column=st.just(column("player", "score")),
    )
    return st.one_of(*texts, *dates, *plain, gaps, average, both)


def any_tests(*, certain: bool = False) -> st.SearchStrategy[Any]:
    def deeper(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
        parts = st.lists(inner, max_size=3).map(tuple)
        return (
            st.builds(AllTests, parts=parts)
            | st.builds(AnyTest, parts=parts)
            | st.builds(NotTest, part=inner)
        )

    return st.recursive(comparisons(certain=certain), deeper, max_leaves=4)


@st.composite
def row_tests(draw: st.DrawFn, kind: str, *, certain: bool = False) -> Any:
    """Draw a test of a kind's rows, related records among them."""
    others = [each for each in ("team", "player", "award") if each != kind]
    related = st.builds(
        Related,
        kind=st.sampled_from(others),
        where=st.none() | comparisons(certain=certain),
        at_least=st.integers(0, 2),
        at_most=st.none() | st.just(0) | st.integers(2, 3),
    )
    plain = any_tests(certain=certain)
    return draw(
        st.one_of(
            plain,
            related,
            st.builds(NotTest, part=related),
            st.builds(AllTests, parts=st.tuples(plain, related)),
        )
    )
