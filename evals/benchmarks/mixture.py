"""Real text of any amount that every machine has: paragraphs of installed packages' metadata."""

import random
from collections.abc import Iterator
from importlib.metadata import distributions
from pathlib import Path

from agent.errors import CorpusError

__all__ = ("CHUNK_CHARACTERS", "paragraphs", "write_mixture")

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
