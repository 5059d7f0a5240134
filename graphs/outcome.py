"""The channel of an answer: whole while a run lasts, kept in its thread without a word quoted."""

from typing import Any

from langgraph.channels import UntrackedValue

from agent.adf_state import AdfAnswer
from agent.answer import Answer


class Outcome(UntrackedValue[Any]):
    """Gives a run's caller the whole answer; a checkpoint has its numbers, first items and places.

    What a task writes to an untracked channel is not saved either, so that no quote is.
    """

    def checkpoint(self) -> Any:
        """Return what is kept of the answer."""
        answer = self.value
        return answer.kept if isinstance(answer, Answer | AdfAnswer) else answer

    def from_checkpoint(self, checkpoint: Any) -> "Outcome":
        """Return a channel that holds what was kept."""
        held = super().from_checkpoint(checkpoint)
        held.value = checkpoint
        return held
