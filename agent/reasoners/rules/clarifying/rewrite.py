"""The question reread after a clarification: an option's meaning, or the person's own words."""

import re
from collections.abc import Mapping
from typing import Final, cast

from agent.ambiguity import Exchange, Option
from agent.corpus_view import CorpusView
from agent.errors import MalformedReply
from agent.question import Interpretation
from agent.reasoners.rules.ambiguity.doubt import Doubt
from agent.reasoners.rules.ambiguity.reckoning import reckoned
from agent.reasoners.rules.ambiguity.universal import IN_COMMON
from agent.reasoners.rules.clarifying.chosen import chosen_option
from agent.reasoners.rules.clarifying.described import in_full, repeated
from agent.reasoners.rules.clarifying.limited import limited
from agent.reasoners.rules.clarifying.restating import reread
from agent.reasoners.rules.clarifying.settled import keeping
from agent.reasoners.rules.language.bounds import read_bound
from agent.reasoners.rules.language.words import tokenize
from agent.reasoners.rules.reading.labels import Labels
from agent.reasoners.rules.reading.roles import best_date
from agent.replies import InterpretReply

__all__ = ("rewrite",)

_COUNTED: Final = frozenset({"many", "few", "several", "numerous"})
_LEAD: Final = re.compile(
    r"^\W*(?:(?:i|we) (?:mean|meant|want|need|would like|am interested in|'m interested in)\b|"
    r"(?:only|just|namely|that is|i\.e\.|say)\b,?|(?:those|the ones|ones|them)\b)\s*",
    re.IGNORECASE,
)


def rewrite(values: Mapping[str, object]) -> InterpretReply:
    """Reread a question: `question`, `interpretation`, `exchange`, `corpus`.

    Raises:
        MalformedReply: what is meant cannot be executed.
    """
    question = cast("str", values["question"])
    exchange = cast("Exchange", values["exchange"])
    corpus = cast("CorpusView", values["corpus"])
    now = cast("Interpretation", values["interpretation"])
    option, assumption = chosen_option(exchange)
    text = option.meaning if option is not None else ""
    if option is None:
        text, assumption = _merged(question, exchange, corpus)
    told = [assumption, *_merging(exchange, option)]
    shared = IN_COMMON in text
    again = reread(text.replace(f", {IN_COMMON}", "") if shared else text, corpus)
    if shared and not again.across:
        raise MalformedReply(
            "the embedded rules cannot look for what is common to all of these: ask a chat model, "
            "or ask for each one by itself"
        )
    reply = keeping(again, question, exchange.asked.span, now, corpus)
    new = [each for each in told if each and each not in reply.assumptions]
    return reply.model_copy(update={"assumptions": [*reply.assumptions, *new]})


def _merging(exchange: Exchange, option: Option | None) -> list[str]:
    """Return how names are merged, as an answer to C2 has it."""
    if exchange.asked.code != "C2":
        return []
    said = option.label if option is not None else exchange.reply.text
    return [f"About “{exchange.asked.span}”: {said}."]


def _merged(question: str, exchange: Exchange, corpus: CorpusView) -> tuple[str, str]:
    """Put the person's own words in the place of the unclear ones; they may be a whole question."""
    span, said = exchange.asked.span, exchange.reply.text.strip().rstrip(".")
    anew = in_full(question, span, said, corpus)
    if anew is not None:
        return anew, ""
    said = _LEAD.sub("", said) or said
    anchored = reckoned(said, corpus)
    bound = exchange.asked.code in {"A1", "A2"} or anchored != said
    if bound and _has_bound(anchored):
        return _bounded(question, exchange, said, anchored, corpus)
    if span and span in question and said:
        return question.replace(span, said, 1), _means(span, f"“{said}”", said)
    if not span and said:
        return _besides(question, said, corpus), f"Taken as said besides: “{said}”."
    return question, f"The reply “{said}” could not be used."


def _bounded(
    question: str, exchange: Exchange, said: str, anchored: str, corpus: CorpusView
) -> tuple[str, str]:
    """Put a limit in the place of the unclear words: where options have theirs, else a clause."""
    asked = exchange.asked
    if anchored == said:
        told = limited(question, said, asked.options)
        if told is not None:
            return told, _means(asked.span, said, said)
        if asked.code == "A1":
            return _numbered(question, asked.span, said, corpus)
    date, _ = best_date(Labels.of(corpus).fields)
    name = date.name if date is not None else "date"
    clause = f"with {name} {_from_bound(anchored)}"
    return _placed(question, asked.span, clause, corpus), _means(asked.span, said, anchored)


def _besides(question: str, said: str, corpus: CorpusView) -> str:
    """Put what was said about no words in particular where it belongs, else behind the question."""
    return repeated(question, said, corpus) or f"{question.rstrip('?. ')} {said}?"


def _has_bound(said: str) -> bool:
    tokens = tokenize(said)
    return any(read_bound(tokens, at) is not None for at in range(len(tokens)))


def _means(span: str, said: str, anchored: str) -> str:
    meaning = said if anchored in {said, said.strip("“”")} else f"{said}, that is {anchored}"
    return f"“{span}” means {meaning}." if span else f"Taken as said: {meaning}."


def _from_bound(said: str) -> str:
    """Leave out what stands before the bound: the field's name is put there."""
    tokens = tokenize(said)
    starts = (token.start for at, token in enumerate(tokens) if read_bound(tokens, at) is not None)
    return said[next(starts, 0) :]


def _placed(question: str, span: str, clause: str, corpus: CorpusView) -> str:
    """Put a clause right behind what is counted, for at the end it belongs to other words."""
    bare = re.sub(r"\s{2,}", " ", question.replace(span, "", 1)).strip()
    doubt = Doubt.of(bare, Interpretation(text=bare, entity_type=""), corpus)
    return doubt.with_clause(bare, clause)


def _numbered(question: str, span: str, said: str, corpus: CorpusView) -> tuple[str, str]:
    """Put a number in the place of a degree: `many`, `unusually long`, `heavily used`."""
    tokens = tokenize(said)
    bounds = [read_bound(tokens, at) for at in range(len(tokens))]
    explicit = any(each is not None and each.explicit for each in bounds)
    amount = said if explicit else f"at least {said}"
    words = span.split(" ")
    degree = 2 if words[0].endswith("ly") else 1
    word, rest = " ".join(words[:degree]), " ".join(words[degree:])
    if word.casefold() in _COUNTED:
        return question.replace(span, f"{amount} {rest}", 1), f"“{span}” means {amount}."
    return _placed(question, word, f"with {amount}", corpus), f"“{word}” means {amount}."
