"""A1 and A2: words of degree without a number, times and places without bounds."""

import re
from collections.abc import Iterator
from typing import Final

from agent.reasoners.rules.doubt import Doubt, found, reading
from agent.reasoners.rules.labels import Facts
from agent.reasoners.rules.words import PREPOSITIONS, Token, stem
from agent.replies import FoundAmbiguity, ReadingReply

__all__ = ("degrees", "windows")

_WORDS: Final = (
    "many few several numerous large big huge small tiny long lengthy short major significant "
    "substantial considerable frequent frequently often rarely seldom senior junior heavy heavily "
    "popular prolific expensive cheap strong weak serious severe complex experienced young old "
    "widely highly extensive extensively high low active busy rich poor fast slow"
)
_DEGREES: Final = frozenset(_WORDS.split()) - {"active"}
_AMOUNTS: Final = frozenset({"many", "few", "several", "numerous", "large", "small", "big"})
_COMPANY: Final = 20
_COMPOUNDING: Final = frozenset({"high", "low", "old", "long", "short", "fast", "young"})
_TIME: Final = re.compile(
    r"\b(?:recent(?:ly)?(?: years| months)?|lately|nowadays|modern|soon|long ago|newly|"
    r"early|late|in the (?:last|past) (?:few |several |couple of )?(?:years|months|weeks|decades)|"
    r"(?:in|over) recent (?:years|months|times)|for a long time|"
    r"(?:around|about|circa) (?=\d{4}\b)\d{4}|near(?:by)?(?= [A-Z]|\b(?! (?:the )?end))|"
    r"in the (?:region|vicinity|area)(?: of)?)\b",
    re.IGNORECASE,
)
_PERIODS: Final = {"early": ("2", "5"), "recent": ("1", "3")}


def degrees(doubt: Doubt) -> Iterator[FoundAmbiguity]:
    """Yield words of degree that no number bounds and no metadata value accounts for."""
    for at, token in enumerate(doubt.tokens):
        if token.kind == "word" and token.low in _DEGREES and _vague(doubt, at):
            yield _degree(doubt, at)
            return


def _vague(doubt: Doubt, at: int) -> bool:
    tokens = doubt.tokens
    word = tokens[at].low
    before = tokens[at - 1].low if at else ""
    after = tokens[at + 1] if at + 1 < len(tokens) else None
    if before in {"how", "as", "years", "year", "so", "too"} or doubt.settled(word):
        return False
    if at and tokens[at - 1].kind == "number":
        return False
    if _TIME.search(doubt.question) and _inside_time(doubt, tokens[at]):
        return False
    if after is None or after.low in {"as", "than"} or _term_of_art(doubt, at):
        return False
    if after.text == "-":
        return at + 2 < len(tokens) and tokens[at + 2].low.endswith("ed")
    return not (word in _COMPOUNDING and not _describes(doubt, at))


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
    if not read or word in _AMOUNTS:
        return False
    company = doubt.corpus.lexicon.related((word,), _COMPANY)
    return any(stem(follower) == stem(form) for form, _ in company)


def _inside_time(doubt: Doubt, token: Token) -> bool:
    return any(
        match.start() <= token.start < match.end() for match in _TIME.finditer(doubt.question)
    )


def _describes(doubt: Doubt, at: int) -> bool:
    """Tell whether a word such as `long` describes documents, or something had or shown."""
    tokens = doubt.tokens
    head = doubt.frame.noun.head
    nouns = {head.text} if head is not None else set()
    before = tokens[at - 1].low if at else ""
    names = head is not None and doubt.scene.names_documents(head.low)
    return before in {"a", "an", "very"} or (
        names and any(token.text in nouns for token in tokens[at + 1 : at + 4])
    )


def _degree(doubt: Doubt, at: int) -> FoundAmbiguity:
    token = doubt.tokens[at]
    counted = _counted_field(doubt, at)
    end = doubt.tokens[at + 1].end if at + 1 < len(doubt.tokens) else token.end
    if doubt.tokens[at + 1].text == "-":
        end = doubt.tokens[at + 2].end
    span = doubt.question[token.start : end]
    if counted is not None:
        low, high = _thresholds(doubt, counted)
        readings = [
            reading(f"at least {bound}", _swap(doubt, token, f"at least {bound}"))
            for bound in (low, high)
        ]
    else:
        readings = _plain_readings(doubt, token, end)
    why = f"“{token.text}” sets a limit without saying where it lies."
    return found("A1", span, why, readings)


def _counted_field(doubt: Doubt, at: int) -> Facts | None:
    """Return the list field whose items `many` counts."""
    if doubt.tokens[at].low not in {"many", "few", "several", "numerous"}:
        return None
    cue = doubt.scene.labels.cue(doubt.tokens, at + 1)
    return cue.fields[0] if cue is not None and cue.strength >= 2 else None


def _thresholds(doubt: Doubt, facts: Facts) -> tuple[int, int]:
    """Return two limits from the corpus: the upper fifth and the upper twentieth, at least 3."""
    counts = sorted(len(value.items) for value in doubt.corpus.field_values(facts.name).values())
    low = max(3, counts[int(0.8 * (len(counts) - 1))] if counts else 3)
    high = max(low + 2, counts[int(0.95 * (len(counts) - 1))] if counts else 5)
    return low, high


def _swap(doubt: Doubt, token: Token, words: str) -> str:
    return f"{doubt.question[: token.start]}{words}{doubt.question[token.end :]}"


def _plain_readings(doubt: Doubt, token: Token, end: int) -> list[ReadingReply]:
    hyphen = end > token.end and doubt.question[token.end] == "-"
    stop = end if hyphen else token.end
    phrase = doubt.question[token.start : stop]
    told = doubt.with_clause(
        doubt.without(token.start, stop), f"that the text itself calls “{phrase}”"
    )
    return [
        reading(f"whatever is not marked as {token.low}", doubt.without(token.start, stop)),
        reading(f"only where the text says “{phrase}”", told),
    ]


def windows(doubt: Doubt) -> Iterator[FoundAmbiguity]:
    """Yield relative times and places without bounds."""
    for match in _TIME.finditer(doubt.question):
        phrase = match.group()
        if doubt.settled(phrase.split()[0]) or _quoted(doubt, match.start()):
            continue
        if phrase.casefold() in {"early", "late"} and _adverb(doubt, match):
            continue
        why = f"“{phrase}” names a time or place without saying where it begins and ends."
        yield found("A2", phrase, why, _windowed(doubt, match))
        return


def _adverb(doubt: Doubt, match: re.Match[str]) -> bool:
    """Tell whether `early` or `late` says how something is done: `ended early by notice`."""
    rest = doubt.question[match.end() :].strip(" ?.!").casefold().split()
    before = doubt.question[: match.start()].casefold().split()
    if before and before[-1] in {"the", "an", "a", "in", "many", "which", "all", "of"}:
        return False
    return not rest or rest[0] in (PREPOSITIONS | {"if", "when", "and", "or"}) - {"in", "during"}


def _quoted(doubt: Doubt, position: int) -> bool:
    return any(
        token.kind in {"quote", "paren"} and token.start <= position < token.end
        for token in doubt.tokens
    )


def _windowed(doubt: Doubt, match: re.Match[str]) -> list[ReadingReply]:
    """Return what the window can mean; where no field dates the documents, it may mean nothing."""
    bare = doubt.without(*match.span())
    if doubt.date is None:
        return [
            reading("at any time, since no field gives a date", bare),
            *_years_meant(doubt, bare, match)[:1],
        ]
    return _years_meant(doubt, bare, match)


def _years_meant(doubt: Doubt, bare: str, match: re.Match[str]) -> list[ReadingReply]:
    year = re.search(r"\d{4}", match.group())
    date = doubt.date
    name = date.name if date is not None else "date"
    if year is not None:
        middle = int(year.group())
        return [
            reading(f"in {middle}", doubt.with_clause(bare, f"with {name} in {middle}")),
            reading(
                f"{middle - 1} to {middle + 1}",
                doubt.with_clause(bare, f"with {name} from {middle - 1} to {middle + 1}"),
            ),
        ]
    first, last = _years(doubt)
    if match.group().casefold().startswith(("early", "long ago", "for a long")):
        return [
            reading(f"up to {first + span}", _bounded(doubt, bare, name, "until", first + span))
            for span in (1, 5)
        ]
    return [
        reading(f"{last - span} or later", _bounded(doubt, bare, name, "since", last - span))
        for span in (1, 3)
    ]


def _bounded(doubt: Doubt, bare: str, name: str, word: str, year: int) -> str:
    return doubt.with_clause(bare, f"with {name} {word} {year}")


def _years(doubt: Doubt) -> tuple[int, int]:
    """Return the first and last year of the corpus's dates."""
    date = doubt.date
    values = doubt.corpus.field_values(date.name).values() if date is not None else ()
    years = sorted(int(value.date[:4]) for value in values if value.date)
    return (years[len(years) // 100], years[-1]) if years else (2000, 2020)
