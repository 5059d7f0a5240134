"""What a count could still become: exact three-valued logic over what was not decided."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping

from agent.question import AllOf, AnyOf, Condition, Node, Not, atoms

__all__ = ("bounds", "open_conditions", "possible_truths")

Truth = bool | None


def open_conditions(
    undecided: Mapping[str, Iterable[int]], entity_of: Callable[[int], str]
) -> dict[str, frozenset[str]]:
    """Return, for each entity, the conditions that chunks without a verdict may yet make true.

    Args:
        undecided: condition id → chunks that were not or could not be judged.
        entity_of: the entity that a chunk speaks of: its document's name.
    """
    found: dict[str, set[str]] = {}
    for condition, chunks in undecided.items():
        for entity in {entity_of(chunk) for chunk in chunks}:
            found.setdefault(entity, set()).add(condition)
    return {entity: frozenset(conditions) for entity, conditions in found.items()}


def bounds(
    conditions: Node | None,
    truth: Mapping[str, Mapping[str, bool]],
    undecided: Mapping[str, Collection[str]],
    *,
    unnamed: int = 0,
) -> tuple[int, int]:
    """Return how many entities surely satisfy the conditions, and how many possibly do.

    A condition found true of an entity stays true; one that is not may turn true where it is
    undecided; evidence never makes a condition false, but under NOT it can take an entity away.

    Args:
        conditions: the question's tree.
        truth: entity → condition id → whether evidence was found; what is absent is false.
        undecided: entity → ids of conditions that may yet turn true; entities of which nothing is
            known so far may be among them.
        unnamed: further entities that undecided chunks might name, counted as possible only.
    """
    kinds = Counter(
        _kind(truth.get(entity, {}), undecided.get(entity, ())) for entity in {**truth, **undecided}
    )
    surely = possibly = 0
    for (true, may_turn), count in kinds.items():
        outcomes = possible_truths(conditions, true, may_turn)
        surely += count * (outcomes == {True})
        possibly += count * (True in outcomes)
    return surely, possibly + unnamed


def possible_truths(
    conditions: Node | None, true: Collection[str], undecided: Collection[str]
) -> frozenset[bool]:
    """Return the values the tree can take when the undecided conditions are set in every way.

    Three-valued logic is exact only while no undecided atom stands twice: `a or not a` is true.
    So atoms that repeat are tried both ways, and only the others are left unknown.

    >>> a = Condition(id="a", text="")
    >>> possible_truths(AnyOf(parts=(a, Not(part=a))), (), ("a",))
    frozenset({True})
    """
    counts = Counter(atom.id for atom in atoms(conditions))
    repeated = next((each for each in sorted(undecided) if counts[each] > 1), None)
    if repeated is not None:
        rest = [each for each in undecided if each != repeated]
        return possible_truths(conditions, [*true, repeated], rest) | possible_truths(
            conditions, true, rest
        )
    value = _three_valued(conditions, true, undecided)
    return frozenset({True, False} if value is None else {value})


def _kind(
    known: Mapping[str, bool], undecided: Collection[str]
) -> tuple[frozenset[str], frozenset[str]]:
    true = frozenset(condition for condition, value in known.items() if value)
    return true, frozenset(undecided) - true


def _three_valued(node: Node | None, true: Collection[str], undecided: Collection[str]) -> Truth:
    """Evaluate with Kleene's tables; None is unknown."""
    match node:
        case None:
            return True
        case Condition():
            return True if node.id in true else None if node.id in undecided else False
        case Not():
            part = _three_valued(node.part, true, undecided)
            return None if part is None else not part
        case AllOf():
            return _all([_three_valued(part, true, undecided) for part in node.parts])
        case AnyOf():
            denied = [_three_valued(part, true, undecided) for part in node.parts]
            value = _all([None if part is None else not part for part in denied])
            return None if value is None else not value


def _all(parts: Collection[Truth]) -> Truth:
    if False in parts:
        return False
    return None if None in parts else True
