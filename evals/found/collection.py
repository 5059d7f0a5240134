"""The user's documents as a collection: read as they are indexed, fields told apart by kind."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Final

import numpy as np

from agent.errors import SettingsError
from evals.aggbench.source import read_documents
from evals.drawn.asking import wonder
from evals.drawn.collection import Collection
from evals.drawn.entry import Entry
from evals.drawn.maker import Wondered
from evals.drawn.writing import check_new, lines_of, write_lines
from evals.found.column import Column, columns_of
from evals.found.labels import categories, crossed, pairs
from evals.found.limits import amounts, dates, listings
from evals.found.things import mentions_of, things_of
from tools.corpus.documents import Document, distinct

__all__ = ("Wanted", "found_collection", "write_questions")

_SOME: Final = (0.05, 0.95)
"""Share of the documents that have a field, from and to, where some have it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What is to be asked over which documents."""

    documents: Path
    many: str
    """What the documents are called."""
    only: Sequence[str] = ()
    """The fields to ask of, in the order in which values stand before the noun; all where empty."""
    seed: int = 0
    draws: int = 1
    """How often a question of each kind is asked."""
    natural: bool = False
    """Whether values are taken as they fall."""


def write_questions(wanted: Wanted, into: Path, say: Callable[[str], None]) -> int:
    """Write `questions.jsonl` into a folder; return how many questions.

    The same arguments write the same. A question that was drawn before is left out.

    Raises:
        SettingsError: the documents cannot be read, have no such field, or none to ask of; the
            folder is not empty, or cannot be written.
    """
    check_new(into)
    rng = np.random.default_rng(wanted.seed)
    collection = found_collection(wanted, rng, say)
    asked: dict[str, Wondered] = {}
    for draw in range(wanted.draws):
        turn = wanted.seed + draw
        for each in wonder(collection, rng, turn=turn, natural=wanted.natural):
            asked.setdefault(each.question, each)
    name = wanted.documents.resolve().name
    try:
        write_lines(into, lines_of(name, name, asked.values()))
    except OSError as error:
        raise SettingsError(f"{str(into)!r} cannot be written: {error}") from error
    return len(asked)


def found_collection(
    wanted: Wanted, rng: np.random.Generator, say: Callable[[str], None]
) -> Collection:
    """Read documents and tell their fields apart.

    Raises:
        SettingsError: the documents cannot be read, have no such field, or none to ask of.
    """
    documents = read_documents(wanted.documents, say)
    columns = columns_of(documents, wanted.only)
    sorting, listed = tuple(categories(columns)), tuple(listings(columns))
    numbered, dated = tuple(amounts(columns)), dates(columns)
    if not (sorting or listed or numbered or dated):
        raise SettingsError(
            f"{str(wanted.documents)!r} states no field that sorts, dates, lists or counts: "
            "leave the folder out to have a collection invented"
        )
    texts = [each.text for each in documents]
    counts = [mentions_of(text) for text in texts]
    things = things_of(texts, counts, rng)
    extras = [each for each in columns if _said_of_some(each)]
    return Collection(
        many=wanted.many,
        entries=_entries(documents, columns, counts, things),
        pairs=pairs(sorting),
        crossed=crossed(sorting),
        listings=listed,
        amounts=numbered,
        dates=None if dated is None else dated[1],
        extras=tuple(combinations([each.name for each in extras], 2)),
        things=things,
    )


def _said_of_some(column: Column) -> bool:
    """Tell whether some documents have a field, and it can be said that they have one."""
    least, most = _SOME
    return least <= column.share <= most and column.noun and not column.name.endswith("s")


def _entries(
    documents: Sequence[Document],
    columns: Sequence[Column],
    counts: Sequence[Mapping[str, int]],
    things: Sequence[str],
) -> tuple[Entry, ...]:
    dated = dates(columns)
    years = {} if dated is None else dated[0].years
    return tuple(
        Entry(
            name=name,
            labels={each.name: each.labels[number] for each in columns if number in each.labels},
            items={each.name: len(each.labels.get(number, ())) for each in columns},
            amounts={each.name: each.numbers[number] for each in columns if number in each.numbers},
            year=years.get(number),
            stated=frozenset(each.name for each in columns if number in each.values),
            words={thing: counts[number][thing] for thing in things if thing in counts[number]},
        )
        for number, name in enumerate(distinct([each.name for each in documents]))
    )
