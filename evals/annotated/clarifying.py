"""The ambiguity of a question as its annotation has it: codes, words, readings, and replies."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from agent.prompt_values import ClarifyValues, ClassifyValues, RewriteValues
from agent.reasoner import Prompt
from agent.replies import (
    ClarifyReply,
    ClassifyReply,
    FoundAmbiguity,
    ReadingReply,
    RewriteReply,
)
from evals.annotated.interpreting import interpreted_reading
from evals.names import departure, token_f1, tokens
from evals.questions import AnnotatedReading, Record

if TYPE_CHECKING:
    from tools.corpus.corpus import Corpus

_LABEL_WORDS: Final = 6
_CLAUSES: Final = re.compile(r"[.;:!?]\s+")


def classified(prompt: Prompt, record: Record) -> ClassifyReply:
    """Return the annotated ambiguities."""
    question = prompt.values_as(ClassifyValues).question
    if question != record.question or len(record.readings) < 2:
        return ClassifyReply(ambiguities=[])
    readings = [_shown(question, each) for each in record.readings]
    return ClassifyReply(
        ambiguities=[
            FoundAmbiguity(
                why="the annotators found it",
                code=code,
                span=_span(question, record.readings),
                readings=readings,
            )
            for code in dict.fromkeys(record.ambiguity)
        ]
    )


def clarified(prompt: Prompt) -> ClarifyReply:
    """Return the question to the person."""
    ambiguity = prompt.values_as(ClarifyValues).ambiguity
    return ClarifyReply(question=f"What is meant by “{ambiguity.span}”?")


def rewritten(prompt: Prompt, record: Record, corpus: "Corpus") -> RewriteReply:
    """Return the annotated reading that the option chosen, or else the words of a reply, name.

    The last clause that names one counts; where none does, the likeliest reading stands.
    """
    exchange = prompt.values_as(RewriteValues).exchange
    choice, options = exchange.reply.choice, exchange.asked.options
    if choice is not None and 1 <= choice <= len(options):
        meant = options[choice - 1].meaning
        chosen = max(record.readings, key=lambda each: token_f1(meant, [each.rewritten]))
    else:
        chosen = _named(exchange.reply.text, record)
    return RewriteReply.whole(interpreted_reading(record, chosen, corpus))


def _named(reply: str, record: Record) -> AnnotatedReading:
    for clause in reversed(_CLAUSES.split(reply)):
        scores = [_likeness(clause, each, record) for each in record.readings]
        best = max(scores, default=0.0)
        if best > 0 and scores.count(best) == 1:
            return record.readings[scores.index(best)]
    return record.readings[0]


def _likeness(reply: str, reading: AnnotatedReading, record: Record) -> float:
    """Compare a reply with the words of a reading that the question lacks."""
    asked = set(tokens(record.question))
    own, said = (
        " ".join(word for word in tokens(each) if word not in asked)
        for each in (reading.rewritten, reply)
    )
    return token_f1(said, [own]) if said and own else 0.0


def _shown(question: str, reading: AnnotatedReading) -> ReadingReply:
    settled = departure(question, reading.rewritten)
    label = " ".join(settled.split()[:_LABEL_WORDS])
    return ReadingReply(label=label, question=reading.rewritten)


def _span(question: str, readings: Sequence[AnnotatedReading]) -> str:
    """Return the question's words, from the first to the last, that no reading repeats."""
    said = {word for each in readings for word in tokens(each.rewritten)}
    words = question.rstrip("?.! ").split()
    own = [at for at, word in enumerate(words) if not set(tokens(word)) <= said]
    return " ".join(words[own[0] : own[-1] + 1] if own else words)
