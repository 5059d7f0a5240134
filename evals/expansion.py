"""Unrelated documents added to a collection: noise that leaves the true answers as they are."""

import json
import shutil
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from agent.errors import QuestionError
from evals.names import DocumentNames
from evals.questions import Record
from evals.scope import Scope

__all__ = ("MANIFEST", "expanded", "still_valid")

MANIFEST = "manifest.json"
"""Beside the added documents; may name in `valid_question_ids` whose answers they leave alone."""


def expanded(scope: Scope, expansion: Path, into: Path) -> Scope:
    """Copy the documents of a scope and those of the expansion into a folder of their own.

    Raises:
        QuestionError: the scope names a document that its folder lacks.
    """
    shutil.rmtree(into, ignore_errors=True)
    files = sorted(path for path in scope.folder.rglob("*") if path.is_file())
    names = [path.relative_to(scope.folder).with_suffix("").as_posix() for path in files]
    known = DocumentNames(names)
    for name in scope.names or ():
        if known.find(name) is None:
            raise QuestionError(f"{str(scope.folder)!r} lacks the document {name!r}")
    kept = range(len(files)) if scope.names is None else sorted(known.indices(scope.names))
    _copy([files[index] for index in kept], scope.folder, into)
    added = sorted(path for path in expansion.rglob("*") if path.is_file())
    _copy([path for path in added if path.name != MANIFEST], expansion, into / "expansion")
    return Scope(into)


def still_valid(records: Sequence[Record], expansion: Path | None) -> Iterator[Record]:
    """Yield the questions whose answers the expansion leaves as they are; all without a manifest.

    Raises:
        QuestionError: the manifest cannot be read.
    """
    manifest = None if expansion is None else expansion / MANIFEST
    if manifest is None or not manifest.is_file():
        yield from records
        return
    try:
        valid = json.loads(manifest.read_text(encoding="utf-8")).get("valid_question_ids")
    except (OSError, ValueError, AttributeError) as error:
        raise QuestionError(f"cannot read {str(manifest)!r}: {error}") from error
    yield from (record for record in records if valid is None or record.id in valid)


def _copy(files: Iterable[Path], folder: Path, into: Path) -> None:
    for path in files:
        target = into / path.relative_to(folder)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
