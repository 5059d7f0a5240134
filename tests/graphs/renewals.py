"""A handbook in which `renewal` means three things, and a script that reads it correctly."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from agent.evidence import Passage
from agent.prompt_values import DecomposeValues, HypothesiseValues, SynthesiseValues
from agent.reasoner import Prompt
from tests.built import built
from tests.scripted import Scripted, ScriptedReasoner
from tools.corpus.corpus import Corpus

QUESTION = "What is the renewal policy?"
SENSES = {
    "licence": "Every software licence renewal is paid for by the IT desk within thirty days.",
    "insurance": "An insurance renewal needs a broker and the signature of the treasurer.",
    "library": "The library card renewal costs nothing and is done at the front counter.",
}
"""What the handbook says of each sense, word for word."""
_DETAILS = {
    "licence": "Servers, seats, keys and source code are listed in the software register, row {n}.",
    "insurance": "Premiums, claims, damages and fire are covered by the underwriter, folder {n}.",
    "library": "Readers, books, shelves and borrowed novels are kept by the librarian, room {n}.",
}
_OTHER = "The canteen serves soup on day {n}; bread, cheese and apples stand beside the door."

Script = dict[str, Callable[[Prompt], Scripted]]


def build_renewals(folder: Path) -> Corpus:
    """Index the handbook: three pages a sense, and three of something else."""
    told = {sense: f"{rule} {_DETAILS[sense]}" for sense, rule in SENSES.items()}
    told["canteen"] = _OTHER
    pages = {f"{each}-{n}.txt": told[each].format(n=n) for n in range(1, 4) for each in told}
    return built(pages, folder, chunk_tokens=120)


def sense_of(passages: tuple[Passage, ...]) -> str:
    """Return the sense that the first of the passages has."""
    return passages[0].document.partition("-")[0]


def decomposed(prompt: Prompt) -> Scripted:
    sense = sense_of(prompt.values_as(DecomposeValues).passages)
    if sense not in SENSES:
        return {"reason": "soup renews nothing", "label": "", "question": None}
    return {
        "reason": f"they tell of the {sense}",
        "label": f"{sense} renewal",
        "question": f"What is the policy on {sense} renewal?",
    }


def hypothesised(prompt: Prompt) -> Scripted:
    label = prompt.values_as(HypothesiseValues).reading.label
    return {"passage": f"The {label} has to be asked for every year."}


def synthesised(prompt: Prompt) -> Scripted:
    readings: list[dict[str, Any]] = []
    for number, reading in enumerate(prompt.values_as(SynthesiseValues).readings, start=1):
        sense = reading.label.partition(" ")[0]
        if sense not in SENSES:
            sense = sense_of(prompt.values_as(SynthesiseValues).passages)
        quote = SENSES[sense]
        shown = enumerate(prompt.values_as(SynthesiseValues).passages, start=1)
        proof = next(each for each, passage in shown if quote in passage.text)
        readings.append(
            {
                "reading": number,
                "evidence": [{"passage": proof, "quote": quote}],
                "answer": f"as the {sense} rule says",
            }
        )
    return {
        "readings": readings,
        "contrast": "They differ in who pays; the library, however, takes nothing.",
        "text": "word " * 160 if prompt.values_as(SynthesiseValues).form == "long" else "",
    }


def reader(**changed: Callable[[Prompt], Scripted]) -> ScriptedReasoner:
    """Return the reader; of the prompts named, with another function."""
    script: Script = {
        "decompose": decomposed,
        "hypothesise": hypothesised,
        "synthesise": synthesised,
        **changed,
    }
    return ScriptedReasoner(script)
