"""Formats that are ZIP archives of XML: opened only where they do not unpack to far too much."""

import io
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from agent.errors import DocumentUnreadable

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
    """Return by name what the first element of a tag tells, where there is one and it is filled."""
    found = {name: next(root.iter(tag), None) for name, tag in tags.items()}
    return {name: each.text for name, each in found.items() if each is not None and each.text}
