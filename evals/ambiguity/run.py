"""Running questions whose ambiguity is known: what is found of each, and what users get."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from evals.ambiguity.case import Case
from evals.ambiguity.finding import Found, find
from evals.ambiguity.places import Places
from evals.conversation import Opener
from evals.trials import Trial, Trier

if TYPE_CHECKING:
    from agent.policy import Policy
    from tools.corpus.corpus import Corpus

__all__ = ("Examined", "examine")


@dataclass(frozen=True, slots=True, kw_only=True)
class Examined:
    """One question with everything measured about it."""

    case: Case
    found: Found
    trials: tuple[Trial, ...] = ()
    """Each of its readings, wanted by a user; nothing for a control."""


def examine(
    cases: Sequence[Case], places: Places, opener: Opener, policy: "Policy", trier: Trier | None
) -> Iterator[Examined]:
    """Ask the questions in order; without a `trier`, only what is found of them is measured.

    Raises:
        HeadcountError: the documents of a question cannot be found or indexed.
    """
    for case in cases:
        corpus = places.of(case)
        found = _found(case, corpus, opener, policy)
        wanted = trier is not None and not case.control and not found.error
        trials = trier.tries(case, corpus, policy) if trier and wanted else []
        yield Examined(case=case, found=found, trials=tuple(trials))


def _found(case: Case, corpus: "Corpus", opener: Opener, policy: "Policy") -> Found:
    """Find; whatever goes wrong is that question's result, and the others are still asked."""
    try:
        with opener.session(corpus, policy, case.record) as session:
            return find(session, case.question)
    except Exception as error:  # noqa: BLE001 - a fault of what is measured is a measurement
        return Found(error=f"{type(error).__name__}: {error}")
