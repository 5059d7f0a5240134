"""Files within files: archives and formats that are such, mailboxes, what is attached to a mail."""

import io
import posixpath
import re
import zipfile
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from itertools import pairwise
from pathlib import PurePosixPath
from typing import Any

from agent.errors import DocumentUnreadable
from tools.corpus.processes import more_time
from tools.corpus.readers.extracted import Extracted, suffix_of
from tools.corpus.readers.ocr import UNREAD, ScanUnread

_MOST_BYTES = 512 * 1024 * 1024
_FREE_BYTES = 16 * 1024 * 1024
_MOST_RATIO = 100


@contextmanager
def archive_of(data: bytes) -> Iterator[zipfile.ZipFile]:
    """Open an archive; `zipfile` never unpacks an entry beyond the size that it declares.

    Raises DocumentUnreadable: by these sizes it would unpack to far more than it is.
    """
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        unpacked = sum(entry.file_size for entry in archive.infolist())
        if unpacked > _MOST_BYTES or unpacked > max(_FREE_BYTES, _MOST_RATIO * len(data)):
            raise DocumentUnreadable(f"unpacks from {len(data)} to {unpacked} bytes: refused")
        yield archive


def xml_of(data: bytes) -> Any:
    """Return the root of an XML file; entities are not looked up, inside or outside of it."""
    from lxml.etree import XMLParser, fromstring

    return fromstring(data, XMLParser(resolve_entities=False, no_network=True, huge_tree=True))


def told_in(root: Any, tags: Mapping[str, str]) -> dict[str, str]:
    """Return by name what the first element of a tag tells, where it is filled; days, no times."""
    found = {name: next(root.iter(tag), None) for name, tag in tags.items()}
    told = {name: each.text for name, each in found.items() if each is not None and each.text}
    return {name: text[:10] if name == "Created" else text for name, text in told.items()}


_BORDER = re.compile(rb"(?:\A|(?<=\n\n)|(?<=\r\n\r\n))From [^\n]*\n(?=[!-9;-~]+:)")
"""Where a message of a mailbox begins: behind an empty line, before its first header."""
_QUOTED = re.compile(rb"^>(>*From )", re.MULTILINE)
_OF_A_MAC = re.compile(r"(?:^|/)(?:__MACOSX/|\.DS_Store$)")
"""What macOS packs beside the files: no documents."""
_UNUSABLE = (RuntimeError, NotImplementedError, zipfile.BadZipFile)
"""What an entry of an archive raises that is locked or damaged."""
_DEPTH = 8
"""Archives within archives that are opened."""


def read_archive(data: bytes, encoding: str | None) -> list[Extracted]:
    """Return the documents in a ZIP archive, and in those that it holds."""
    found: list[Extracted] = []
    packed = deque([("", data, 0)])
    while packed:
        within, held, depth = packed.popleft()
        with archive_of(held) as archive:
            for entry in archive.infolist():
                path = f"{within}{_inside(entry.filename)}"
                if entry.is_dir() or _OF_A_MAC.search(entry.filename):
                    continue
                try:
                    inner = archive.read(entry)
                except _UNUSABLE as error:
                    found.append(_broken(path, str(error)))  # locked, or damaged
                    continue
                if not zipfile.is_zipfile(io.BytesIO(inner)) or not path.lower().endswith(".zip"):
                    found += read_within(path, inner, encoding)
                elif depth < _DEPTH:
                    packed.append((f"{path}#", inner, depth + 1))
                else:
                    found.append(_broken(path, f"more than {_DEPTH} archives, one in another"))
    return found


def read_mailbox(data: bytes, encoding: str | None) -> list[Extracted]:
    """Return each message of a mailbox in mbox format, with what is attached to it."""
    starts = [*(each.span() for each in _BORDER.finditer(data)), (len(data), 0)]
    found: list[Extracted] = []
    for number, ((_, begin), (end, _)) in enumerate(pairwise(starts), start=1):
        found += read_within(f"{number}.eml", _QUOTED.sub(rb"\1", data[begin:end]), encoding)
    if not found:
        raise DocumentUnreadable("no message in it: each begins with a line `From …`")
    return found


def read_within(path: str, data: bytes, encoding: str | None = None) -> list[Extracted]:
    """Return the documents of a file in another, read as its suffix says, or why they cannot be."""
    from tools.corpus.readers import read_as

    place = PurePosixPath(path)
    more_time()
    try:
        reader, inner = read_as(place.name, data, encoding)
    except DocumentUnreadable as error:
        ocr = UNREAD if isinstance(error, ScanUnread) else ""
        return [replace(_broken(path, str(error)), ocr=ocr)]
    if not any(each.text.strip() or each.broken for each in inner):
        ocr = next((each.ocr for each in inner if each.ocr), "")
        return [replace(_broken(path, "no text in it"), ocr=ocr)]
    suffix = suffix_of(place.name)
    facts = {"file name": place.name, "file type": suffix.lower().lstrip(".")}
    facts["file size"] = str(len(data))
    facts |= {"file folder": str(place.parent)} if len(place.parts) > 1 else {}
    within = str(place).removesuffix(suffix)
    return [
        replace(
            each,
            within="#".join(filter(None, (within, each.within))),
            reader=each.reader or reader,
            properties={**facts, **each.properties},
        )
        for each in inner
    ]


def _inside(path: str) -> str:
    r"""Return a path within an archive; one that leads out of it, or from a root, as if within.

    >>> _inside("../../etc/x.txt"), _inside("a/../b.txt"), _inside("C:\\x.txt")
    ('etc/x.txt', 'b.txt', 'C:/x.txt')
    """
    return posixpath.normpath("/" + path.replace("\\", "/")).lstrip("/")


def _broken(path: str, reason: str) -> Extracted:
    return Extracted(text="", within=path, broken=reason)
