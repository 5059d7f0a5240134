"""The question reread after a clarification: an option's meaning, or the person's own words."""

import re
from collections.abc import Mapping
from typing import Final, cast

from agent.ambiguity import Exchange, Option
from agent.corpus import CorpusView
from agent.reasoners.rules.amounts import read_bound
from agent.reasoners.rules.interpret import read_question
from agent.reasoners.rules.labels import Labels
from agent.reasoners.rules.roles import best_date
from agent.reasoners.rules.words import tokenize
from agent.replies import InterpretReply

__all__ = ("rewrite",)

_UNSURE: Final = re.compile(
    r"^\W*$|\b(?:don['’]?t know|do not know|not sure|no idea|whatever|either|any of them|"
    r"doesn['’]?t matter|you (?:choose|decide))\b",
    re.IGNORECASE,
)
_COUNTED: Final = frozenset({"many", "few", "several", "numerous"})
_YES: Final = re.compile(
    r"^\W*(?:yes|yeah|yep|sure|right|correct|exactly|ok(?:ay)?)\b", re.IGNORECASE
)
_NO: Final = re.compile(r"^\W*(?:no|nope|not? really)\W*$", re.IGNORECASE)


def rewrite(values: Mapping[str, object]) -> InterpretReply:
    """Reread a question: `question`, `interpretation`, `exchange`, `corpus`."""
    question = cast("str", values["question"])
    exchange = cast("Exchange", values["exchange"])
    corpus = cast("CorpusView", values["corpus"])
    option, assumption = _chosen(exchange)
    if option is not None:
        reply = read_question(option.meaning, corpus)
    else:
        text, assumption = _merged(question, exchange, corpus)
        reply = read_question(text, corpus)
    if not assumption:
        return reply
    return reply.model_copy(update={"assumptions": [*reply.assumptions, assumption]})


def _chosen(exchange: Exchange) -> tuple[Option | None, str]:
    """Return the option that the reply chooses, and what had to be assumed for it."""
    options, reply = exchange.asked.options, exchange.reply
    if reply.choice is not None and 1 <= reply.choice <= len(options):
        return options[reply.choice - 1], ""
    text = reply.text.strip()
    if options and _UNSURE.search(text):
        return options[0], f"“{exchange.asked.span}” was left open; taken as: {options[0].label}."
    return _told(text, exchange), ""


def _told(text: str, exchange: Exchange) -> Option | None:
    """Return the option that words name: its number, yes or no, or its label."""
    options = exchange.asked.options
    if text.isdigit() and 1 <= int(text) <= len(options) and not _amount_asked(exchange):
        return options[int(text) - 1]
    if options and _YES.match(text) and len(tokenize(text)) <= 2:
        return options[0]
    if len(options) > 1 and _NO.match(text):
        return options[1]
    low = text.casefold()
    labels = [each.label.casefold() for each in options]
    named = [
        option
        for option, label in zip(options, labels, strict=True)
        if low and (label in low or low in label)
    ]
    return named[0] if len(named) == 1 else None


def _amount_asked(exchange: Exchange) -> bool:
    return exchange.asked.code in {"A1", "A2"}


def _merged(question: str, exchange: Exchange, corpus: CorpusView) -> tuple[str, str]:
    """Put the person's own words in the place of the unclear ones."""
    span, said = exchange.asked.span, exchange.reply.text.strip().rstrip(".")
    tokens = tokenize(said)
    bound = next((each for at in range(len(tokens)) if (each := read_bound(tokens, at))), None)
    if bound is not None and exchange.asked.code == "A2":
        date, _ = best_date(Labels.of(corpus).fields)
        name = date.name if date is not None else "date"
        bare = re.sub(r"\s{2,}", " ", question.replace(span, "", 1)).rstrip("?. ")
        return f"{bare} with {name} {said}?", f"“{span}” means {said}."
    if bound is not None and exchange.asked.code == "A1":
        amount = said if bound.explicit else f"at least {said}"
        word, _, rest = span.partition(" ")
        if word.casefold() in _COUNTED:
            return question.replace(span, f"{amount} {rest}", 1), f"“{span}” means {amount}."
        bare = re.sub(r"\s{2,}", " ", question.replace(word, "", 1)).rstrip("?. ")
        return f"{bare} with {amount}?", f"“{word}” means {amount}."
    if span and span in question and said:
        return question.replace(span, said, 1), f"“{span}” means “{said}”."
    return question, f"The reply “{said}” could not be used."
