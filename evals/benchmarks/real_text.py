"""Text for the benchmarks, real files of a system, and how quickly it is indexed."""

import gzip
import hashlib
import json
import shutil
import time
import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from agent.errors import SettingsError
from evals.benchmarks.figures import Aim, Figure, Row
from evals.benchmarks.timed_processes import Taken, apart
from tools.corpus.build import build
from tools.corpus.corpus import open_corpus
from tools.corpus.words.lexical import LexicalIndex

CHUNK_BYTES = 1050
"""About as many bytes of text make one chunk."""


@dataclass(frozen=True, slots=True)
class Sized:
    """A text of a size, its corpus, and what indexing it took."""

    folder: Path
    corpus: Path
    taken: Taken


def sized(size: int, into: Path, text: Sequence[Path], say: Callable[[str], None]) -> Sized:
    """Return the corpus of about so many chunks, made where it is not there yet.

    The text is drawn from a larger one below `into`, else from the folders: both draws are alike.

    Raises SettingsError: the folders hold less text; or a corpus is there, but not what it took.
    """
    folder, corpus = into / f"text-{size}", into / f"{size}.corpus"
    if not folder.is_dir():
        say(f"writing text for about {size:,} chunks")
        _write(size, into, folder, text)
    record = into / f"{size}.json"
    if not record.is_file():
        if corpus.exists():
            raise SettingsError(f"{str(corpus)!r} is there, without {record.name!r}: remove it")
        say(f"indexing {folder.name}")
        taken = apart(build_whole, folder, corpus, watched=True)
        record.write_text(json.dumps(asdict(taken)), encoding="utf-8")
    return Sized(folder, corpus, Taken(**json.loads(record.read_text(encoding="utf-8"))))


def build_whole(folder: Path, corpus: Path) -> float:
    """Build the corpus: read, chunk, count words, fit and apply LSA, cluster; return seconds."""
    began = time.perf_counter()
    build([folder], corpus)
    return time.perf_counter() - began


def _write(size: int, into: Path, folder: Path, text: Sequence[Path]) -> None:
    """Write a text into a new folder, which is in its place only when it is whole."""
    wanted, draft = size * CHUNK_BYTES, into / f"text-{size}.draft"
    if draft.exists():
        shutil.rmtree(draft)
    draft.mkdir(parents=True)
    if (held := gather(_larger(size, into) or text, draft, wanted)) < wanted:
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


_PACKED = ".gz"
_SUFFIXES = frozenset(
    {".txt", ".md", ".rst", ".html", ".htm", ".py", ".pyi", ".c", ".h", ".hpp", ".pl", ".pm"}
    | {".vim", ".js", ".java", ".go", ".rb", ".sh", ".tcl", _PACKED}
)
"""Prose, sources, and what is packed of either, as manual pages are; no tables."""
FILE_BYTES = range(1_000, 1_000_001)
"""Smaller files say little; larger ones are data, or other files joined."""


def gather(folders: Iterable[Path], into: Path, size: int) -> int:
    """Copy different text files into an empty folder until they hold `size` bytes; return how many.

    They come in the order of their digests, so that less text is a sample of more. Where the
    folders hold less, all is copied. Packed files are copied unpacked; links and what is not UTF-8
    are left out.
    """
    found: dict[str, Path] = {}
    for file in (each for folder in folders for each in sorted(folder.rglob("*"))):
        if file.suffix in _SUFFIXES and not file.is_symlink() and file.is_file():
            text = _text(file)
            if text is not None:
                found[hashlib.sha256(text).hexdigest()] = file
    written = 0
    for digest, file in sorted(found.items()):
        if written >= size:
            break
        suffix = ".txt" if file.suffix == _PACKED else file.suffix
        copy = into / digest[:2] / (digest + suffix)
        copy.parent.mkdir(exist_ok=True)
        written += copy.write_bytes(_text(file) or b"")
    return written


def _text(file: Path) -> bytes | None:
    """Return a text file's bytes, unpacked; None where it is none, or not of a size to be read."""
    data = file.read_bytes() if file.stat().st_size < FILE_BYTES.stop else b""
    try:
        data = gzip.decompress(data) if file.suffix == _PACKED else data
        data.decode()
    except (OSError, EOFError, zlib.error, UnicodeDecodeError):
        return None
    return data if len(data) in FILE_BYTES and b"\0" not in data else None


_LETTERS = 8


def drawn_words(index: LexicalIndex, number: int) -> list[str]:
    """Return plain words of eight letters or more that occur nearest to a hundredth of the chunks.

    Raises LookupError: the corpus has fewer such words.
    """
    distances = np.abs(index.document_frequency - len(index.lengths) / 100)
    words = [index.vocabulary[column] for column in np.argsort(distances, kind="stable")]
    found = [word for word in words if len(word) >= _LETTERS and word.isascii() and word.isalpha()]
    if len(found) < number:
        raise LookupError(f"the corpus has fewer than {number} long words")
    return found[:number]


def indexing(text: Sized) -> list[Row]:
    """Return the speed and memory with which a text's corpus was built."""
    whole, size, chunks = text.taken, _bytes(text.folder), len(open_corpus(text.corpus))
    return [
        Row(
            what="index the text",
            unit="MB/s",
            ours=Figure("build", size / 1e6 / whole.result),
            aim=Aim("at least", 5),
            note=f"{size / 1e6:,.1f} MB, one round; {whole.cpu:,.0f} CPU s for {chunks:,} chunks, "
            f"{_bytes(text.corpus) / 1e6:,.0f} MB on disk",
        ),
        Row(
            what="memory to index the text",
            unit="MB",
            ours=Figure("build", whole.peak_mb),
            aim=Aim("at most", 3 * 1024**3 / 1e6),
            note="peak of all its processes together, imports and text included",
        ),
    ]


def _bytes(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
