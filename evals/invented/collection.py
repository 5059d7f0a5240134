"""Collections of several trades in one folder, with their questions in our format of ambiguity."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from agent.errors import SettingsError
from evals.drawn.asking import wonder
from evals.drawn.collection import Collection
from evals.drawn.entry import Entry
from evals.drawn.field import Amount, Category, Dates, Listing
from evals.drawn.writing import check_new, lines_of, write_lines
from evals.invented.sheet import LAST, Sheet, draw_sheets
from evals.invented.trade import TRADES, Trade

__all__ = ("collection_of", "write_collections")


def write_collections(into: Path, *, seed: int, documents: int, draws: int) -> int:
    """Write a folder a collection, and `questions.jsonl`; return how many questions.

    The same arguments write the same files. Each trade is drawn so many times, with other
    documents and other values in its questions.

    Raises:
        SettingsError: the folder is not empty, or cannot be written.
    """
    try:
        check_new(into)
        lines = [
            line
            for draw in range(1, draws + 1)
            for trade in TRADES
            for line in _written(into, trade, draw, seed=seed, documents=documents)
        ]
        write_lines(into, lines)
    except OSError as error:
        raise SettingsError(f"{str(into)!r} cannot be written: {error}") from error
    return len(lines)


def collection_of(trade: Trade, sheets: Sequence[Sheet]) -> Collection:
    """Return what questions over invented documents are drawn from."""
    states = Category(
        name="status", values=trade.states, adjectives=trade.states, predicate="are {value}"
    )
    kinds = Category(name="kind", values=trade.kinds, adjectives=trade.kinds)
    return Collection(
        many=trade.many,
        entries=tuple(_entry(trade, each) for each in sheets),
        pairs=((states, kinds),),
        crossed=((states, kinds),),
        listings=(Listing(name=trade.person, many=f"{trade.person}s", least=((3, 5), (4, 6))),),
        amounts=(
            Amount(
                name=trade.amount,
                least=tuple((low * 100, low * 100 + 2000) for low in range(40, 61)),
            ),
        ),
        dates=_dates(trade, min(each.dated.year for each in sheets)),
        extras=(trade.extras,),
        things=trade.things,
        thing="the {}",
    )


def _dates(trade: Trade, first: int) -> Dates:
    last = LAST.year
    return Dates(
        name=trade.dated,
        form="participle",
        recent=((last, last - 2), (last - 1, last - 3)),
        early=((first + 2, first + 5), (first + 3, first + 6)),
        since=(last - 2, last - 3, last - 4),
        within=tuple(range(first + 1, first + 15)),
        past=tuple(last - years for years in range(1, 10)),
    )


def _entry(trade: Trade, sheet: Sheet) -> Entry:
    return Entry(
        name=sheet.name,
        labels={"status": frozenset((sheet.state,)), "kind": frozenset((sheet.kind,))},
        items={trade.person: len(sheet.people)},
        amounts={trade.amount: sheet.amount},
        year=sheet.dated.year,
        stated=frozenset(sheet.extras),
        words={thing: sheet.mentions(thing) for thing in trade.things},
    )


def _written(folder: Path, trade: Trade, draw: int, *, seed: int, documents: int) -> Iterator[str]:
    """Write one collection and return its questions."""
    rng = np.random.default_rng([seed, draw, *trade.one.encode()])
    name = f"{trade.many}-{draw}"
    (folder / name).mkdir(parents=True)
    sheets = draw_sheets(trade, documents, rng)
    for sheet in sheets:
        (folder / name / f"{sheet.name}.txt").write_text(sheet.text(trade), encoding="utf-8")
    turn = seed + draw + TRADES.index(trade)
    return lines_of(name, name, wonder(collection_of(trade, sheets), rng, turn=turn))
