"""The parts that fields play in any collection: who made a document, for whom, when, what about."""

from collections.abc import Iterable
from typing import Final, Literal

from agent.reasoners.rules.language.words import stem, word_set
from agent.reasoners.rules.reading.facts import Facts

__all__ = (
    "PREPOSITION_ROLES",
    "Role",
    "best_date",
    "is_place_verb",
    "is_role_verb",
    "plays",
    "role_of_verb",
)

Role = Literal["maker", "receiver", "topic", "date", "any"]

_NAMES: Final[dict[str, frozenset[str]]] = {
    "maker": word_set(
        "author authors from sender writer creator by reporter submitter owner maker"
    ),
    "receiver": word_set("to recipient recipients receiver addressee cc bcc"),
    "topic": word_set(
        "topic topics subject subjects tag tags category categories keyword keywords classifier "
        "area theme genre"
    ),
}
_DATE_NAMES: Final = (
    "date", "created", "published", "sent", "written", "issued", "dated", "filed", "opened",
    "start", "started", "year", "released", "decided",
)  # fmt: skip
PREPOSITION_ROLES: Final[dict[str, Role]] = {
    "by": "maker",
    "from": "maker",
    "to": "receiver",
    "about": "topic",
    "concerning": "topic",
    "regarding": "topic",
}
_MADE: Final = frozenset(
    stem(verb)
    for verb in (
        "write", "wrote", "written", "compose", "create", "make", "made", "send", "sent", "post",
        "publish", "produce", "submit", "draft", "author", "report", "issue", "release", "date",
    )
)  # fmt: skip
_PLACING: Final = frozenset(
    stem(verb)
    for verb in (
        "do", "done", "make", "made", "hold", "held", "conduct", "perform", "locate", "situate",
        "base", "find", "found", "keep", "kept", "store", "take", "took", "happen", "occur", "live",
        "come", "exist", "stay", "stand", "lie", "place", "house", "appear", "run", "carry",
    )
)  # fmt: skip
"""Verbs that say no more than that something is or happens somewhere."""
_RECEIVED: Final = frozenset(stem(verb) for verb in ("receive", "address", "addressed", "get"))


def role_of_verb(word: str) -> Role | None:
    """Return the role that a verb of making, sending or receiving speaks of.

    >>> role_of_verb("written"), role_of_verb("received"), role_of_verb("limit")
    ('maker', 'receiver', None)
    """
    if stem(word) in _MADE:
        return "maker"
    return "receiver" if stem(word) in _RECEIVED else None


def is_role_verb(word: str) -> bool:
    """Tell whether a verb says no more than that somebody made or got the document."""
    return role_of_verb(word) is not None


def is_place_verb(word: str) -> bool:
    """Tell whether a verb says no more than that something is or happens somewhere."""
    return stem(word) in _PLACING


def plays(facts: Facts, role: Role) -> bool:
    """Tell whether a field plays the role, by its name."""
    if role == "date":
        coded = facts.unique and all(item.isdigit() for item, _ in facts.field.values)
        return facts.field.type == "date" and not facts.fact and not coded
    return not _NAMES.get(role, frozenset()).isdisjoint(facts.words)


def best_date(fields: Iterable[Facts]) -> tuple[Facts | None, int]:
    """Return the field that dates a document, and how many fields hold dates."""
    dates = [each for each in fields if plays(each, "date")]

    def rank(facts: Facts) -> tuple[int, int]:
        known = [_DATE_NAMES.index(word) for word in facts.words if word in _DATE_NAMES]
        return (min(known, default=len(_DATE_NAMES)), -facts.field.documents)

    return (min(dates, key=rank) if dates else None), len(dates)
