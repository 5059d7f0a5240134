"""What an earlier run said of passages that are as they were, when its question is asked again."""

from collections import defaultdict

from pyroaring import BitMap

from agent.evidence import Finding
from agent.replies import ChunkReply
from agent.state import Earlier, State
from graphs.context import Context
from graphs.scope import asked_in, open_conditions
from graphs.search.copies import evidence_of
from graphs.search.judging_batches import Bench, Verdicts
from tools.passage_windows import passages
from tools.runs.coverage_ledger import CoverageLedger


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
