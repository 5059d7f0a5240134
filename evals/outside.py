"""A system outside this project: a program that reads a question and prints an answer."""

import json
import os
import shlex
import signal
import subprocess
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Self

from pydantic import BaseModel, ConfigDict, ValidationError

from agent.answer import Answer
from agent.cost import Cost
from agent.errors import MalformedReply, ProviderError, ProviderUnavailable, SettingsError
from agent.evidence import Evidence
from agent.reasoners.json_text import describe
from evals.baselines.concluding import concluded
from evals.baselines.state import BaselineState, Item
from evals.names import DocumentNames
from graphs.context import Context
from graphs.run_opening import open_run
from tools.corpus.corpus import Corpus
from tools.quotes import locate

__all__ = ("COMMAND", "TIMEOUT", "Command", "PeerAnswer")

COMMAND: Final = "command:"
TIMEOUT: Final = 600.0
"""Seconds that a program may take for one question."""
_SHOWN: Final = 300
"""Characters of a program's last words in an error."""


class _Peer(BaseModel):
    """A part of what a program prints; what else it prints is left alone."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class PeerSpan(_Peer):
    """A piece of a document's text."""

    document: str
    start: int | None = None
    """Character offset; where it is missing or wrong, the quote is looked up."""
    end: int | None = None
    quote: str = ""


class PeerEntity(_Peer):
    """One item of the answer."""

    name: str
    documents: tuple[str, ...] = ()
    evidence: tuple[PeerSpan, ...] = ()


class PeerAnswer(_Peer):
    """What a program prints: one JSON object, of which `headcount ask --json` is an example."""

    value: float | None = None
    unit: str | None = None
    entities: tuple[PeerEntity, ...] = ()
    read: tuple[PeerSpan, ...] = ()
    """What its model was shown, where it can tell; else what it quotes is taken for that."""
    cost: Cost | None = None


@dataclass(frozen=True, slots=True)
class Command:
    """A program, started anew for each question."""

    words: tuple[str, ...]
    timeout: float = TIMEOUT

    @classmethod
    def of(cls, name: str, timeout: float = TIMEOUT) -> Self:
        """Return the program that `command:PROGRAM ARGUMENTS…` names; no shell reads it.

        Raises:
            SettingsError: it names none.
        """
        try:
            words = tuple(shlex.split(name.removeprefix(COMMAND)))
        except ValueError as error:
            raise SettingsError(f"{name!r} is no command line: {error}") from error
        if not words:
            raise SettingsError(f"{name!r} names no program: write {COMMAND}PROGRAM ARGUMENTS…")
        return cls(words, timeout)

    def answer(self, question: str, context: Context) -> Answer:
        """Have the program answer.

        It reads one JSON object: the question, `corpus` (the index) and `folders` (what was
        indexed).

        Raises:
            SettingsError: there is no such program.
            ProviderUnavailable: it took too long.
            ProviderError: it ended with another exit code than 0.
            MalformedReply: it printed something else than an answer.
        """
        corpus = context.corpus
        asked = {
            "question": question,
            "corpus": str(corpus.path),
            "folders": list(corpus.manifest.sources),
        }
        run = open_run(question, "", context)
        began = time.perf_counter()
        said = _parsed(self._printed(json.dumps(asked)))
        seconds = time.perf_counter() - began
        return concluded(_state(question, run, said, seconds, corpus), context)

    def _printed(self, given: str) -> str:
        """Run the program; return what it printed."""
        program = self.words[0]
        try:
            started = subprocess.Popen(  # noqa: S603 - the caller names the program
                self.words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except OSError as error:
            raise SettingsError(f"{program!r} cannot be started: {error.strerror}") from error
        with started:
            try:
                out, err = started.communicate(given.encode(), timeout=self.timeout)
            except subprocess.TimeoutExpired as error:
                os.killpg(started.pid, signal.SIGKILL)
                told = f"{program!r} took more than {self.timeout:g} s"
                raise ProviderUnavailable(told) from error
        if started.returncode:
            last = " ".join(err.decode("utf-8", "replace").split())[-_SHOWN:]
            code = started.returncode
            raise ProviderError(f"{program!r} ended with exit code {code}: {last}")
        return out.decode("utf-8", "replace")


def _parsed(printed: str) -> PeerAnswer:
    try:
        said = PeerAnswer.model_validate_json(printed)
    except ValidationError as error:
        raise MalformedReply(f"no answer was printed: {describe(error)}") from error
    if not said.model_fields_set & {"value", "entities"}:
        raise MalformedReply("the JSON object has neither `value` nor `entities`")
    return said


def _state(
    question: str, run: str, said: PeerAnswer, seconds: float, corpus: Corpus
) -> BaselineState:
    names = DocumentNames(corpus.documents)
    items = tuple(_item(each, names, corpus) for each in said.entities)
    shown = said.read or tuple(span for each in said.entities for span in each.evidence)
    lost = sum(len(each.evidence) for each in said.entities)
    lost -= sum(len(each.evidence) for each in items)
    return BaselineState(
        question=question,
        run=run,
        items=items,
        value=len(items) if said.value is None else said.value,
        unit=said.unit,
        shown=frozenset(_chunks(shown, names, corpus)),
        cost=(said.cost or Cost()).model_copy(update={"seconds": seconds}),
        warnings=(f"{lost} quotes do not stand in the documents they name",) if lost else (),
    )


def _item(said: PeerEntity, names: DocumentNames, corpus: Corpus) -> Item:
    spans = (_located(each, names, corpus) for each in said.evidence)
    known = [names.find(each) for each in said.documents]
    return Item(
        name=said.name,
        documents=tuple(corpus.documents[each] for each in known if each is not None),
        evidence=tuple(each for each in spans if each is not None),
    )


def _chunks(spans: Iterable[PeerSpan], names: DocumentNames, corpus: Corpus) -> Iterator[int]:
    for each in spans:
        found = _located(each, names, corpus)
        if found is not None:
            document = corpus.document_index(found.document)
            yield from corpus.chunks_at(document, found.start, found.end)


def _located(span: PeerSpan, names: DocumentNames, corpus: Corpus) -> Evidence | None:
    """Return a span as evidence: by its offsets where its words stand there, else by its words."""
    document = names.find(span.document)
    if document is None:
        return None
    text = corpus.document_text(document)
    place = _by_offsets(span, text)
    if place is None:
        place = locate(span.quote, text)
    if place is None:
        return None
    start, end = place
    return Evidence(
        document=corpus.documents[document],
        start=start,
        end=end,
        quote=text[start:end],
        condition="",
    )


def _by_offsets(span: PeerSpan, text: str) -> tuple[int, int] | None:
    if span.start is None or span.end is None or not 0 <= span.start < span.end <= len(text):
        return None
    agrees = not span.quote or text[span.start : span.end] == span.quote
    return (span.start, span.end) if agrees else None
