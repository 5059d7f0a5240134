"""Drawn questions as lines of our format of ambiguity."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from agent.errors import SettingsError
from evals.drawn.maker import Meant, Wondered

if TYPE_CHECKING:
    from pydantic import JsonValue

__all__ = ("check_new", "lines_of", "write_lines")


def check_new(into: Path) -> None:
    """Raise SettingsError where a folder holds something."""
    if into.is_dir() and any(into.iterdir()):
        raise SettingsError(f"{str(into)!r} is not empty: choose a folder that is not there yet")


def lines_of(name: str, corpus: str, asked: Iterable[Wondered]) -> Iterator[str]:
    """Yield a line a question; `name` begins their ids, `corpus` is what they are asked over."""
    for number, each in enumerate(asked, start=1):
        line = {"id": f"{name}-{number:02}", "corpus": corpus, **_question(each)}
        yield json.dumps(line, ensure_ascii=False)


def write_lines(into: Path, lines: Iterable[str]) -> None:
    """Write `questions.jsonl` into a folder, which is made."""
    into.mkdir(parents=True, exist_ok=True)
    (into / "questions.jsonl").write_text("\n".join([*lines, ""]), encoding="utf-8")


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
