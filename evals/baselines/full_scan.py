"""Full scan: every chunk is judged in a call of its own, and conditions meet at the document."""

from collections.abc import Sequence

from langgraph.graph import END
from langgraph.runtime import Runtime

import prompts
from agent.errors import LimitReached, QuestionError
from agent.evidence import Evidence, Finding
from agent.question import Interpretation
from agent.replies import InterpretReply
from evals.baselines.combining import Stated, combined, decided_by_reading, unaided
from evals.baselines.concluding import conclude
from evals.baselines.retrieving import begin
from evals.baselines.state import BaselineState, BaselineUpdate, Item
from evals.baselines.step import BaselineGraph, baseline_graph
from graphs.asking import ask
from graphs.context import Context
from graphs.disambiguation.readings import usable
from graphs.search.judging_batches import Bench

__all__ = ("full_scan", "interpret", "scan")


def full_scan() -> BaselineGraph:
    """Build begin → interpret → scan → conclude."""
    builder = baseline_graph(begin, interpret, scan, conclude)
    builder.add_edge("begin", "interpret")
    builder.add_edge("interpret", "scan")
    builder.add_edge("scan", "conclude")
    builder.add_edge("conclude", END)
    return builder


def interpret(state: BaselineState, runtime: Runtime[Context]) -> BaselineUpdate:
    """Have the question taken apart into conditions, all of which reading decides."""
    context = runtime.context
    prompt = prompts.interpret(question=state.question, conversation=(), corpus=context.corpus)
    try:
        reading = ask(runtime, prompt, InterpretReply, lambda reply: usable(reply, context))
    except LimitReached as limit:
        return {"stopped": str(limit)}
    return {"reading": unaided(reading)}


def scan(state: BaselineState, runtime: Runtime[Context]) -> BaselineUpdate:
    """Judge every chunk by itself, and put together what they state."""
    context, reading = runtime.context, state.reading
    if reading is None:
        if not state.stopped:
            raise QuestionError("nothing to scan for: the question was never read")
        return {}
    bench = Bench(
        corpus=context.corpus,
        reasoner=context.reasoner,
        reading=reading,
        conditions=decided_by_reading(reading),
    )
    verdicts = bench.judge([[chunk] for chunk in range(len(context.corpus))])
    lost = verdicts.failed | verdicts.unparsable
    update: BaselineUpdate = {
        "shown": frozenset(verdicts.read),
        "failed": frozenset(lost),
        "stopped": verdicts.stopped,
        "warnings": (
            *state.warnings,
            *dict.fromkeys(verdicts.reasons[chunk] for chunk in lost if chunk in verdicts.reasons),
        ),
    }
    read = {context.corpus.documents[context.corpus.chunk_document[each]] for each in verdicts.read}
    return update | _put_together(reading, verdicts.findings, sorted(read))


def _put_together(
    reading: Interpretation, findings: Sequence[Finding], documents: Sequence[str]
) -> BaselineUpdate:
    stated = [
        Stated(
            name=each.entity,
            condition=each.condition,
            passage=number,
            quote=each.quote,
            value=each.value,
            unit=each.unit,
        )
        for number, each in enumerate(findings)
    ]
    found = combined(reading, stated, documents)
    value = found.computed.value
    return {
        "items": tuple(
            _item(name, [findings[each.passage] for each in told], reading)
            for name, told in found.items.items()
        ),
        "value": None if isinstance(value, dict) else value,
        "unit": found.computed.unit,
    }


def _item(name: str, told: Sequence[Finding], reading: Interpretation) -> Item:
    places = dict.fromkeys(each.document for each in told)
    return Item(
        name=name,
        documents=(name,) if reading.grain == "document" else tuple(places),
        evidence=tuple(
            Evidence(
                document=each.document,
                start=each.start,
                end=each.end,
                quote=each.quote,
                condition=each.condition,
            )
            for each in told
        ),
    )
