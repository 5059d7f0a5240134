"""The manifest: what a generation was built from, and how; and the id that names its corpus."""

import hashlib
import json
import os
import re
import uuid
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from agent.errors import CorpusDamaged, CorpusError, CorpusOfOtherFormat, SettingsError
from agent.small_files import read_small
from agent.value import Value
from tools.corpus.build_settings import BuildSettings
from tools.corpus.checksums import sealed, unsealed
from tools.corpus.generations import CorpusLayout

FORMAT = 17
"""Raised with every change of the files or of what readers and chunker make of the same bytes."""
_SHOWN: Final = 5
"""Files that are named where none can be read."""
_MARK: Final = "headcount "
"""What an id stands behind, which no other program writes; earlier versions left it out."""
_FORM: Final = re.compile(r"[0-9a-f]{12}")


class Unreadable(Value):
    """One file, or one row of a file, that could not be read, and why."""

    path: str
    reason: str
    file: int | None = None
    """The place of the row's file among those that were read; None where it is a whole file."""


def row_path(path: str, row: str) -> str:
    """Return the path of a file's row; without one, of the file."""
    return f"{path}#{row}" if row else path


def none_readable(unreadable: Sequence[tuple[str, str]]) -> CorpusError:
    """Return the error of a build that can read nothing, given paths and reasons."""
    if not unreadable:
        return CorpusError("there is no document below the given paths (hidden files are skipped)")
    reasons = [f"{path!r}: {reason}" for path, reason in unreadable[:_SHOWN]]
    more = len(unreadable) - len(reasons)
    rest = f"; and {more} more" if more else ""
    return CorpusError(f"not one document can be read: {'; '.join(reasons)}{rest}")


class Manifest(Value):
    """One generation's manifest."""

    format: int
    settings: BuildSettings
    sources: tuple[str, ...]
    """The indexed PATHs, absolute."""
    documents: int
    unreadable: tuple[Unreadable, ...]
    chunks: int
    tokens: int
    embedder: str
    dimensions: int
    digest: str
    """Of the documents and the settings: equal corpora have equal digests, wherever they lie."""

    @classmethod
    def load(cls, path: Path) -> "Manifest":
        """Read a manifest; raises CorpusDamaged where it is missing, broken or another format."""
        try:
            written = read_small(path)
            found = cls.model_validate_json(unsealed(written))
        except OSError as error:
            raise CorpusDamaged(f"the manifest {str(path)!r} cannot be read: {error}") from error
        except ValueError as error:
            _check_format(_parsed(written, path)["format"])
            raise CorpusDamaged(f"the manifest {str(path)!r} is broken: {error}") from error
        _check_format(found.format)
        return found

    def dump(self) -> str:
        """Return the manifest as JSON with its checksum, the same for the same content."""
        return sealed(self.model_dump_json(indent=1).encode()).decode()


def _parsed(written: bytes, path: Path) -> dict[str, Any]:
    """Return what a manifest of any format tells, its format at least."""
    try:
        told: dict[str, Any] = json.JSONDecoder().raw_decode(written.decode())[0]
        return {"format": told.get("format"), **told}
    except (ValueError, AttributeError) as error:
        raise CorpusDamaged(f"the manifest {str(path)!r} cannot be read: {error}") from error


def _check_format(written: object) -> None:
    if isinstance(written, int) and not isinstance(written, bool) and written > FORMAT:
        raise CorpusOfOtherFormat(
            f"was made by a later version (it has format {written}, this version reads {FORMAT}): "
            "update Headcount, or index the documents into another folder"
        )
    if written != FORMAT:
        raise CorpusOfOtherFormat(
            f"was made by an earlier version (it has format {written}, this version reads "
            f"{FORMAT}): run `headcount index` with the same paths again; its runs are kept"
        )


def corpus_digest(settings: BuildSettings, documents: Iterable[tuple[str, str, str]]) -> str:
    """Return the digest of a corpus from its settings and its documents' (name, path, digest)."""
    left = {"ocr"} if settings.fields else {"ocr", "fields"}  # nobody corrected any
    shaping = {key: value for key, value in asdict(settings).items() if key not in left}
    content = {"format": FORMAT, "settings": shaping, "documents": sorted(documents)}
    return hashlib.sha256(json.dumps(content, ensure_ascii=False).encode()).hexdigest()


def corpus_id(root: Path) -> str:
    """Return the id of a corpus directory, made where it has none: 12 hexadecimal digits.

    It stays when documents come and go, and a copy of the directory has the same. Raises
    CorpusDamaged where the file holds something else, CorpusError where it cannot be used.
    """
    path = CorpusLayout(root).id
    try:
        if not path.exists():
            _make(path)
        found = read_small(path).decode("ascii", "replace").strip().removeprefix(_MARK)
    except OSError as error:
        raise CorpusError(
            f"cannot write the corpus's id {str(path)!r} ({error.strerror}); "
            "make its folder writable"
        ) from error
    if not _FORM.fullmatch(found):
        raise CorpusDamaged(
            f"{str(path)!r} holds no id of a corpus: copy it from another copy of the corpus, or "
            "delete it, and its runs on a server are not found again"
        )
    return found


def is_ours(layout: CorpusLayout) -> bool:
    """Return whether a marked id, or a manifest of any format, proves that a build wrote there."""
    with suppress(OSError, CorpusDamaged):
        if read_small(layout.id).startswith(_MARK.encode()):
            return True
    for path in (layout.sharded, *layout.generations.glob("*/manifest.json")):
        with suppress(OSError, CorpusDamaged):
            told = _parsed(read_small(path), path)
            if isinstance(told["format"], int) and {"settings", "sources"} <= told.keys():
                return True
    return False


def check_target(layout: CorpusLayout, *, sharded: bool = False) -> None:
    """Raise SettingsError where a build would write into what is another program's, or a file."""
    place = repr(str(layout.root))
    if not layout.root.is_dir():
        if layout.root.exists():
            raise SettingsError(f"{place} is a file: name a directory")
        return
    left = (layout.lock, layout.id)
    free = all(each in left and each.is_file() for each in layout.root.iterdir())
    known = (sharded or layout.is_corpus()) and is_ours(layout)  # marks may be another program's
    if not known and not free:
        what = "a sharded corpus" if sharded else "a corpus"
        raise SettingsError(f"{place} is not empty and not {what}: name another directory")
    if sharded and layout.is_corpus():
        raise SettingsError(f"{place} is a corpus without shards: name another directory")


def _make(path: Path) -> None:
    """Write the file whole: of several that try it at once, on whatever machine, one does."""
    fresh = path.with_name(f"{path.name}.{uuid.uuid4().hex}")
    try:
        fresh.write_text(f"{_MARK}{uuid.uuid4().hex[:12]}\n", encoding="ascii")
        with suppress(FileExistsError):
            os.link(fresh, path)
    finally:
        fresh.unlink(missing_ok=True)
