"""The indexes of an experiment: one for each scope, with the expansion where there is one."""

from collections.abc import Callable
from pathlib import Path

from evals.corpora import Corpora
from evals.expansion import expanded
from evals.experiments.collection import Collection
from evals.questions import Record
from evals.scope import Scope, scope_of

__all__ = ("Indexes",)


class Indexes:
    """Builds an index when a question first needs it; one that is there is brought up to date."""

    def __init__(self, place: Path, say: Callable[[str], None]) -> None:
        """Keep indexes under `place`."""
        self._place = place
        self._corpora = Corpora(place, say)
        self._expanded: dict[tuple[Scope, Path], Scope] = {}
        self._ready: dict[Scope, Path] = {}

    def of(self, record: Record, collection: Collection) -> Path:
        """Return the directory of the index that a question is asked over.

        Raises:
            QuestionError: the scope names a document that its folder does not have.
            CorpusError: the documents cannot be indexed.
        """
        scope = scope_of(record, collection.documents, collection.rule)
        if collection.expansion is not None:
            scope = self._wider(scope, collection.expansion)
        if scope not in self._ready:
            self._ready[scope] = self._corpora.over(scope).path
        return self._ready[scope]

    def _wider(self, scope: Scope, expansion: Path) -> Scope:
        key = (scope, expansion)
        if key not in self._expanded:
            into = self._place / f"expanded-{len(self._expanded)}"
            self._expanded[key] = expanded(scope, expansion, into)
        return self._expanded[key]
