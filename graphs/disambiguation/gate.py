"""Whether a question is clear enough for nobody to be paid to look for its ambiguities."""

from dataclasses import dataclass

from agent.ambiguity import Coherence
from agent.policy import AmbiguityGate
from agent.question import Interpretation
from agent.reasoners.rules.ambiguity.screen import screen
from agent.taxonomy import AmbiguityCode
from graphs.context import Context
from tools.retrieval_coherence import FEWEST

__all__ = ("Signs", "signs_of", "skipped")


@dataclass(frozen=True, slots=True, kw_only=True)
class Signs:
    """What costs nothing to know; what could not be measured is no sign."""

    coherence: Coherence | None = None
    """Of the first retrieval; None of so few passages that k-means says nothing of them."""
    seen: tuple[AmbiguityCode, ...] | None = None
    """What the embedded rules see; None where they cannot read the question."""

    @property
    def coherent(self) -> bool:
        """Whether the first passages are on one topic."""
        return self.coherence is not None and self.coherence.state == "clear"


def signs_of(
    question: str, reading: Interpretation, coherence: Coherence | None, context: Context
) -> Signs:
    """Gather the free signs of a question, as it was read."""
    retrieved = min(len(context.corpus), 2 * context.policy.retrieval)
    return Signs(
        coherence=coherence if retrieved >= FEWEST else None,
        seen=screen(question, reading, context.corpus),
    )


def skipped(gate: AmbiguityGate, signs: Signs) -> str:
    """Say why no model is asked; empty where one is.

    `coherence` follows the first retrieval alone (ADF, section 7.1). Documents on one topic are the
    rule where things are counted, and most ambiguities lie in the question's words, so that
    `screen` also wants the rules to have read the question, seen nothing and found no loose ends.

    >>> skipped("screen", Signs(seen=()))
    ''
    """
    if gate == "off" or not signs.coherent:
        return ""
    if gate == "coherence":
        return "its first passages are on one topic"
    if signs.seen == ():
        return "its first passages are on one topic, and the embedded rules see no ambiguity"
    return ""
