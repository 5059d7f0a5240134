"""Flips bits in every file of a corpus, one at a time, and runs commands that read it."""

import gc
import random
import shutil
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from typer.testing import CliRunner

from graphs.apps.cli import app
from tests.fake_provider.server import FakeProvider
from tests.graphs.apps import test_record_commands as boats
from tests.graphs.apps.conftest import overrule
from tests.graphs.conftest import _built, _leases_folder  # noqa: F401 - fixtures
from tests.graphs.leaving_out import left_out
from tests.integration.asking import MANY_REQUESTS, QUESTION, by_command
from tests.integration.reader import read
from tools.sqlite_file import close_forgotten, seal_of

pytestmark = pytest.mark.slow

FLIPS = 36
"""Of the databases."""
INDEX_FLIPS = 75
ASSUMED = ("--on-ambiguity", "assume")
COMMANDS = {
    "ask": ["ask", "leases.corpus", QUESTION, "--json", *ASSUMED],
    "again": ["ask", "leases.corpus", "--again", "RUN", "--json"],
    "resume": ["ask", "leases.corpus", "--resume", "PARTIAL", "--json", *ASSUMED],
    "runs": ["runs", "leases.corpus"],
    "report": ["export", "leases.corpus", "RUN", "out.html"],
    "export": ["export", "leases.corpus", "RUN", "out.json"],
    "records": ["records", "show", "h.corpus"],
    "doctor": ["doctor", "leases.corpus"],
    "records doctor": ["doctor", "h.corpus"],
    "words": ["ask", "leases.corpus", "How many documents mention a dog?", "--json"],
    "field": ["ask", "leases.corpus", "How many leases are in Leeds?", "--json"],
    "meaning": ["filter", "leases.corpus", '{"semantic": {"query": "a pet", "best": 5}}'],
}
READ_BY = {
    "leases.corpus/runs/runs": ("ask", "again", "resume", "runs", "report", "export", "doctor"),
    "leases.corpus/runs/checkpoints": ("ask", "resume", "doctor"),
    "leases.corpus/runs/responses": ("ask", "resume", "doctor"),
    "leases.corpus/runs/reviews": ("ask", "export", "doctor"),
    "h.corpus/records/records": ("records", "records doctor"),
}
PAIRS = [(f"{name}.sqlite", command) for name, commands in READ_BY.items() for command in commands]
INDEX = ("CURRENT", "id", "generations/**/*")
OWN = ('"run"', '"seconds"', '"model_calls"', '"cached_calls"', '_tokens"', " chunks (")
"""What differs between two runs of the same command."""
Pair = tuple[str, str]
"""A file, and a command that reads it."""


def flip(file: Path, drawn: random.Random) -> None:
    whole = bytearray(file.read_bytes())
    if whole:
        whole[drawn.randrange(len(whole))] ^= 1 << drawn.randrange(8)
        file.write_bytes(whole)


@dataclass(frozen=True)
class Home:
    """A folder with corpora, and the runs there."""

    folder: Path
    flags: list[str]
    runs: dict[str, str]

    def told(self, home: Path, name: str) -> tuple[int, str] | None:
        """Return how a command ends and what it says; None where it fails in other ways."""
        words = [self.runs.get(each, each) for each in COMMANDS[name]]
        asks = self.flags if words[0] == "ask" and name not in {"words", "field"} else []
        with pytest.MonkeyPatch.context() as patched, left_out(MANY_REQUESTS):
            patched.chdir(home)
            done = CliRunner().invoke(app, [*words, *asks], env=MANY_REQUESTS)
        if not isinstance(done.exception, SystemExit | None) or "Traceback" in done.output:
            return None
        if done.exit_code == 1 and name.endswith("doctor"):
            return 1, "" if "problem: " in done.stdout else "nothing"
        if done.exit_code == 1:
            said = [each for each in done.stderr.splitlines() if each.startswith("headcount: ")]
            return (1, said[0]) if len(said) == 1 else None
        made = [each.read_text() for each in home.glob("out.*")]
        lines = [*done.stdout.splitlines(), *made]
        return done.exit_code, "\n".join(each for each in lines if not any(k in each for k in OWN))


@pytest.fixture
def home(tmp_path: Path, _built: Path, provider: FakeProvider) -> Home:  # noqa: F811
    """A finished run and one that a limit ended, verdicts of a person, and records."""
    folder = tmp_path / "home"
    shutil.copytree(_built, folder / "leases.corpus")
    boats.with_schema(tmp_path / "pages", folder / "h.corpus")
    server = ["--model", "m", "--base-url", provider.url]
    provider.answer = boats.recording
    filled = CliRunner().invoke(app, ["records", "fill", str(folder / "h.corpus"), *server])
    assert filled.exit_code == 0, filled.output
    provider.answer = read
    place = folder / "leases.corpus"
    partial = by_command(place, provider, "--max-calls", "9").answer["run"]
    finished = by_command(place, provider).answer
    overrule(finished, place, 0)
    gc.collect()
    close_forgotten()
    return Home(folder, [*server, "--model", "fake"], {"PARTIAL": partial, "RUN": finished["run"]})


def outcomes(home: Home, copy: Path, pairs: Sequence[Pair], flips: int) -> Counter[str]:
    """Return how often what came of a command after a bit of a file was flipped."""
    drawn, found, known = random.Random(7), Counter[str](), {}
    for name in {command for _, command in pairs}:
        shutil.copytree(home.folder, copy)
        known[name] = home.told(copy, name)
        close_forgotten()
        shutil.rmtree(copy)
        assert (known[name] or (1,))[0] == 0, known[name]
    for number in range(flips):
        name, command = pairs[number % len(pairs)]
        shutil.copytree(home.folder, copy)
        seals = name.endswith(".sqlite") and number % 7 == 0
        flip(seal_of(copy / name) if seals else copy / name, drawn)
        told = home.told(copy, command)
        what = "same answer" if told == known[command] else "other answer"
        if told is None or told[0] == 1:
            what = "refused" if told else "traceback"
        found[what] += 1
        close_forgotten()
        shutil.rmtree(copy)
    return found


def test_no_flipped_bit_of_a_database_changes_an_answer(home: Home, tmp_path: Path) -> None:
    assert all(seal_of(home.folder / name).exists() for name, _ in PAIRS)
    found = outcomes(home, tmp_path / "copy", PAIRS, FLIPS)
    assert found.keys() <= {"refused", "same answer"}
    assert found["refused"] > FLIPS * 0.9


def test_no_flipped_bit_of_an_index_changes_an_answer(home: Home, tmp_path: Path) -> None:
    place = home.folder / "leases.corpus"
    files = sorted({each for mark in INDEX for each in place.glob(mark) if each.is_file()})
    names = [str(each.relative_to(home.folder)) for each in files]
    pairs = [(name, command) for command in ("words", "field", "meaning") for name in names]
    found = outcomes(home, tmp_path / "copy", pairs, INDEX_FLIPS)
    assert found.keys() <= {"refused", "same answer"}
    assert found["refused"] > found["same answer"]
