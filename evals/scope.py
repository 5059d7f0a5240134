"""Over which documents a question is asked."""

import hashlib
import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from agent.errors import QuestionError
from evals.names import DocumentNames
from evals.questions import Record

if TYPE_CHECKING:
    from tools.corpus.corpus import Corpus

__all__ = ("Corpora", "Scope", "ScopeRule", "folder_of", "scope_of")

ScopeRule = Literal["record", "gold", "all"]
_GIVEN = "gold_documents"


@dataclass(frozen=True, slots=True)
class Scope:
    """A folder of documents, or some of them; equal scopes share one index."""

    folder: Path
    names: frozenset[str] | None = None
    """The documents' names; None for the whole folder."""


def scope_of(record: Record, documents: Path, rule: ScopeRule = "record") -> Scope:
    """Return the scope of a question.

    By `record`, the first that the record has: `documents`; `corpus_filter`; `db_id`, the one
    document it is attached to; a condition that refers to `gold_documents` as the given set; else
    the whole folder. By `gold`, always the gold documents; by `all`, always the whole folder.

    Raises:
        QuestionError: the file that `corpus_filter` names is not there.
    """
    folder = folder_of(record, documents)
    names = None if rule == "all" else _named(record, folder, rule)
    return Scope(folder, None if names is None else frozenset(names))


def folder_of(record: Record, documents: Path) -> Path:
    """Return the folder of the record's corpus.

    That is `documents`, unless the last part of the record's `corpus` (`peps/docs_body`) names
    another folder beside it: then that one, so that one file can ask over several variants.
    """
    words = record.corpus.split()
    last = words[0].rstrip("/").rsplit("/", 1)[-1] if words else ""
    beside = documents.resolve().parent / last
    if last in ("", ".", "..", documents.resolve().name) or not beside.is_dir():
        return documents
    return beside


def _named(record: Record, folder: Path, rule: ScopeRule) -> Iterable[str] | None:
    if rule == "gold":
        return record.gold_documents
    if record.documents is not None:
        return record.documents
    if record.corpus_filter not in (None, "all"):
        return _filtered(record, folder)
    if record.db_id is not None and record.db_id in record.gold_documents:
        return (record.db_id,)
    if any(_GIVEN in condition.text for condition in record.conditions):
        return record.gold_documents
    return None


def _filtered(record: Record, folder: Path) -> Iterable[str]:
    given = record.corpus_filter
    if not isinstance(given, str):
        return given or ()
    places = [place / given for place in (folder.resolve().parent, folder)]
    for place in places:
        if place.is_file():
            lines = place.read_text(encoding="utf-8").splitlines()
            return [line.strip() for line in lines if line.strip()]
    raise QuestionError(
        f"question {record.id!r}: its corpus_filter {given!r} is neither beside nor in "
        f"{str(folder)!r}"
    )


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
