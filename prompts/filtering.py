"""The prompts of the filter loop: plan the next call, observe its effect."""

from collections.abc import Sequence

from agent.corpus import CorpusView
from agent.evidence import Passage
from agent.history import Step
from agent.history import render as render_history
from agent.question import Condition, Interpretation
from agent.reasoner import Prompt
from agent.snapshot import Snapshot
from prompts.passages import nonce_of, numbered_passages
from prompts.template import render
from prompts.wording import collection, condition_list, interpretation_line

__all__ = ("observe", "plan")

_SAMPLE_CHARACTERS = 700


def plan(
    *,
    interpretation: Interpretation,
    conditions: Sequence[Condition],
    history: Sequence[Step],
    snapshot: Snapshot,
    corpus: CorpusView,
    decided: Sequence[str],
    tools: Sequence[str],
) -> Prompt:
    """Ask for the next filter call, given the conditions that reading has to decide.

    Answered by `Reasoner.choose`.
    """
    return render(
        "plan",
        {
            "interpretation": interpretation_line(interpretation),
            "conditions": condition_list(conditions),
            "collection": collection(corpus),
            "snapshot": snapshot.id,
            "kept": str(snapshot.kept),
            "chunks": str(corpus.chunk_count),
            "decided": ", ".join(decided) or "none",
            "history": render_history(history),
        },
        {
            "interpretation": interpretation,
            "conditions": tuple(conditions),
            "history": tuple(history),
            "snapshot": snapshot,
            "corpus": corpus,
            "decided": tuple(decided),
            "tools": tuple(tools),
        },
    )


def observe(
    *,
    interpretation: Interpretation,
    conditions: Sequence[Condition],
    step: Step,
    kept: Sequence[Passage],
    discarded: Sequence[Passage],
    snapshots: Sequence[Snapshot],
    corpus: CorpusView,
) -> Prompt:
    """Ask for the verdict on a filter call; replied with `ObserveReply`."""
    arguments = ", ".join(f"{name}={value!r}" for name, value in step.call.arguments.items())
    return render(
        "observe",
        {
            "interpretation": interpretation_line(interpretation),
            "conditions": condition_list(conditions),
            "call": f"{step.call.tool}({arguments})",
            "kept": str(step.kept),
            "discarded": str(step.discarded),
            "kept_sample": _sample(kept),
            "discarded_sample": _sample(discarded),
            "snapshots": ", ".join(f"{shot.id} ({shot.kept} kept)" for shot in snapshots),
        },
        {
            "interpretation": interpretation,
            "conditions": tuple(conditions),
            "step": step,
            "kept": tuple(kept),
            "discarded": tuple(discarded),
            "snapshots": tuple(snapshots),
            "corpus": corpus,
        },
    )


def _sample(passages: Sequence[Passage]) -> str:
    if not passages:
        return "(none)"
    cut = [
        Passage(
            chunk=passage.chunk,
            document=passage.document,
            title=passage.title,
            start=passage.start,
            text=passage.text[:_SAMPLE_CHARACTERS],
            headings=passage.headings,
        )
        for passage in passages
    ]
    return numbered_passages(cut, nonce_of(cut))
