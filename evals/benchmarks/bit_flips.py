"""`python -m evals.benchmarks.bit_flips`: flips bits in every file of a corpus, one at a time.

After each flip the same commands are run on a copy: a question about a mention, one about a field,
and a filter by meaning. Each has to give the same as before, or one line and exit code 1.
"""

import json
import random
import shutil
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from typer.testing import CliRunner

from graphs.apps.cli import app as headcount
from tools.corpus.build import build

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)

COMMANDS = (
    ("ask", "How many documents mention heapq?"),
    ("ask", "How many documents have the author Ann Lee?"),
    ("filter", '{"semantic": {"query": "sorting a queue", "best": 5}}'),
)
_OWN = frozenset({"run", "cost", "seconds"})
"""What differs between two runs of the same command."""
_FILES = ("CURRENT", "id", "generations/**/*", "runs/*.sqlite")
_WORDS = ("queue", "heap", "sort", "tree", "list", "wheel", "tag", "index", "search", "order")
_DOCUMENTS = 40


@app.command()
def bit_flips(
    flips: Annotated[int, typer.Option(min=1, help="How many bits are flipped.")] = 2_000,
    seed: Annotated[int, typer.Option(help="Other seeds flip other bits.")] = 0,
) -> None:
    """Print how many flips were tried, and what came of them; exit with 1 where one was wrong."""
    found = trial(flips, seed)
    for outcome, count in found.items():
        typer.echo(f"{outcome}: {count}")
    raise typer.Exit(int(any(found[wrong] for wrong in ("other answer", "traceback"))))


def trial(flips: int, seed: int) -> Counter[str]:
    """Return how often each outcome came of so many flips; each file's turn comes equally often.

    Outcomes: `refused` in one line by every command; the `same answer`, by some command at least;
    `other answer`; `traceback`, or what ends otherwise than with a complaint of one line.
    """
    drawn = random.Random(seed)  # noqa: S311 - not for secrets
    found = Counter(dict.fromkeys(("flips", "refused", "same answer"), 0))
    with tempfile.TemporaryDirectory(prefix="headcount-flips-") as folder:
        sound, copy = Path(folder) / "sound.corpus", Path(folder) / "copy.corpus"
        _index(Path(folder) / "texts", sound)
        known = [_told(sound, *command) for command in COMMANDS]
        files = sorted({file for mark in _FILES for file in sound.glob(mark) if file.is_file()})
        for number in range(flips):
            shutil.copytree(sound, copy)
            _flip(copy / files[number % len(files)].relative_to(sound), drawn)
            told = [_told(copy, *command) for command in COMMANDS]
            found["flips"] += 1
            found[_outcome(told, known)] += 1
            shutil.rmtree(copy)
    return found


def _index(texts: Path, place: Path) -> None:
    """Write documents that have fields and share words, and index them."""
    drawn = random.Random(0)  # noqa: S311 - not for secrets
    texts.mkdir()
    for number in range(_DOCUMENTS):
        author = drawn.choice(("Ann Lee", "Bo Ek", "Cy Dow"))
        said = " ".join([*drawn.choices(_WORDS, k=60), *["heapq"][: number % 8 == 3]])
        text = f"Author: {author}\nYear: {1990 + number}\n\nOf the {said}.\n"
        (texts / f"d{number}.txt").write_text(text, encoding="utf-8")
    build([texts], place)


def _flip(file: Path, drawn: random.Random) -> None:
    whole = bytearray(file.read_bytes())
    if whole:
        whole[drawn.randrange(len(whole))] ^= 1 << drawn.randrange(8)
        file.write_bytes(whole)


def _told(place: Path, command: str, asked: str) -> dict[str, object] | str | None:
    """Return what a command answers; its complaint of one line; None for any other failure."""
    done = CliRunner().invoke(headcount, [command, str(place), asked, "--json"])
    if not isinstance(done.exception, SystemExit | None):
        return None
    if done.exit_code == 1:  # the trace of a question that had begun stands above
        *_, complaint = done.stderr.splitlines()
        return complaint if complaint.startswith("headcount: ") else None
    answer: dict[str, object] = json.loads(done.stdout)
    return {key: value for key, value in answer.items() if key not in _OWN}


def _outcome(told: list[dict[str, object] | str | None], known: Sequence[object]) -> str:
    if None in told:
        return "traceback"
    if all(isinstance(each, str) for each in told):
        return "refused"
    pairs = zip(told, known, strict=True)
    same = all(isinstance(each, str) or each == before for each, before in pairs)
    return "same answer" if same else "other answer"


if __name__ == "__main__":
    app()
