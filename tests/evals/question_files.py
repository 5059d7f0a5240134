"""Questions, answers and documents written for a test, and commands run over them."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from typer.testing import CliRunner, Result

from agent.answer import Answer
from agent.evidence import Entity
from evals.commands import app
from evals.experiment import Collection
from evals.questions import Record
from tests.built import write
from tests.cut_corpus import CutCorpus, evenly
from tests.graphs.apps.answers import answer


def written(place: Path, texts: Mapping[str, str], *records: Mapping[str, object]) -> Collection:
    """Write documents, by their paths, and questions; return the collection."""
    folder, questions = write(place / "docs", texts), place / "questions.jsonl"
    folder.mkdir(exist_ok=True)
    questions.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    return Collection(name="questions", questions=questions, documents=folder)


def stated(document: str, text: str, words: str, condition: str | None = None) -> dict[str, Any]:
    """Return as evidence where words stand in a document's text."""
    start = text.index(words)
    place = {"start": start, "end": start + len(words), "text": words}
    return {"document": document, **place, "condition": condition}


def evaluate(command: str, *more: object) -> Result:
    """Run a command of the evaluation."""
    return CliRunner().invoke(app, [*command.split(), *map(str, more)])


def invoked(command: str, asked: Collection, *more: object) -> Result:
    """Run a command over a collection; what more says stands over it."""
    return evaluate(command, "--questions", asked.questions, "--documents", asked.documents, *more)


def corpus_of(texts: Mapping[str, str], size: int = 20, overlap: int = 0) -> CutCorpus:
    return CutCorpus(texts, [evenly(each, size, overlap) for each in texts.values()])


def record_of(**fields: Any) -> Record:
    return Record.model_validate({"id": "q1", "question": "How many?", **fields})


def answer_of(documents: Sequence[str] = (), **fields: Any) -> Answer:
    entities = tuple(Entity(name=name, documents=(name,)) for name in documents)
    return answer(**{"value": len(entities), "entities": entities, **fields})
