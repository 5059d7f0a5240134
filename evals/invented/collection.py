"""Collections of several trades in one folder, with their questions in our format of ambiguity."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from agent.errors import SettingsError
from evals.invented.asking import wonder
from evals.invented.maker import Meant, Wondered
from evals.invented.sheet import draw_sheets
from evals.invented.trade import TRADES, Trade

if TYPE_CHECKING:
    from pydantic import JsonValue

__all__ = ("write_collections",)


def write_collections(into: Path, *, seed: int, documents: int, draws: int) -> int:
    """Write a folder a collection, and `questions.jsonl`; return how many questions.

    The same arguments write the same files. Each trade is drawn so many times, with other
    documents and other values in its questions.

    Raises:
        SettingsError: the folder is not empty, or cannot be written.
    """
    try:
        if into.is_dir() and any(into.iterdir()):
            raise SettingsError(
                f"{str(into)!r} is not empty: choose a folder that is not there yet"
            )
        lines = [
            json.dumps(line, ensure_ascii=False)
            for draw in range(1, draws + 1)
            for trade in TRADES
            for line in _collection(into, trade, draw, seed=seed, documents=documents)
        ]
        (into / "questions.jsonl").write_text("\n".join([*lines, ""]), encoding="utf-8")
    except OSError as error:
        raise SettingsError(f"{str(into)!r} cannot be written: {error}") from error
    return len(lines)


def _collection(
    folder: Path, trade: Trade, draw: int, *, seed: int, documents: int
) -> Iterator[dict[str, "JsonValue"]]:
    """Write one collection and return its questions."""
    rng = np.random.default_rng([seed, draw, *trade.one.encode()])
    name = f"{trade.many}-{draw}"
    (folder / name).mkdir(parents=True)
    sheets = draw_sheets(trade, documents, rng)
    for sheet in sheets:
        (folder / name / f"{sheet.name}.txt").write_text(sheet.text(trade), encoding="utf-8")
    turn = seed + draw + TRADES.index(trade)
    for number, asked in enumerate(wonder(trade, sheets, rng, turn=turn), start=1):
        yield {"id": f"{name}-{number:02}", "corpus": name, **_question(asked)}


def _question(asked: Wondered) -> dict[str, "JsonValue"]:
    return {
        "question": asked.question,
        "ambiguity": [*asked.codes],
        "is_ambiguous": bool(asked.codes),
        "readings": [_reading(each) for each in asked.readings],
    }


def _reading(meant: Meant) -> "JsonValue":
    if meant.number is not None:
        return {"rewritten": meant.question, "answer_value": meant.number}
    return {
        "rewritten": meant.question,
        "answer_count": len(meant.names),
        "answer": [*meant.names],
    }
