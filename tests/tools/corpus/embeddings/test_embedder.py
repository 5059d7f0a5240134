import json
import re
from pathlib import Path

import numpy as np
import pytest

from agent.errors import ProviderRejected, ProviderUnavailable, SettingsError
from agent.trusted_files import trust
from tests.fake_provider.server import FakeProvider
from tools.corpus.embeddings.embedder import check_embedder, load_embedder, new_embedder
from tools.corpus.embeddings.lsa import LsaEmbedder
from tools.corpus.words.lexical import build_lexical

TEXTS = ["The rent is due", "The tenant pays rent", "A wheel file", "Wheel tags of a file", "..."]


@pytest.mark.parametrize("count", [1, 2, 3, 5])
def test_lsa_embeds_tiny_corpora(count: int, tmp_path: Path) -> None:
    index = build_lexical(TEXTS[:count], tmp_path / "lexical")
    rows = LsaEmbedder.fit(index).rows(index)

    assert rows.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(rows[:4], axis=1), 1, atol=1e-5)


def test_lsa_embeds_texts_as_their_chunks_when_fitted_twice_and_when_saved(tmp_path: Path) -> None:
    index = build_lexical(TEXTS, tmp_path / "lexical")
    fitted = LsaEmbedder.fit(index)
    fitted.save(tmp_path / "embedder")
    loaded = load_embedder(tmp_path / "embedder", tmp_path)

    np.testing.assert_allclose(fitted.embed(TEXTS), fitted.rows(index), atol=1e-5)
    np.testing.assert_array_equal(loaded.embed(TEXTS), fitted.embed(TEXTS))
    np.testing.assert_array_equal(LsaEmbedder.fit(index).rows(index), fitted.rows(index))
    assert not list((tmp_path / "embedder").glob("*.p*kl*"))


@pytest.mark.parametrize("name", ["", "bert", "openai:", "openai", "lsa:2"])
def test_an_unknown_embedder_is_a_settings_error(name: str) -> None:
    with pytest.raises(SettingsError, match="sentence-transformers:NAME"):
        check_embedder(name)


def test_a_missing_package_or_key_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SettingsError, match="OPENAI_API_KEY"):
        new_embedder("openai:small").embed(["text"])

    monkeypatch.setattr("tools.corpus.embeddings.embedder.find_spec", lambda _: None)

    with pytest.raises(SettingsError, match="pip install"):
        new_embedder("sentence-transformers:mini")


def test_a_remote_embedder_gives_unit_rows_and_saves_no_key(
    provider: FakeProvider, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    embedder = new_embedder("openai:small", provider.url)

    rows = embedder.embed(["one", "two"])
    embedder.save(tmp_path / "embedder")

    assert rows.shape == (2, 8)
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-6)
    assert provider.embedded[0]["input"] == ["one", "two"]
    saved = (tmp_path / "embedder" / "embedder.json").read_text()
    assert "sk-secret" not in saved
    assert json.loads(saved) == {"name": "openai:small", "base_url": provider.url}


@pytest.mark.parametrize(
    ("saved", "told"),
    [
        ({"name": "openai:x", "base_url": "http://evil/v1"}, "at 'http://evil/v1'"),
        ({"name": "openai:x", "base_url": "https://api.openai.com/v1"}, "api.openai.com"),
        ({"name": "sentence-transformers:evil/x"}, "'sentence-transformers:evil/x'"),
    ],
    ids=["server", "openai", "local"],
)
def test_a_corpus_names_no_embedder_before_it_is_trusted(
    saved: dict[str, str], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    monkeypatch.setattr("tools.corpus.embeddings.embedder.find_spec", lambda _: True)
    file = tmp_path / "embedder.json"
    file.write_text(json.dumps(saved))
    with pytest.raises(SettingsError, match=f"{re.escape(told)}.*headcount trust"):
        load_embedder(tmp_path, tmp_path)
    trust(file, file.read_bytes())
    monkeypatch.setenv("OPENAI_BASE_URL", saved.get("base_url", "http://mine/v1"))
    assert load_embedder(tmp_path, tmp_path).name == saved["name"]


def test_a_refusing_server_is_told_from_an_absent_one_and_a_response_has_a_limit(
    provider: FakeProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    refusing = new_embedder("openai:small", f"{provider.url}/no")
    absent = new_embedder("openai:small", "http://127.0.0.1:9/v1")

    with pytest.raises(ProviderRejected):
        refusing.embed(["one"])
    with pytest.raises(ProviderUnavailable):
        absent.embed(["one"])
    echoed = "x" * 2**23
    with pytest.raises(ProviderUnavailable, match="8,388,608"):
        new_embedder(f"openai:{echoed}", provider.url).embed(["one"])
