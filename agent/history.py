"""Snapshots and the memory of how they came: every filter call, its effect, the verdict on it."""

from collections.abc import Sequence
from typing import Literal

from pydantic import JsonValue

from agent.reasoner import ToolCall
from agent.value import Value

Verdict = Literal["keep", "again", "rollback", "enough"]
Outcome = Literal["kept", "rolled_back"]


class Snapshot(Value):
    """What one filter call made; the ids themselves are in the run store, under `id`."""

    id: str
    """Digest of the set of chunk ids: equal sets have equal ids."""
    parent: str | None
    """The snapshot the call was applied to; None for the whole corpus."""
    tool: str
    arguments: dict[str, JsonValue]
    kept: int
    """Chunks in this snapshot."""
    discarded: int
    """Chunks of the parent that are not in this snapshot; kept in the store, never lost."""
    outcome: Outcome = "kept"
    why: str = ""


class Step(Value):
    """One round of filtering."""

    round: int
    call: ToolCall
    before: str
    """The snapshot the call was applied to."""
    after: str
    """The snapshot it made; equal to `before` where it was refused or changed nothing."""
    kept: int = 0
    discarded: int = 0
    lost: int = 0
    """Known positives among the discarded, as the preview counted them."""
    refused: str = ""
    """Why the call was not carried out: wrong arguments with a hint, or a repetition."""
    kept_sample: tuple[int, ...] = ()
    """Chunks that were looked at among the kept."""
    discarded_sample: tuple[int, ...] = ()
    """Chunks that were looked at among the discarded."""
    certain: bool = False
    """Whether code ruled out only what cannot matter, so that nothing of it can be missing."""
    verdict: Verdict | None = None
    why: str = ""
    summary: str = ""
    """What the kept and the discarded were found to hold."""

    @property
    def snapshot(self) -> Snapshot:
        """The snapshot that it made."""
        told = self.call.model_dump(include={"tool", "arguments"})
        told |= self.model_dump(include={"kept", "discarded", "why"})
        return Snapshot(id=self.after, parent=self.before, **told)


def render(history: Sequence[Step]) -> str:
    """Render the history for a prompt."""
    return "\n".join(map(_told, history)) or "No filter has been called yet."


def _told(step: Step) -> str:
    arguments = ", ".join(f"{name}={value!r}" for name, value in step.call.arguments.items())
    head = f"round {step.round}: {step.call.tool}({arguments}) on {step.before}"
    if step.refused:
        return f"{head}\n  refused: {step.refused}"
    effect = f"  made {step.after}: kept {step.kept}, discarded {step.discarded}"
    if step.lost:
        effect += f", among them {step.lost} known positives"
    verdict = f"  verdict: {step.verdict or 'none yet'}. {step.why}".rstrip()
    summary = f"\n  {step.summary}" if step.summary else ""
    return f"{head}\n{effect}\n{verdict}{summary}"
