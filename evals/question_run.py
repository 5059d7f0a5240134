"""One command of the evaluation: a file of questions, a folder, a reasoner."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from pydantic import JsonValue

from agent.errors import SettingsError
from agent.reasoner import Reasoner
from evals.names import DocumentNames
from evals.questions import Record, load
from evals.readers import (
    by_annotation,
    check_annotated,
    checked_reader,
    is_model,
    reader_of,
    settings_of,
)
from evals.scope import Scope, ScopeRule, scope_of
from evals.scores import Estimate, Outcome, Score, Statistic, estimate, score
from evals.spans import gold_chunks, gold_spans

if TYPE_CHECKING:
    from agent.settings import Settings
    from evals.systems import System
    from tools.corpus.corpus import Corpus

__all__ = (
    "FIGURES",
    "GROUPINGS",
    "QUESTION_KEYS",
    "Asked",
    "Bench",
    "Figure",
    "Session",
    "by_kind",
    "chosen",
    "report",
    "summarise",
)


@dataclass(frozen=True, slots=True)
class Figure:
    """A column of the tables."""

    name: str
    attribute: str
    """The attribute of a score that it is taken over."""
    statistic: Statistic = "mean"


FIGURES = (
    Figure("exact", "exact"),
    Figure("ace_mean", "absolute_error"),
    Figure("nace_mean", "normalised_error"),
    Figure("nace_median", "normalised_error", "median"),
    Figure("relative_error", "relative_error"),
    Figure("precision", "precision"),
    Figure("recall", "recall"),
    Figure("f1", "f1"),
    Figure("chunk_recall_filtered", "chunk_recall_filtered"),
    Figure("chunk_recall_judged", "chunk_recall_judged"),
    Figure("judged_share", "judged_share"),
    Figure("bounds_held", "bounds_held"),
    Figure("evidence_recall", "evidence_recall"),
    Figure("process_accuracy", "process"),
    Figure("final_accuracy", "final"),
    Figure("full_accuracy", "full"),
    Figure("calls", "calls"),
    Figure("input_tokens", "input_tokens"),
    Figure("seconds", "seconds"),
)


GROUPINGS = ("aggregation", "logic", "decided_by")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One question with everything measured about it."""

    record: Record
    score: Score
    error: str = ""
    """Why it has no answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """What all questions of a run share."""

    documents: Path
    """The folder of documents, as given."""
    rule: ScopeRule
    open: Callable[[Scope], "Corpus"]
    """Opens, or builds, the index of a scope."""
    ask: Callable[[Record, "Corpus"], Outcome]

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
        )

    def _outcome(self, record: Record, corpus: "Corpus") -> Outcome:
        """Ask; whatever goes wrong is that question's result, and the others are still asked."""
        try:
            return self.ask(record, corpus)
        except Exception as error:  # noqa: BLE001 - a fault of what is measured is a measurement
            return Outcome(error=f"{type(error).__name__}: {error}")


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
    place: Path
    """Where indexes and runs are kept."""
    system: str = "main"
    """A name in `evals.systems`."""
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
        from evals.scope import Corpora

        _ = self._system  # a wrong name is told before anything is indexed
        check_annotated(checked_reader(self.reasoner), self.records)
        if not self.documents.is_dir():
            raise SettingsError(f"{str(self.documents)!r} is not a folder of documents")
        bench = Bench(
            documents=self.documents,
            rule=self.rule,
            open=Corpora(self.place, say).over,
            ask=self._ask,
        )
        return bench.run(self.records)

    def _ask(self, record: Record, corpus: "Corpus") -> "Outcome":
        from evals.systems import analysed, observed, process
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

        system = system_of(self.system)
        if isinstance(system, Baseline) and self._reads_only:
            raise SettingsError(
                f"the lexical reader writes no answer from passages, as {self.system!r} needs it: "
                "choose --reasoner gold, skill:RATE or a model"
            )
        return system

    def _prepare(self, corpus: "Corpus") -> None:
        """Fill a corpus's records, once, if that is wanted."""
        from evals.systems import fill_records

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


QUESTION_KEYS = (
    "id",
    "value",
    "gold",
    "precision",
    "recall",
    "f1",
    "chunk_recall_filtered",
    "chunk_recall_judged",
    "judged_share",
    "calls",
    "input_tokens",
    "seconds",
    "status",
)


def report(asked: Sequence[Asked], reasoner: str) -> dict[str, JsonValue]:
    """Return `{"summary": …, "questions": […]}`.

    The summary holds, besides `questions` and `reasoner`: `total`, and `by` aggregation, logic
    and decided_by, each a figure's value with `low`, `high` (95 %) and `n`; `errors` by question.
    """
    by: dict[str, JsonValue] = {
        attribute: {kind: _figures(found) for kind, found in by_kind(asked, attribute).items()}
        for attribute in GROUPINGS
    }
    return {
        "summary": {
            "questions": len(asked),
            "reasoner": reasoner,
            "total": _figures(asked),
            "by": by,
            "errors": {each.record.id: each.error for each in asked if each.error},
        },
        "questions": [{key: getattr(each.score, key) for key in QUESTION_KEYS} for each in asked],
    }


def _figures(asked: Sequence[Asked]) -> JsonValue:
    return {name: asdict(figure) for name, figure in summarise(asked).items()}


def summarise(asked: Sequence[Asked]) -> dict[str, Estimate]:
    """Return every figure over some questions, undefined values left out, with its interval."""
    return {
        figure.name: estimate(
            [getattr(each.score, figure.attribute) for each in asked], figure.statistic
        )
        for figure in FIGURES
    }


def by_kind(asked: Sequence[Asked], attribute: str) -> Mapping[str, list[Asked]]:
    """Return the questions by an attribute of their records, the largest group first."""
    kinds: dict[str, list[Asked]] = defaultdict(list)
    for each in asked:
        kinds[getattr(each.record, attribute) or "not stated"].append(each)
    return dict(sorted(kinds.items(), key=lambda item: (-len(item[1]), item[0])))
