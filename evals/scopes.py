"""Over which documents a question is asked, and their indexes."""

import hashlib
import json
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from agent.errors import QuestionError
from evals.names import DocumentNames
from evals.questions import Record
from tools.corpus.build import build
from tools.corpus.corpus import Corpus, open_corpus

_GIVEN = "gold_documents"
_MANIFEST = "manifest.json"
"""Beside an expansion's documents: `valid_question_ids` names whose answers they leave alone."""


@dataclass(frozen=True, slots=True)
class Scope:
    """A folder of documents, or some of them; equal scopes share one index."""

    folder: Path
    names: frozenset[str] | None = None
    expansion: Path | None = None
    """A folder of unrelated documents that are added."""

    @property
    def key(self) -> str:
        """A name that tells it from other scopes."""
        told = (self.folder.resolve(), *sorted(self.names or ()), self.expansion)
        joined = "\0".join(map(str, (self.names is None, *told)))
        return hashlib.sha256(joined.encode()).hexdigest()[:12]

    def __str__(self) -> str:
        """Say which documents these are."""
        told = "" if self.names is None else f"{len(self.names)} documents of "
        added = "" if self.expansion is None else f" with {self.expansion}"
        return f"{told}{self.folder}{added}"


def scope_of(
    record: Record, documents: Path, expansion: Path | None = None, *, noise: bool = False
) -> Scope:
    """Return the scope of a question; with noise the whole folder.

    That is the first that the record has: `documents`; `corpus_filter`; `db_id`, the one document
    it is attached to; a condition that refers to `gold_documents` as the given set; else the whole
    folder.

    Raises QuestionError: the file that `corpus_filter` names is not there.
    """
    folder = folder_of(record, documents)
    names = None if noise else _named(record, folder)
    return Scope(folder, None if names is None else frozenset(names), expansion)


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


def _named(record: Record, folder: Path) -> Iterable[str] | None:
    if record.documents is not None:
        return record.documents
    if record.corpus_filter not in (None, "all"):
        return _filtered(record.id, record.corpus_filter, folder)
    if record.db_id is not None and record.db_id in record.gold_documents:
        return (record.db_id,)
    if any(_GIVEN in condition.text for condition in record.conditions):
        return record.gold_documents
    return None


def _filtered(question: str, given: str, folder: Path) -> Iterable[str]:
    place = folder.resolve().parent / given
    if not place.is_file():
        raise QuestionError(
            f"question {question!r}: its corpus_filter {given!r} is not beside {str(folder)!r}"
        )
    lines = place.read_text(encoding="utf-8").splitlines()
    return [line.strip() for line in lines if line.strip()]


def still_valid(records: Sequence[Record], expansion: Path | None) -> Iterator[Record]:
    """Yield the questions whose answers the expansion leaves as they are; all without a manifest.

    Raises QuestionError: the manifest cannot be read.
    """
    manifest = None if expansion is None else expansion / _MANIFEST
    if manifest is None or not manifest.is_file():
        yield from records
        return
    try:
        valid = json.loads(manifest.read_text(encoding="utf-8")).get("valid_question_ids")
    except (OSError, ValueError, AttributeError) as error:
        raise QuestionError(f"cannot read {str(manifest)!r}: {error}") from error
    yield from (record for record in records if valid is None or record.id in valid)


class Corpora:
    """Builds a scope's index when it is first asked for, and keeps it."""

    def __init__(self, place: Path, say: Callable[[str], None]) -> None:
        """Keep indexes under `place`; an index found there is brought up to date."""
        self._place = place
        self._say = say
        self._open: dict[Scope, Corpus] = {}

    def over(self, scope: Scope) -> Corpus:
        """Return the index of a scope.

        Raises:
            QuestionError: the scope names a document that its folder does not have.
            CorpusError: the documents cannot be indexed.
        """
        if scope not in self._open:
            self._open[scope] = self._built(scope)
        return self._open[scope]

    def asked(self, records: Iterable[Record], documents: Path) -> Iterator[tuple[Record, Corpus]]:
        """Yield the questions over this folder, or a part of it, each with its corpus."""
        for record in records:
            if folder_of(record, documents) == documents:
                yield record, self.over(scope_of(record, documents))

    def _built(self, scope: Scope) -> Corpus:
        source = scope.folder
        if scope.names is not None or scope.expansion is not None:
            source = self._place / f"{scope.key}.documents"
            _copy_scope(scope, source)
        into = self._place / f"{scope.key}.corpus"
        self._say(f"indexing {scope}")
        build([source], into)
        return open_corpus(into)


def _copy_scope(scope: Scope, into: Path) -> None:
    """Copy a scope's documents, with their place below their folders, into a fresh folder."""
    shutil.rmtree(into, ignore_errors=True)
    if scope.names is None:
        shutil.copytree(scope.folder, into)
    else:
        for path in _chosen(scope.folder, scope.names):
            target = into / path.relative_to(scope.folder)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
    if scope.expansion is not None:
        without = shutil.ignore_patterns(_MANIFEST)
        shutil.copytree(scope.expansion, into / "expansion", ignore=without)


def _chosen(folder: Path, wanted: frozenset[str]) -> list[Path]:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    known = DocumentNames([path.relative_to(folder).with_suffix("").as_posix() for path in files])
    missing = sorted(name for name in wanted if known.find(name) is None)
    if missing:
        lacking = f"{len(missing)} documents, first {missing[0]!r}"
        raise QuestionError(f"{str(folder)!r} lacks {lacking}")
    return [files[index] for index in sorted(known.indices(wanted))]
