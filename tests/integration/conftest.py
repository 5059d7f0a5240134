"""The leases as corpora to copy for each test, and the settings of a run over them."""

import shutil
from pathlib import Path

import pytest

from tests.graphs.conftest import _built, _leases_folder  # noqa: F401 - fixtures
from tests.graphs.prepared import prepared
from tests.integration.scattered import write_leases
from tools.corpus.corpus import Corpus, open_corpus


@pytest.fixture
def place(_built: Path, tmp_path: Path) -> Path:  # noqa: F811
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
    return prepared([folder / "leases"], folder / "leases.corpus")


@pytest.fixture
def scattered_place(_scattered: Path, tmp_path: Path) -> Path:
    """The corpus of which a filter loses some leases that allow animals."""
    copy = tmp_path / "scattered.corpus"
    shutil.copytree(_scattered, copy)
    return copy


@pytest.fixture
def scattered(scattered_place: Path) -> Corpus:
    return open_corpus(scattered_place)
