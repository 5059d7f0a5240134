"""A2: times and places without bounds."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from agent.reasoners.rules.ambiguity.doubt import Doubt, found, reading
from agent.reasoners.rules.language.past import back
from agent.reasoners.rules.language.words import PREPOSITIONS, Token, singular
from agent.reasoners.rules.reading.facts import Facts
from agent.reasoners.rules.reading.nouns import PERSONS
from agent.replies import FoundAmbiguity, ReadingReply

__all__ = ("Bound", "in_window", "likeliest_bound", "windows")

_TIME: Final = re.compile(
    r"\b(?:recent(?:ly)?(?: years| months| weeks| times)?|lately|of late|nowadays|these days|"
    r"modern|contemporary|soon|(?:long|years|some time|a while|ages) ago|newly|new|old|"
    r"early|late|(?:in|over|during|within|for) the (?:last|past|previous) "
    r"(?:few |several |couple of |some )?(?:years|months|weeks|days|decades)|"
    r"(?:in|over) recent (?:years|months|weeks|times)|for (?:a long time|years|ages|decades)|"
    r"(?:around|about|circa) \d{4}\b|near(?:by)?(?= [A-Z]|\b(?! (?:the )?end))|not far from|"
    r"close to(?= (?:the |our )?[A-Za-z])|"
    r"in the (?:region|vicinity|area|neighbou?rhood)(?: of)?)\b",
    re.IGNORECASE,
)
_UNIT: Final = re.compile(r"\b(?:year|month|week|day)(?=s\b)")
_FEW: Final = (2, 5)
"""How many are a few."""
_LATEST: Final = (0.9, 0.75)
_FIRST: Final = (0.1, 0.25)
_MIDDLE: Final = (0.5, 0.25)
"""Shares of the documents that are older than what is recent, early, or made long ago."""
_SEVERAL_YEARS: Final = 4
_EARLY: Final = ("early", "long ago", "years ago", "ages ago")
_RECENT: Final = ("recent", "lately", "newly", "new", "late", "modern", "contemporary")
_LASTING: Final = ("for ", "old", "a while ago", "some time ago")


def windows(doubt: Doubt) -> Iterator[FoundAmbiguity]:
    """Yield the first relative time or place without bounds."""
    if doubt.opener is None:
        return
    for match in _TIME.finditer(doubt.question):
        if _bounded(doubt, match):
            continue
        phrase = match.group()
        why = f"“{phrase}” names a time or place without saying where it begins and ends."
        if doubt.date is not None and (dates := _dates(doubt)):
            why = f"{why} The latest {doubt.date.name} here is {dates[-1]}."
        yield found("A2", phrase, why, _windowed(doubt, match))
        return


def in_window(doubt: Doubt, token: Token) -> bool:
    """Tell whether a word belongs to an expression of time or place."""
    return any(
        match.start() <= token.start < match.end() for match in _TIME.finditer(doubt.question)
    )


def _bounded(doubt: Doubt, match: re.Match[str]) -> bool:
    """Tell whether metadata, a quotation or the words around settle an expression."""
    phrase = match.group().casefold()
    before = doubt.question[: match.start()].casefold().split()
    after = doubt.question[match.end() :].casefold().split()
    if doubt.settled(phrase.split()[0]) or doubt.quoted(match.start()) or not before:
        return True
    if before[-1] in {"most", "more", "how", "as", "years", "months", "days", "year"}:
        return True
    if doubt.question[match.start()].isupper() or doubt.question[match.end() :][:1] == "-":
        return True
    if phrase in {"early", "late"}:
        return _adverb(before, after)
    if phrase in {"new", "old"}:
        return not _made_when(doubt, after)
    return phrase.startswith(("close to", "near")) and bool(after) and after[0] in {"end", "to"}


def _adverb(before: list[str], after: list[str]) -> bool:
    """Tell whether `early` or `late` says how something is done: `ended early by notice`."""
    if before[-1] in {"the", "an", "a", "in", "many", "which", "all", "of"}:
        return False
    rest = [word.strip("?.!") for word in after]
    return not rest or rest[0] in (PREPOSITIONS | {"if", "when", "and", "or", ""}) - {
        "in", "during"
    }  # fmt: skip


def _made_when(doubt: Doubt, after: list[str]) -> bool:
    """Tell whether `new` or `old` says when the things counted were made: they are dated."""
    head = doubt.frame.noun.head
    follower = after[0].strip("?.,") if after else ""
    if head is None or doubt.date is None or singular(head.low) in PERSONS:
        return False
    names = doubt.scene.names_documents(head.low)
    return names and head.low in [word.strip("?.,") for word in after[:3]] and follower != "version"


def _windowed(doubt: Doubt, match: re.Match[str]) -> list[ReadingReply]:
    """Return what the window can mean; where no field dates the documents, it may mean nothing."""
    bare = doubt.without(*match.span())
    phrase = match.group().casefold()
    if phrase.startswith(("near", "close", "in the region", "in the vicin", "in the area",
                          "in the neigh", "not far")):  # fmt: skip
        return _placed(doubt, match)
    versions = _versions(doubt, match)
    if versions is not None:
        return _by_value(doubt, match, versions)
    if doubt.date is None:
        told = doubt.with_clause(bare, f"that mention “{match.group()}”")
        return [
            reading("at any time, since no field gives a date", bare),
            reading(f"only where the text says “{match.group()}”", told),
        ]
    return _dated(doubt, bare, match)


def _placed(doubt: Doubt, match: re.Match[str]) -> list[ReadingReply]:
    exact = re.sub(r"\s{2,}", " ", doubt.put(match.group(), "in"))
    within = doubt.put(match.group(), "in or next to")
    return [reading("only in it", exact), reading("in it or next to it", within)]


def _dated(doubt: Doubt, bare: str, match: re.Match[str]) -> list[ReadingReply]:
    """Bound a time by dates of the corpus: reckoned back from its latest, on from its first."""
    name = doubt.date.name if doubt.date is not None else "date"
    year = re.search(r"\d{4}", match.group())
    if year is not None:
        middle = int(year.group())
        return [
            reading(f"in {middle}", doubt.with_clause(bare, f"with {name} in {middle}")),
            reading(
                f"{middle - 1} to {middle + 1}",
                doubt.with_clause(bare, f"with {name} from {middle - 1} to {middle + 1}"),
            ),
        ]
    phrase = match.group().casefold()
    dates = _dates(doubt)
    unit = _UNIT.search(phrase)
    if unit is not None and dates and "ago" not in phrase:
        starts = [back(dates[-1], number, unit.group()) for number in _FEW]
        return [
            reading(f"{number} {unit.group()}s up to {dates[-1]}"[:60], doubt.with_clause(
                bare, f"with {name} on or after {start}"
            ))
            for number, start in zip(_FEW, starts, strict=True)
        ]  # fmt: skip
    return [
        reading(each.label, _bounded_by(doubt, match, name, each.words))
        for each in _bounds(phrase, dates)
    ]


@dataclass(frozen=True, slots=True)
class Bound:
    """Where a time without bounds can begin or end."""

    label: str
    words: str


def likeliest_bound(doubt: Doubt, start: int, end: int) -> Bound | None:
    """Return the first bound that an expression of time among some words can mean; else None."""
    match = next((each for each in _TIME.finditer(doubt.question, start, end)), None)
    if match is None or doubt.date is None or _bounded(doubt, match):
        return None
    if not match.group().casefold().startswith((*_RECENT, *_EARLY, *_LASTING)):
        return None
    return next(iter(_bounds(match.group().casefold(), _dates(doubt))), None)


def _bounds(phrase: str, dates: Sequence[str]) -> list[Bound]:
    if phrase.startswith(_EARLY):
        shares, word, label = _FIRST, "until", "up to {}"
    elif phrase.startswith(_LASTING):
        shares, word, label = _MIDDLE, "before", "before {}"
    else:
        shares, word, label = _LATEST, "since", "{} or later"
    return [Bound(label.format(limit), f"{word} {limit}") for limit in _limits(dates, shares)]


def _bounded_by(doubt: Doubt, match: re.Match[str], name: str, bound: str) -> str:
    """Put a bound in the place of a time at the question's end, else behind the noun."""
    from agent.reasoners.rules.reading.interpret import read_question

    placed = doubt.put(match.group(), bound)
    last = not (doubt.question[match.end() :].strip("?. ") or bound.startswith("before"))
    if last and any(
        atom.field == name and atom.values == [bound.partition(" ")[2]]
        for atom in read_question(placed, doubt.corpus).conditions
    ):
        return placed
    return doubt.with_clause(doubt.without(*match.span()), f"with {name} {bound}")


def _dates(doubt: Doubt) -> list[str]:
    """Return the dates of the documents in order."""
    field = doubt.date
    values = doubt.corpus.field_values(field.name).values() if field is not None else ()
    return sorted(value.date for value in values if value.date)


def _limits(dates: Sequence[str], shares: Sequence[float]) -> list[str]:
    """Return quantiles of the dates: years where they span several, else months, else days.

    >>> _limits(["2011-02-03", "2013-04-05", "2019-01-01"], (0.5, 0.25))
    ['2013', '2011']
    """
    years = int(dates[-1][:4]) - int(dates[0][:4]) if dates else 0
    size = 4 if years >= _SEVERAL_YEARS else 7 if years else 10
    found_dates = [dates[int(share * (len(dates) - 1))][:size] for share in shares] if dates else []
    distinct = list(dict.fromkeys(found_dates))
    if len(distinct) == 1:
        others = [each[:size] for each in dates if each[:size] != distinct[0]]
        distinct += others[-1:] if shares[0] > shares[-1] else others[:1]
    return distinct


def _versions(doubt: Doubt, match: re.Match[str]) -> Facts | None:
    """Return the field of numbers or versions that the time describes: `modern engine versions`."""
    tokens = [token for token in doubt.tokens if token.start >= match.end()]
    cue = doubt.scene.labels.cue(tokens, 0) if tokens else None
    if cue is None or cue.strength < 2:
        return None
    return next((each for each in cue.fields if each.dotted and each.field.type != "date"), None)


def _by_value(doubt: Doubt, match: re.Match[str], facts: Facts) -> list[ReadingReply]:
    """Bound versions by the later half and quarter of those in use."""
    items = {
        item for value in doubt.corpus.field_values(facts.name).values() for item in value.items
    }
    ordered = sorted((item for item in items if re.fullmatch(r"\d+(?:\.\d+)+", item)), key=_numbers)
    if len(ordered) < 2:
        return _dated(doubt, doubt.without(*match.span()), match)
    tokens = [token for token in doubt.tokens if token.start >= match.end()]
    cue = doubt.scene.labels.cue(tokens, 0)
    size = cue.size if cue is not None else 1
    named = doubt.question[match.start() : tokens[size - 1].end]
    limits = [ordered[int(share * (len(ordered) - 1))] for share in (0.75, 0.5)]
    return [
        reading(
            f"{facts.name} {limit} or later", doubt.put(named, f"{facts.name} {limit} or later")
        )
        for limit in dict.fromkeys(limits)
    ]


def _numbers(version: str) -> list[int]:
    return [int(part) for part in version.split(".")]
