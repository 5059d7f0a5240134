"""The bounds of an answer: what its number and its recall can be, whatever was not judged.

What widens them: passages without a verdict and names that may be one (`Matches.bounds`),
borderline evidence (`Matches.found`), several things in a passage (`Matches.at_once`), and
documents that lack a field (`tools.decisions.untold`). Audits narrow them (`PastAudits`). Beside
them stands the likely range: what reading everything would tell.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial

from pyroaring import BitMap

from agent.answer import Completeness
from agent.question import AllOf, AnyOf, Condition, Interpretation, Node, Not, atoms
from agent.state import State
from agent.value import counted
from graphs.answering.matches import Matches
from graphs.answering.quantities import mixed_units
from graphs.context import Context
from graphs.scope import ledger, open_conditions
from graphs.search.condition_evaluator import (
    ConditionEvaluator,
    Truth,
    counted_as,
    counts_places,
    lacking,
    perhaps_mentioned,
    totals_places,
)
from graphs.search.cost_model import judging, passage_tokens
from graphs.search.rank_unread import likeness, unread_chances
from graphs.search.search_progress import (
    PastAudits,
    SearchProgress,
    counts_documents,
    settles_documents,
    unmatches,
)
from tools.audit import (
    Bound,
    Look,
    Standing,
    Stratum,
    audit_needed,
    bound,
    least_stratum,
    likely_missed,
    stratify,
)
from tools.computation import Computed
from tools.decisions import documents_of

_ASSUMED = (
    "; this, and the recall, is exact and of passages, not of things: the count's bounds also "
    "assume that no unread passage names more things than the one read that names most"
)
_ASSUMED_OF_PLACES = (
    "; the count's bounds also assume that no unread passage has more of the places than the one "
    "read that has most"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """What the audits of a reading prove."""

    chunks: Bound
    """Of the relevant chunks; where conditions are joined by AND, of those found to matter."""
    documents: Bound | None
    """Of the documents that match; None where more reading could do else than add some."""
    focused: bool
    """Whether documents are bounded, not chunks: where not every chunk is read that may matter."""
    looks: tuple[Look, ...]
    """The audits, in units of the headline."""
    named: bool
    """Whether things that passages name are counted."""
    places: bool
    """Whether the places of conditions are counted."""
    audited: int
    """Chunks that the audits had judged."""
    settled: int
    """Chunks that were not judged, since their documents are settled without them."""

    @property
    def headline(self) -> Bound:
        """The bound that an answer states."""
        return self.documents if self.focused and self.documents is not None else self.chunks

    @property
    def in_words(self) -> str:
        """Say it for a person."""
        unit = "passage" if self.named else "chunk"
        if not self.headline.missed:
            rest = f", but for {self.settled} of certain documents" if self.settled else ""
            return f"every candidate {unit} was judged{rest}"
        told = [] if self.focused else [counted(self.chunks.missed, f"relevant {unit}")]
        if self.documents is not None:
            told.append(counted(self.documents.missed, "further document"))
        missing = f"at most {' in at most '.join(told)} missing"
        if not self.audited:
            return f"no audit: {missing}, since so many were not read"
        hits = counted(self.headline.hits, "document" if self.focused else f"relevant {unit}")
        return (
            f"audit: {counted(self.audited, f'unread {unit}')} drawn at random, the last time of "
            f"{self.looks[-1].population}, held {hits}; {missing}"
        )


def value_bounds(
    reading: Interpretation, found: Matches, computed: Computed, proof: Proof
) -> tuple[float, float] | None:
    """Return what the number could be; nothing bounds a measure of what is missing or doubtful."""
    grouped = reading.group_by is not None
    if not grouped and (reading.operation in {"count", "list"} or totals_places(reading)):
        return _tightened(found, proof)
    fewest, most = found.found
    value, lost = computed.value, found.entities and not computed.entities
    if isinstance(value, dict) or value is None or proof.chunks.missed:
        return None
    doubtful = any(each.doubtful for each in computed.remarks)
    if fewest < most or lost or doubtful or not all(found.values.values()):
        return None
    return (value, value)


def _tightened(found: Matches, proof: Proof) -> tuple[int, int]:
    """Narrow what unread chunks could add to the count, or take away, by what the audits prove."""
    (few, many), (fewest, most) = found.bounds, found.found
    if proof.documents is not None and not proof.places:
        return fewest, min(many, most + proof.documents.missed)
    missed = proof.chunks.missed * found.at_once
    return max(few, fewest - missed), max(most, min(many, most + missed))


def prove(state: State, context: Context, answered: Interpretation | None = None) -> Proof:
    """Return what the audits so far, and all that was read, prove of one reading; None is of all.

    Of one among several that were searched together only chunks are bounded: no more of them are
    missed for it than for all, while a document that matches by another may be missed for it.
    """
    reading = SearchProgress.of(state, context)
    searched = state.interpreted
    answered = answered or searched
    alone = searched.conditions == answered.conditions
    counted = alone and counts_documents(searched)
    pivoted = bool(reading.pivot) or any(each.pivot for each in state.audits)
    focused = counted and (pivoted or settles_documents(searched, state))
    audits = PastAudits(state, context)
    chunk_looks = () if focused else tuple(audits.chunks(each) for each in state.audits)
    looks = tuple(audits.documents(each) for each in state.audits) if counted else ()
    unread = reading.unread | reading.closed
    chunks = bound(chunk_looks, found=len(reading.relevant), unread=len(unread))
    if not alone:
        book, own = ledger(state, context), open_conditions(replace(state, interpretation=answered))
        yes = BitMap().union(*(book.ids(each.id, "yes") for each in own))
        chunks = replace(chunks, found=len(reading.relevant & yes))
    documents = None
    if counted:
        matched = BitMap(ConditionEvaluator(state, context).matching())
        open_ = documents_of(context.corpus, unread) - matched
        documents = bound(looks, found=len(matched), unread=len(open_))
    return Proof(
        chunks=chunks,
        documents=documents,
        focused=focused,
        named=searched.grain == "entity" and not searched.entity_field,
        places=counts_places(answered),
        looks=looks if focused else chunk_looks,
        audited=len(audits.samples() & (reading.judged | reading.relevant)),
        settled=len(reading.settled),
    )


def standing_of(
    reading: SearchProgress, proof: Proof, most: int, state: State, context: Context
) -> tuple[tuple[Stratum, ...], Standing]:
    """Return where a question stands before an audit of at most so many chunks, and its strata."""
    strata = stratify(
        {why: list(chunks) for why, chunks in reading.reasons.items()},
        likeness(state, context),
        least=least_stratum(len(reading.unread), most),
    )
    return strata, Standing(
        looks=proof.looks,
        sizes=tuple(len(each.chunks) for each in strata),
        found=proof.headline.found,
        unread=len(reading.unread | reading.closed),
        out_of_reach=len(reading.closed),
    )


def _more_proof(state: State, proof: Proof, context: Context) -> str:
    """Say what an audit that proves the recall asked for would cost, where one can and costs."""
    target, reader = context.policy.recall, context.reasoner
    if not (state.audits and reader.paid and proof.headline.found) or state.readings:
        return ""
    if proof.headline.recall >= target or state.stopped:
        return ""
    reading = SearchProgress.of(state, context)
    chunks = len(reading.unread)
    for _ in range(2):  # the strata depend on how many are drawn
        standing = standing_of(reading, proof, chunks, state, context)[1]
        needed = audit_needed(standing, target)
        if not needed:
            return ""
        chunks = needed
    work = judging(chunks * float(context.corpus.chunk_tokens.mean()), passage_tokens(context))
    spent = reader.spent()
    sent = spent.input_tokens + spent.output_tokens
    more = f"; to prove {target:.0%}: {counted(chunks, 'passage')}"
    if "write" not in reader.abilities:  # a person: counts no tokens, and draws anew
        return f"{more} more, of a sample of which some were read: --audit {proof.audited + chunks}"
    money = f" (${work.tokens * spent.usd / sent:.2f})" if spent.usd and sent else ""
    return f"{more}, about {work.tokens:,} tokens{money}: --resume {state.run} --audit {chunks}"


def completeness(
    state: State, proof: Proof, context: Context, reading: Interpretation, computed: Computed
) -> Completeness:
    """Put the proof into an answer's form, for the reading that `prove` was asked about.

    Nothing bounds the recall where documents lack a field that decides a condition, the records
    decided it, or numbers in several units are compared. Where passages name what is counted, a
    sample bounds these, not how much each names: the method states what the count's bounds assume.
    """
    without = lacking(reading, context)
    if without:
        those = ", ".join(
            f"{counted(count, 'document')} without {name!r} {counted_as(name, count, reading)}"
            for name, count in without.items()
        )
        audited = sum(look.drawn for look in proof.looks)
        return Completeness(audited=audited, method=f"recall not bounded: {those}")
    for name, units in mixed_units(reading, context.corpus).items():
        named = ", ".join(each or "none" for each in units)
        return Completeness(method=f"recall not bounded: {name!r} is in several units ({named})")
    recorded = _by_records(state)
    if perhaps := perhaps_mentioned(reading, state, context):
        documents = counted(len({each.document for each in perhaps}), "document")
        return Completeness(
            method=f"recall not bounded: {documents} may mention it in another form"
        )
    if not open_conditions(replace(state, interpretation=reading)):
        if recorded:
            return Completeness(method=f"recall not bounded{recorded}")
        return _decided(reading, computed)
    told = proof.headline
    bounded = bool(told.found) or not told.missed
    assumed = _ASSUMED if proof.named else _ASSUMED_OF_PLACES if proof.places else ""
    more = f"{_more_proof(state, proof, context)}{assumed if told.missed else ''}"
    return Completeness(
        recall_lower_bound=told.recall if bounded else None,
        confidence=told.confidence if bounded else None,
        audited=proof.audited,
        audit_hits=told.hits,
        method=f"{proof.in_words}{more}{recorded}",
    )


def _decided(reading: Interpretation, computed: Computed) -> Completeness:
    """Put it that code decided every document, if none lacks what the number is computed from."""
    doubtful = [each for each in computed.remarks if each.doubtful]
    if not doubtful:
        return Completeness(recall_lower_bound=1.0, confidence=1.0, method=_by_code(reading))
    those = "; ".join(f"{len(each.entities):,} {each.what}" for each in doubtful)
    return Completeness(method=f"{_by_code(reading)}; the number is not bounded: {those}")


def _by_code(reading: Interpretation) -> str:
    """Say what code looked at in every document."""
    every = list(atoms(reading.conditions))
    words = any(each.literal for each in every)
    fields = not words or any(each.predicate for each in every)
    told = ["metadata fields of every document"] * fields + ["the words of every document"] * words
    return " and ".join(told)


def _by_records(state: State) -> str:
    """Say what the records decided: what they misread, no audit of the texts shows."""
    decided = state.route.decided if state.route else ()
    texts = {each.id: each.text for each in atoms(state.interpreted.conditions)}
    told = ", ".join(f"“{texts[each.condition]}”" for each in decided if each.condition in texts)
    return f"; the records decided {told}: what they misread is not bounded" if told else ""


def likely_range(
    state: State,
    context: Context,
    reading: Interpretation,
    found: Matches,
    computed: Computed,
    bounds: tuple[float, float] | None,
) -> tuple[float, float] | None:
    """Return where the number likely lies (80 %): around the value, within the bounds.

    It is about the same judge, whatever it misreads (see `tools.audit`). Units are
    documents where these are counted, else passages, each of as many things as the fullest one.
    None where nothing bounds it, code decides it, documents lack a field that does, or no audit
    looked at a random sample of what was not read.
    """
    value, decided = computed.value, not open_conditions(replace(state, interpretation=reading))
    if bounds is None or value is None or isinstance(value, dict) or decided:
        return None
    if not state.audits or lacking(reading, context):
        return None
    progress = SearchProgress.of(state, context)
    unread = progress.unread | progress.closed
    evaluator = ConditionEvaluator(state, context, reading)
    pools = {each: chunks & unread for each, chunks in evaluator.undecided.items()}
    chances = unread_chances(pools, state, context)
    audits = PastAudits(state, context)
    documents = reading.grain == "document" and not reading.entity_field
    if documents and not counts_places(reading):
        look, at_once = audits.documents(state.audits[-1]), 1
        more, fewer = _documents(reading.conditions, evaluator, chances, context)
    else:
        look, at_once = audits.chunks(state.audits[-1]), found.at_once
        more = fewer = sum(
            1 - math.prod(1 - own.get(chunk, 0.0) for own in chances.values()) for chunk in unread
        )

    def missed(expected: float, most: float) -> int:
        hits, left = look.hits + look.unknown, len(unread)
        return at_once * likely_missed(
            expected, unread=left, drawn=look.drawn, hits=hits, most=min(left, math.ceil(most))
        )

    low, high = bounds
    falls = unmatches(reading.conditions) or reading.quota is not None or reading.across
    least = value - missed(fewer, value - low) if falls else value
    return max(low, least), min(high, value + missed(more, high - value))


def _documents(
    conditions: Node | None,
    evaluator: ConditionEvaluator,
    chances: Mapping[str, Mapping[int, float]],
    context: Context,
) -> tuple[float, float]:
    """Return how many more documents are expected to match, and how many of those to no longer."""
    matching, more, fewer = set(evaluator.matching()), 0.0, 0.0
    for number in evaluator.candidates:
        truth = evaluator.of_document(number, borderline=True)
        if evaluator.verdict(truth) is not None:
            continue
        chunks = context.corpus.chunks_of(number)
        holding = _holding(conditions, partial(_chance, truth, chances, chunks))
        if number in matching:
            fewer += 1 - holding
        else:
            more += holding
    return more, fewer


def _chance(
    truth: Truth, chances: Mapping[str, Mapping[int, float]], chunks: range, atom: Condition
) -> float:
    known, own = truth(atom), chances.get(atom.id, {})
    return 1 - math.prod(1 - own.get(chunk, 0.0) for chunk in chunks) if known is None else known


def _holding(node: Node | None, chance: Callable[[Condition], float]) -> float:
    """Return how likely a tree holds, its atoms taken for independent."""
    match node:
        case None:
            return 1.0
        case Condition():
            return chance(node)
        case Not():
            return 1 - _holding(node.part, chance)
        case AllOf():
            return math.prod(_holding(part, chance) for part in node.parts)
        case AnyOf():
            return 1 - math.prod(1 - _holding(part, chance) for part in node.parts)
