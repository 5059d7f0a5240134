import pytest

from tests.evals.bridges import built
from tools.corpus.corpus import Corpus


@pytest.fixture(scope="session")
def bridges(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    corpus = built(tmp_path_factory.mktemp("bridges"))
    corpus.runs.mkdir()
    return corpus
