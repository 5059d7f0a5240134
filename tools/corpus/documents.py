"""Documents: files below a root, read into text with what is known about it."""

import hashlib
import os
import re
import stat
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, NamedTuple

from agent.corpus_view import FieldValue
from agent.errors import DocumentUnreadable
from tools.corpus.build_settings import BuildSettings
from tools.corpus.chunking.chunker import Chunk, Cut, cut_text
from tools.corpus.fields.field_values import field_value, fold, quoted
from tools.corpus.fields.header import broken_block, read_fields, title_of
from tools.corpus.fields.literals import is_placeholder
from tools.corpus.language_detection import language_of
from tools.corpus.processes import gc_disabled
from tools.corpus.readers import Extracted, read_as
from tools.corpus.readers.extracted import suffix_of, whole
from tools.corpus.readers.ocr import NO_OCR, UNREAD, reading_in
from tools.corpus.source_files import FileBelow, Metadata

_TITLE_LENGTH = 120
"""Characters of a first line that is taken for a title, at most."""
_ENDS: Final = (".", "!", "?", ";", ":", ",", "。", "！", "？", "；", "：")
"""What no title ends with."""
_KEY_LINE = re.compile(r"[^\W\d_][\w ()/.-]{0,40}:\s")

_FACTS = frozenset({"filename", "filefolder", "filetype", "filesize"})
"""The folded keys of what is known of a document's own file."""
_REASONS = 3
"""Files within a file that are named where none of them can be read."""
_ROWS, _TOLD_BY = 20, 400
"""Rows, and characters of each, that tell the language of a file."""
_MOST_BYTES = 256 * 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A document as indexed."""

    name: str
    """Path below the root without suffix, `/` between parts; a row, or a file within: `file#it`."""
    path: str
    """Path below the root with suffix."""
    text: str
    """As indexed: every offset of the project counts its characters."""
    title: str
    """The header's title, else the format's, else the first heading, else the name."""
    reader: str
    encoding: str | None
    """As detected; None for binary formats."""
    size: int
    """Bytes of its file."""
    digest: str
    """SHA-256 of the file's bytes, or of the row, with what is said of the file elsewhere, and with
    the languages in which scans in it were read."""
    fields: Mapping[str, FieldValue]
    """Header fields with offsets; what is said of the file elsewhere, the format's own properties
    and facts on the file without.
    A mere placeholder, such as `n/a`, is no value."""
    warnings: tuple[str, ...]
    is_row: bool
    properties: Mapping[str, str]
    """Of the format; when the document is cut, which has the time for it, they become fields."""
    chunks: Sequence[Chunk] = ()
    """Empty until it is cut."""
    language: str = ""
    """The code of its language, known when it is cut; empty where that is not certain."""


class ReadFile(NamedTuple):
    """What one file holds."""

    digest: str
    """SHA-256 of its bytes."""
    documents: Sequence[Document]
    """Not cut yet: they have the header's fields alone, and where that states none no title."""
    broken: Sequence[tuple[str, str]]
    """Place and reason of each row that cannot be read."""
    ocr: str
    """How scans in it were read, as of `Extracted`; empty where there are none."""


def read_file(file: FileBelow, *, encoding: str | None = None, ocr: str = NO_OCR) -> ReadFile:
    """Read a file's documents; a scan without text has none, and is known as read.

    `encoding` is tried where the bytes carry no mark and are no UTF-8; `ocr` as of the settings.
    Raises DocumentUnreadable with one reason, SettingsError for an unknown encoding.
    """
    place = Path(file.file)
    data = file_bytes(file)
    digest = hashlib.sha256(data).hexdigest()
    with reading_in(ocr):
        reader, found = read_as(place.name, data, encoding)
    about = (reader, digest, len(data))
    documents = [_document(file, each, *about) for each in found if each.text.strip()]
    broken = [(each.place, each.broken) for each in found if each.broken is not None]
    how = {each.ocr for each in found if each.ocr}
    read = UNREAD if UNREAD in how else "".join(how)
    if not documents and read in {"", UNREAD}:
        told = [f"{at}: {why}" for at, why in broken[:_REASONS]]
        raise DocumentUnreadable("; ".join(told) or "no text in it")
    if not documents and not broken:
        broken = [("", "no text in it")]
    return ReadFile(digest, documents, broken, read)


def file_bytes(file: FileBelow, first: int = -1) -> bytes:
    """Return a file's bytes, or the first of them; raises DocumentUnreadable."""
    place = Path(file.file)
    try:
        _check_place(place)
        with os.fdopen(_opened(place, Path(file.root)), "rb") as opened:
            seen = os.fstat(opened.fileno())
            if not stat.S_ISREG(seen.st_mode):
                raise DocumentUnreadable("not a regular file since the folder was listed")
            if seen.st_size > _MOST_BYTES:
                raise DocumentUnreadable(f"{seen.st_size} bytes, more than 256 MiB; split it")
            data = opened.read(first)
    except OSError as error:
        raise DocumentUnreadable(f"cannot be opened ({error.strerror or error})") from error
    if not data.strip():
        raise DocumentUnreadable("empty")
    return data


def _opened(file: Path, root: Path) -> int:
    """Open a file below the root, part by part, so that no link put there meanwhile is followed."""
    top, real = root.resolve(), file.resolve()
    if not real.is_relative_to(top):
        raise DocumentUnreadable("symbolic link out of the indexed folder; index its target")
    if os.open not in os.supports_dir_fd:
        return os.open(real, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    at = os.open(top, os.O_RDONLY)
    for part in real.relative_to(top).parts:
        folder, how = at, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK
        try:
            at = os.open(part, how, dir_fd=folder)
        finally:
            os.close(folder)
    return at


def _check_place(file: Path) -> None:
    """Refuse what is no file, and say what it is instead."""
    linked, folder = file.is_symlink(), file.is_dir()
    if not linked and not file.exists():
        raise DocumentUnreadable("gone since the folder was listed; index again")
    if not folder and not file.is_file():
        raise DocumentUnreadable("not a regular file, or a broken link")
    if linked and folder:
        raise DocumentUnreadable("symbolic link to a folder; index that folder itself")
    if folder:
        raise DocumentUnreadable("a folder whose files cannot be listed")


def _document(
    file: FileBelow, extracted: Extracted, reader: str, digest: str, size: int
) -> Document:
    name, is_row = file.name, extracted.key is not None
    fields, title = read_fields(extracted.text)
    broken = broken_block(extracted.text)
    if extracted.place:
        name = whole(f"{name}#{extracted.place}")
        source = (extracted.source or extracted.text).encode("utf-8", "replace")
        digest = hashlib.sha256(source).hexdigest()
    if extracted.ocr not in {"", UNREAD}:
        digest = hashlib.sha256(f"{digest}{extracted.ocr}".encode()).hexdigest()
    if file.metadata:
        said = file.metadata.items()
        beside = {f"stated {key}" if fold(key) in _FACTS else key: value for key, value in said}
        fields = _with_properties(fields, beside)
        digest = hashlib.sha256(f"{digest}{file.metadata_digest}".encode()).hexdigest()
        title = title or (None if extracted.place else title_of(fields))
    return Document(
        name=name,
        path=file.path,
        text=extracted.text,
        title=title or extracted.title or "",
        reader=extracted.reader or reader,
        encoding=extracted.encoding,
        size=size,
        digest=digest,
        fields=fields,
        warnings=tuple(map(whole, (*extracted.warnings, *filter(None, [broken])))),
        is_row=is_row,
        properties=extracted.properties,
    )


def _first_line(document: Document) -> str | None:
    """Return the first line of a text that stands alone like a title; None for a row or prose."""
    if document.is_row:
        return None
    lines = document.text.lstrip().split("\n", 2)
    first, second = lines[0].strip(), lines[1].strip() if len(lines) > 1 else ""
    sentence = first.endswith(_ENDS) or len(first) > _TITLE_LENGTH
    apart = not second or _KEY_LINE.match(second) is not None
    more = any(each.strip() for each in lines[1:])
    titled = any(map(str.isalpha, first)) and not _KEY_LINE.match(first) and more
    return first if titled and apart and not sentence else None


def _with_properties(
    fields: Mapping[str, FieldValue], properties: Metadata
) -> dict[str, FieldValue]:
    """Return the fields and those properties that the fields do not already have."""
    known = {fold(key) for key in fields}
    new = {key: value for key, value in properties.items() if fold(key) not in known}
    whole = {"title", "name", "filename", "filefolder"}
    return dict(fields) | {
        key: field_value(value, whole=fold(key) in whole)
        if isinstance(value, str)
        else field_value(quoted("; ".join(value)), items=tuple(value))
        for key, value in new.items()
    }


def _file_facts(path: Path, size: int) -> dict[str, str]:
    facts = {
        "file name": path.name,
        "file folder": path.parent.as_posix(),
        "file type": suffix_of(path.name).lower().lstrip("."),
        "file size": str(size),
    }
    return {key: value for key, value in facts.items() if value and value != "."}


def distinct(names: Sequence[str]) -> list[str]:
    """Return the names with every repeat numbered, so that a name means one document.

    >>> distinct(["a", "b", "a", "a"])
    ['a', 'b', 'a~2', 'a~3']
    """
    taken = set(names)
    given: dict[str, None] = {}
    for name in names:
        found, number = name, 1
        while found in given or (number > 1 and found in taken):
            number += 1
            found = f"{name}~{number}"
        given[found] = None
    return list(given)


def cut(documents: Sequence[Document], settings: BuildSettings) -> list[Document]:
    """Return the documents with their chunks, all fields and a title."""
    size = {"size": settings.chunk_tokens, "overlap": settings.overlap}
    with gc_disabled():
        cuts = [cut_text(each.text, **size) for each in documents]
    return list(map(_completed, documents, cuts, _languages(documents)))


def _languages(documents: Sequence[Document]) -> list[str]:
    """Return each document's language; a short row is in that of its file's first rows."""
    found = [language_of(each.text) for each in documents]
    unsure = {each.path for each, code in zip(documents, found, strict=True) if not code}
    files: defaultdict[str, list[str]] = defaultdict(list)
    for each in documents:
        if each.path in unsure and len(files[each.path]) < _ROWS:
            files[each.path].append(each.text[:_TOLD_BY])
    shared = {path: language_of("\n".join(texts)) for path, texts in files.items() if texts[1:]}
    return [code or shared.get(each.path, "") for each, code in zip(documents, found, strict=True)]


def _completed(document: Document, own: Cut, language: str) -> Document:
    fields = _with_properties(document.fields, document.properties)
    fields = _with_properties(fields, _file_facts(Path(document.path), document.size))
    stated = document.title or own.title or title_of(fields)
    return replace(
        document,
        title=whole(stated or _first_line(document) or document.name),
        fields={
            whole(key): replace(each, raw=whole(each.raw), items=tuple(map(whole, each.items)))
            for key, each in fields.items()
            if not is_placeholder(each.raw)
        },
        properties={},
        chunks=own.chunks,
        language=language,
    )
