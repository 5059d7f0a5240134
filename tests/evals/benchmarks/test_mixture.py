from pathlib import Path

import pytest

from evals.benchmarks import real_text as mixture
from evals.benchmarks.real_text import paragraphs, write_mixture


def _written(folder: Path, characters: int, seed: int) -> dict[str, str]:
    folder.mkdir()
    size = write_mixture(folder, characters, seed)
    assert size == sum(path.stat().st_size for path in folder.iterdir())
    return {path.name: path.read_text("utf-8") for path in folder.iterdir()}


def test_the_same_seed_draws_the_same_text(tmp_path: Path) -> None:
    first = _written(tmp_path / "a", 50_000, 3)
    assert first == _written(tmp_path / "b", 50_000, 3)
    assert first != _written(tmp_path / "c", 50_000, 4)


@pytest.mark.parametrize("characters", [1, 1000, 40_000])
def test_at_least_as_much_is_written_as_asked(characters: int, tmp_path: Path) -> None:
    found = _written(tmp_path / "a", characters, 0)
    assert sum(map(len, found.values())) >= characters


def test_the_text_is_that_of_installed_packages() -> None:
    found = paragraphs()
    assert len(found) == len(set(found))
    assert any("pydantic" in each.lower() for each in found)


def test_a_machine_without_packages_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mixture, "distributions", lambda: iter(()))
    with pytest.raises(mixture.CorpusError, match="no installed package"):
        paragraphs()
