"""Running a file of questions: index, ask, score, one question after another."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from evals.baseline import Baseline, curves
from evals.names import DocumentNames
from evals.outcome import Outcome
from evals.questions import Record
from evals.scope import Scope, ScopeRule, scope_of
from evals.scores import Score, score
from evals.spans import gold_chunks, gold_spans

if TYPE_CHECKING:
    from tools.corpus.corpus import Corpus

__all__ = ("Asked", "Bench")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One question with everything measured about it."""

    record: Record
    score: Score
    error: str = ""
    """Why it has no answer."""
    baseline: Baseline | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """What all questions of a run share."""

    documents: Path
    """The folder of documents, as given."""
    rule: ScopeRule
    open: Callable[[Scope], "Corpus"]
    """Opens, or builds, the index of a scope."""
    ask: Callable[[Record, "Corpus"], Outcome]
    baseline: bool = False
    """Whether ranking alone is measured too."""

    def run(self, records: Sequence[Record]) -> Iterator[Asked]:
        """Ask the questions in order; all scopes are known before the first is asked.

        Raises:
            HeadcountError: the documents of a question cannot be found or indexed.
        """
        scopes = [scope_of(record, self.documents, self.rule) for record in records]
        for record, scope in zip(records, scopes, strict=True):
            yield self._one(record, self.open(scope))

    def _one(self, record: Record, corpus: "Corpus") -> Asked:
        outcome = self._outcome(record, corpus)
        names = DocumentNames(corpus.documents)
        return Asked(
            record=record,
            score=score(
                record, outcome, names, gold_chunks(record, corpus), gold_spans(record, corpus)[0]
            ),
            error=outcome.error,
            baseline=curves(record, corpus) if self.baseline else None,
        )

    def _outcome(self, record: Record, corpus: "Corpus") -> Outcome:
        """Ask; whatever goes wrong is that question's result, and the others are still asked."""
        try:
            return self.ask(record, corpus)
        except Exception as error:  # noqa: BLE001 - a fault of what is measured is a measurement
            return Outcome(error=f"{type(error).__name__}: {error}")
