"""Conditions while they are drawn up: a tree without ids, then the reply's atoms and logic."""

from collections.abc import Sequence

from agent.question import AllOf, AnyOf, Comparison, Condition, Node, Not, Predicate, atoms
from agent.replies import AtomReply

__all__ = ("all_of", "any_of", "decided", "either_of", "expression", "negated", "numbered", "said")


def all_of(parts: Sequence[Node | None]) -> Node | None:
    """Join by and what is not None."""
    present = [part for part in parts if part is not None]
    flat = [each for part in present for each in (part.parts if part.kind == "and" else (part,))]
    return flat[0] if len(flat) == 1 else AllOf(parts=tuple(flat)) if flat else None


def any_of(parts: Sequence[Node | None]) -> Node | None:
    """Join by or what is not None."""
    present = [part for part in parts if part is not None]
    flat = [each for part in present for each in (part.parts if part.kind == "or" else (part,))]
    return flat[0] if len(flat) == 1 else AnyOf(parts=tuple(flat)) if flat else None


def either_of(node: Node | None) -> Node | None:
    """Return `one of two, not both` for `one or the other`; None where it is not of two."""
    predicate = node.predicate if isinstance(node, Condition) else None
    if predicate is not None and len(predicate.values) == 2 and predicate.comparison != "between":
        one = [
            decided(predicate.field, predicate.comparison, [each], length=predicate.of == "length")
            for each in predicate.values
        ]
        return either_of(any_of(one))
    if not isinstance(node, AnyOf) or len(node.parts) != 2:
        return None
    return all_of([node, Not(part=AllOf(parts=node.parts))])


def negated(node: Node) -> Node:
    """Deny a tree; a test of existence is turned around instead."""
    if isinstance(node, Not):
        return node.part
    predicate = node.predicate if isinstance(node, Condition) else None
    if predicate is not None and predicate.comparison == "exists":
        absent = "false" not in predicate.values
        return decided(predicate.field, "exists", ("false",) if absent else ())
    return Not(part=node)


_SAID: dict[Comparison, str] = {
    "is": "is",
    "contains": "contains",
    "at_least": "is at least",
    "at_most": "is at most",
    "more_than": "is more than",
    "less_than": "is less than",
    "between": "is between",
    "exists": "is given",
}


def decided(
    field: str, comparison: Comparison, values: Sequence[str] = (), *, length: bool = False
) -> Condition:
    """Return a condition that a metadata field decides."""
    joined = " and ".join(values) if comparison == "between" else " or ".join(values)
    subject = f"the number of {field} items" if length else field
    text = f"{subject} {_SAID[comparison]} {joined}".rstrip()
    if comparison == "exists":
        text = f"{field} is {'not given' if values else 'given'}"
    return Condition(
        id="",
        text=text,
        predicate=Predicate(
            field=field,
            comparison=comparison,
            values=tuple(values),
            of="length" if length else "value",
        ),
    )


def said(node: Node | None) -> str:
    """Say a tree in words, for the restated question."""
    match node:
        case None:
            return ""
        case Condition():
            return node.text
        case Not():
            return f"not ({said(node.part)})"
        case AllOf():
            return " and ".join(_grouped(part) for part in node.parts)
        case AnyOf():
            return " or ".join(_grouped(part) for part in node.parts)


def _grouped(node: Node) -> str:
    return f"({said(node)})" if isinstance(node, AllOf | AnyOf) else said(node)


def numbered(node: Node | None) -> Node | None:
    """Give the atoms the ids c1, c2, … from left to right."""
    order = iter(f"c{number}" for number in range(1, sum(1 for _ in atoms(node)) + 1))

    def renamed(part: Node) -> Node:
        match part:
            case Condition():
                return part.model_copy(update={"id": next(order)})
            case Not():
                return Not(part=renamed(part.part))
            case AllOf() | AnyOf():
                return part.model_copy(
                    update={"parts": tuple(renamed(each) for each in part.parts)}
                )

    return None if node is None else renamed(node)


def expression(node: Node | None) -> tuple[list[AtomReply], str]:
    """Return the reply's atoms and its logic for a numbered tree."""
    return [_atom(each) for each in atoms(node)], "" if node is None else _logic(node)


def _logic(node: Node) -> str:
    match node:
        case Condition():
            return node.id
        case Not():
            return f"not {_bracketed(node.part)}"
        case AllOf():
            return " and ".join(_bracketed(part) for part in node.parts)
        case AnyOf():
            return " or ".join(_bracketed(part) for part in node.parts)


def _bracketed(node: Node) -> str:
    return f"({_logic(node)})" if isinstance(node, AllOf | AnyOf) else _logic(node)


def _atom(condition: Condition) -> AtomReply:
    predicate = condition.predicate
    return AtomReply(
        id=condition.id,
        text=condition.text,
        counts=list(condition.counts),
        excludes=list(condition.excludes),
        terms=list(condition.terms),
        field=predicate.field if predicate else None,
        comparison=predicate.comparison if predicate else None,
        values=list(predicate.values) if predicate else [],
        of=predicate.of if predicate else "value",
    )
