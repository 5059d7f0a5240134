"""Files as bytes: written in memory, and sound archives but for what a test changes in them."""

import io
import zipfile
from collections.abc import Callable, Mapping
from typing import IO

Change = Callable[[bytes], bytes] | bytes | None
"""What a file becomes: what is made of it, other bytes, or nothing."""


def saved(save: Callable[[IO[bytes]], object]) -> bytes:
    """Return what a document's method that saves it writes."""
    file = io.BytesIO()
    save(file)
    return file.getvalue()


def repacked(data: bytes, changes: Mapping[str, Change]) -> bytes:
    """Return an archive of which some files are changed."""
    target = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(data)) as source,
        zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive,
    ):
        for entry in source.namelist():
            found = source.read(entry)
            change = changes.get(entry, found)
            content = change(found) if callable(change) else change
            if content is not None:
                archive.writestr(entry, content)
    return target.getvalue()
