"""Real text of up to a million chunks: the different text files below the folders of a system."""

import gzip
import hashlib
import json
import random
import shutil
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import distributions
from pathlib import Path

import numpy as np

from agent.errors import CorpusError, SettingsError
from evals.benchmarks.indexing_speed import Taken, apart
from tools.corpus.words.lexical import LexicalIndex

__all__ = (
    "CHUNK_BYTES",
    "CHUNK_CHARACTERS",
    "FILE_BYTES",
    "SUFFIXES",
    "TEXT",
    "Sized",
    "drawn_words",
    "gather",
    "paragraphs",
    "sized",
    "write_mixture",
)

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


CHUNK_CHARACTERS = 1050
"""About as many characters of such text make one chunk."""
_DOCUMENT_CHARACTERS = 16 * CHUNK_CHARACTERS
_SHORTEST = 80
_LONGEST = 3000


def paragraphs() -> list[str]:
    """Return the different paragraphs of the packages' METADATA, in the order of their names.

    Raises:
        CorpusError: no installed package has a README in its metadata.
    """
    texts = {
        package.name.lower(): package.read_text("METADATA") or "" for package in distributions()
    }
    found = dict.fromkeys(
        part.strip()[:_LONGEST]
        for name in sorted(texts)
        for part in texts[name].replace("\r", "").split("\n\n")
        if len(part.strip()) >= _SHORTEST
    )
    if not found:
        raise CorpusError("no installed package carries a README in its metadata")
    return list(found)


def write_mixture(folder: Path, characters: int, seed: int = 0) -> int:
    """Write documents of randomly drawn paragraphs; return how many bytes.

    Args:
        folder: an existing folder.
        characters: how many to write, in all, at least.
        seed: the same seed draws the same text from the same packages.
    """
    written = 0
    for number, text in enumerate(_documents(characters, seed)):
        written += (folder / f"document-{number:05}.txt").write_bytes(text.encode())
    return written


def _documents(characters: int, seed: int) -> Iterator[str]:
    pool, draw = paragraphs(), random.Random(seed)  # noqa: S311 - a sample, no secret
    while characters > 0:
        parts: list[str] = []
        while sum(map(len, parts)) < min(characters, _DOCUMENT_CHARACTERS):
            parts.append(draw.choice(pool))
        text = "\n\n".join(parts) + "\n"
        characters -= len(text)
        yield text


TEXT = (Path("/usr/share"), Path("/usr/include"), Path("/usr/lib"))
"""Folders of a system that hold text."""


@dataclass(frozen=True, slots=True)
class Sized:
    """A text of a size, its corpus, and what indexing it took."""

    folder: Path
    corpus: Path
    taken: Taken


def sized(size: int, into: Path, text: Sequence[Path], say: Callable[[str], None]) -> Sized:
    """Return the corpus of about so many chunks, made where it is not there yet.

    A text is drawn from a larger one below `into`, else from the folders: both draws are alike.

    Raises:
        SettingsError: the folders hold less text; or a corpus is there, but not what it took.
    """
    folder, corpus = into / f"text-{size}", into / f"{size}.corpus"
    if not folder.is_dir():
        say(f"gathering text for about {size:,} chunks")
        _gather(size, into, folder, text)
    told = into / f"{size}.json"
    if not told.is_file():
        if corpus.exists():
            raise SettingsError(f"{str(corpus)!r} is there, without {told.name!r}: remove it")
        say(f"indexing {folder.name}")
        told.write_text(json.dumps(asdict(apart("whole", folder, corpus))), encoding="utf-8")
    return Sized(folder, corpus, Taken(**json.loads(told.read_text(encoding="utf-8"))))


def _gather(size: int, into: Path, folder: Path, text: Sequence[Path]) -> None:
    """Gather a text into a new folder, which is in its place only when it is whole."""
    wanted, draft = size * CHUNK_BYTES, into / f"text-{size}.draft"
    if draft.exists():
        shutil.rmtree(draft)
    draft.mkdir(parents=True)
    held = gather(_larger(size, into) or text, draft, wanted)
    if held < wanted:
        shutil.rmtree(draft)
        named = ", ".join(map(str, text))
        raise SettingsError(
            f"{named} hold {held / 1e6:,.0f} MB of different text files, enough for about "
            f"{held // CHUNK_BYTES:,} chunks, not {size:,}: name more folders with --text"
        )
    draft.rename(folder)


def _larger(size: int, into: Path) -> list[Path]:
    """Return the smallest text that is larger, if there is one."""
    sizes = {int(each.name.removeprefix("text-")): each for each in into.glob("text-*[0-9]")}
    return [sizes[least] for least in sorted(sizes) if least > size][:1]


_LETTERS = 8


def drawn_words(index: LexicalIndex, number: int, *, share: float) -> list[str]:
    """Return plain words of eight letters or more that stand nearest to that share of the chunks.

    Raises:
        LookupError: the corpus has fewer such words.
    """
    wanted = share * len(index.lengths)
    apart = np.abs(index.document_frequency - wanted)
    words = [index.vocabulary[column] for column in np.argsort(apart, kind="stable")]
    found = [word for word in words if len(word) >= _LETTERS and word.isascii() and word.isalpha()]
    if len(found) < number:
        raise LookupError(f"the corpus has fewer than {number} long words")
    return found[:number]
