from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from agent.answer import Answer, Completeness
from agent.cost import Cost
from agent.coverage import Coverage
from agent.evidence import Entity
from evals.experiments.experiment import Arm, Collection, Experiment
from evals.questions import Record
from tests.built import built
from tests.cut_corpus import CutCorpus, evenly
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
def corpus_of() -> Callable[..., CutCorpus]:
    def make(texts: dict[str, str], size: int = 20, overlap: int = 0) -> CutCorpus:
        return CutCorpus(texts, [evenly(each, size, overlap) for each in texts.values()])

    return make


@pytest.fixture
def record_of() -> Callable[..., Record]:
    def make(**fields: Any) -> Record:
        return Record.model_validate({"id": "q1", "question": "How many?", **fields})

    return make


@pytest.fixture
def answer_of() -> Callable[..., Answer]:
    def make(documents: Sequence[str] = (), **fields: Any) -> Answer:
        entities = tuple(Entity(name=name, documents=(name,)) for name in documents)
        settled = {
            "question": "How many?",
            "status": "answered",
            "value": len(entities),
            "entities": entities,
            "completeness": Completeness(method="test"),
            "coverage": Coverage(chunks=10, judged=4, pruned=6),
            "cost": Cost(model_calls=3, input_tokens=70),
            "run": "r",
        }
        return Answer.model_validate({**settled, **fields})

    return make


@pytest.fixture
def letters(tmp_path: Path) -> Collection:
    return praising(tmp_path)


@pytest.fixture
def experiment(letters: Collection) -> Experiment:
    arms = (Arm(name="headcount"), Arm(name="no audit", policy={"audit": 0}))
    return Experiment(name="test", arms=arms, collections=(letters,))
