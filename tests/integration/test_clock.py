"""The wall clock may be set while a run is interrupted, or be another on the next machine."""

import signal
from pathlib import Path

import pytest

from tests.fake_provider.server import FakeProvider
from tests.graphs.conftest import PETS
from tests.integration.asking import IDEAL, by_command
from tests.integration.hostile import Hostile
from tests.integration.killing import Killing, interrupted, kept_replies, run_in
from tools.corpus.build import build

pytestmark = [pytest.mark.slow, pytest.mark.faults]


@pytest.fixture
def ended(provider: FakeProvider, place: Path) -> str:
    """A run that was killed in judging."""
    assert interrupted(place, provider, Killing(12, signal.SIGKILL)).code == -signal.SIGKILL
    return run_in(place)


def test_a_run_goes_on_and_ends(
    provider: FakeProvider, place: Path, ended: str, jumped: pytest.MonkeyPatch
) -> None:
    kept = kept_replies(place)
    provider.answer = after = Hostile()
    resumed = by_command(place, provider, "--resume", ended)
    assert resumed.answer["value"] == len(PETS)
    assert after.sold.total() == IDEAL - kept
    jumped.undo()
    assert by_command(place, provider, "--resume", ended).answer == resumed.answer


def test_a_changed_file_is_indexed(tmp_path: Path, jumped: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "documents"
    folder.mkdir()
    for rent, updated in (("900", 0), ("800", 1), ("700", 1)):
        (folder / "lease.txt").write_text(f"Rent: {rent}\n", encoding="utf-8")
        assert build([folder], tmp_path / "x.corpus").updated == updated
    assert build([folder], tmp_path / "x.corpus").unchanged == 1
