"""Where each condition matters: of conditions joined by AND, the rarest is looked for first."""

from dataclasses import dataclass

from pyroaring import BitMap

from agent.question import AllOf, AnyOf, Condition, Interpretation, Node, Not, atoms, verdict
from agent.state import State
from graphs.context import Context
from graphs.scope import ledger, open_conditions, within
from graphs.search.condition_evaluator import ConditionEvaluator
from tools.decisions import chunks_of

_RARER = 3
"""How many times fewer documents a pivot has than every other part."""
_SURE = 2
"""Documents below which a part's number says nothing yet."""


def pivot_of(state: State, context: Context) -> tuple[str, ...]:
    """Return the ids of the conditions to be looked for everywhere; empty where all are.

    Of several parts joined by AND, one that was found in far fewer documents than the others is
    the pivot: they matter only in the documents that satisfy it. Nothing is known before anything
    was read, and under a negation nothing can be left out.
    """
    reading = state.interpretation
    if reading is None or not state.rounds:
        return ()
    if not counts_documents(reading):
        return ()
    parts = [part for part in _parts(reading.conditions) if _texts(part)]
    if len(parts) < 2:
        return ()
    evaluator = ConditionEvaluator(state, context)
    counted = sorted((len(_satisfying(part, evaluator)), at) for at, part in enumerate(parts))
    (fewest, rarest), (next_, _) = counted[:2]
    if next_ < _RARER * max(fewest, _SURE):
        return ()
    return tuple(each.id for each in _texts(parts[rarest]))


def mattering(pivot: tuple[str, ...], state: State, context: Context) -> dict[str, BitMap]:
    """Return by open condition the chunks in which it matters, for a pivot."""
    base = within(state, context)
    texts = [condition.id for condition in open_conditions(state)]
    if not pivot or state.interpretation is None:
        return dict.fromkeys(texts, base)
    parts = _parts(state.interpretation.conditions)
    wanted = next(part for part in parts if {each.id for each in _texts(part)} == set(pivot))
    documents = _satisfying(wanted, ConditionEvaluator(state, context))
    found = chunks_of(context.corpus, documents) & base
    return {each: base if each in pivot else found for each in texts}


def counts_documents(reading: Interpretation) -> bool:
    """Tell whether documents are counted, and more reading can only add some."""
    documents = reading.grain == "document" and not reading.entity_field
    return documents and not unmatches(reading.conditions)


def unmatches(node: Node | None) -> bool:
    """Tell whether text that nobody read could make the conditions false."""
    match node:
        case Not():
            return not all(atom.by_code for atom in atoms(node))
        case AllOf() | AnyOf():
            return any(unmatches(part) for part in node.parts)
        case _:
            return False


def _parts(node: Node | None) -> tuple[Node, ...]:
    """Return what is joined by AND at the top."""
    if node is None:
        return ()
    return node.parts if isinstance(node, AllOf) else (node,)


def _texts(node: Node) -> list[Condition]:
    return [atom for atom in atoms(node) if not atom.by_code]


def _satisfying(part: Node, evaluator: ConditionEvaluator) -> list[int]:
    """Return the documents that satisfy a part by what was found."""
    return [
        document
        for document in evaluator.candidates
        if verdict(part, evaluator.of_document(document, borderline=True, unread=False)) is True
    ]


_CANDIDATE = "a candidate that was not read"


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchProgress:
    """The chunks that can matter, by how far their reading has come."""

    pivot: tuple[str, ...]
    """The conditions that matter everywhere; empty where all do."""
    where: dict[str, BitMap]
    """By condition, the chunks in which it matters."""
    relevant: BitMap
    """Judged yes on a condition where it matters."""
    judged: BitMap
    """Judged on every condition."""
    closed: BitMap
    """Sent and brought back without a verdict on some condition: failed, or unparsable twice."""
    unread: BitMap
    """Never judged: ruled out by a filter or by rank, or not reached yet."""
    reasons: dict[str, BitMap]
    """The unread by why they were not read; disjoint."""

    @classmethod
    def of(
        cls, state: State, context: Context, pivot: tuple[str, ...] | None = None
    ) -> "SearchProgress":
        """Read the ledger of the reading being answered.

        `pivot` is the one to count relevant chunks by; None is the current one.
        """
        pivot = pivot_of(state, context) if pivot is None else pivot
        where = mattering(pivot, state, context)
        book = ledger(state, context)
        texts = [condition.id for condition in open_conditions(state)]
        base = within(state, context)
        relevant, closed = BitMap(), BitMap()
        judged = base.copy()
        for each in texts:
            yes, no = book.ids(each, "yes"), book.ids(each, "no")
            relevant |= yes & where[each]
            judged &= yes | no
            closed |= book.ids(each, "failed") | book.ids(each, "unparsable")
        closed &= base
        unread = base - judged - closed
        reasons: dict[str, BitMap] = {}
        left = unread
        for step in state.history:
            ruled_out = left & BitMap().union(*(book.pruned_by(step.round, each) for each in texts))
            if ruled_out:
                reasons[f"{step.call.tool} in round {step.round}"] = ruled_out
                left = left - ruled_out
        if left:
            reasons[_CANDIDATE] = left
        return cls(
            pivot=pivot,
            where=where,
            relevant=relevant & base,
            judged=judged,
            closed=closed,
            unread=unread,
            reasons=reasons,
        )
