"""feedback: what is read next, until it no longer pays; audit: a sample of what nobody read."""

from hashlib import sha256

from langgraph.runtime import Runtime
from pydantic import JsonValue
from pyroaring import BitMap

from agent.coverage import Audit, AuditOutcome, ReadingRound, SampledStratum
from agent.history import Step
from agent.reasoner import ToolCall
from agent.state import State, Update
from graphs.answering.bounds import prove, standing_of
from graphs.context import Context
from graphs.routes import end_of_filtering
from graphs.scope import keeping, ledger, open_conditions
from graphs.search.condition_evaluator import ConditionEvaluator
from graphs.search.cost_model import allowed_audit
from graphs.search.rank_unread import keep_sampled, next_round
from graphs.search.search_progress import SearchProgress, news
from tools.audit import audit_needed, draw


def feedback(state: State, runtime: Runtime[Context]) -> Update:
    """Conclude the last round of reading and choose the next, or say why reading ends.

    All unread chunks compete, those that filters ruled out included. What is left when reading
    ends is ruled out by rank, as a step of history; the audit then looks at a sample of it.
    """
    context = runtime.context
    if not open_conditions(state) or state.stopped:
        return {}
    reading = SearchProgress.of(state, context)
    update = _concluded(state, reading, context)
    rounds = update.get("rounds", state.rounds)
    chosen_by = context.components.next_round or next_round
    decision = chosen_by(state, rounds, reading, context)
    if not decision.selection:
        history = update.get("history", state.history)
        return update | _ended(decision.why, history, reading, state, context)
    chosen = ReadingRound(
        purpose="search",
        selection=context.store.put_ids(decision.selection),
        size=len(decision.selection),
        why=decision.why,
    )
    return update | {"rounds": (*rounds, chosen)}


def _concluded(state: State, reading: SearchProgress, context: Context) -> Update:
    """Enter what the last round of reading brought; before the first, why filtering ended."""
    if not state.rounds:
        ended = end_of_filtering(state, context.policy)
        early = ended.startswith("limit")
        told = f"filtering ended early: {ended}"
        return {"warnings": (*state.warnings, told)} if early else {}
    last = state.rounds[-1]
    if last.purpose == "audit" or last.hits is not None:
        return {}
    chosen = context.store.ids(last.selection)
    hits, fresh = len(chosen & reading.relevant), news(chosen, reading, state, context)
    settled = {"settled": len(reading.settled)} if reading.settled else {}
    step = _step("read", hits, state, **settled)
    book, texts = ledger(state, context), [each.id for each in open_conditions(state)]
    book.prune(step.round, reading.settled, conditions=texts)
    return {
        "rounds": (*state.rounds[:-1], last.model_copy(update={"hits": fresh})),
        "history": (*state.history, step),
        "coverage": book.coverage(),
    }


def _ended(
    why: str, history: tuple[Step, ...], reading: SearchProgress, state: State, context: Context
) -> Update:
    """Rule the candidates that were not read out by rank, where there are any."""
    book = ledger(state, context)
    texts = [condition.id for condition in open_conditions(state)]
    left = (book.ids(each, "unseen") | book.ids(each, "reverted") for each in texts)
    unread = BitMap.union(*left)
    if not unread:
        return {}
    read = sum(each.size for each in state.rounds)
    candidates = context.store.ids(state.snapshot)
    call = ToolCall(tool="feedback", arguments={"read": read}, why=why)
    kept, round_ = candidates - unread - reading.settled, len(history) + 1
    step = keeping(kept, state.snapshot, call, round_, state, context, verdict="enough")
    book.prune(step.round, unread, conditions=texts)
    return {"history": (*history, step), "snapshot": step.after, "coverage": book.coverage()}


def audit(state: State, runtime: Runtime[Context]) -> Update:
    """Conclude the audit that was read, or draw the next.

    One that finds relevant chunks and misses the target sends the search back to reading, by rank.
    """
    context = runtime.context
    if not open_conditions(state) or state.stopped:
        return {}
    if state.audits and not state.audits[-1].outcome:
        return _audited(state, context)
    return _drawn(state, context)


def _drawn(state: State, context: Context) -> Update:
    """Draw the smallest sample that can prove the target, or the largest allowed."""
    reading, policy = SearchProgress.of(state, context), context.policy
    most = allowed_audit(context)
    if not reading.unread or not most or len(state.audits) >= policy.max_audits:
        return _no_more(state)
    strata, standing = standing_of(reading, prove(state, context), most, state, context)
    needed, every = audit_needed(standing, policy.recall), standing.population
    size = min(every if needed is None else needed, most)
    proving = "not even all would" if needed is None else f"{needed:,} would"
    why = f"{size:,} of {every:,} chunks; without a hit {proving} prove {policy.recall:.0%}"
    if not context.reasoner.paid and len(reading.unread) <= most:
        size, why = len(reading.unread), "reading the rest costs nothing"
    if size < len(strata):
        return _no_more(state)
    seed = int(sha256(f"{context.corpus.digest} {state.question}".encode()).hexdigest()[:12], 16)
    sampled = draw(strata, size, seed=seed, look=len(state.audits))
    store = context.store
    sample = BitMap.union(*(BitMap(each.sample) for each in sampled))
    keep_sampled(sample, reading, state, context)
    matched = ConditionEvaluator(state, context).matching()
    look = Audit(
        strata=tuple(
            SampledStratum(
                reasons=each.reasons,
                chunks=store.put_ids(BitMap(each.chunks)),
                sample=store.put_ids(BitMap(each.sample)),
            )
            for each in sampled
        ),
        relevant=store.put_ids(reading.relevant),
        matched=store.put_ids(BitMap(matched)),
        pivot=reading.pivot,
        closed=store.put_ids(reading.closed),
    )
    chosen = ReadingRound(
        purpose="audit", selection=store.put_ids(sample), size=len(sample), why=why
    )
    return {"audits": (*state.audits, look), "rounds": (*state.rounds, chosen)}


def _no_more(state: State) -> Update:
    """End where the last audit leaked and no other can follow."""
    if not state.audits:
        return {}
    last = state.audits[-1].model_copy(update={"outcome": "ended"})
    return {"audits": (*state.audits[:-1], last)}


def _audited(state: State, context: Context) -> Update:
    """Enter what the sample held, and say what comes of it."""
    reading = SearchProgress.of(state, context, state.audits[-1].pivot)
    last = state.rounds[-1]
    chosen = context.store.ids(last.selection)
    hits, fresh = len(chosen & reading.relevant), news(chosen, reading, state, context)
    proof = prove(state, context)
    outcome: AuditOutcome = "ended"
    if proof.headline.recall >= context.policy.recall and proof.headline.found:
        outcome = "met"
    elif fresh and len(state.audits) < context.policy.max_audits:
        outcome = "leaked"
    look = state.audits[-1].model_copy(update={"outcome": outcome})
    told = {"why": proof.in_words, "verdict": "again" if outcome == "leaked" else "enough"}
    step = _step("audit", hits, state).model_copy(update=told)
    return {
        "audits": (*state.audits[:-1], look),
        "rounds": (*state.rounds[:-1], last.model_copy(update={"hits": fresh})),
        "history": (*state.history, step),
    }


def _step(tool: str, hits: int, state: State, **more: JsonValue) -> Step:
    """Return the last round that was read, as a step of history that leaves the candidates."""
    last = state.rounds[-1]
    arguments = {"chunks": last.size, "relevant": hits, **more}
    return Step(
        round=len(state.history) + 1,
        call=ToolCall(tool=tool, arguments=arguments, why=last.why),
        before=state.snapshot,
        after=state.snapshot,
        kept=hits,
        discarded=last.size - hits,
        verdict="keep",
        why=last.why,
    )
