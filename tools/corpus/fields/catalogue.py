"""The catalogue of a corpus: its metadata fields, their types and their frequent values."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from heapq import nsmallest
from itertools import chain
from typing import Final

from agent.corpus import Field, FieldValue
from tools.corpus.fields.values import infer_type
from tools.placeholders import is_placeholder

__all__ = ("WITHOUT_NONE", "by_field", "catalogue", "fields_of", "fold")

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
    columns, names = by_field(documents)
    return fields_of(columns), names


def fields_of(columns: Mapping[str, Mapping[int, FieldValue]]) -> tuple[Field, ...]:
    """Return the fields of these names and values, most widespread first."""
    found = (_field(name, tuple(column.values())) for name, column in columns.items())
    return tuple(sorted(found, key=lambda field: (-field.documents, field.name)))


def by_field(
    documents: Sequence[Mapping[str, FieldValue]],
) -> tuple[dict[str, dict[int, FieldValue]], dict[str, str]]:
    """Return each field's values by document index, and each raw key's canonical name."""
    names = _canonical(key for fields in documents for key in fields)
    columns: defaultdict[str, dict[int, FieldValue]] = defaultdict(dict)
    for document, fields in enumerate(documents):
        for key, value in fields.items():
            columns[names[key]].setdefault(document, value)
    return dict(columns), names


def _canonical(keys: Iterable[str]) -> dict[str, str]:
    counts = Counter(keys)
    ranked = sorted(counts, key=lambda key: (-counts[key], key))
    best: dict[str, str] = {}
    for key in ranked:
        best.setdefault(fold(key), key)
    return {key: best[fold(key)] for key in ranked}


def _field(name: str, written_values: Sequence[FieldValue]) -> Field:
    given = [each for each in written_values if not is_placeholder(each.raw, amounts=True)]
    kind = infer_type(given, name=name)
    values = given if kind in WITHOUT_NONE else written_values
    if len(values) > len(given):
        kind = infer_type(values, name=name)
    documents = Counter(chain.from_iterable(_folded(value.items) for value in values))
    shown = nsmallest(_VALUES_SHOWN, documents.items(), key=_frequent_first)
    spelt = _spellings(values, {item for item, _ in shown})
    return Field(
        name=name,
        type=kind,
        documents=len(values),
        distinct=len(documents),
        values=tuple((spelt[item], count) for item, count in shown),
        written=any(value.start is not None for value in values),
    )


def _folded(items: Sequence[str]) -> Collection[str]:
    return (items[0].casefold(),) if len(items) == 1 else {item.casefold() for item in items}


def _spellings(values: Iterable[FieldValue], folded: Collection[str]) -> dict[str, str]:
    """Return the most frequent spelling of each of these items."""
    every = chain.from_iterable(value.items for value in values)
    written = Counter(item for item in every if item.casefold() in folded)
    spelt: dict[str, str] = {}
    for item, _ in sorted(written.items(), key=_frequent_first):
        spelt.setdefault(item.casefold(), item)
    return spelt


def _frequent_first(counted: tuple[str, int]) -> tuple[int, str]:
    return -counted[1], counted[0]
