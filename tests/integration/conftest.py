"""The leases as corpora to copy for each test, and the settings of a run over them."""

import shutil
from pathlib import Path

import pytest

from tests.graphs.conftest import _leases_folder  # noqa: F401 - a fixture
from tests.integration.scattered import write_leases
from tools.corpus.build import BuildSettings, build
from tools.corpus.corpus import Corpus, open_corpus

SETTINGS = BuildSettings(chunk_tokens=120)


@pytest.fixture(scope="session")
def _built(_leases_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:  # noqa: F811
    place = tmp_path_factory.mktemp("built") / "leases.corpus"
    build([_leases_folder], place, settings=SETTINGS)
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


@pytest.fixture(scope="session")
def _scattered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("scattered")
    (folder / "leases").mkdir()
    write_leases(folder / "leases")
    place = folder / "leases.corpus"
    build([folder / "leases"], place, settings=SETTINGS)
    open_corpus(place).ranked("pets", 1)
    return place


@pytest.fixture
def scattered_place(_scattered: Path, tmp_path: Path) -> Path:
    """The corpus of which a filter loses some leases that allow animals."""
    copy = tmp_path / "scattered.corpus"
    shutil.copytree(_scattered, copy)
    return copy


@pytest.fixture
def scattered(scattered_place: Path) -> Corpus:
    return open_corpus(scattered_place)
