"""The prompts about an ordinary question with several interpretations (ADF)."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Final

from agent.adf_state import WORDS, Form, SubQuestion
from agent.evidence import Passage
from agent.prompt_values import DecomposeValues, GateValues, HypothesiseValues, SynthesiseValues
from agent.reasoner import Prompt
from prompts.templates import nonce_of, numbered_passages, one_line, plain, render, sections

_LONGEST_NAME: Final = 80
_PLACES: Final = 12
_BEGUN: Final = 3
"""Passages of another group that are shown by their first words."""


def gate(values: GateValues) -> Prompt:
    """Ask whether a question is ambiguous by its words; replied with `GateReply`."""
    return render("gate", {"question": plain(values.question)}, values)


def decompose(values: DecomposeValues) -> Prompt:
    """Ask for the question in the sense of one group of passages; replied with `DecomposeReply`."""
    nonce = nonce_of(values.passages)
    shown = {
        "question": plain(values.question),
        "others": "\n".join(f"- {_beginnings(each)}" for each in values.others) or "(none)",
        "nonce": nonce,
        "passages": numbered_passages(values.passages, nonce),
    }
    return render("decompose", shown, values)


def hypothesise(values: HypothesiseValues) -> Prompt:
    """Ask for a passage that would answer a reading (HyDE); replied with `HypothesiseReply`."""
    shown = {
        "question": one_line(values.reading.question),
        "label": one_line(values.reading.label, _LONGEST_NAME),
        "documents": _listed(_place(each) for each in values.passages),
        "manner": _wording("hypothesise", f"form-{values.form}"),
    }
    return render("hypothesise", shown, values)


def synthesise(values: SynthesiseValues) -> Prompt:
    """Ask for the answers to all readings; replied with `SynthesiseReply`."""
    passages, form = values.passages, values.form
    nonce = nonce_of(passages)
    numbers = {each.chunk: number for number, each in enumerate(passages, start=1)}
    found = zip(values.readings, values.found, strict=True)
    lines = [
        _reading(number, each, [numbers[chunk] for chunk in chunks if chunk in numbers])
        for number, (each, chunks) in enumerate(found, start=1)
    ]
    several = len(values.readings) > 1
    shown = {
        "question": plain(values.question),
        "readings": "\n".join(lines),
        "short": _wording("synthesise", f"form-{form}"),
        "contrast": _wording("synthesise", "contrast")
        if several
        else "There is one reading: leave the contrast empty.",
        "text": _text(form, several=several),
        "nonce": nonce,
        "passages": numbered_passages(passages, nonce),
        "last": str(len(passages)),
    }
    return render("synthesise", shown, values)


def _wording(template: str, section: str) -> str:
    return sections(template, {section: True})[section].rstrip("\n")


def _reading(number: int, reading: SubQuestion, shown: Sequence[int]) -> str:
    places = ", ".join(map(str, shown)) or "none"
    label = one_line(reading.label, _LONGEST_NAME)
    return f"{number}. {label}: {one_line(reading.question)} (passages {places})"


def _text(form: Form, *, several: bool) -> str:
    if form == "short":
        return "Leave the text empty."
    linked = (
        "goes through all answered readings and\nlinks them with such words."
        if several
        else "answers the question."
    )
    return (
        f"Last, write as text one paragraph of {WORDS[0]} to {WORDS[1]} words that {linked} "
        "It says nothing that the passages do not;\n"
        "where they do not give that much, it is shorter."
    )


def _beginnings(passages: Sequence[Passage]) -> str:
    return "; ".join(f"“{one_line(each.text, _LONGEST_NAME)}”" for each in passages[:_BEGUN])


def _place(passage: Passage) -> str:
    path = (one_line(each, _LONGEST_NAME) for each in (passage.title, *passage.headings))
    return " › ".join(name for name, _ in groupby(path))


def _listed(places: Iterable[str]) -> str:
    return "\n".join(f"- {place}" for place in list(dict.fromkeys(places))[:_PLACES]) or "(none)"
