"""Corpora of real text of several sizes below one folder: gathered once, indexed once."""

import json
import shutil
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from agent.errors import SettingsError
from evals.benchmarks.gathered import CHUNK_BYTES, gather
from evals.benchmarks.indexing import Taken, apart

__all__ = ("TEXT", "Sized", "sized")

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
