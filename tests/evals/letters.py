"""A small collection written for these tests: letters, some of which praise a lighthouse."""

from pathlib import Path

from evals.experiments.experiment import Collection
from tests.evals.question_files import stated, written

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
        "gold_evidence": [stated(name, LETTERS[name], PRAISE) for name in GOLD],
    }


def praising(place: Path) -> Collection:
    """Write the letters and three questions about them; return the collection."""
    texts = {f"{name}.txt": text for name, text in LETTERS.items()}
    return written(place, texts, *map(_question, range(3)))
