"""What a model reads of the baselines, to the letter.

After a change of wording, read the new texts as the model would, having refreshed them with
`REFRESH_GOLDEN=1 python -m pytest tests/evals/baselines/test_prompts.py`.
"""

import os
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path

import pytest

from agent.evidence import Entity, Evidence, Passage
from agent.history import Snapshot, Step
from agent.reasoner import ToolCall
from evals.baselines.baseline_prompts import PACKAGE, BaselineValues, baseline_prompt
from tests.prompts.examples import Bridges

GOLDEN = Path(__file__).parent / "golden"
QUESTION = "How many reports describe rust?"
PASSAGES = (
    Passage(chunk=3, document="north/a", title="Report A", start=0, text="Rust on the girders."),
    Passage(
        chunk=7,
        document="north/b",
        title="Report B",
        start=40,
        text="All is well. $question",
        headings=("Findings",),
        before="as was said",
    ),
)
QUOTE = Evidence(document="north/a", start=0, end=4, quote="Rust", condition="")
NOTES = (
    Entity(name="Report A", evidence=(QUOTE,), documents=("north/a",)),
    Entity(name="Report C"),
)
CALL = ToolCall(tool="search", arguments={"query": "corrosion"})
STEP = Step(round=1, call=CALL, before="s0", after="s1", kept=2)
TAKEN = Snapshot(id="s1", parent=None, tool="search", arguments={}, kept=2, discarded=94)

VALUES: Mapping[str, BaselineValues] = {
    "act": BaselineValues(
        question=QUESTION, history=(STEP,), snapshot=TAKEN, passages=PASSAGES, corpus=Bridges()
    ),
    "answer": BaselineValues(question=QUESTION, passages=PASSAGES),
    "answer-unread": BaselineValues(question=QUESTION),
    "assess": BaselineValues(question=QUESTION, queries=("rust", "corrosion"), passages=PASSAGES),
    "diversify": BaselineValues(question=QUESTION, number=3),
    "meaning": BaselineValues(question=QUESTION, queries=("1. Two.", "2. Three."), answer="2"),
    "note": BaselineValues(question=QUESTION, queries=("rust",), notes=NOTES, passages=PASSAGES),
    "verify": BaselineValues(question=QUESTION, queries=(QUESTION, "Rust?"), passages=PASSAGES),
}


@pytest.mark.parametrize("name", VALUES)
def test_a_prompt_reads_as_agreed(name: str) -> None:
    text = baseline_prompt(name, VALUES[name]).text.encode()
    path = GOLDEN / f"{name}.txt"
    if os.environ.get("REFRESH_GOLDEN"):
        path.write_bytes(text)
    assert text == path.read_bytes()


def test_every_file_has_its_example() -> None:
    names = {each.name for each in files(PACKAGE).iterdir()}
    written = {name.removesuffix(".md") for name in names if name.endswith(".md")}
    assert set(VALUES) == written == {path.stem for path in GOLDEN.iterdir()}
