"""What asking one question brought, as far as it is measured."""

from dataclasses import dataclass, field

from agent.answer import Answer

__all__ = ("Outcome",)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """An answer with the chunks that its run kept and judged, or the error in its place."""

    answer: Answer | None = None
    kept: frozenset[int] = field(default_factory=frozenset)
    """Chunks in the last snapshot that was kept, and chunks judged at any time."""
    matched: frozenset[int] = field(default_factory=frozenset)
    """Chunks judged yes on some condition."""
    seconds: float = 0.0
    """From the question to the answer."""
    process: float | None = None
    """Share of the question's intermediate facts that were extracted; see `evals.facts`."""
    error: str = ""
    """Why there is no answer."""

    @property
    def answered(self) -> Answer | None:
        """The answer, unless the run ended with a question back, which nobody is here to answer."""
        usable = self.answer is not None and self.answer.status != "needs_clarification"
        return self.answer if usable else None

    @property
    def status(self) -> str:
        """The answer's status, or `error`."""
        return self.answer.status if self.answer is not None else "error"
