"""One command of the evaluation: a file of questions, a folder, a reasoner."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from agent.errors import SettingsError
from agent.reasoner import Reasoner
from evals.questions import Record, load
from evals.readers import (
    by_annotation,
    check_annotated,
    checked_reader,
    is_model,
    reader_of,
    settings_of,
)
from evals.run import Asked, Bench
from evals.scope import ScopeRule

if TYPE_CHECKING:
    from agent.settings import Settings
    from evals.outcome import Outcome
    from evals.systems import System
    from tools.corpus.corpus import Corpus

__all__ = ("Session", "chosen")

N = TypeVar("N", bound=str)


def chosen(what: str, name: str, among: Sequence[N]) -> N:
    """Return the one of that name; raise SettingsError where there is none."""
    for each in among:
        if each == name:
            return each
    raise SettingsError(f"there is no {what} {name!r}; choose one of {', '.join(among)}")


@dataclass(frozen=True, kw_only=True)
class Session:
    """Everything that the command line says, put together."""

    questions: Path
    documents: Path
    reasoner: str
    """`gold`, `skill:RATE`, `lexical` or a model's name."""
    limit: int | None
    rule: ScopeRule
    baseline: bool
    place: Path
    """Where indexes and runs are kept."""
    system: str = "main"
    """A name in `evals.systems`."""
    timeout: float = 600.0
    """Seconds that an outside program may take for one question."""
    filled: bool = False
    """Whether records are drawn up and filled by the reasoner before the first question."""

    @cached_property
    def records(self) -> list[Record]:
        """The questions to ask."""
        return load(self.questions, self.limit)

    @property
    def total(self) -> int:
        """How many questions are asked."""
        return len(self.records)

    def ask(self, say: Callable[[str], None]) -> Iterator[Asked]:
        """Ask the questions in order, telling `say` what is indexed.

        Raises:
            HeadcountError: the questions, the documents or the reasoner cannot be used.
        """
        from evals.corpora import Corpora

        _ = self._system  # a wrong name is told before anything is indexed
        check_annotated(checked_reader(self.reasoner), self.records)
        if not self.documents.is_dir():
            raise SettingsError(f"{str(self.documents)!r} is not a folder of documents")
        bench = Bench(
            documents=self.documents,
            rule=self.rule,
            open=Corpora(self.place, say).over,
            ask=self._ask,
            baseline=self.baseline,
        )
        return bench.run(self.records)

    def _ask(self, record: Record, corpus: "Corpus") -> "Outcome":
        from evals.asking import analysed, observed
        from evals.prepared import process
        from graphs.context import Context

        reasoner, policy = self._reasoner(record, corpus), self._settings.policy()
        if self.system == "analyst":
            outcome, place = analysed(record.question, corpus, reasoner, policy)
            return replace(outcome, process=process(record, corpus, place))
        self._prepare(corpus)
        context = Context(corpus=corpus, reasoner=reasoner, policy=policy)
        outcome = observed(self._system, record.question, context)
        return replace(outcome, process=process(record, corpus))

    @cached_property
    def _system(self) -> "System":
        """What answers.

        Raises:
            SettingsError: there is no such system, or the reasoner cannot read for it.
        """
        from evals.systems import Baseline, system_of

        system = system_of(self.system, timeout=self.timeout)
        if isinstance(system, Baseline) and self._reads_only:
            raise SettingsError(
                f"the lexical reader writes no answer from passages, as {self.system!r} needs it: "
                "choose --reasoner gold, skill:RATE or a model"
            )
        return system

    def _prepare(self, corpus: "Corpus") -> None:
        """Fill a corpus's records, once, if that is wanted."""
        from evals.prepared import fill_records

        if self.filled and corpus.path not in self._prepared:
            fill_records(corpus, self._reader())
            self._prepared.add(corpus.path)

    @cached_property
    def _prepared(self) -> set[Path]:
        """The corpora whose records were filled."""
        return set()

    @property
    def _reads_only(self) -> bool:
        """Whether the embedded reader answers, which cannot write."""
        return not (is_model(self.reasoner) or by_annotation(self.reasoner))

    @cached_property
    def _settings(self) -> "Settings":
        """The settings of the product, but nobody is there to be asked about an ambiguity."""
        return settings_of(self.reasoner)

    def _reader(self) -> Reasoner:
        from agent.reasoners import select_reasoner

        return select_reasoner(self._settings, cache=self.place / "responses.sqlite")

    def _reasoner(self, record: Record, corpus: "Corpus") -> Reasoner:
        """Return a reasoner for one question: the budget, where one is set, is a question's."""
        return reader_of(self.reasoner, record, corpus, cache=self.place / "responses.sqlite")
