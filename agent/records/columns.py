"""Which columns a plan needs: of its tests, of what it computes, of how it shows rows."""

from collections.abc import Iterator

from agent.records.plan import (
    Aggregate,
    AllTests,
    AnyTest,
    Arithmetic,
    Column,
    Combination,
    Compare,
    Expression,
    NotTest,
    Number,
    Plan,
    Query,
    Related,
    Test,
)

__all__ = (
    "columns_of",
    "constants_of",
    "deciding",
    "denies",
    "measured",
    "queries_of",
    "stated_of",
    "tests_of",
)


def queries_of(plan: Plan) -> tuple[Query, ...]:
    """Return the queries that a plan consists of."""
    return (plan.left, plan.right) if isinstance(plan, Combination) else (plan,)


def columns_of(plan: Plan) -> tuple[Column, ...]:
    """Return every column that a plan names, each once."""
    return tuple(
        dict.fromkeys(
            column
            for query in queries_of(plan)
            for column in (*deciding(query), *measured(query), *query.show)
        )
    )


def deciding(query: Query) -> tuple[Column, ...]:
    """Return the columns that decide which rows pass, those of linked kinds too."""
    return tuple(dict.fromkeys(each for test in tests_of(query) for each in _of_test(test)))


def tests_of(query: Query) -> tuple[Test, ...]:
    """Return the tests of a query's rows: which pass, and which of them are counted in groups."""
    tests = (query.where, *(each.where for each in query.having))
    return tuple(each for each in tests if each is not None)


def measured(query: Query) -> tuple[Column, ...]:
    """Return the columns that are counted, computed with, grouped or ordered by."""
    change = () if query.change is None else (*query.change.key, query.change.period)
    of_groups = (column for each in query.having for column in _of(each.of))
    found = (*_of(query.measure), *query.distinct, *query.group_by, *of_groups, *change)
    return tuple(dict.fromkeys(found))


def stated_of(query: Query) -> Iterator[tuple[Column, str]]:
    """Yield the words that the tests of a query require of columns."""
    for test in tests_of(query):
        yield from constants_of(test)


def constants_of(test: Test | None) -> Iterator[tuple[Column, str]]:
    """Yield the words that a column is required to equal or to contain."""
    match test:
        case Compare(left=Column() as column, value=str() as value):
            if test.comparator in {"=", "contains", "starts_with"}:
                yield column, value
        case AllTests() | AnyTest():
            for part in test.parts:
                yield from constants_of(part)
        case NotTest():
            yield from constants_of(test.part)
        case Related():
            yield from constants_of(test.where)


def denies(test: Test | None) -> bool:
    """Tell whether some row may pass because of what is not stated."""
    match test:
        case NotTest():
            return True
        case Related():
            return test.at_most is not None or denies(test.where)
        case AllTests() | AnyTest():
            return any(denies(part) for part in test.parts)
        case _:
            return False


def _of_test(test: Test | None) -> Iterator[Column]:
    match test:
        case AllTests() | AnyTest():
            for part in test.parts:
                yield from _of_test(part)
        case NotTest():
            yield from _of_test(test.part)
        case Related():
            yield from _of_test(test.where)
        case Compare():
            yield from _of(test.left)
            yield from (test.column,) if test.column else ()
            yield from _of_aggregate(test.aggregate)


def _of_aggregate(aggregate: Aggregate | None) -> Iterator[Column]:
    if aggregate is not None:
        yield from _of(aggregate.of)
        yield from _of_test(aggregate.where)


def _of(expression: Expression | None) -> Iterator[Column]:
    match expression:
        case Column():
            yield expression
        case Arithmetic():
            yield from _of(expression.left)
            yield from _of(expression.right)
        case Number() | None:
            return
