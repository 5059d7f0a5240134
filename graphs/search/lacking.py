"""Documents without a field that decides a condition, and what becomes of them."""

from collections.abc import Iterator

from agent.predicates import satisfies
from agent.question import Condition, Interpretation, Node, Not, atoms
from graphs.context import Context
from tools.decisions import field_values

__all__ = ("counted_as", "lacking")


def lacking(reading: Interpretation | None, context: Context) -> dict[str, int]:
    """Return by field how many documents lack it, for the fields that decide a condition."""
    node = reading.conditions if reading else None
    named = [atom.predicate.field for atom in atoms(node) if atom.predicate]
    every = len(context.corpus.documents)
    counts = {name: every - len(field_values(context.corpus, name)) for name in named}
    return {name: count for name, count in counts.items() if count}


def counted_as(field: str, documents: int, reading: Interpretation | None) -> str:
    """Say how documents without a field count: a denied test of it holds of them."""
    count = "counts" if documents == 1 else "count"
    truths = set(_truths(field, reading.conditions if reading else None))
    if len(truths) > 1:
        return f"{count} as not stating it"
    return f"{count} as {'matching, since it is denied' if True in truths else 'not matching'}"


def _truths(field: str, node: Node | None) -> Iterator[bool]:
    """Yield whether each condition on a field, as it is denied or not, holds without the field."""
    match node:
        case None:
            return
        case Condition():
            if node.predicate is not None and node.predicate.field == field:
                yield satisfies(None, node.predicate)
        case Not():
            yield from (not each for each in _truths(field, node.part))
        case _:
            for part in node.parts:
                yield from _truths(field, part)
