"""Conditions on several kinds put together as one test of the rows asked for."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from agent.reasoners.rules.records.querying.paths import Hop, Paths
from agent.records.query_plan import AllTests, AnyTest, Compare, NotTest, Related, Test

__all__ = ("Condition", "Unlinked", "assemble")


_FAR: Final = 2
"""How many kinds between two may be left unnamed: a table that links them, and one more."""


class Unlinked(Exception):
    """A kind that a condition is about is not linked to the kind asked for."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.kind = kind


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition on the rows of one kind, or that there are such rows at all."""

    kind: str
    at: int
    """Index of the token where it is said."""
    test: Test | None = None
    """None where it is enough that there is a row."""
    scope: int = 0
    """The negation that it stands in; 0 for none."""
    group: int = 0
    """The alternatives that it is one of; 0 for none."""
    at_least: int = 1
    at_most: int | None = None


@dataclass(slots=True)
class _Node:
    tests: list[Test] = field(default_factory=list)
    at_least: int = 1
    at_most: int | None = None
    below: dict[Hop, "_Node"] = field(default_factory=dict)


def assemble(
    base: str, conditions: Sequence[Condition], paths: Paths, liked: Collection[str]
) -> Test | None:
    """Return the test of the rows of `base`.

    Conditions on one other kind are about the same row of it, unless they ask one column for two
    values. What stands in a negation must not be found together; alternatives stand for
    themselves.

    Raises:
        Unlinked: a kind cannot be reached.
    """
    parts: list[Test] = []
    plain = [each for each in conditions if not each.scope and not each.group]
    for row in _rows(base, plain):
        parts += _parts(base, row, paths, liked)
    for number in dict.fromkeys(each.group for each in conditions if each.group):
        options = [each for each in conditions if each.group == number]
        parts.append(_either(base, options, paths, liked))
    for number in dict.fromkeys(each.scope for each in conditions if each.scope):
        denied = [each for each in conditions if each.scope == number and not each.group]
        test = _signed(base, denied, paths, liked) if denied else None
        parts += [test] if test is not None else []
    return _all(parts)


def _rows(base: str, conditions: Sequence[Condition]) -> list[list[Condition]]:
    """Part conditions that one row of another kind cannot satisfy together."""
    rows: list[list[Condition]] = [[]]
    for condition in conditions:
        fits = next((row for row in rows if not _clash(base, row, condition)), None)
        if fits is None:
            rows.append([condition])
        else:
            fits.append(condition)
    return rows


def _clash(base: str, row: Iterable[Condition], other: Condition) -> bool:
    if other.kind == base:
        return False
    return any(
        isinstance(each.test, Compare)
        and isinstance(other.test, Compare)
        and each.test.left == other.test.left
        and each.test.comparator == other.test.comparator == "="
        for each in row
    )


def _either(base: str, options: Sequence[Condition], paths: Paths, liked: Collection[str]) -> Test:
    """Return alternatives; a negation before all of them denies every one."""
    scopes = {each.scope for each in options}
    together = len(scopes) == 1 and 0 not in scopes
    if together:
        options = [replace(each, scope=0) for each in options]
    tests = [_signed(base, [each], paths, liked) for each in options]
    whole = AnyTest(parts=tuple(each for each in tests if each is not None))
    return NotTest(part=whole) if together else whole


def _signed(
    base: str, conditions: Sequence[Condition], paths: Paths, liked: Collection[str]
) -> Test | None:
    parts = _parts(base, conditions, paths, liked)
    if not any(each.scope for each in conditions):
        return _all(parts)
    if len(parts) == 1 and isinstance(parts[0], Related) and parts[0].at_most is None:
        return parts[0].model_copy(update={"at_least": 0, "at_most": parts[0].at_least - 1})
    whole = _all(parts)
    return NotTest(part=whole) if whole is not None else None


def _parts(
    base: str, conditions: Sequence[Condition], paths: Paths, liked: Collection[str]
) -> list[Test]:
    """Return the tests of one row: its own, and of the rows linked to it."""
    root = _Node()
    for condition in conditions:
        node = root
        hops = paths.path(base, condition.kind, liked)
        if hops is None or sum(hop.kind not in liked for hop in hops[:-1]) > _FAR:
            raise Unlinked(condition.kind)
        if len(hops) > 1 and (condition.at_least != 1 or condition.at_most is not None):
            hops = [Hop(condition.kind, None, forward=False)]
        for hop in hops:
            node = node.below.setdefault(hop, _Node())
        node.tests += [condition.test] if condition.test is not None else []
        node.at_least = max(node.at_least, condition.at_least)
        node.at_most = condition.at_most if condition.at_most is not None else node.at_most
    return _tests(root)


def _tests(node: _Node) -> list[Test]:
    return list(node.tests) + [
        Related(
            kind=hop.kind,
            where=_all(_tests(below)),
            at_least=below.at_least if below.at_most is None else 0,
            at_most=below.at_most,
            through=hop.through,
        )
        for hop, below in node.below.items()
    ]


def _all(parts: Sequence[Test]) -> Test | None:
    if len(parts) < 2:
        return parts[0] if parts else None
    return AllTests(parts=tuple(parts))
