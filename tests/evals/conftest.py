from pathlib import Path

import pytest

from evals.experiment import Arm, Collection, Experiment
from tests.built import built
from tests.evals.bridges import report
from tests.evals.question_files import stated, written
from tools.corpus.corpus import Corpus

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


@pytest.fixture(scope="session")
def bridges(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    reports = {f"report-{number}.txt": report(number) for number in range(10)}
    corpus = built(reports, tmp_path_factory.mktemp("bridges"), chunk_tokens=80)
    corpus.runs.mkdir()
    return corpus


@pytest.fixture
def letters(tmp_path: Path) -> Collection:
    """Six letters, of which three praise a lighthouse, and three questions about them."""
    texts = {f"{name}.txt": text for name, text in LETTERS.items()}
    return written(tmp_path, texts, *map(_question, range(3)))


@pytest.fixture
def experiment(letters: Collection) -> Experiment:
    arms = (Arm(name="headcount"), Arm(name="no audit", policy={"audit": 0}))
    return Experiment(name="test", arms=arms, collections=(letters,))
