"""Which gates would have taken a question for clear."""

from typing import TYPE_CHECKING, get_args

from agent.policy import AmbiguityGate

if TYPE_CHECKING:
    from agent.ambiguity import Coherence
    from agent.question import Interpretation
    from graphs.context import Context

__all__ = ("GATES", "gates_skipping")

GATES: tuple[AmbiguityGate, ...] = get_args(AmbiguityGate)


def gates_skipping(
    _question: str,
    reading: "Interpretation | None",
    coherence: "Coherence | None",
    _context: "Context",
) -> frozenset[str]:
    """Return the gates that take a question for clear; a question that was never read passes none.

    Which gate the run went by, and whether its reasoner is paid, makes no difference.
    """
    if reading is None:
        return frozenset()
    coherent = coherence is not None and coherence.state == "clear"
    return frozenset({"coherence"}) if coherent else frozenset()
