"""What came with a folder sends nothing anywhere before the person trusts that folder."""

import json
from pathlib import Path

import pytest

from tests.fake_provider.server import FakeProvider
from tests.graphs.apps.conftest import refused, run
from tools.corpus.checksums import save_sums
from tools.corpus.generations import CorpusLayout

CALL = '{"semantic": {"query": "a pet", "best": 3}}'


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    return tmp_path / "home" / "headcount"


def test_a_corpus_sends_no_question_before_it_is_trusted(
    place: Path, provider: FakeProvider, monkeypatch: pytest.MonkeyPatch, home: Path
) -> None:
    made = CorpusLayout(place).generation()
    assert made is not None
    saved = {"name": "openai:x", "dimensions": 8, "base_url": provider.url}
    (made.embedder / "embedder.json").write_text(json.dumps(saved))
    save_sums(made.root, sealed_files=(made.files.name, made.manifest.name))
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    told = refused("filter", place, CALL)
    assert provider.url in told
    assert "headcount trust" in told
    assert provider.url in run("trust", place).stdout
    assert (home / "trusted.json").stat().st_mode & 0o777 == 0o600
    assert "OPENAI_BASE_URL" in run("filter", place, CALL).stderr
    assert not provider.embedded
    monkeypatch.setenv("OPENAI_BASE_URL", provider.url)
    run("filter", place, CALL)
    assert provider.embedded


@pytest.mark.parametrize("said", [f"a = {'[' * 100_000}", f"max_usd = {'9' * 5_000}"])
@pytest.mark.parametrize("words", [("ask", "How many leases?"), ("trust",)])
def test_settings_that_no_parser_takes_are_one_line(
    said: str, words: tuple[str, ...], place: Path
) -> None:
    (place.parent / "headcount.toml").write_text(said)
    told = refused(words[0], "." if words[0] == "trust" else place, *words[1:])
    assert "headcount.toml cannot be read" in told


def test_a_folder_is_trusted_with_what_it_says(place: Path, provider: FakeProvider):
    settings = place.parent / "headcount.toml"
    settings.write_text(f'model = "x"\nbase_url = "{provider.url}"\n')
    assert "headcount trust" in run("ask", place, "How many leases?").stderr
    assert f"model = 'x', base_url = '{provider.url}'" in run("trust", ".").stdout
    run("ask", place, "How many leases?")
    assert provider.calls
