"""A corpus of real text, small enough for tests."""

from pathlib import Path

import pytest

from evals.benchmarks.real_text import gather
from tools.corpus.build import build
from tools.corpus.corpus import Corpus, open_corpus


@pytest.fixture(scope="session")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    place = tmp_path_factory.mktemp("mixture")
    folder = place / "text"
    folder.mkdir()
    gather([Path(__file__).parents[3] / "docs"], folder, 150_000)
    build([folder], place / "mixed.corpus")
    return open_corpus(place / "mixed.corpus")


@pytest.fixture(scope="session")
def texts(mixed: Corpus) -> list[str]:
    found: list[str] = mixed.texts.to_list()
    return found
