"""A corpus of texts that a test has written, built as `headcount index` builds it."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from tools.corpus.build import BuildSettings, build
from tools.corpus.corpus import Corpus, open_corpus


def write(folder: Path, documents: Mapping[str, str | bytes]) -> Path:
    """Write files, by their paths, below a folder; return the folder."""
    for name, text in documents.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(text.encode() if isinstance(text, str) else text)
    return folder


def built(documents: Mapping[str, str | bytes], place: Path, **settings: Any) -> Corpus:
    """Write files, by their paths, and index them with these settings."""
    folder = write(place / "texts", documents)
    build([folder], place / "corpus", settings=BuildSettings(**settings))
    return open_corpus(place / "corpus")


def built_once(make: Callable[[Path], Corpus]) -> Any:
    """Return a fixture: the corpus that is made in a new folder, once for all tests of a module."""

    @pytest.fixture(scope="module")
    def once(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
        return make(tmp_path_factory.mktemp("built"))

    return once
