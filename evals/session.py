"""One command of the evaluation: a file of questions, a folder, a reasoner."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from agent.errors import SettingsError
from agent.reasoner import Reasoner
from evals.questions import Record, load
from evals.run import Asked, Bench
from evals.scope import ScopeRule

if TYPE_CHECKING:
    from agent.settings import Settings
    from evals.outcome import Outcome
    from tools.corpus.corpus import Corpus

__all__ = ("Session", "scope_rule")


def scope_rule(name: str) -> ScopeRule:
    """Return the rule of that name; raise SettingsError where there is none."""
    rules: tuple[ScopeRule, ...] = get_args(ScopeRule)
    for rule in rules:
        if rule == name:
            return rule
    raise SettingsError(f"there is no scope {name!r}; choose one of {', '.join(rules)}")


@dataclass(frozen=True, kw_only=True)
class Session:
    """Everything that the command line says, put together."""

    questions: Path
    documents: Path
    reasoner: str
    """`rules`, `gold` or a model's name."""
    limit: int | None
    rule: ScopeRule
    baseline: bool
    place: Path
    """Where indexes and runs are kept."""

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
        from evals.asking import ask

        reasoner = self._reasoner(record, corpus)
        return ask(record.question, corpus, reasoner, self._settings.policy())

    @cached_property
    def _settings(self) -> "Settings":
        """The settings of the product, but nobody is there to be asked about an ambiguity."""
        from agent.settings import load_settings

        model = "rules" if self.reasoner == "gold" else self.reasoner
        return load_settings(model=model, on_ambiguity="assume")

    def _reasoner(self, record: Record, corpus: "Corpus") -> Reasoner:
        """Return a reasoner for one question: the budget, where one is set, is a question's."""
        from agent.reasoners import select_reasoner
        from evals.gold import GoldReasoner

        settings = self._settings
        reasoner = select_reasoner(settings, cache=self.place / "responses.sqlite")
        if self.reasoner != "gold":
            return reasoner
        return GoldReasoner(
            reasoner,
            record,
            corpus,
            context_tokens=settings.context_tokens,
            reply_tokens=settings.reply_tokens,
        )
