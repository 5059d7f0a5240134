"""What the rules can make nothing of in a reply, told so that the person replies again."""

import re
from typing import Final

from agent.ambiguity import Exchange, left_open
from agent.corpus_view import CorpusView
from agent.reasoners.rules.clarifying.chosen import chosen_option
from agent.reasoners.rules.language.unknown import unknown_words
from agent.reasoners.rules.language.words import stem, tokenize
from agent.reasoners.rules.reading.question_words import asks

__all__ = ("unusable",)

_EVERY: Final = re.compile(
    r"\W*(?:both|all|each|every|either)(?: (?:one|option|reading)s?)?"
    r"(?: of (?:them|these|those|the (?:two|options|readings)))?(?:,? please)?\W*",
    re.IGNORECASE,
)


def unusable(exchange: Exchange, question: str, corpus: CorpusView) -> str:
    """Return what is wrong with a reply in words for the person; empty where it can be used.

    Words tell something where one of them stands in the question, in what was asked, or anywhere in
    the corpus, or is one that any question may use: `since last year`. Names are merged by words
    of their own, so that what is said of them is left to whoever reads it.
    """
    asked, text = exchange.asked, exchange.reply.text.strip()
    if exchange.reply.choice is not None or left_open(text) or asked.code == "C2":
        return ""
    if chosen_option(exchange)[0] is not None:
        return ""
    if asked.options and _EVERY.fullmatch(text):
        return (
            f"only one reading can be taken: choose 1 to {len(asked.options)}, or ask with "
            "--on-ambiguity branch for each of them"
        )
    if not _says_nothing(exchange, question, corpus):
        return ""
    choose = f"choose 1 to {len(asked.options)}" if asked.options else "say it"
    return f"nothing here is called “{text}”: {choose}, or in words of the question or the texts"


def _says_nothing(exchange: Exchange, question: str, corpus: CorpusView) -> bool:
    """Tell whether a reply's words are known neither to what was asked nor to the corpus."""
    asked, text = exchange.asked, exchange.reply.text
    tokens = tokenize(text)
    if any(character.isdigit() for character in text):
        return False
    told = {token.low for token in tokens if token.kind == "word" and not asks(token.low)}
    options = (f"{each.label} {each.meaning}" for each in asked.options)
    said = " ".join((question, asked.question, asked.span, *options))
    known = {stem(token.low) for token in tokenize(said)}
    strange = {word.casefold() for word in unknown_words(text, corpus)}
    return bool(told) and all(word in strange and stem(word) not in known for word in told)
