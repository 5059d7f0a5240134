"""batch: put chunks into requests (DFA, A.3); judge: send a wave of them."""

from collections import defaultdict

from langgraph.runtime import Runtime
from pyroaring import BitMap

from agent.coverage import SKIPPED
from agent.errors import ProviderUnreachable
from agent.state import State, Update
from graphs.asking import trace_prompt
from graphs.context import Context
from graphs.scope import ledger, scope, unjudged
from graphs.search.cost_model import bench_of, round_limits
from graphs.search.judging_batches import Verdicts
from graphs.search.known_verdicts import apart, copied, left_to_ask
from tools.packing import Candidates, semantic_batches
from tools.quotes import proven

_AT_ONCE = 1024
"""Chunks batched together: what this holds is about 30 kB a chunk."""


def batch(state: State, runtime: Runtime[Context]) -> Update:
    """Batch the chunks that the current round of reading has chosen; of copies, one."""
    context = runtime.context
    chosen = apart(context.store.ids(state.rounds[-1].selection), state, context)
    asked = left_to_ask(state, context)
    kinds: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for chunk in chosen:
        kinds[tuple(each for each in asked if chunk in asked[each])].append(chunk)
    batches = _batched(chosen, state, context)
    if len(kinds) > 1:  # what is asked of only some is sent by itself where that costs no request
        parts = [each for kind in kinds.values() for each in _batched(kind, state, context)]
        batches = parts if len(parts) <= len(batches) else batches
    context.store.put_batches(scope(state), batches)
    return {"batches": len(batches), "judged_batches": 0}


def _batched(chosen: list[int], state: State, context: Context) -> list[list[int]]:
    limits = round_limits(state, context, state.rounds)
    batched = context.components.batches or semantic_batches
    by_document = state.interpreted.grain == "document"
    batches: list[list[int]] = []
    for start in range(0, len(chosen), _AT_ONCE):
        part = chosen[start : start + _AT_ONCE]
        batches += batched(Candidates.of(context.corpus, part, by_document=by_document), limits)
    return batches


_PROBLEM = "a judging request brought no verdict: "
_PROBLEMS = 3
_SHOWN = 200
_REVIEWED = "verdicts of people stand over the reader's: `headcount export` lists them"
_COPY = "the verdict on a passage of the same words"
_OVERLAP = "a quote that lies in it, found in its neighbour"


def judge(state: State, runtime: Runtime[Context]) -> Update:
    """Judge the next wave; one that does not reach the server at all ends the reading."""
    context = runtime.context
    bench = bench_of(state, context, state.rounds[-1].purpose)
    done = state.judged_batches
    plan = context.store.batches(scope(state))
    batches = plan[done : done + context.policy.wave]
    try:
        verdicts = bench.judge(batches)
    except ProviderUnreachable as error:
        return {"stopped": str(error), "coverage": ledger(state, context).coverage()}
    book_verdicts(verdicts, state, context, by=context.reasoner.name)
    book_verdicts(copied(verdicts, state, context), state, context, by=_COPY)
    if done + len(batches) == len(plan) and not verdicts.stopped:  # copies left to themselves
        left = context.store.ids(state.rounds[-1].selection) & unjudged(state, context)
        left -= BitMap(chunk for each in plan for chunk in each)
        plan = [*plan, *_batched(list(left), state, context)]
        context.store.put_batches(scope(state), plan)
    update: Update = {
        "batches": len(plan),
        "judged_batches": done + len(batches),
        "coverage": ledger(state, context).coverage(),
    }
    if verdicts.stopped:
        update["stopped"] = verdicts.stopped
    if verdicts.seek:
        last = state.rounds[-1]
        told_last = last.model_copy(update={"seek": (*last.seek, *verdicts.seek)})
        update["rounds"] = (*state.rounds[:-1], told_last)
    told = _told(verdicts, state)
    if verdicts.reviewed and "write" in context.reasoner.abilities:  # no person's own
        told += [_REVIEWED] if _REVIEWED not in state.warnings else []
    if told:
        update["warnings"] = (*state.warnings, *told)
    trace_prompt(runtime, bench.prompt(()))
    return update


def book_verdicts(verdicts: Verdicts, state: State, context: Context, *, by: str) -> None:
    """Write the findings first and the ledger after them: a crash between repeats both."""
    context.store.add_findings(scope(state), verdicts.findings)
    book, corpus = ledger(state, context), context.corpus
    of_documents = state.interpreted.grain == "document"
    step, reasons = len(state.history) + 1, verdicts.reasons
    for each, asked in left_to_ask(state, context).items():
        yes = verdicts.chunks_with(each)
        unclear = verdicts.unclear[each]
        no = (verdicts.read & asked) - yes - unclear
        book.judge(each, yes=yes, no=no, by=by, step=step)
        quotes = (
            (corpus.document_index(found.document), found.start, found.end)
            for found in verdicts.findings
            if of_documents and found.condition == each
        )
        shared = BitMap(proven(corpus, quotes))  # the chunks that hold a whole quote
        book.judge(each, yes=shared - book.judged(each), no=BitMap(), by=_OVERLAP, step=step)
        spoilt = (unclear | verdicts.unparsable) & asked
        book.spoil("unparsable", spoilt, conditions=[each], reasons=reasons, step=step)
        book.spoil("failed", verdicts.failed & asked, conditions=[each], reasons=reasons, step=step)


def _told(verdicts: Verdicts, state: State) -> list[str]:
    """Name what kept chunks from a verdict, each reason once in a run, a few at most."""
    open_ = verdicts.failed | verdicts.unparsable
    open_ = open_.union(open_, *verdicts.unclear.values())
    reasons = dict.fromkeys(verdicts.reasons[chunk] for chunk in open_)
    reasons.pop(SKIPPED, None)
    lines = [f"{_PROBLEM}{' '.join(reason.split())[:_SHOWN]}" for reason in reasons]
    told = sum(line.startswith(_PROBLEM) for line in state.warnings)
    return [line for line in lines if line not in state.warnings][: max(0, _PROBLEMS - told)]
