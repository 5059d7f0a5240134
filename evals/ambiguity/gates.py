"""What each gate would skip: ambiguous questions wrongly, clear ones rightly."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, get_args

from agent.policy import AmbiguityGate
from agent.taxonomy import CODES

if TYPE_CHECKING:
    from agent.ambiguity import Coherence
    from agent.question import Interpretation
    from evals.ambiguity.run import Examined
    from graphs.context import Context

__all__ = ("GATES", "Skips", "gates_skipping", "skips")

GATES: tuple[AmbiguityGate, ...] = get_args(AmbiguityGate)

Skips = dict[str, dict[str, int]]
"""By code, `ambiguous` for any code, `clear` for none: how many questions, and skipped by each."""


def gates_skipping(
    question: str,
    reading: "Interpretation | None",
    coherence: "Coherence | None",
    context: "Context",
) -> frozenset[str]:
    """Return the gates that take a question for clear; a question that was never read passes none.

    Which gate the run went by, and whether its reasoner is paid, makes no difference.
    """
    from graphs.gate import signs_of, skipped

    if reading is None:
        return frozenset()
    signs = signs_of(question, reading, coherence, context)
    return frozenset(gate for gate in GATES if skipped(gate, signs))


def skips(examined: Sequence["Examined"]) -> Skips:
    """Count what each gate skips; questions with an error are left out.

    A question with several codes counts under each of them.
    """
    known = [each for each in examined if not each.found.error]
    groups: dict[str, list[Examined]] = {
        code: [each for each in known if code in each.case.codes] for code in CODES
    }
    groups["ambiguous"] = [each for each in known if not each.case.control]
    groups["clear"] = [each for each in known if each.case.control]
    return {name: _counted(each) for name, each in groups.items() if each}


def _counted(group: Sequence["Examined"]) -> dict[str, int]:
    counts = {"n": len(group)}
    for gate in GATES:
        counts[gate] = sum(gate in each.found.skips for each in group)
    return counts
