"""A corpus of the benchmarks' own text, small enough for tests."""

import pytest

from evals.benchmarks.real_text import write_mixture
from tools.corpus.build import build
from tools.corpus.corpus import Corpus, open_corpus


@pytest.fixture(scope="session")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    place = tmp_path_factory.mktemp("mixture")
    folder = place / "text"
    folder.mkdir()
    write_mixture(folder, 150_000)
    build([folder], place / "mixed.corpus")
    return open_corpus(place / "mixed.corpus")


@pytest.fixture(scope="session")
def texts(mixed: Corpus) -> list[str]:
    found: list[str] = mixed.texts.to_list()
    return found
