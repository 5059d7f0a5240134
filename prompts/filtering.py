"""The prompts of the filter loop: plan the next call, observe its effect."""

from collections.abc import Sequence
from dataclasses import dataclass

from agent.corpus import CorpusView
from agent.evidence import Passage
from agent.history import Step
from agent.history import render as render_history
from agent.prompt_values import ObserveValues, PlanValues
from agent.question import Condition, Interpretation
from agent.reasoner import Prompt, ToolCall
from agent.snapshot import Snapshot
from prompts.excerpts import excerpts
from prompts.passages import nonce_of, numbered_passages
from prompts.template import render
from prompts.wording import collection, condition_list, interpretation_line

__all__ = ("Sides", "observe", "plan")

_SAMPLE_CHARACTERS = 700


@dataclass(frozen=True, slots=True, kw_only=True)
class Sides:
    """What is looked at of both sides of a filter call; passages are shown cut to what matters."""

    kept: Sequence[Passage]
    """A sample of what the call kept."""
    discarded: Sequence[Passage] | None
    """A sample of what it discarded and no other snapshot holds; None where none is shown."""
    held: int = 0
    """How many discarded passages another snapshot holds."""


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
        PlanValues(
            interpretation=interpretation,
            conditions=tuple(conditions),
            history=tuple(history),
            snapshot=snapshot,
            corpus=corpus,
            decided=tuple(decided),
            tools=tuple(tools),
        ),
    )


def observe(
    *,
    interpretation: Interpretation,
    conditions: Sequence[Condition],
    step: Step,
    sides: Sides,
    snapshots: Sequence[Snapshot],
    corpus: CorpusView,
) -> Prompt:
    """Ask for the verdict on a filter call, given samples; replied with `ObserveReply`."""
    arguments = ", ".join(f"{name}={value!r}" for name, value in step.call.arguments.items())
    wanted = _wanted(conditions, step.call)
    return render(
        "observe",
        {
            "interpretation": interpretation_line(interpretation),
            "conditions": condition_list(conditions),
            "call": f"{step.call.tool}({arguments})",
            "kept": str(step.kept),
            "discarded": str(step.discarded),
            "kept_sample": _sample(sides.kept, wanted),
            "held": _held(sides.held),
            "discarded_sample": _sample(sides.discarded, wanted),
            "snapshots": ", ".join(f"{shot.id} ({shot.kept} kept)" for shot in snapshots),
        },
        ObserveValues(
            interpretation=interpretation,
            conditions=tuple(conditions),
            step=step,
            kept=tuple(sides.kept),
            discarded=tuple(sides.discarded or ()),
            snapshots=tuple(snapshots),
            corpus=corpus,
        ),
    )


def _held(number: int) -> str:
    """Say that a call which is one branch of a union loses less than it discards."""
    if not number:
        return ""
    return (
        f" Of the discarded, {number} are held by another snapshot and not lost, so they are not in"
        " the sample; only union brings them back, so the verdict for a good branch is keep."
    )


def _sample(passages: Sequence[Passage] | None, wanted: Sequence[str]) -> str:
    if passages is None:
        return "(not shown)"
    if not passages:
        return "(none)"
    cut = excerpts(passages, wanted, characters=_SAMPLE_CHARACTERS)
    return numbered_passages(cut, nonce_of(cut))


def _wanted(conditions: Sequence[Condition], call: ToolCall) -> list[str]:
    """Return the texts whose words show why a passage may matter."""
    told = [text for each in conditions for text in (each.text, *each.counts, *each.terms)]
    return [*told, *(str(value) for value in call.arguments.values())]
