"""A collection of inspection reports, written for these tests, with its labels."""

from evals.questions import Record
from tests.evals.question_files import stated

QUESTION = "How many reports describe rust on the girders and describe a closure to traffic?"
RUSTY = {1, 2, 5, 6, 9}
CLOSED = {2, 3, 6, 8}
_RUST = "Inspectors found rust on the girders"
_CLOSURE = "The crossing was closed to traffic"


def report(number: int) -> str:
    """Return one report; rust and closure stand far apart."""
    filler = " ".join(
        f"Section {part} of report {number} deals with paint, lamps and the railing."
        for part in range(25)
    )
    rust = f"{_RUST} of span {number}." if number in RUSTY else "The steel is in good order."
    closure = f"{_CLOSURE} in May." if number in CLOSED else "The crossing stayed open."
    return f"Report {number}\n\n{rust}\n\n{filler}\n\n{closure}\n"


REPORTS = {f"report-{number}.txt": report(number) for number in range(10)}


def record(**changed: object) -> Record:
    """Return the question for reports with rust and a closure, with its evidence."""
    both = sorted(RUSTY & CLOSED)
    asked = {
        "id": "q1",
        "question": QUESTION,
        "entity_type": "report",
        "aggregation": "count",
        "logic": "AND",
        "conditions": [
            {"label": "rust", "text": "describe rust on the girders"},
            {"label": "closure", "text": "describe a closure to traffic"},
        ],
        "answer": [f"report-{each}" for each in both],
        "answer_count": len(both),
        "gold_documents": [f"report-{each}" for each in both],
        "gold_evidence": [
            stated(f"report-{each}", report(each), words, label)
            for words, label, told in ((_RUST, "rust", RUSTY), (_CLOSURE, "closure", CLOSED))
            for each in sorted(told)
        ],
    }
    return Record.model_validate(asked | changed)
