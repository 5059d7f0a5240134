"""A small collection written for these tests: letters, some of which praise a lighthouse."""

import json
from pathlib import Path

from typer.testing import CliRunner, Result

from evals.commands import app
from evals.experiments.experiment import Collection
from tests.built import write

PRAISE = "The old lighthouse of the harbour is praised by every visitor."
LETTERS = {
    f"letter-{number}": (
        f"Letter {number}\n\n"
        + f"Paragraph about ropes, sails and weather, written on day {number}. " * 12
        + (f"\n\n{PRAISE}\n" if number % 2 else "\n\nNothing else was seen that day.\n")
    )
    for number in range(6)
}
GOLD = [name for name, text in LETTERS.items() if PRAISE in text]


def _question(number: int) -> dict[str, object]:
    return {
        "id": f"q{number}",
        "question": "How many letters mention a lighthouse?",
        "entity_type": "letter",
        "aggregation": "count",
        "conditions": [{"text": "mentions a lighthouse"}],
        "answer": GOLD,
        "answer_count": len(GOLD),
        "gold_documents": GOLD,
        "gold_evidence": [
            {
                "document": name,
                "start": LETTERS[name].index(PRAISE),
                "end": LETTERS[name].index(PRAISE) + len(PRAISE),
                "text": PRAISE,
            }
            for name in GOLD
        ],
    }


def run_over(letters: Collection, into: Path, *words: str) -> Result:
    """Run a command of the evaluation over two of the questions."""
    given = ["--questions", str(letters.questions), "--documents", str(letters.documents)]
    return CliRunner().invoke(app, [*words, *given, "--into", str(into), "--sample", "2"])


def written(place: Path) -> Collection:
    """Write the letters and three questions about them; return the collection."""
    folder = write(place / "letters", {f"{name}.txt": LETTERS[name] for name in LETTERS})
    questions = place / "questions.jsonl"
    lines = [json.dumps(_question(number)) for number in range(3)]
    questions.write_text("\n".join(lines), encoding="utf-8")
    return Collection(name="letters", questions=questions, documents=folder)
