"""The indexes that questions are asked over: one for each distinct scope."""

import hashlib
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from agent.errors import QuestionError
from evals.names import DocumentNames
from evals.scope import Scope

if TYPE_CHECKING:
    from tools.corpus.corpus import Corpus

__all__ = ("Corpora",)


class Corpora:
    """Builds a scope's index when it is first asked for, and keeps it."""

    def __init__(self, place: Path, say: Callable[[str], None]) -> None:
        """Keep indexes under `place`; an index found there is brought up to date."""
        self._place = place
        self._say = say
        self._open: dict[Scope, Corpus] = {}

    def over(self, scope: Scope) -> "Corpus":
        """Return the index of a scope.

        Raises:
            QuestionError: the scope names a document that its folder does not have.
            CorpusError: the documents cannot be indexed.
        """
        if scope not in self._open:
            self._open[scope] = self._built(scope)
        return self._open[scope]

    def _built(self, scope: Scope) -> "Corpus":
        from tools.corpus.build import build
        from tools.corpus.corpus import open_corpus

        key = _key(scope)
        source = scope.folder
        if scope.names is not None:
            source = self._place / f"{key}.documents"
            _copy(scope.folder, scope.names, source)
        into = self._place / f"{key}.corpus"
        self._say(f"indexing {_told(scope)}")
        build([source], into)
        return open_corpus(into)


def _key(scope: Scope) -> str:
    told = "\0".join([str(scope.folder.resolve()), *sorted(scope.names or ())])
    return hashlib.sha256(f"{scope.names is None}\0{told}".encode()).hexdigest()[:12]


def _told(scope: Scope) -> str:
    if scope.names is None:
        return str(scope.folder)
    return f"{len(scope.names)} documents of {scope.folder}"


def _copy(folder: Path, names: frozenset[str], into: Path) -> None:
    """Copy the named documents, with their place below the folder, into a fresh folder."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    known = DocumentNames([path.relative_to(folder).with_suffix("").as_posix() for path in files])
    found = {name: known.find(name) for name in names}
    missing = sorted(name for name, index in found.items() if index is None)
    if missing:
        raise QuestionError(f"{str(folder)!r} lacks {len(missing)} documents, first {missing[0]!r}")
    shutil.rmtree(into, ignore_errors=True)
    for index in found.values():
        path = files[index or 0]
        target = into / path.relative_to(folder)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
