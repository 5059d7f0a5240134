"""Texts of several sizes are samples of one another, and each is indexed once."""

from pathlib import Path

import pytest

from agent.errors import SettingsError
from evals.benchmarks import real_text
from evals.benchmarks.real_text import CHUNK_BYTES, sized
from evals.benchmarks.timed_processes import Taken

PAGE = "A bridge was inspected in {}. The municipality repaired its foundations.\n\n"
TAKEN = Taken(result=2.0, cpu=3.0, peak_mb=300.0)


@pytest.fixture
def given(tmp_path: Path) -> Path:
    folder = tmp_path / "given"
    folder.mkdir()
    for number in range(20):
        lines = (PAGE.format(1000 + number * 40 + line) for line in range(40))
        (folder / f"{number}.md").write_text("".join(lines))
    return folder


@pytest.fixture
def builds(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    made: list[Path] = []

    def build(_: object, _folder: Path, corpus: Path, *, watched: bool) -> Taken:
        assert watched
        made.append(corpus)
        return TAKEN

    monkeypatch.setattr(real_text, "apart", build)
    return made


def test_a_smaller_text_is_a_sample_of_a_larger_and_both_are_indexed_once(
    given: Path, tmp_path: Path, builds: list[Path]
) -> None:
    into = tmp_path / "into"
    said: list[str] = []

    large = sized(40, into, [given], said.append)
    small = sized(10, into, [tmp_path / "nowhere"], said.append)
    again = sized(40, into, [given], said.append)

    names = [{file.name for file in each.folder.rglob("*.md")} for each in (large, small)]
    assert names[1] < names[0]
    assert builds == [into / "40.corpus", into / "10.corpus"]
    assert again == large
    assert (large.taken, len(said)) == (TAKEN, 4)


def test_folders_that_hold_too_little_are_told_with_how_much_they_hold(
    given: Path, tmp_path: Path
) -> None:
    held = sum(file.stat().st_size for file in given.iterdir())
    with pytest.raises(SettingsError, match=f"about {held // CHUNK_BYTES} chunks, not 1,000"):
        sized(1000, tmp_path / "into", [given], print)
    assert not list((tmp_path / "into").iterdir())
