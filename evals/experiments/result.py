"""The result of one question under one arm: what does not depend on the clock, and what does."""

import dataclasses

from pydantic import JsonValue, TypeAdapter

from agent.value import Value
from evals.scores import Score

__all__ = ("Reading", "Result", "result_of")


_SCORES = TypeAdapter(Score)


class Reading(Value):
    """What was read of a corpus, in which order, and what it brought."""

    chunks: int = 0
    """Chunks of the corpus."""
    tokens: int = 0
    """Tokens of the corpus, as estimated at indexing."""
    shown: int = 0
    """Chunks that the reasoner was shown as passages to read."""
    gold: int = 0
    """Chunks with true evidence."""
    found_at: tuple[float, ...] = ()
    """The share of the corpus read when each gold chunk that was read was found, ascending."""


class Result(Value):
    """One question under one arm; the same seed and replies give the same result."""

    collection: str
    arm: str
    score: dict[str, JsonValue]
    """An `evals.scores.Score` by field, without its seconds."""
    bounds: tuple[float, float] | None = None
    """Between what the answer says the number lies."""
    recall_bound: float | None = None
    """The share of the relevant chunks that the answer says were read at least."""
    confidence: float | None = None
    """How sure the answer is of `recall_bound`."""
    reading: Reading = Reading()
    tokens: int = 0
    """What the answer cost, sent and received."""
    error: str = ""
    """Why there is no answer."""
    passing: bool = False
    """Whether the error lay with a model's server or the index: the question is asked again."""

    @property
    def question(self) -> str:
        """The question's id."""
        return str(self.score["id"])

    def scored(self, seconds: float = 0.0) -> Score:
        """Return the score again, with the seconds that it took."""
        return _SCORES.validate_python({**self.score, "seconds": seconds})

    def figure(self, name: str) -> float | None:
        """Return a figure of the score as a number; None where it is undefined."""
        value = self.score[name]
        return float(value) if isinstance(value, int | float) else None


def result_of(score: Score, **told: object) -> Result:
    """Return the result with that score."""
    figures = dataclasses.asdict(score)
    del figures["seconds"]
    return Result.model_validate({"score": figures, **told})
