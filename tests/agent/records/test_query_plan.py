"""Columns that a plan needs, the words that it requires, what it denies."""

import pytest

from agent.records.query_plan import (
    Aggregate,
    AllTests,
    AnyTest,
    Arithmetic,
    Column,
    Compare,
    Having,
    NotTest,
    Number,
    Query,
    Related,
    deciding,
    denies,
    measured,
    stated_of,
)


def col(name: str, kind: str = "boat") -> Column:
    return Column(kind=kind, attribute=name)


def is_(name: str, value: str, kind: str = "boat") -> Compare:
    return Compare(left=col(name, kind), comparator="=", value=value)


LONG = Compare(left=col("length"), comparator=">", value=12.0)
WITH_CREW = Related(kind="sailor", where=is_("rank", "mate", "sailor"))


def test_tests_of_every_form_name_their_columns() -> None:
    above = Compare(
        left=Arithmetic(operator="-", left=col("length"), right=Number(number=1)),
        comparator=">",
        aggregate=Aggregate(operation="avg", of=col("length"), kind="boat", where=is_("flag", "x")),
    )
    beside = Compare(left=col("home"), comparator="=", column=col("port"))
    query = Query(
        kind="boat",
        operation="count",
        where=AllTests(parts=(above, AnyTest(parts=(beside, NotTest(part=WITH_CREW))))),
    )
    own = map(col, ("length", "flag", "home", "port"))
    assert deciding(query) == (*own, col("rank", "sailor"))


def test_what_is_computed_names_its_columns() -> None:
    query = Query(
        kind="boat",
        operation="avg",
        measure=col("length"),
        group_by=(col("home"),),
        having=(Having(operation="min", of=col("crew"), comparator=">", number=2),),
    )
    assert measured(query) == tuple(col(each) for each in ("length", "home", "crew"))
    assert deciding(query) == ()


def test_words_are_required_by_equality_and_containment_alone() -> None:
    other = Compare(left=col("home"), comparator="!=", value="Ystad")
    test = AllTests(parts=(is_("flag", "red"), other, LONG, NotTest(part=WITH_CREW)))
    query = Query(kind="boat", operation="count", where=test)
    assert list(stated_of(query)) == [(col("flag"), "red"), (col("rank", "sailor"), "mate")]


@pytest.mark.parametrize(
    ("test", "expected"),
    [
        pytest.param(None, False, id="no test"),
        pytest.param(LONG, False, id="a comparison"),
        pytest.param(NotTest(part=LONG), True, id="a negation"),
        pytest.param(WITH_CREW, False, id="some of another kind"),
        pytest.param(WITH_CREW.model_copy(update={"at_most": 0}), True, id="none of another kind"),
        pytest.param(AllTests(parts=(LONG, NotTest(part=LONG))), True, id="within a conjunction"),
    ],
)
def test_what_is_not_stated_may_pass_under_a_denial(test: object, expected: bool) -> None:
    assert denies(test) is expected  # type: ignore[arg-type]
