"""Things that some documents say they have and others deny: attributes of yes or no."""

import math
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Final

from agent.reasoners.rules.language.words import FUNCTION_WORDS
from agent.reasoners.rules.records.names import attribute_name, plain_label
from agent.reasoners.rules.records.prose import Clause, clauses_in, present
from agent.reasoners.rules.records.sketch import Trait
from agent.reasoners.rules.records.telling import telling_roots
from agent.records.record_schema import Attribute

__all__ = ("presences",)

_DENIED: Final = re.compile(
    r"\b(?:no|without(?:\s(?:an?|any))?|lack(?:s|ed)?\s(?:an?|any))\s+(?P<what>[a-z-]+(?:\s[a-z-]+)?)"
)
_FEWEST: Final = 3
"""Documents that must say so, and others that must deny it."""
_SHARE: Final = 0.15
_TOLD: Final = 0.6
"""The share of the documents that say either, none of them both."""


def presences(texts: Mapping[str, str]) -> Iterator[Trait]:
    """Yield what a part of the documents denies (`no pool`, `without a pool`) and a part does not.

    Of a phrase and its last word (`swimming pool`, `pool`) the one counts that more documents have.
    """
    clauses = {name: clauses_in(text) for name, text in texts.items()}
    denied = _denied(clauses)
    least = max(_FEWEST, math.ceil(_SHARE * len(texts)))
    found: list[tuple[str, list[str]]] = []
    for phrase in (each for each, names in denied.items() if len(names) >= _FEWEST):
        values = _told(phrase, clauses)
        often = len(values) >= _TOLD * len(texts)
        if often and min(values.count("yes"), values.count("no")) >= least:
            found.append((phrase, values))
    taken: set[str] = set()
    for phrase, values in sorted(found, key=lambda each: (-len(each[1]), -len(each[0]))):
        roots = telling_roots(phrase)
        if roots and not roots & taken:
            taken |= roots
            yield Trait([phrase], values, told=f"Whether there is {phrase}.")


def _denied(clauses: Mapping[str, list[Clause]]) -> dict[str, set[str]]:
    """Return the documents that deny each phrase."""
    denied: defaultdict[str, set[str]] = defaultdict(set)
    for name, own in clauses.items():
        for clause in own:
            for found in _DENIED.finditer(clause.text):
                words = found["what"].split()
                while words and words[-1] in FUNCTION_WORDS:
                    words.pop()
                if words and words[0] not in FUNCTION_WORDS:
                    denied[" ".join(words)].add(name)
                    denied[words[-1]].add(name)
    named = {plain_label(phrase): names for phrase, names in denied.items()}
    return {phrase: names for phrase, names in named.items() if attribute_name(phrase)}


def _told(phrase: str, clauses: Mapping[str, list[Clause]]) -> list[str]:
    """Return what each document says of it, where it says anything."""
    attribute = Attribute(name=attribute_name(phrase), type="boolean", labels=(phrase,))
    return [cell.value for own in clauses.values() for cell in present(attribute, own)]
