"""Corpora indexed once and copied for each test, with what a first question derives of them."""

import shutil
from collections.abc import Sequence
from pathlib import Path

from agent.policy import Policy
from tools.corpus.build import BuildSettings, build
from tools.corpus.corpus import Corpus, open_corpus
from tools.retrieval_coherence import thresholds


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
