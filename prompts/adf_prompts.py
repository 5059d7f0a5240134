"""The prompts about an ordinary question with several interpretations (ADF)."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Final

from agent.adf_state import Form, SubQuestion
from agent.corpus_view import CorpusView
from agent.evidence import Passage
from agent.prompt_values import DecomposeValues, GateValues, HypothesiseValues, SynthesiseValues
from agent.reasoner import Prompt
from prompts.passage_text import nonce_of, numbered_passages
from prompts.templates import one_line, plain, render

__all__ = ("decompose", "gate", "hypothesise", "synthesise")

_LONGEST_NAME: Final = 80
_PLACES: Final = 12

_MANNER: Final = {
    "short": "Write one or two terse sentences, dense with the names and terms that such an answer "
    "has.",
    "long": "Write four to six sentences with details and with what sets this case apart from "
    "others like it.",
}
_SHORT: Final = {
    "short": "The answer is as brief as it can be: a name, a number, a few words, at most a "
    "sentence.",
    "long": "The answer has one or two sentences.",
}
_CONTRAST: Final = (
    "Then say in one or two sentences how the answers differ from reading to reading, with words "
    "that set them\nagainst each other (however, by contrast, whereas)."
)


def gate(*, question: str) -> Prompt:
    """Ask whether a question is ambiguous by its words; replied with `GateReply`."""
    return render(
        "gate",
        {"question": plain(question)},
        GateValues(
            question=question,
        ),
    )


def decompose(
    *,
    question: str,
    passages: Sequence[Passage],
    others: Sequence[Sequence[Passage]],
    corpus: CorpusView,
) -> Prompt:
    """Ask for the question in the sense of one group of passages; replied with `DecomposeReply`."""
    nonce = nonce_of(passages)
    return render(
        "decompose",
        {
            "question": plain(question),
            "others": "\n".join(f"- {_places(each)}" for each in others) or "(none)",
            "nonce": nonce,
            "passages": numbered_passages(passages, nonce),
        },
        DecomposeValues(
            question=question,
            passages=tuple(passages),
            others=tuple(tuple(each) for each in others),
            corpus=corpus,
        ),
    )


def hypothesise(
    *,
    reading: SubQuestion,
    form: Form,
    passages: Sequence[Passage],
    corpus: CorpusView,
) -> Prompt:
    """Ask for a passage that would answer a reading (HyDE); replied with `HypothesiseReply`."""
    return render(
        "hypothesise",
        {
            "question": one_line(reading.question),
            "label": one_line(reading.label, _LONGEST_NAME),
            "documents": _listed(_place(each) for each in passages),
            "manner": _MANNER[form],
        },
        HypothesiseValues(
            reading=reading,
            form=form,
            passages=tuple(passages),
            corpus=corpus,
        ),
    )


def synthesise(
    *,
    question: str,
    readings: Sequence[SubQuestion],
    passages: Sequence[Passage],
    found: Sequence[Sequence[int]],
    form: Form,
    words: tuple[int, int],
    corpus: CorpusView,
) -> Prompt:
    """Ask for the answers to all readings; replied with `SynthesiseReply`.

    Args:
        question: as asked.
        readings: the question in each sense; the question itself where it has one.
        passages: all that may be quoted.
        found: for each reading, the chunks that were found for it.
        form: short answers, or a paragraph besides.
        words: how many the paragraph may have, from and to.
        corpus: where the passages come from.
    """
    nonce = nonce_of(passages)
    numbers = {each.chunk: number for number, each in enumerate(passages, start=1)}
    lines = [
        _reading(number, each, [numbers[chunk] for chunk in chunks if chunk in numbers])
        for number, (each, chunks) in enumerate(zip(readings, found, strict=True), start=1)
    ]
    several = len(readings) > 1
    return render(
        "synthesise",
        {
            "question": plain(question),
            "readings": "\n".join(lines),
            "short": _SHORT[form],
            "contrast": _CONTRAST if several else "There is one reading: leave the contrast empty.",
            "text": _text(form, words, several=several),
            "nonce": nonce,
            "passages": numbered_passages(passages, nonce),
            "last": str(len(passages)),
        },
        SynthesiseValues(
            question=question,
            readings=tuple(readings),
            passages=tuple(passages),
            found=tuple(tuple(each) for each in found),
            form=form,
            words=words,
            corpus=corpus,
        ),
    )


def _reading(number: int, reading: SubQuestion, shown: Sequence[int]) -> str:
    places = ", ".join(map(str, shown)) or "none"
    label = one_line(reading.label, _LONGEST_NAME)
    return f"{number}. {label}: {one_line(reading.question)} (passages {places})"


def _text(form: Form, words: tuple[int, int], *, several: bool) -> str:
    if form == "short":
        return "Leave the text empty."
    linked = (
        "goes through all answered readings and\nlinks them with such words."
        if several
        else "answers the question."
    )
    return (
        f"Last, write as text one paragraph of {words[0]} to {words[1]} words that {linked} "
        "It says nothing that the passages do not;\n"
        "where they do not give that much, it is shorter."
    )


def _places(passages: Sequence[Passage]) -> str:
    """Name where passages come from, each place once."""
    return "; ".join(dict.fromkeys(_place(each) for each in passages))


def _place(passage: Passage) -> str:
    path = (one_line(each, _LONGEST_NAME) for each in (passage.title, *passage.headings))
    return " › ".join(name for name, _ in groupby(path))


def _listed(places: Iterable[str]) -> str:
    return "\n".join(f"- {place}" for place in list(dict.fromkeys(places))[:_PLACES]) or "(none)"
