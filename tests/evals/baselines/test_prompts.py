"""What a model reads of the baselines, to the letter.

After a change of wording, read the new texts as the model would, having refreshed them with
`REFRESH_GOLDEN=1 python -m pytest tests/evals/baselines/test_prompts.py`.
"""

import inspect
import os
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path

import pytest

from agent.evidence import Evidence, Passage
from agent.history import Snapshot, Step
from agent.reasoner import Prompt, ToolCall
from evals.baselines import baseline_prompts as prompts
from evals.baselines.baseline_state import Item
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
NOTES = (Item(name="Report A", evidence=(QUOTE,), documents=("north/a",)), Item(name="Report C"))
CALL = ToolCall(tool="search", arguments={"query": "corrosion"})
STEP = Step(round=1, call=CALL, before="s0", after="s1", kept=2)
TAKEN = Snapshot(id="s1", parent=None, tool="search", arguments={}, kept=2, discarded=94)

EXAMPLES: Mapping[str, Prompt] = {
    "act": prompts.act(
        question=QUESTION,
        history=(STEP,),
        snapshot=TAKEN,
        found=PASSAGES,
        corpus=Bridges(),
        tools=("search", "finish"),
    ),
    "answer": prompts.answer(question=QUESTION, passages=PASSAGES),
    "answer-unread": prompts.answer_unread(question=QUESTION),
    "assess": prompts.assess(question=QUESTION, queries=("rust", "corrosion"), passages=PASSAGES),
    "delegate": prompts.delegate(question=QUESTION, corpus=Bridges()),
    "diversify": prompts.diversify(question=QUESTION, number=3),
    "merge": prompts.merge(question=QUESTION, notes=NOTES),
    "note": prompts.note(
        question=QUESTION, task="Look for rust.", queries=("rust",), notes=NOTES, passages=PASSAGES
    ),
    "verify": prompts.verify(question=QUESTION, readings=(QUESTION, "Rust?"), passages=PASSAGES),
}


FUNCTIONS = [
    name
    for name, each in vars(prompts).items()
    if inspect.isfunction(each) and each.__module__ == prompts.__name__ and name[0] != "_"
]


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_prompt_reads_as_agreed(name: str) -> None:
    text = EXAMPLES[name].text.encode()
    path = GOLDEN / f"{name}.txt"
    if os.environ.get("REFRESH_GOLDEN"):
        path.write_bytes(text)
    assert text == path.read_bytes()


def test_every_file_has_its_example_and_every_function_its_file() -> None:
    names = {each.name for each in files("evals.baselines.prompts").iterdir()}
    written = {name.removesuffix(".md") for name in names if name.endswith(".md")}
    assert set(EXAMPLES) == written == {path.stem for path in GOLDEN.iterdir()}
    assert set(FUNCTIONS) == {name.replace("-", "_") for name in written}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_prompt_takes_keywords_only(name: str) -> None:
    parameters = inspect.signature(getattr(prompts, name)).parameters.values()
    assert {each.kind for each in parameters} == {inspect.Parameter.KEYWORD_ONLY}
