"""The leases as a corpus to copy for each test, and the settings of a run over it."""

import shutil
from pathlib import Path

import pytest

from tests.graphs.conftest import _leases_folder  # noqa: F401 - a fixture
from tools.corpus.build import BuildSettings, build
from tools.corpus.corpus import Corpus, open_corpus


@pytest.fixture(scope="session")
def _built(_leases_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:  # noqa: F811
    place = tmp_path_factory.mktemp("built") / "leases.corpus"
    build([_leases_folder], place, settings=BuildSettings(chunk_tokens=120))
    open_corpus(place).ranked("pets", 1)
    return place


@pytest.fixture
def place(_built: Path, tmp_path: Path) -> Path:
    copy = tmp_path / "leases.corpus"
    shutil.copytree(_built, copy)
    return copy


@pytest.fixture
def corpus(place: Path) -> Corpus:
    return open_corpus(place)
