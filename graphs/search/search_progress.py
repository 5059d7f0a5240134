"""How far reading has come, where conditions matter, and what past audits say now."""

from dataclasses import dataclass

from pyroaring import BitMap

from agent.coverage import Audit
from agent.evidence import Finding
from agent.question import AllOf, AnyOf, Condition, Interpretation, Node, Not, atoms, verdict
from agent.state import State
from graphs.context import Context
from graphs.scope import asked_in, ledger, scope, within
from graphs.search.condition_evaluator import ConditionEvaluator
from tools.audit import Drawn, Look, look_at
from tools.decisions import chunks_of, documents_of
from tools.filters.searchable import ids

_RARER = 3
"""How many times fewer documents a pivot has than every other part."""
_SURE = 2
"""Documents below which a part's number says nothing yet."""
_LITTLE = 3
"""Documents that match, or passages of things named, below which a search has found little."""
_EARLY = 8
"""Rounds after which it counts as a rare thing, not as a search that has not found its way."""


def pivot_of(state: State, context: Context) -> tuple[str, ...]:
    """Return the ids of the conditions to be looked for everywhere; empty where all are.

    Of several parts joined by AND, one that was found in far fewer documents than the others is
    the pivot: they matter only in the documents that satisfy it.
    """
    reading = state.interpreted
    if not state.rounds or not counts_documents(reading):
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
    asked = asked_in(state, context)
    if not pivot:
        return asked
    parts = _parts(state.interpreted.conditions)
    wanted = next(part for part in parts if {each.id for each in _texts(part)} == set(pivot))
    documents = _satisfying(wanted, ConditionEvaluator(state, context))
    found = chunks_of(context.corpus, documents)
    return {each: chunks if each in pivot else chunks & found for each, chunks in asked.items()}


def settled(state: State, context: Context) -> BitMap:
    """Return the chunks of documents of which it is certain whether they match."""
    if not settles_documents(state.interpreted, state):
        return BitMap()
    return chunks_of(context.corpus, ConditionEvaluator(state, context).decided())


def found_little(state: State, context: Context) -> bool:
    """Tell whether the first rounds have found next to nothing of what is asked for."""
    done = [each.hits for each in state.rounds if each.hits is not None]
    if not 0 < len(done) <= _EARLY:
        return False
    if state.interpreted.grain == "document":
        return len(ConditionEvaluator(state, context).matching()) < _LITTLE
    return sum(done) < _LITTLE


def settles_documents(reading: Interpretation, state: State) -> bool:
    """Tell whether a document needs no more reading once it is certain whether it matches.

    Not where its texts tell a number or places to be counted, where conditions hold of an item
    over all its documents, or where readings are searched together.
    """
    of_texts = reading.measure is not None and not reading.measure.field
    return reading.grain == "document" and not (of_texts or reading.across or state.readings)


def counts_documents(reading: Interpretation) -> bool:
    """Tell whether documents are counted, and more reading can only add some."""
    documents = reading.grain == "document" and not reading.entity_field
    return documents and not unmatches(reading.conditions)


def unmatches(node: Node | None) -> bool:
    """Tell whether text that nobody read could make the conditions false."""
    if isinstance(node, Not):
        return not all(atom.by_code for atom in atoms(node))
    return isinstance(node, AllOf | AnyOf) and any(map(unmatches, node.parts))


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


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchProgress:
    """The chunks that can matter, by how far their reading has come."""

    pivot: tuple[str, ...]
    """The conditions that matter everywhere; empty where all do."""
    where: dict[str, BitMap]
    """By condition, the chunks in which it matters, but for those of settled documents."""
    relevant: BitMap
    """Judged yes on a condition where it matters."""
    judged: BitMap
    """Judged on every condition that is asked of them."""
    closed: BitMap
    """Sent and brought back without a verdict on some condition: failed, or unparsable twice."""
    unread: BitMap
    """Never judged: ruled out by a filter or by rank, or not reached yet; not the settled ones."""
    settled: BitMap
    """Not judged, since their documents are settled without them."""
    reasons: dict[str, BitMap]
    """The unread by why they were not read; disjoint."""

    @classmethod
    def of(
        cls, state: State, context: Context, pivot: tuple[str, ...] | None = None
    ) -> "SearchProgress":
        """Read the ledger, counting relevant chunks by a pivot; None is the current one."""
        pivot = pivot_of(state, context) if pivot is None else pivot
        where = mattering(pivot, state, context)
        book = ledger(state, context)
        base, asked = within(state, context), asked_in(state, context)
        decided = base - BitMap().union(*asked.values()) if asked else BitMap()
        relevant, closed, judged = BitMap(), BitMap(), base - decided
        for each in asked:
            relevant |= book.ids(each, "yes") & where[each]
            judged &= book.judged(each) | (base - asked[each])
            closed |= book.ids(each, "failed") | book.ids(each, "unparsable")
        done = settled(state, context) | decided
        closed = (closed & base) - done
        unread = base - judged - closed - done
        reasons: dict[str, BitMap] = {}
        left = unread
        for step in state.history:
            ruled_out = left & BitMap().union(*(book.pruned_by(step.round, each) for each in asked))
            if ruled_out:
                reasons[f"{step.call.tool} in round {step.round}"] = ruled_out
                left = left - ruled_out
        if left:
            reasons["a candidate that was not read"] = left
        return cls(
            pivot=pivot,
            where={each: chunks - done for each, chunks in where.items()},
            settled=(done & base) - judged,
            relevant=relevant & base,
            judged=judged,
            closed=closed,
            unread=unread,
            reasons=reasons,
        )


def news(chosen: BitMap, reading: SearchProgress, state: State, context: Context) -> int:
    """Count the chunks that told something new where it matters; of documents, what came first.

    That is the first evidence for a condition, and the first that is certain.
    """
    if not settles_documents(state.interpreted, state):
        return len(chosen & reading.relevant)
    where = mattering(reading.pivot, state, context)
    found = [
        each
        for each in context.store.findings(scope(state))
        if each.chunk in where.get(each.condition, ())
    ]
    known = {_told(each) for each in found if each.chunk not in chosen}
    fresh: dict[tuple[str, str, bool], int] = {}
    for each in found:
        certain = (each.document, each.condition, True)
        if each.chunk in chosen and not known & {_told(each), certain}:
            fresh.setdefault(_told(each), each.chunk)
    return len(set(fresh.values()))


def _told(finding: Finding) -> tuple[str, str, bool]:
    return finding.document, finding.condition, finding.certainty == "certain"


@dataclass(frozen=True, slots=True)
class PastAudits:
    """The audits of a reading, counted with what is known now."""

    state: State
    context: Context

    def samples(self) -> BitMap:
        """Return all chunks that were drawn."""
        strata = (each for audit in self.state.audits for each in audit.strata)
        return BitMap().union(*(self.context.store.ids(each.sample) for each in strata))

    def chunks(self, audit: Audit) -> Look:
        """Return an audit as counts of relevant chunks."""
        kept = self.context.store.ids
        return self._look(audit, kept(audit.relevant), len(kept(audit.closed)))

    def documents(self, audit: Audit) -> Look:
        """Return an audit as counts of matching documents."""
        corpus, kept = self.context.corpus, self.context.store.ids
        matched, closed = kept(audit.matched), documents_of(corpus, kept(audit.closed))
        owner = corpus.chunk_document.tolist()
        return self._look(audit, matched, len(closed - matched), owner)

    def _look(
        self, audit: Audit, known: BitMap, out_of_reach: int, document: list[int] | None = None
    ) -> Look:
        kept = self.context.store.ids
        drawn = [
            Drawn(
                reasons=each.reasons, chunks=ids(kept(each.chunks)), sample=ids(kept(each.sample))
            )
            for each in audit.strata
        ]
        reading = SearchProgress.of(self.state, self.context, audit.pivot)
        sample = BitMap.union(*(BitMap(each.sample) for each in drawn))
        return look_at(
            drawn,
            hits=list(reading.relevant),
            failed=list(sample - reading.judged - reading.relevant),
            known=list(known),
            document=document,
            out_of_reach=out_of_reach,
        )
