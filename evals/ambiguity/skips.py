"""What each gate would skip: ambiguous questions wrongly, clear ones rightly."""

from collections.abc import Sequence

from agent.taxonomy import CODES
from evals.ambiguity.gates import GATES
from evals.ambiguity.run import Examined

__all__ = ("Skips", "skips")

Skips = dict[str, dict[str, int]]
"""By code, `ambiguous` for any code, `clear` for none: how many questions, and skipped by each."""


def skips(examined: Sequence[Examined]) -> Skips:
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


def _counted(group: Sequence[Examined]) -> dict[str, int]:
    counts = {"n": len(group)}
    for gate in GATES:
        counts[gate] = sum(gate in each.found.skips for each in group)
    return counts
