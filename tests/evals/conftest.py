from pathlib import Path

import pytest

from evals.experiments.experiment import Arm, Collection, Experiment
from tests.built import built
from tests.evals.bridges import report
from tests.evals.letters import praising
from tools.corpus.corpus import Corpus


@pytest.fixture(scope="session")
def bridges(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    reports = {f"report-{number}.txt": report(number) for number in range(10)}
    corpus = built(reports, tmp_path_factory.mktemp("bridges"), chunk_tokens=80)
    corpus.runs.mkdir()
    return corpus


@pytest.fixture
def letters(tmp_path: Path) -> Collection:
    return praising(tmp_path)


@pytest.fixture
def experiment(letters: Collection) -> Experiment:
    arms = (Arm(name="headcount"), Arm(name="no audit", policy={"audit": 0}))
    return Experiment(name="test", arms=arms, collections=(letters,))
