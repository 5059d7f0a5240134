"""Plans evaluated in plain Python over lists of rows: what compiled plans are compared with."""

import itertools
import math
import statistics
from collections.abc import Iterator, Sequence
from typing import Any

from agent.records.query_plan import (
    AllTests,
    AnyTest,
    Arithmetic,
    Column,
    Compare,
    Expression,
    NotTest,
    Number,
    Query,
    Related,
    Test,
)
from tests.tools.records.league import SCHEMA, Database, Row

Env = dict[str, Row]
Truth = bool | None

_UP = {"award": ("player_id", "player"), "player": ("team_id", "team")}
_CHAIN = ("award", "player", "team")


def columns(expression: Expression | None) -> list[Column]:
    if isinstance(expression, Column):
        return [expression]
    if isinstance(expression, Arithmetic):
        return columns(expression.left) + columns(expression.right)
    return []


def is_far(env: Env, base: str, kind: str) -> bool:
    return kind not in env and _CHAIN.index(kind) < _CHAIN.index(base)


def up(database: Database, env: Env, base: str, kind: str) -> Row | None:
    """Follow references from the base's row to a kind of one record."""
    row: Row | None = env[base]
    while base != kind and row is not None:
        key, base_above = _UP[base]
        wanted = row.get(key)
        row = next(
            (each for each in database[base_above] if wanted is not None and each[key] == wanted),
            None,
        )
        base = base_above
    return row


def reached(database: Database, env: Env, base: str, kind: str) -> Iterator[Env]:
    """Yield what one row is linked with, with the rows on the way, once for each way."""
    if _CHAIN.index(kind) > _CHAIN.index(base):
        row = up(database, env, base, kind)
        between = _CHAIN[_CHAIN.index(base) + 1 : _CHAIN.index(kind)]
        if row is not None:
            passed = {each: up(database, env, base, each) for each in between}
            yield {kind: row, **{name: each for name, each in passed.items() if each is not None}}
        return
    below = _CHAIN[_CHAIN.index(base) - 1]
    key, _ = _UP[below]
    for row in database[below]:
        if row.get(key) is not None and row[key] == env[base][key]:
            if below == kind:
                yield {kind: row}
            else:
                for further in reached(database, {**env, below: row}, below, kind):
                    yield {below: row, **further}


def value(database: Database, env: Env, base: str, expression: Expression) -> Any:
    match expression:
        case Number():
            return expression.number
        case Column():
            row = env.get(expression.kind) or up(database, env, base, expression.kind)
            return None if row is None else row.get(expression.attribute)
        case Arithmetic():
            left = value(database, env, base, expression.left)
            right = value(database, env, base, expression.right)
            return arithmetic(expression.operator, left, right)


def arithmetic(operator: str, left: Any, right: Any) -> Any:
    if left is None or right is None:
        return None
    if operator == "/":
        return left / right if right else None
    return {"+": left + right, "-": left - right, "*": left * right}[operator]


def negated(truth: Truth) -> Truth:
    return None if truth is None else not truth


def conjoined(truths: Sequence[Truth]) -> Truth:
    if any(each is False for each in truths):
        return False
    return None if any(each is None for each in truths) else True


def holds(database: Database, env: Env, base: str, test: Test | None) -> Truth:
    match test:
        case None:
            return True
        case Compare():
            return compare(database, env, base, test)
        case Related():
            return related(database, env, base, test)
        case NotTest():
            return negated(holds(database, env, base, test.part))
        case AnyTest():
            parts = [negated(holds(database, env, base, each)) for each in test.parts]
            return negated(conjoined(parts))
        case AllTests():
            return every(database, env, base, test.parts)


def far_kind(env: Env, base: str, test: Test) -> str | None:
    if not isinstance(test, Compare):
        return None
    named = columns(test.left) + columns(test.column)
    return next((each.kind for each in named if is_far(env, base, each.kind)), None)


def every(database: Database, env: Env, base: str, parts: Sequence[Test]) -> Truth:
    far: list[tuple[str, Test]] = []
    near: list[Truth] = []
    for part in parts:
        kind = far_kind(env, base, part)
        if kind is None:
            near.append(holds(database, env, base, part))
        else:
            far.append((kind, part))
    if not far:
        return conjoined(near)
    end = min((kind for kind, _ in far), key=_CHAIN.index)
    together = AllTests(parts=tuple(part for _, part in far)) if len(far) > 1 else far[0][1]
    found = any(
        holds(database, {**env, **extra}, end, together) is True
        for extra in reached(database, env, base, end)
    )
    return conjoined([*near, found])


def related(database: Database, env: Env, base: str, test: Related) -> Truth:
    inside = {kind: row for kind, row in env.items() if kind != test.kind}
    passed = {
        id(extra[test.kind])
        for extra in reached(database, {**inside, base: env[base]}, base, test.kind)
        if holds(database, {**env, **extra}, test.kind, test.where) is True
    }
    most = math.inf if test.at_most is None else test.at_most
    least = 0 if test.at_most == 0 else test.at_least
    return least <= len(passed) <= most


def compare(database: Database, env: Env, base: str, test: Compare) -> Truth:
    far = far_kind(env, base, test)
    if far is not None:
        return every(database, env, base, (test,))
    left = value(database, env, base, test.left)
    right: Any = test.value
    if test.column is not None:
        right = value(database, env, base, test.column)
    if test.aggregate is not None:
        query = Query(
            kind=test.aggregate.kind,
            where=test.aggregate.where,
            operation=test.aggregate.operation,
            measure=test.aggregate.of,
        )
        right = number(database, query)
    if isinstance(test.left, Column) and test.left.attribute == "skills":
        return listed(left or [], test.comparator, right)
    return compared(left, test.comparator, right, is_date(test.left))


def is_date(expression: Expression) -> bool:
    return isinstance(expression, Column) and expression.attribute in ("founded", "joined")


def listed(values: list[str], comparator: str, wanted: Any) -> Truth:
    if comparator in ("null", "not_null"):
        return bool(values) == (comparator == "not_null")
    if not values:
        return None
    if comparator == "!=":
        return not any(compared(each, "=", wanted, dated=False) for each in values)
    return any(compared(each, comparator, wanted, dated=False) for each in values)


def compared(left: Any, comparator: str, right: Any, dated: bool) -> Truth:
    if comparator in ("null", "not_null"):
        return (left is None) == (comparator == "null")
    if left is None or right is None:
        return None
    if dated:
        if len(left) < len(right) and right.startswith(left):
            return None
        left = left[: len(right)]
    elif isinstance(left, str):
        left, right = left.casefold(), str(right).casefold()
    tests = {
        "=": lambda: left == right,
        "!=": lambda: left != right,
        "<": lambda: left < right,
        "<=": lambda: left <= right,
        ">": lambda: left > right,
        ">=": lambda: left >= right,
        "contains": lambda: right in left,
        "starts_with": lambda: left.startswith(right),
    }
    return tests[comparator]()


def passing(database: Database, query: Query) -> list[Env]:
    rows = [{query.kind: row} for row in database[query.kind]]
    return [env for env in rows if holds(database, env, query.kind, query.where) is True]


def reduced(operation: str, values: list[Any]) -> Any:
    stated = [each for each in values if each is not None]
    if operation == "count_distinct":
        return len({key(each) for each in stated})
    if not stated or (operation in ("variance", "stdev") and len(stated) < 2):
        return None
    return {
        "sum": math.fsum,
        "avg": statistics.fmean,
        "min": min,
        "max": max,
        "median": statistics.median,
        "variance": statistics.variance,
        "stdev": statistics.stdev,
    }[operation](stated)


def key(each: Any) -> Any:
    return each.casefold() if isinstance(each, str) else each


def measured(database: Database, query: Query, env: Env) -> Any:
    if query.distinct:
        return value(database, env, query.kind, query.distinct[0])
    return None if query.measure is None else value(database, env, query.kind, query.measure)


def number(database: Database, query: Query) -> Any:
    envs = passing(database, query)
    if query.operation == "count":
        return len(envs)
    return reduced(query.operation, [measured(database, query, env) for env in envs])


def groups(database: Database, query: Query) -> list[tuple[Any, ...]]:
    """Evaluate a query with groups, in the order of the compiled one."""
    [by] = query.group_by
    found: dict[Any, list[Env]] = {}
    for env in passing(database, query):
        name = value(database, env, query.kind, by)
        if name is not None:
            found.setdefault(key(name), []).append(env)
    results = []
    for envs in found.values():
        name = min(value(database, env, query.kind, by) for env in envs)
        counted = len(envs)
        if all(
            compared(counted, each.comparator, each.number, dated=False) for each in query.having
        ):
            values = [measured(database, query, env) for env in envs]
            result = counted if query.operation == "count" else reduced(query.operation, values)
            results.append((name, result))
    results.sort(key=lambda each: each[0])
    if query.order is not None:
        results.sort(key=lambda each: ordering(each[1], query.order == "descending"))
    return results[: query.limit]


def ordering(measure: Any, descending: bool) -> tuple[bool, Any]:
    if measure is None:
        return (True, 0)
    return (False, -measure if descending else measure)


def ranked(database: Database, query: Query) -> list[Row]:
    """Evaluate a list with an order; ties by name, then as stored."""
    [shown] = query.show
    rows = []
    for env in passing(database, query):
        measure = measured(database, query, env)
        if measure is None and query.limit is not None:
            continue
        rows.append((env[query.kind], value(database, env, query.kind, shown), measure))
    rows.sort(key=lambda each: (each[1] is not None, key(each[1]) if each[1] is not None else ""))
    rows.sort(key=lambda each: ordering(each[2], query.order == "descending"))
    return [row for row, _, _ in itertools.islice(rows, query.limit)]


KINDS = {kind.name: kind for kind in SCHEMA.kinds}
