"""Flips bits in every file of a corpus, one at a time, and runs the same commands on each copy."""

import json
import random
import shutil
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from typer.testing import CliRunner

from graphs.apps.cli import app
from tools.corpus.build import build

COMMANDS = (
    ("ask", "How many documents mention heapq?"),
    ("ask", "How many documents have the author Ann Lee?"),
    ("filter", '{"semantic": {"query": "sorting a queue", "best": 5}}'),
)
OWN = frozenset({"run", "cost", "seconds"})
"""What differs between two runs of the same command."""
FILES = ("CURRENT", "id", "generations/**/*", "runs/*.sqlite")
WORDS = ("queue", "heap", "sort", "tree", "list", "wheel", "tag", "index", "search", "order")
FLIPS = 70


@pytest.mark.slow
def test_no_flipped_bit_changes_an_answer(tmp_path: Path) -> None:
    drawn, found = random.Random(7), Counter[str]()
    sound, copy = tmp_path / "sound.corpus", tmp_path / "copy.corpus"
    _index(tmp_path / "texts", sound)
    known = [_told(sound, *command) for command in COMMANDS]
    files = sorted({file for mark in FILES for file in sound.glob(mark) if file.is_file()})
    for number in range(FLIPS):
        shutil.copytree(sound, copy)
        flip(copy / files[number % len(files)].relative_to(sound), drawn)
        found[_outcome([_told(copy, *command) for command in COMMANDS], known)] += 1
        shutil.rmtree(copy)
    assert found["refused"] + found["same answer"] == FLIPS
    assert found["refused"] > found["same answer"]


def _index(texts: Path, place: Path) -> None:
    """Write documents that have fields and share words, and index them."""
    drawn = random.Random(0)
    texts.mkdir()
    for number in range(40):
        author = drawn.choice(("Ann Lee", "Bo Ek", "Cy Dow"))
        said = " ".join([*drawn.choices(WORDS, k=60), *["heapq"][: number % 8 == 3]])
        text = f"Author: {author}\nYear: {1990 + number}\n\nOf the {said}.\n"
        (texts / f"d{number}.txt").write_text(text, encoding="utf-8")
    build([texts], place)


def flip(file: Path, drawn: random.Random) -> None:
    whole = bytearray(file.read_bytes())
    if whole:
        whole[drawn.randrange(len(whole))] ^= 1 << drawn.randrange(8)
        file.write_bytes(whole)


def _told(place: Path, command: str, asked: str) -> dict[str, object] | str | None:
    """Return what a command answers; its complaint of one line; None for any other failure."""
    done = CliRunner().invoke(app, [command, str(place), asked, "--json"])
    if not isinstance(done.exception, SystemExit | None):
        return None
    if done.exit_code == 1:  # the trace of a question that had begun stands above
        *_, complaint = done.stderr.splitlines()
        return complaint if complaint.startswith("headcount: ") else None
    answer: dict[str, object] = json.loads(done.stdout)
    return {key: value for key, value in answer.items() if key not in OWN}


def _outcome(told: list[dict[str, object] | str | None], known: Sequence[object]) -> str:
    """Return what came of a flip; a `traceback` is whatever is no complaint of one line."""
    if None in told:
        return "traceback"
    if all(isinstance(each, str) for each in told):
        return "refused"
    pairs = zip(told, known, strict=True)
    same = all(isinstance(each, str) or each == before for each, before in pairs)
    return "same answer" if same else "other answer"
