"""What a model reads, to the letter.

After a change of wording, read the new texts as the model would, having refreshed them with
`REFRESH_GOLDEN=1 python -m pytest tests/prompts/test_golden.py`. A prompt that mostly says what
one before it does is kept as its differences from that, where these are shorter.
"""

import difflib
import os
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import takewhile
from pathlib import Path

import pytest

import prompts
from agent.prompt_values import JudgeValues
from agent.records.query_plan import Query
from tests.prompts.examples import EXAMPLES

GOLDEN = Path(__file__).parent / "golden"
FILES = [*Path(prompts.__file__).parent.glob("*.md")]
TEMPLATES = {path.stem for path in FILES if "$" in path.read_text(encoding="utf-8")}
"""Without the sections, which a prompt has only for some collections, tables, texts or forms."""


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_prompt_reads_as_agreed(name: str) -> None:
    text = min((EXAMPLES[name].text, *_differences(name)), key=lambda told: told.count("\n"))
    path = GOLDEN / f"{name}.txt"
    if os.environ.get("REFRESH_GOLDEN"):
        path.write_bytes(text.encode())
    assert text.encode() == path.read_bytes()


def _differences(name: str) -> Iterator[str]:
    """Yield patches that make this prompt of each before it that has the same template."""
    for other in takewhile(name.__ne__, EXAMPLES):
        if EXAMPLES[other].name == EXAMPLES[name].name:
            one, text = (EXAMPLES[each].text.split("\n") for each in (other, name))
            told = difflib.unified_diff(one, text, other, name, n=0, lineterm="")
            yield "".join(f"{line}\n" for line in told)


def test_every_golden_text_has_its_example() -> None:
    assert sorted(path.stem for path in GOLDEN.iterdir()) == sorted(EXAMPLES)


def test_every_prompt_has_an_example() -> None:
    covered = {name if name in TEMPLATES else name.split("-")[0] for name in EXAMPLES}
    assert covered == TEMPLATES
    assert all(prompt.name == name.split("-")[0] for name, prompt in EXAMPLES.items())


def test_the_example_of_a_query_is_one() -> None:
    (example,) = re.findall(r"^\{.*\}$", EXAMPLES["query"].text, re.MULTILINE)
    assert Query.model_validate_json(example).limit == 3


def test_a_judge_is_not_told_what_a_trial_of_the_readings_found() -> None:
    values = EXAMPLES["judge"].values_as(JudgeValues)
    settled = values.interpretation.model_copy(
        update={"settled": ("read as strict (3; loose: 9)",)}
    )
    told = prompts.judge(replace(values, interpretation=settled)).text
    assert told == EXAMPLES["judge"].text
