from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from agent.answer import Answer, Completeness
from agent.cost import Cost
from agent.coverage import Coverage
from agent.evidence import Entity
from evals.experiments.experiment import Arm, Collection, Experiment
from evals.questions import Record
from tests.evals.bridges import built
from tests.evals.letters import written
from tools.corpus.corpus import Corpus


@dataclass
class TinyCorpus:
    """Documents cut into chunks of `size` characters, each with `overlap` of the one before."""

    texts: dict[str, str]
    size: int = 20
    overlap: int = 0

    @property
    def documents(self) -> list[str]:
        return list(self.texts)

    @property
    def spans(self) -> list[tuple[int, int, int]]:
        return [
            (document, max(0, start - self.overlap), min(start + self.size, len(text)))
            for document, text in enumerate(self.texts.values())
            for start in range(0, len(text), self.size)
        ]

    @property
    def chunk_document(self) -> NDArray[np.int32]:
        return np.array([document for document, _, _ in self.spans], dtype=np.int32)

    @property
    def chunk_start(self) -> NDArray[np.int32]:
        return np.array([start for _, start, _ in self.spans], dtype=np.int32)

    @property
    def chunk_end(self) -> NDArray[np.int32]:
        return np.array([end for _, _, end in self.spans], dtype=np.int32)

    @property
    def lexical(self) -> "TinyCorpus":
        return self

    def bm25(self, query: str) -> NDArray[np.float64]:
        words = query.casefold().split()
        texts = list(self.texts.values())
        shown = [texts[document][start:end].casefold() for document, start, end in self.spans]
        return np.array([sum(text.count(word) for word in words) for text in shown], dtype=float)

    def document_text(self, document: int) -> str:
        return list(self.texts.values())[document]

    def chunks_at(self, document: int, start: int, end: int) -> tuple[int, ...]:
        return tuple(
            chunk
            for chunk, (owner, first, last) in enumerate(self.spans)
            if owner == document and first < end and start < last
        )


@pytest.fixture(scope="session")
def bridges(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    corpus = built(tmp_path_factory.mktemp("bridges"))
    corpus.runs.mkdir()
    return corpus


@pytest.fixture
def corpus_of() -> Callable[..., TinyCorpus]:
    def make(texts: dict[str, str], size: int = 20, overlap: int = 0) -> TinyCorpus:
        return TinyCorpus(texts, size, overlap)

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
    return written(tmp_path)


@pytest.fixture
def experiment(letters: Collection) -> Experiment:
    arms = (Arm(name="headcount"), Arm(name="no audit", policy={"audit": 0}))
    return Experiment(name="test", arms=arms, collections=(letters,))
