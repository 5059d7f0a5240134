"""Questions over documents, written for a test, and commands of the evaluation run over them."""

import json
from collections.abc import Mapping
from pathlib import Path

from typer.testing import CliRunner, Result

from evals.commands import app
from evals.experiments.experiment import Collection
from tests.built import write


def written(place: Path, texts: Mapping[str, str], *records: Mapping[str, object]) -> Collection:
    """Write documents, by their paths, and questions; return the collection."""
    folder, questions = write(place / "docs", texts), place / "questions.jsonl"
    folder.mkdir(exist_ok=True)
    questions.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    return Collection(name="questions", questions=questions, documents=folder)


def invoked(command: str, asked: Collection, *more: object) -> Result:
    """Run a command over a collection; what more says stands over it."""
    given = ["--questions", asked.questions, "--documents", asked.documents, *more]
    return CliRunner().invoke(app, [*command.split(), *map(str, given)])
