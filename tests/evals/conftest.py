from pathlib import Path

import pytest

from evals.experiment import Arm, Collection, Experiment
from tests.built import built
from tests.evals.bridges import REPORTS, record
from tests.evals.question_files import written
from tools.corpus.corpus import Corpus


@pytest.fixture(scope="session")
def bridges(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    corpus = built(REPORTS, tmp_path_factory.mktemp("bridges"), chunk_tokens=80)
    corpus.runs.mkdir()
    return corpus


@pytest.fixture
def inspected(tmp_path: Path) -> Collection:
    """Ten reports of which two have rust and a closure, and three times the question for these."""
    asked = (record(id=f"q{number}").model_dump(exclude_none=True) for number in range(3))
    return written(tmp_path, REPORTS, *asked)


@pytest.fixture
def experiment(inspected: Collection) -> Experiment:
    arms = (Arm(name="headcount"), Arm(name="no audit", policy={"audit": 0}))
    return Experiment(name="test", arms=arms, collections=(inspected,))
