"""Verdicts that are had without asking: of copies, of what trials judged, and of an earlier run.

A passage in the same words as one that was judged has its verdict; a verdict of a trial on a
condition holds for every reading with the same criteria; and what an earlier run said of passages
that are as they were is kept when its question is asked again.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from pyroaring import BitMap

from agent.evidence import Finding
from agent.interpretation import criteria, together
from agent.question import Condition
from agent.replies import ChunkReply, EvidenceReply
from agent.state import Earlier, State
from graphs.context import Context
from graphs.scope import asked_in, ledger, open_conditions, scope, unjudged
from graphs.search.judging_batches import Bench, Verdicts
from tools.passage_windows import copies_of, passages, plain_words
from tools.runs.coverage_ledger import CoverageLedger

_NEAR = 100
"""Characters around what is shown of a passage in which evidence may be its own."""


def apart(chunks: Iterable[int], state: State, context: Context) -> list[int]:
    """Return the chunks without those that say what an earlier one of them does."""
    kept: list[int] = []
    said, telling = BitMap(), _telling(state)
    for chunk in chunks:
        if chunk not in said:
            kept.append(chunk)
            said |= copies_of(context.corpus, chunk, telling)
    return kept


def copied(verdicts: Verdicts, state: State, context: Context) -> Verdicts:
    """Return what verdicts say of unread copies, each with its own quotes.

    Nothing is said of a copy in which a quote cannot be located or a thing named does not stand,
    nor of one that a person judged or of which more is asked: it is read by itself.
    """
    found, open_, telling = Verdicts(), unjudged(state, context), _telling(state)
    asked = left_to_ask(state, context).values()
    for chunk in verdicts.read - BitMap().union(*verdicts.unclear.values()):
        for copy in copies_of(context.corpus, chunk, telling) & open_ - found.read:
            more = any(copy in each and chunk not in each for each in asked)
            if more or reviewed(copy, open_conditions(state), context):
                continue
            told = _transferred(chunk, copy, verdicts.findings, state, context)
            if told is not None:
                found.read.add(copy)
                found.findings += told
    return found


def _transferred(
    chunk: int, copy: int, findings: Sequence[Finding], state: State, context: Context
) -> list[Finding] | None:
    """Return the evidence of a chunk as it stands in its copy; None where some does not."""
    reading = state.interpreted
    (seen,), (there,) = (passages(context.corpus, [each]) for each in (chunk, copy))
    first = seen.start - len(seen.before) - _NEAR
    end = seen.start + len(seen.text) + len(seen.after) + _NEAR
    own = [each for each in findings if each.document == seen.document]
    own = [each for each in own if each.start < end and first < each.end]
    names = {word for each in own for word in plain_words(each.entity)}
    if reading.grain == "entity" and not names.issubset(plain_words(there.text)):
        return None
    bench = Bench(context.corpus, context.reasoner, reading, open_conditions(state))
    by = context.reasoner.name
    told = [found for each in own if (found := bench.finding(evidence_of(each), there, by))]
    return told if len(told) == len(own) else None


def evidence_of(finding: Finding) -> EvidenceReply:
    """Return a finding as it was told."""
    return EvidenceReply.model_validate(finding.model_dump(include={*EvidenceReply.model_fields}))


def _telling(state: State) -> frozenset[str]:
    """Return the words of the conditions."""
    told = (
        (each.text, *each.counts, *each.borderline, *each.excludes, *each.terms)
        for each in open_conditions(state)
    )
    return frozenset(plain_words(" ".join(chain.from_iterable(told))))


def take_over(state: State, context: Context) -> None:
    """Enter what trials judged of conditions that stand unchanged, with the quotes."""
    book = ledger(state, context)
    for condition, there, trial, chunks in _taken(state, context):
        new = chunks - book.judged(condition)
        for part in trial.parts():
            if part.condition == there and part.standing.state in {"yes", "no"}:
                said, none = part.ids & new, BitMap()
                yes, no = (said, none) if part.standing.state == "yes" else (none, said)
                book.judge(condition, yes=yes, no=no, by=part.standing.by)
        found = [e for e in context.store.findings(trial.run) if e.condition == there]
        own = [e.model_copy(update={"condition": condition}) for e in found if e.chunk in chunks]
        context.store.add_findings(scope(state), own)


def left_to_ask(state: State, context: Context) -> dict[str, BitMap]:
    """Return by open condition the chunks that it is asked of, but for those a trial judged."""
    left = asked_in(state, context)
    for condition, _, _, chunks in _taken(state, context):
        left[condition] = left[condition] - chunks
    return left


def reviewed(chunk: int, conditions: Sequence[Condition], context: Context) -> bool:
    """Tell whether a person judged a chunk by some condition."""
    said = context.reviews
    return said is not None and any(
        said.verdict(context.corpus, chunk, each) is not None for each in conditions
    )


def _taken(state: State, context: Context) -> Iterator[tuple[str, str, CoverageLedger, BitMap]]:
    """Yield a condition, its id in a trial, the ledger there, and what it judged but no person."""
    asked, open_ = asked_in(state, context), open_conditions(state)
    for run, searched in state.tried.items():
        if not together(searched, state.interpreted):
            continue
        trial = CoverageLedger.stored(context.store, run)
        there = open_conditions(State(question=state.question, interpretation=searched))
        names = {criteria(each): each.id for each in there}
        for each in open_:
            if name := names.get(criteria(each)):
                chunks = trial.judged(name) & asked[each.id]
                known = (one for one in chunks if reviewed(one, [each], context))
                yield each.id, name, trial, chunks - BitMap(known)


def kept(earlier: Earlier, state: State, context: Context) -> tuple[Verdicts, BitMap]:
    """Return the verdicts on unchanged passages, and the passages that are left unread as before.

    A passage is read anew where the quotes that decided it were another passage's or a person's who
    took the verdict back, and where new criteria may exclude what it shows. Left is what new
    criteria may include, to be ranked with all that is unread, and where there are some the rest of
    settled documents; in a document with new words nothing is.
    """
    corpus, asked = context.corpus, asked_in(state, context)
    store = context.store
    before = store.passages(store.info(earlier.run).corpus_digest)
    there, keys = {key: was for was, key in enumerate(before)}, store.passages(corpus.digest)
    same = {chunk: there[key] for chunk, key in enumerate(keys) if key in there}
    changed = {corpus.chunk_document[chunk] for chunk in range(len(corpus)) if chunk not in same}
    book = CoverageLedger.stored(store, earlier.run)
    judged, yes = {c: book.judged(c) for c in asked}, {c: book.ids(c, "yes") for c in asked}
    ruled_out = {
        c: BitMap().union(*(book.pruned_by(step, c) for step in earlier.rounds)) for c in asked
    }
    no = {c: judged[c] - yes[c] for c in asked}
    stands = {c: judged[c] - (no[c] if c in earlier.widened else BitMap()) for c in asked}
    stands |= {c: stands[c] - yes[c] for c in earlier.narrowed}
    everything = BitMap(range(len(before)))
    open_ = {c: everything - judged[c] if earlier.changed else ruled_out[c] for c in asked}
    open_ |= {c: open_[c] | no[c] for c in asked if earlier.widened}
    told: dict[int, list[Finding]] = defaultdict(list)
    for each in store.findings(earlier.run):
        doubtful = each.condition in earlier.widened and each.certainty == "borderline"
        if each.condition in asked and each.by == context.reasoner.name and not doubtful:
            told[each.chunk].append(each)
    conditions = open_conditions(state)
    bench = Bench(corpus, context.reasoner, state.interpreted, conditions, reviews=context.reviews)
    verdicts, left = Verdicts(), BitMap()
    for chunk, was in same.items():
        own = [c for c in asked if chunk in asked[c]]
        (passage,) = passages(corpus, [chunk])
        people = bench.by_people(passage)
        quoted = people.keys() | {each.condition for each in told[was]}
        if own and all(
            c in people or (was in stands[c] and (c in quoted or was not in yes[c])) for c in own
        ):
            reply = ChunkReply(passage=1, reason="", evidence=[*map(evidence_of, told[was])])
            if bench.enter([reply], passage, verdicts):
                verdicts.forget(BitMap([chunk]))
            else:
                verdicts.read.add(chunk)
        elif corpus.chunk_document[chunk] not in changed and all(was in open_[c] for c in own):
            left.add(chunk)
    return verdicts, left
