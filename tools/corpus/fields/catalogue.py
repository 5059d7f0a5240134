"""The catalogue of a corpus: its metadata fields, their types and their frequent values."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from heapq import nsmallest
from typing import Final

from agent.corpus import Field, FieldValue
from tools.corpus.fields.values import type_of
from tools.corpus.fields.written import Items, Written

__all__ = ("WITHOUT_NONE", "catalogue", "field_of", "fold", "names_of", "ranked")

WITHOUT_NONE: Final = frozenset({"number", "date", "list"})
"""The types of fields in which `none` alone is no value but says that there is none."""
_VALUES_SHOWN = 200


@lru_cache(maxsize=65536)
def fold(key: str) -> str:
    """Return what spellings of one key share: no case, spaces, hyphens or other marks.

    >>> fold("Python-Version") == fold("python version") == fold("PYTHON_VERSION:")
    True
    """
    return re.sub(r"[\W_]+", "", key.casefold()) or key


def catalogue(
    documents: Sequence[Mapping[str, FieldValue]],
) -> tuple[tuple[Field, ...], dict[str, str]]:
    """Return the fields, most widespread first, and each raw key's canonical name.

    Keys that differ only in case, spaces, hyphens and the like are one field, named as written most
    often. A document that has two spellings counts once, with its first.
    """
    names = names_of(key for fields in documents for key in fields)
    columns: defaultdict[str, dict[int, FieldValue]] = defaultdict(dict)
    for document, fields in enumerate(documents):
        for key, value in fields.items():
            columns[names[key]].setdefault(document, value)
    every = (field_of(name, Written.of(own.values())) for name, own in columns.items())
    return ranked(every), names


def names_of(keys: Iterable[str]) -> dict[str, str]:
    """Return each key's canonical name: of the keys of one fold the most frequent."""
    counts = Counter(keys)
    frequent_first = sorted(counts, key=lambda key: (-counts[key], key))
    best: dict[str, str] = {}
    for key in frequent_first:
        best.setdefault(fold(key), key)
    return {key: best[fold(key)] for key in frequent_first}


def ranked(fields: Iterable[Field]) -> tuple[Field, ...]:
    """Return the fields, most widespread first."""
    return tuple(sorted(fields, key=lambda field: (-field.documents, field.name)))


def field_of(name: str, written: Written) -> Field:
    """Return what the catalogue tells of the field that has these values."""
    given = written.given()
    kind = type_of(given.raws, several=given.several, name=name)
    values = given if kind in WITHOUT_NONE else written
    if len(values) > len(given):
        kind = type_of(values.raws, several=values.several, name=name)
    spellings, documents = _counted(values.items)
    shown = nsmallest(_VALUES_SHOWN, documents.items(), key=_frequent_first)
    spelt = _most_frequent(spellings, {item for item, _ in shown})
    return Field(
        name=name,
        type=kind,
        documents=len(values),
        distinct=len(documents),
        values=tuple((spelt[item], count) for item, count in shown),
        written=any(values.placed),
    )


def _counted(items: Sequence[Items]) -> tuple[Counter[str], Counter[str]]:
    """Return how often each item is written, and by item without case how many values have it."""
    spellings = Counter([own for own in items if isinstance(own, str)])
    values: Counter[str] = Counter()
    for item, count in spellings.items():
        values[item.casefold()] += count
    for own in items:
        if not isinstance(own, str):
            spellings.update(own)
            values.update({item.casefold() for item in own})
    return spellings, values


def _most_frequent(spellings: Mapping[str, int], folded: Collection[str]) -> dict[str, str]:
    """Return the most frequent spelling of each of these items."""
    of_these = [pair for pair in spellings.items() if pair[0].casefold() in folded]
    spelt: dict[str, str] = {}
    for item, _ in sorted(of_these, key=_frequent_first):
        spelt.setdefault(item.casefold(), item)
    return spelt


def _frequent_first(counted: tuple[str, int]) -> tuple[int, str]:
    return -counted[1], counted[0]
