"""Corpora of texts that a test has written, built as `headcount index` builds them, or copied."""

import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from agent.policy import Policy
from tools.corpus.build import BuildSettings, build
from tools.corpus.corpus import Corpus, open_corpus
from tools.retrieval_coherence import thresholds


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


def prepared(folders: Sequence[Path], place: Path, *, chunk_tokens: int = 120) -> Path:
    """Index folders into a place, and derive what a first question derives."""
    build(folders, place, settings=BuildSettings(chunk_tokens=chunk_tokens))
    corpus = open_corpus(place)
    corpus.ranked("anything", 1)
    thresholds("calibrated", corpus, 2 * Policy().retrieval, "dense")
    return place


def copied(place: Path, into: Path) -> Corpus:
    """Copy a corpus into a folder and open it there."""
    shutil.copytree(place, into / place.name)
    return open_corpus(into / place.name)
