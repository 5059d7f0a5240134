"""Real text of up to a million chunks: the different text files below the folders of a system."""

import gzip
import hashlib
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path

__all__ = ("CHUNK_BYTES", "FILE_BYTES", "SUFFIXES", "gather")

CHUNK_BYTES = 1050
"""About as many bytes of such text make one chunk."""
_PACKED = ".gz"
SUFFIXES = frozenset(
    {".txt", ".md", ".rst", ".html", ".htm", ".py", ".pyi", ".c", ".h", ".hpp", ".pl", ".pm"}
    | {".vim", ".js", ".java", ".go", ".rb", ".sh", ".tcl", _PACKED}
)
"""Prose, sources, and what is packed of either, as manual pages are; no tables."""
FILE_BYTES = range(1_000, 1_000_001)
"""Smaller files say little; larger ones are data, or other files joined."""
_FOLDER_DIGITS = 2
_NAME_DIGITS = 16


def gather(folders: Iterable[Path], into: Path, size: int) -> int:
    """Copy different text files into an empty folder until they hold `size` bytes; return how many.

    They come in the order of their digests, so that less text is a sample of more. Where the
    folders hold less, all is copied. Packed files are copied unpacked; links and what is not UTF-8
    are left out.
    """
    found = {hashlib.sha256(text).hexdigest(): file for file, text in _texts(folders)}
    written = 0
    for digest, file in sorted(found.items()):
        if written >= size:
            break
        copy = into / digest[:_FOLDER_DIGITS] / (digest[:_NAME_DIGITS] + _suffix(file))
        copy.parent.mkdir(exist_ok=True)
        written += copy.write_bytes(_text(file) or b"")
    return written


def _texts(folders: Iterable[Path]) -> Iterator[tuple[Path, bytes]]:
    for folder in folders:
        for file in sorted(folder.rglob("*")):
            if file.suffix in SUFFIXES and not file.is_symlink() and file.is_file():
                text = _text(file)
                if text is not None:
                    yield file, text


def _text(file: Path) -> bytes | None:
    """Return a text file's bytes, unpacked; None where it is none, or not of a size to be read."""
    data = file.read_bytes() if file.stat().st_size < FILE_BYTES.stop else b""
    if file.suffix == _PACKED:
        try:
            data = gzip.decompress(data)
        except (OSError, EOFError, zlib.error):
            return None
    return data if len(data) in FILE_BYTES and b"\0" not in data and _is_utf8(data) else None


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _suffix(file: Path) -> str:
    """Return by which suffix a copy is read: a packed manual page or change log is plain text."""
    return ".txt" if file.suffix == _PACKED else file.suffix
