"""Columns that a plan needs, the words that it requires, what it denies."""

import pytest

from agent.records.query_plan import (
    AllTests,
    AnyTest,
    Arithmetic,
    Column,
    Compare,
    NotTest,
    Number,
    Related,
    Test,
    deciding,
    denies,
    stated_of,
)
from tests.tools.records.league import aggregate, column, query, when


def col(name: str, kind: str = "boat") -> Column:
    return column(kind, name)


def is_(name: str, value: str, kind: str = "boat") -> Compare:
    return when(col(name, kind), "=", value)


LONG = when(col("length"), ">", 12.0)
WITH_CREW = Related(kind="sailor", where=is_("rank", "mate", "sailor"))


def test_tests_of_every_form_name_their_columns() -> None:
    lower = Arithmetic(operator="-", left=col("length"), right=Number(number=1))
    mean = aggregate("avg", col("length"), "boat", where=is_("flag", "x"))
    above, beside = when(lower, ">", aggregate=mean), when(col("home"), "=", column=col("port"))
    where = AllTests(parts=(above, AnyTest(parts=(beside, NotTest(part=WITH_CREW)))))
    own = map(col, ("length", "flag", "home", "port"))
    assert deciding(query("boat", "count", where=where)) == (*own, col("rank", "sailor"))


def test_words_are_required_by_equality_and_containment_alone() -> None:
    other = when(col("home"), "!=", "Ystad")
    test = AllTests(parts=(is_("flag", "red"), other, LONG, NotTest(part=WITH_CREW)))
    plan = query("boat", "count", where=test)
    assert list(stated_of(plan)) == [(col("flag"), "red"), (col("rank", "sailor"), "mate")]


@pytest.mark.parametrize(
    ("test", "expected"),
    [
        pytest.param(None, False, id="no test"),
        pytest.param(NotTest(part=LONG), True, id="a negation"),
        pytest.param(WITH_CREW.model_copy(update={"at_most": 0}), True, id="none of another kind"),
        pytest.param(AllTests(parts=(LONG, NotTest(part=LONG))), True, id="within a conjunction"),
    ],
)
def test_what_is_not_stated_may_pass_under_a_denial(test: Test | None, expected: bool) -> None:
    assert denies(test) is expected
