"""Over which documents a question is asked."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from agent.errors import QuestionError
from evals.questions import Record

__all__ = ("Scope", "ScopeRule", "folder_of", "scope_of")

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
