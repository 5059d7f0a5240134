"""A small corpus of leases, written for these tests, and a script that reads it correctly."""

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import pytest

from agent.prompt_values import JudgeValues, PlanValues
from agent.reasoner import Prompt
from agent.replies import InterpretReply, RewriteReply
from tests.built import write
from tests.graphs.prepared import copied, prepared
from tests.graphs.replies import KEEP, atom, interpreted, proof, verdicts
from tests.scripted import Scripted, ScriptedReasoner
from tools.corpus.corpus import Corpus

CITIES = ("Leeds", "York", "Hull")
PETS = {0, 3, 4, 7, 11}
"""The leases that allow pets."""
QUOTE = "The tenant may keep one dog or one cat in the flat."

Script = dict[str, Callable[[Prompt], Scripted]]
T = TypeVar("T")


def awaited(work: Coroutine[Any, Any, T]) -> T:
    """Wait for work in a thread of its own: a browser's test may keep a loop in this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()


def changeable(script: Script) -> ScriptedReasoner:
    """Return a reasoner that follows a script which a test may change while it talks."""
    names = ("align", "clarify", "classify", "interpret", "judge", "observe", "plan", "rewrite")

    def look_up(name: str, prompt: Prompt) -> Scripted:
        return script[name](prompt)

    return ScriptedReasoner({name: partial(look_up, name) for name in names})


def _lease(number: int) -> str:
    pets = QUOTE if number in PETS else "No animal of any kind may be kept in the flat."
    filler = " ".join(
        f"Paragraph {part} of lease {number} deals with heating, windows and the stairs."
        for part in range(60)
    )
    return (
        f"Title: Lease {number}\nCity: {CITIES[number % 3]}\nSigned: 20{10 + number}-03-01\n\n"
        f"Lease {number}\n\nThe deposit is {500 + 100 * number} pounds. {filler}\n\n{pets}\n"
    )


@pytest.fixture(scope="session")
def _leases_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    texts = {f"lease-{number:02}.txt": _lease(number) for number in range(12)}
    return write(tmp_path_factory.mktemp("leases"), texts)


@pytest.fixture(scope="session")
def _built(_leases_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return prepared([_leases_folder], tmp_path_factory.mktemp("built") / "leases.corpus")


@pytest.fixture
def corpus(_built: Path, tmp_path: Path) -> Corpus:
    return copied(_built, tmp_path)


INTERPRETED: dict[str, Any] = interpreted(
    "c1",
    atom(
        text="allows the tenant to keep a pet",
        counts=["a dog", "a cat"],
        excludes=["a ban on animals"],
    ),
    restated="How many leases allow the tenant to keep a pet?",
    entity_type="lease",
)


def whole(order: Mapping[str, Any]) -> dict[str, Any]:
    """Return the reply to a rewriting that changes every member."""
    return RewriteReply.whole(InterpretReply.model_validate(order)).model_dump()


IN_YORK = atom("c2", text="is in York", field="City", comparison="is", values=["York"])
NARROWED = INTERPRETED | {
    "restated": "How many leases in York allow the tenant to keep a pet?",
    "conditions": [INTERPRETED["conditions"][0], IN_YORK],
    "logic": "c1 and c2",
}
"""Another reading: of the leases that allow pets, those in York, of which there are two."""


def judged(prompt: Prompt) -> Scripted:
    """Find the sentence that allows pets, as a careful reader would."""
    shown = enumerate(prompt.values_as(JudgeValues).passages, start=1)
    return verdicts({at: [proof(QUOTE)] * (QUOTE in each.text) for at, each in shown})


def planned(prompt: Prompt) -> Scripted:
    """Filter once by words, then finish."""
    if not prompt.values_as(PlanValues).history:
        return {
            "tool": "keywords",
            "arguments": {"words": ["dog", "cat", "animal"], "match": "any"},
        }
    return {"tool": "finish", "arguments": {}}


@pytest.fixture
def script() -> Script:
    return {
        "interpret": lambda prompt: INTERPRETED,
        "classify": lambda prompt: {"ambiguities": []},
        "plan": planned,
        "observe": lambda prompt: KEEP,
        "judge": judged,
    }


@pytest.fixture
def scripted(script: Script) -> ScriptedReasoner:
    return ScriptedReasoner(script)
