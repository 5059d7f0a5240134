"""A1: words of degree without a number."""

import re
from collections.abc import Iterator
from typing import Final

from agent.reasoners.rules.ambiguity.cutoffs import Cutoffs, cutoffs_for
from agent.reasoners.rules.ambiguity.doubt import Doubt, found, reading
from agent.reasoners.rules.ambiguity.windows import in_window
from agent.reasoners.rules.language.bounds import read_bound
from agent.reasoners.rules.language.words import CONJUNCTIONS, stem
from agent.reasoners.rules.reading.degree_words import AMOUNTS, DEGREES, lasting
from agent.replies import FoundAmbiguity, ReadingReply

__all__ = ("degrees",)

_COMPANY: Final = 20
_COMPARED: Final = frozenset({"how", "as", "years", "year", "so", "too", "most", "least", "more",
                              "less"})  # fmt: skip
_COPULAS: Final = frozenset({"are", "is", "were", "was", "be", "been", "very", "quite", "rather",
                             "seem", "remain", "fairly", "really"})  # fmt: skip
_INTRODUCING: Final = frozenset({"a", "an", "very", "have", "has", "had", "with", "of", "show",
                                 "quite", "rather", "report", "having"})  # fmt: skip
_COMPOUNDING: Final = frozenset({"high", "low", "old", "long", "short", "fast", "young", "good",
                                 "open", "hard", "heavy", "light", "big", "small", "close", "hot",
                                 "cold", "great", "wide", "deep", "dry", "wet", "new", "poor",
                                 "simple", "fine", "common", "slow", "quick"})  # fmt: skip
"""Words that stand in many fixed terms; they need a place where they clearly describe."""
_QUANTITY: Final = re.compile(
    r"\b(?:(?:a )?lots? of|plenty of|loads of|a (?:great|good|large) (?:deal|many|number) of|"
    r"a handful of|dozens of|hundreds of|thousands of)(?= [a-z])",
    re.IGNORECASE,
)


def degrees(doubt: Doubt) -> Iterator[FoundAmbiguity]:
    """Yield the first word of degree that no number bounds and no metadata accounts for."""
    if doubt.opener is None:
        return
    quantity = _QUANTITY.search(doubt.question)
    if quantity is not None:
        at = next(n for n, token in enumerate(doubt.tokens) if token.start >= quantity.end())
        yield _degree(doubt, quantity.start(), quantity.end(), at, "many")
        return
    for at, token in enumerate(doubt.tokens):
        if token.kind == "word" and token.low in DEGREES and _vague(doubt, at):
            end = _compound_end(doubt, at)
            yield _degree(doubt, token.start, end, at + 1, token.low)
            return


def _vague(doubt: Doubt, at: int) -> bool:
    """Tell whether a word of degree is left open where it stands."""
    tokens = doubt.tokens
    token, before = tokens[at], tokens[at - 1].low if at else ""
    if not at or before in _COMPARED or tokens[at - 1].kind == "number" or token.capital:
        return False
    if doubt.settled(token.low) or in_window(doubt, token) or doubt.quoted(token.start):
        return False
    after = tokens[at + 1] if at + 1 < len(tokens) else None
    if after is not None and after.text == "-":
        return at + 2 < len(tokens) and not lasting(tokens[at + 2].low)
    if after is None or after.kind == "mark":
        return before in _COPULAS or (before.endswith("ly") and at > 1)
    if after.low in {"as", "than"} or _numbered(doubt, at) or _term_of_art(doubt, at):
        return False
    return token.low not in _COMPOUNDING or _describes(doubt, at)


def _numbered(doubt: Doubt, at: int) -> bool:
    """Tell whether a number bounds what the word describes: `a high rent of more than 5000`."""
    for step in range(at + 1, min(at + 7, len(doubt.tokens))):
        if doubt.tokens[step].text in {",", "?"} or doubt.tokens[step].low in CONJUNCTIONS:
            return False
        bound = read_bound(doubt.tokens, step)
        if bound is not None and bound.kind == "number":
            return bound.explicit or bool(bound.unit)
    return False


def _term_of_art(doubt: Doubt, at: int) -> bool:
    """Tell whether the texts themselves join a word of degree with the next: `severe storm`.

    Only inside a condition on texts, and only by what keeps company in the corpus.
    """
    word, follower = doubt.tokens[at].low, doubt.tokens[at + 1].low
    read = any(
        word in each.text.casefold().split()
        for each in doubt.conditions
        if each.predicate is None and not each.terms
    )
    if not read or word in AMOUNTS:
        return False
    company = doubt.corpus.lexicon.related((word,), _COMPANY)
    return any(stem(follower) == stem(form) for form, _ in company)


def _describes(doubt: Doubt, at: int) -> bool:
    """Tell whether a word such as `long` describes documents, or something had or shown."""
    tokens = doubt.tokens
    head = doubt.frame.noun.head
    before = tokens[at - 1].low
    if before in _INTRODUCING or before in _COPULAS:
        return True
    names = head is not None and doubt.scene.names_documents(head.low)
    return names and any(token.text == head.text for token in tokens[at + 1 : at + 4] if head)


def _compound_end(doubt: Doubt, at: int) -> int:
    """Return where the word ends, with what a hyphen or a participle adds: `heavily discussed`."""
    tokens = doubt.tokens
    if at + 2 < len(tokens) and tokens[at + 1].text == "-":
        return tokens[at + 2].end
    if tokens[at].low.endswith("ly") and at + 1 < len(tokens) and tokens[at + 1].low.endswith("ed"):
        return tokens[at + 1].end
    return tokens[at].end


def _degree(doubt: Doubt, start: int, end: int, follower: int, word: str) -> FoundAmbiguity:
    """Report a degree; its span reaches over the word that it describes."""
    limits = cutoffs_for(doubt, start, end, word)
    adverb = re.search(r"\b[a-z]+ly $", doubt.question[:start])
    start = adverb.start() if adverb is not None else start
    phrase = doubt.question[start:end]
    follows = next((each for each in doubt.tokens[follower:] if each.start >= end), None)
    compound = "-" in phrase or " " in phrase
    described = follows is not None and follows.kind == "word" and not compound
    stop = follows.end if described and follows is not None else end
    span = doubt.question[start:stop]
    readings = _by_numbers(limits) if limits else _plain_readings(doubt, start, end, span)
    return found("A1", span, f"“{phrase}” sets a limit without saying where it lies.", readings)


def _by_numbers(limits: Cutoffs) -> list[ReadingReply]:
    return [reading(label, question) for label, question in limits]


def _plain_readings(doubt: Doubt, start: int, end: int, span: str) -> list[ReadingReply]:
    """Return readings for a degree that no field measures: the texts' own word, or no limit."""
    phrase = doubt.question[start:end]
    bare = re.sub(r"\s+(?:are|is|were|was)\s*\?$", " are there?", doubt.without(start, end))
    head = doubt.frame.noun.head
    inner = head is None or not span.endswith(head.text)
    if inner and any(phrase in each.text for each in doubt.conditions if each.predicate is None):
        said = doubt.put(span, f"“{span}”")
    else:
        said = _mentioning(doubt, bare, phrase)
    return [
        reading(f"only where the text says “{phrase}”", said),
        reading(f"also what is not called {phrase}", bare),
    ]


def _mentioning(doubt: Doubt, bare: str, phrase: str) -> str:
    """Ask besides for a mention of the phrase, in the first wording that is read so."""
    from agent.reasoners.rules.reading.interpret import read_question

    clause = doubt.with_clause(bare, f"that mention “{phrase}”")
    for text in (clause, f"{bare.rstrip('?. ')} and mention “{phrase}”?"):
        atoms = read_question(text, doubt.corpus).conditions
        if any([term.strip("“”") for term in atom.terms] == [phrase] for atom in atoms):
            return text
    return clause
