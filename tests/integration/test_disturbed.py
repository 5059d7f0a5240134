"""Ended at any moment, a command that is run again comes to what it would have come to."""

import random
import shutil
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest

from agent.errors import CorpusMissing
from graphs.apps.exits import Exit
from tests.built import write
from tests.fake_provider.replies import FAULTS, Reply
from tests.fake_provider.server import FakeProvider
from tests.graphs.apps import test_analyse as pumpkins
from tests.graphs.apps import test_record_commands as boats
from tests.integration.asking import Printed, printed
from tests.integration.disturbed import BLOWS, COMMANDS, Outcome, one_line
from tests.integration.forked import Forked
from tests.integration.hostile import IN_FLIGHT
from tests.integration.reader import Body, prompt_of
from tools.corpus.build import build
from tools.corpus.corpus import open_corpus

pytestmark = [pytest.mark.slow, pytest.mark.faults]


SHARES = {"kill": 1, "terminate": 8, "full-disk": 4}
"""What disturbs a command, and to how many kills there is one of it."""
LIES = sorted(FAULTS)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Draw the moments at which each command is disturbed."""
    if "moment" in metafunc.fixturenames:
        given = metafunc.config.getoption
        kills = -(-given("kills") // len(COMMANDS))
        drawn = [(blow, n) for blow, share in SHARES.items() for n in range(-(-kills // share))]
        moments = [(blow, f"{given('seed')} {blow} {n}") for blow, n in drawn]
        metafunc.parametrize("blow, moment", moments, ids=[f"{blow}-{n}" for blow, n in drawn])


@dataclass(frozen=True)
class Whole:
    """A command that nothing disturbed."""

    home: Path
    """The folder as it was before."""
    outcome: Outcome
    requests: int
    seconds: float


@pytest.fixture(scope="module")
def homes(_built: Path, _leases_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for each command, in which it can begin."""
    homes = tmp_path_factory.mktemp("homes")
    shutil.copytree(_built, homes / "ask" / "leases.corpus")
    shutil.copytree(_built, homes / "review" / "leases.corpus")
    documents = homes / "index" / "documents"
    shutil.copytree(_leases_folder, documents)
    build([documents], homes / "index" / "x.corpus")
    (documents / "lease-00.txt").unlink()
    new = {"lease-01.txt": "Rent: 9\n\nAnother lease.\n", "new.html": "<h1>New</h1><p>A lease.</p>"}
    write(documents, new)
    boats.with_schema(homes / "pages", homes / "fill" / "h.corpus")
    build([pumpkins.written(homes / "sheets")], homes / "analyse" / "p.corpus")
    return homes


@pytest.fixture(scope="module")
def whole(
    request: pytest.FixtureRequest,
    homes: Path,
    tmp_path_factory: pytest.TempPathFactory,
    _provider_process: FakeProvider,
) -> Whole:
    """The command without a disturbance; twice, for the first one takes longer."""
    name: str = request.param
    command = COMMANDS[name]
    for _ in range(2):
        home = tmp_path_factory.mktemp(name) / "home"
        shutil.copytree(homes / name, home)
        command.serve(_provider_process)
        process = command.begun(home, _provider_process)
        outcome = command.left(home, process.outcome())
    return Whole(homes / name, outcome, _provider_process.calls, process.seconds)


@pytest.mark.parametrize("whole", COMMANDS, indirect=True)
def test_it_comes_to_the_same(
    whole: Whole, blow: str, moment: str, provider: FakeProvider, tmp_path: Path
) -> None:
    name = whole.home.name
    drawn = random.Random(f"{name} {moment}")
    command, home = COMMANDS[name], tmp_path / "home"
    shutil.copytree(whole.home, home)
    if name == "index" and drawn.random() < 0.5:
        shutil.rmtree(home / "x.corpus")
    command.serve(provider)
    blows = drawn.choice((1, 1, 2))
    for _ in range(blows):
        after = drawn.uniform(0.01, whole.seconds)
        ended = command.begun(home, provider).outcome(BLOWS[blow], after)
        _says_how_it_ended(ended, blow)
        if name == "index":
            _opens(home / "x.corpus")
    came = provider.calls
    ended = command.begun(home, provider).outcome()
    assert command.left(home, ended) == whole.outcome
    assert provider.calls <= whole.requests + blows * IN_FLIGHT
    if command.is_run:
        told = ended.answer["cost"]["model_calls"]
        assert provider.calls - blows * IN_FLIGHT <= told <= provider.calls
    elif name == "fill":
        assert ended.answer["cost"]["model_calls"] == provider.calls - came


@pytest.mark.parametrize("whole", COMMANDS, indirect=True)
def test_two_at_once_come_to_the_same_or_one_says_why(
    whole: Whole, provider: FakeProvider, tmp_path: Path
) -> None:
    name = whole.home.name
    command, home = COMMANDS[name], tmp_path / "home"
    shutil.copytree(whole.home, home)
    command.serve(provider)
    (tmp_path / "pipes").mkdir()
    both = [command.begun(home, provider, pipes) for pipes in (home, tmp_path / "pipes")]
    with ThreadPoolExecutor(2) as pool:
        ended = list(pool.map(Forked.outcome, both))
    done = [each for each in ended if each.code == Exit.ANSWERED]
    assert done
    assert all(each in done or one_line(each) for each in ended), ended
    if command.is_run:
        assert [command.left(home, each) for each in done] == [whole.outcome] * len(done)
        bills = sum(each.answer["cost"]["model_calls"] for each in done)
        assert bills == provider.calls <= 2 * whole.requests
    else:
        again = command.begun(home, provider).outcome()
        assert command.left(home, again) == whole.outcome
        assert provider.calls == whole.requests


@pytest.mark.parametrize("whole", ["ask", "fill", "analyse"], indirect=True)
def test_what_was_killed_comes_to_the_same_whatever_the_clock_says(
    whole: Whole, jumped: pytest.MonkeyPatch, provider: FakeProvider, tmp_path: Path
) -> None:
    command, home = COMMANDS[whole.home.name], tmp_path / "home"
    shutil.copytree(whole.home, home)
    command.serve(provider)
    command.begun(home, provider).outcome(BLOWS["kill"], whole.seconds / 2)
    ended = printed(command.arguments(home, provider), command.settings)
    assert command.left(home, ended) == whole.outcome
    assert provider.calls <= whole.requests + IN_FLIGHT


def test_a_changed_file_is_indexed_whatever_the_clock_says(
    tmp_path: Path, jumped: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "documents"
    folder.mkdir()
    for rent, updated in (("900", 0), ("800", 1), ("700", 1)):
        (folder / "lease.txt").write_text(f"Rent: {rent}\n", encoding="utf-8")
        assert build([folder], tmp_path / "x.corpus").updated == updated
    assert build([folder], tmp_path / "x.corpus").unchanged == 1


def _says_how_it_ended(ended: Printed, blow: str) -> None:
    """Check that a command that was disturbed was killed, or tells in a line what became of it."""
    assert "Traceback" not in ended.stderr
    if ended.code == Exit.ANSWERED:
        return
    match blow:
        case "kill":
            assert ended.code == -9
            assert ended.stdout == ""
        case "terminate":
            assert ended.code == Exit.INTERRUPTED
            assert "interrupted" in ended.stderr
        case _:
            assert one_line(ended), ended


def _opens(place: Path) -> None:
    """Check that a corpus is whole: the old one, the new one, or none yet."""
    try:
        corpus = open_corpus(place)
    except CorpusMissing:
        return
    assert corpus.texts.to_list()
    assert len(corpus.vectors.rows()) == len(corpus)


@pytest.mark.parametrize("seed", ["a", "b", "c"])
@pytest.mark.parametrize("whole", ["fill", "analyse"], indirect=True)
def test_a_server_that_lies_now_and_then_is_told_and_the_next_one_completes(
    whole: Whole, seed: str, provider: FakeProvider, tmp_path: Path
) -> None:
    name, drawn = whole.home.name, random.Random(seed)
    command, home = COMMANDS[name], tmp_path / "home"
    shutil.copytree(whole.home, home)
    command.serve(provider)

    def lying(text: str, body: Body) -> Reply:
        if drawn.random() < 0.2:
            return FAULTS[drawn.choice(LIES)]
        return command.reader(prompt_of(body), body)  # what is asked again asks for the same

    provider.answer = lying
    ended = command.begun(home, provider).outcome()
    assert "Traceback" not in ended.stderr
    assert ended.code in {Exit.ANSWERED, Exit.FAILED_CHUNKS} or one_line(ended), ended
    if ended.code == Exit.ANSWERED:
        assert command.left(home, ended) == whole.outcome
    if ended.code == Exit.ERROR or name == "fill":
        command.serve(provider)
        again = command.begun(home, provider).outcome()
        if name == "analyse" and "could not be read" in ended.stderr:  # that was done, and told
            assert again.code == Exit.FAILED_CHUNKS
        else:
            assert command.left(home, again) == whole.outcome
