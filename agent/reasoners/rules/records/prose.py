"""What clauses of running text state of a schema's attributes: presence, lists, measures.

The words of an attribute's labels must stand in the clause; where clauses of a document disagree
about what is there, nothing is taken.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from agent.reasoners.rules.language.words import NEGATIONS, singular, word_set
from agent.reasoners.rules.records.lists import list_items
from agent.reasoners.rules.records.names import is_beside, plain_label
from agent.reasoners.rules.records.shapes import shape_of, unit_named
from agent.reasoners.rules.records.structure.frames import unit_after
from agent.reasoners.rules.records.structure.slots import Slot
from agent.reasoners.rules.records.telling import telling_roots
from agent.records.record_replies import CellReply
from agent.records.record_schema import Attribute

__all__ = ("Clause", "clauses_in", "listed", "measured", "present")

_END: Final = re.compile(
    r"(?<=\w)[.!?](?=\s+[\"“(]?[A-Z\d]|\s*\Z|\s*\n)|\n{2,}|;\s|,\s(?:while|but|whereas)\s"
    r"|,\sand\s(?=(?:the|a|an|it|there|its)\s)",
    re.IGNORECASE,
)
_WORD: Final = re.compile(r"[^\W\d_][\w'’-]*")
_OPEN: Final = word_set(
    "if unless whether may might could would should will shall planned plans proposed once "
    "formerly until except when"
)
"""Words of a clause that do not say what is."""
_ANOTHER: Final = word_set("another other others nearby neighbouring neighboring next")
_LACKING: Final = NEGATIONS | word_set("none lacked nothing")
_LISTING: Final = r"(?:is|are|was|were|include|includes|included|comprise|comprises)"
_ITEM: Final = re.compile(r"(?:an?\s|the\s)?[a-z][\w'’-]*(?:\s[\w'’-]+){0,3}")
_RATE: Final = re.compile(r"(?:\s[^\W\d_]+){0,2}?\s(?:an?|per|each|every)\s([^\W\d_]+)")
"""What a value is for: `38 euros a visit`."""
_MOST_WORDS: Final = 40


@dataclass(frozen=True)
class Clause:
    """Words that state one thing."""

    text: str
    start: int

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Without case."""
        return tuple(word.casefold() for word in _WORD.findall(self.text))

    @cached_property
    def roots(self) -> frozenset[str]:
        """Of the words that tell."""
        return telling_roots(" ".join(self.words))


def clauses_in(text: str) -> list[Clause]:
    """Return the clauses of running text, those that are no longer than a sentence."""
    found: list[Clause] = []
    begin = 0
    for start, end in [*(each.span() for each in _END.finditer(text)), (len(text), len(text))]:
        bare = text[begin:start].strip()
        if bare and bare.count(" ") < _MOST_WORDS:
            found.append(Clause(bare, begin + text[begin:start].index(bare[0])))
        begin = end
    return found


def present(attribute: Attribute, clauses: Sequence[Clause]) -> Iterator[CellReply]:
    """Yield whether something is there that an attribute of yes or no is called by.

    A clause that speaks of it says yes, one that denies it says no. What may be, or is elsewhere,
    counts for nothing.
    """
    called = [plain_label(each) for each in (*attribute.labels, attribute.name)]
    stated = [
        (not _LACKING & set(each.words), each)
        for each in clauses
        if not (_OPEN | _ANOTHER) & set(each.words) and any(_names(each, label) for label in called)
    ]
    if len({there for there, _ in stated}) == 1:
        there, clause = stated[0]
        value = "yes" if there else "no"
        yield CellReply(attribute=attribute.name, value=value, unit=None, quote=clause.text)


def listed(attribute: Attribute, clauses: Sequence[Clause]) -> Iterator[CellReply]:
    """Yield the items that a clause lists under a label: `the facilities of it are a and b`."""
    labels = [re.escape(each) for each in attribute.labels if not is_beside(each)]
    if not labels:
        return
    pattern = re.compile(
        rf"\b(?:{'|'.join(labels)})\b(?:\s(?:of|at|in|for)\s[^,;:]{{1,60}}?)?"
        rf"\s(?:{_LISTING})\s(?P<items>[^.;:]+)\Z",
        re.IGNORECASE,
    )
    for clause in clauses:
        found = pattern.search(clause.text)
        items = list_items(found["items"]) if found else []
        if items and all(_ITEM.fullmatch(item) for item in items):
            for item in items:
                bare = re.sub(r"^(?:an?|the)\s", "", item)
                yield CellReply(attribute=attribute.name, value=bare, unit=None, quote=clause.text)
            return


def measured(slot: Slot, clause: Clause, attributes: Sequence[Attribute]) -> Attribute | None:
    """Return the one attribute of the value's very unit of which the clause has the most words."""
    if slot.kind != "number":
        return None
    unit = shape_of(slot.value)[1] or unit_named(unit_after(slot.after)) or None
    rate = _RATE.match(clause.text, slot.end - clause.start)
    per = telling_roots(rate[1]) if rate else frozenset()
    near = {
        each.name: max(_shared(clause, label, per) for label in (*each.labels, each.name))
        for each in attributes
        if unit and each.unit == unit and each.type in {"integer", "number"}
    }
    best = max(near.values(), default=0.0)
    found = [each for each in attributes if best > 0 and near.get(each.name) == best]
    return found[0] if len(found) == 1 else None


def _shared(clause: Clause, label: str, per: frozenset[str]) -> float:
    """Return the share of a label's telling words that a clause has, all those of a rate."""
    roots = telling_roots(label.replace("_", " "))
    return len(roots & clause.roots) / len(roots) if roots and per <= roots else 0.0


def _names(clause: Clause, label: str) -> bool:
    """Tell whether a clause has a label's words: one as it is, of several all their roots."""
    words = label.split()
    if len(words) == 1:
        return words[0] in clause.words or words[0] in {singular(each) for each in clause.words}
    roots = telling_roots(label)
    return len(roots) > 1 and roots <= clause.roots
