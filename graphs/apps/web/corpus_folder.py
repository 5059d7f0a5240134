"""The corpora below a folder, opened when they are looked at."""

import os
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Final

from agent.errors import CorpusMissing, SettingsError
from tools.corpus.corpus import Corpus, open_corpus
from tools.corpus.generations import CorpusLayout
from tools.corpus.manifest import Manifest

_DEPTH: Final = 3
"""Folders below the first that are looked into."""

_OPEN: Final = 8
"""Corpora that stay open; what is looked at least recently is closed."""


class CorpusFolder:
    """The corpora below one folder, by the name that the page's addresses have for them.

    Raises SettingsError: there is no such folder.
    """

    def __init__(self, folder: Path) -> None:
        if not folder.is_dir():
            told = "is no folder: name the one that your corpora lie in"
            raise SettingsError(f"{str(folder)!r} {told}")
        self.folder = folder.resolve()
        self._opened = lru_cache(maxsize=_OPEN)(lambda place, _generation: open_corpus(place))

    def places(self) -> dict[str, Path]:
        """Return the corpora's folders by name, in order."""
        found: dict[str, Path] = {}
        for path in self._below(self.folder, _DEPTH):
            below = path.relative_to(self.folder).parts or (path.name,)
            name = "~".join(below).encode("utf-8", "replace").decode()
            while name in found:
                name += "~"
            found[name] = path
        return found

    def _below(self, folder: Path, depth: int) -> Iterator[Path]:
        layout = CorpusLayout(folder)
        if layout.is_corpus():
            if layout.current.is_file():
                yield folder
            return
        if not depth or not os.access(folder, os.R_OK | os.X_OK):
            return
        for each in sorted(folder.iterdir()):
            if each.is_dir() and not each.is_symlink() and not each.name.startswith("."):
                yield from self._below(each, depth - 1)

    def place(self, name: str) -> Path:
        """Return a corpus's folder; raises CorpusMissing where there is none of that name."""
        found = self.places().get(name)
        if found is None:
            raise CorpusMissing(f"there is no corpus {name!r} in {self.folder}")
        return found

    def corpus(self, name: str) -> Corpus:
        """Open a corpus as it is now; raises CorpusError as `open_corpus` does."""
        place = self.place(name)
        return self._opened(place, CorpusLayout(place).generation())

    def held(self, name: str) -> Manifest:
        """Return what is in a corpus, without opening it; raises CorpusError where it is broken."""
        generation = CorpusLayout(self.place(name)).generation()
        if generation is None:
            raise CorpusMissing(f"{name!r} is not indexed yet")
        return Manifest.load(generation.manifest)

    def new(self, name: str) -> Path:
        """Return where a corpus of this name is made: beside the others, whatever the name."""
        safe = "".join(sign if sign.isalnum() or sign in " -_." else "-" for sign in name)
        safe = safe.strip(" .-") or "corpus"
        made = self.folder / f"{safe.removesuffix('.corpus')}.corpus"
        if made.is_symlink():
            raise CorpusMissing(f"{str(made)!r} leads out of this folder: choose another name")
        return made
