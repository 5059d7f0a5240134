"""Settings: what goes before what, and errors that say where a value stands."""

from pathlib import Path

import pytest

from agent.cost import Budget
from agent.errors import SettingsError
from agent.policy import Policy
from agent.settings import Settings, load_settings
from agent.trusted_files import trust


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    (tmp_path / "home" / "headcount").mkdir(parents=True)
    return tmp_path


def test_without_anything_the_defaults_hold() -> None:
    settings = load_settings()
    assert settings == Settings()
    assert (settings.model, settings.on_ambiguity, settings.recall) == ("lexical", "ask", 0.95)
    assert settings.budget() == Budget()
    assert settings.policy() == Policy(on_ambiguity="ask")


def test_flag_before_environment_before_folder_before_home(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = folder / "home" / "headcount" / "config.toml"
    home.write_text('model = "home"\ntimeout = 1\nconcurrency = 1\nwave = 1\n')
    (folder / "headcount.toml").write_text('model = "folder"\ntimeout = 2\nconcurrency = 2\n')
    trust(folder / "headcount.toml", (folder / "headcount.toml").read_bytes())
    monkeypatch.setenv("HEADCOUNT_MODEL", "environment")
    monkeypatch.setenv("HEADCOUNT_TIMEOUT", "3")
    settings = load_settings(model="flag", timeout=None)
    assert settings.model == "flag"
    assert (settings.timeout, settings.concurrency, settings.wave) == (3, 2, 1)


@pytest.mark.parametrize(
    ("flag", "value", "told"),
    [
        ("recall", 1.5, "--recall: recall: Input should be less than or equal to 1"),
        ("max_usd", float("inf"), "--max-usd: max_usd: "),
        ("base_url", "localhost:80", "--base-url: base_url: .*must begin with http://"),
        ("base_url", "http://me:secret@host/v1", "--base-url: .*password does not belong"),
        ("base_url", "http://host/v1?api_key=secret", "--base-url: .*nor a query: set "),
        ("concurency", 1, "--concurency: 'concurency' is not a setting: do you mean 'concurrency'"),
    ],
)
def test_a_wrong_flag_is_named(flag: str, value: object, told: str) -> None:
    with pytest.raises(SettingsError, match=told):
        load_settings(**{flag: value})


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("HEADCOUNT_MAX_CALLS", "many", r"^HEADCOUNT_MAX_CALLS: max_calls: "),
        ("HEADCOUNT_MAX_CALL", "3", r"HEADCOUNT_MAX_CALL is .* HEADCOUNT_MAX_CALLS"),
    ],
)
def test_a_wrong_or_misspelt_variable_is_named(
    name: str, value: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError, match=told):
        load_settings()


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("recal = 0.9\n", "headcount.toml: 'recal' is not a setting: do you mean 'recall'"),
        ("recall = 'all'\n", "headcount.toml: recall: "),
        ("[prices]\nbig = [1]\n", "headcount.toml: prices.big"),
        ("recall = \n", "headcount.toml cannot be read"),
    ],
    ids=["key", "value", "nested", "syntax"],
)
def test_a_wrong_file_is_named(folder: Path, content: str, told: str) -> None:
    (folder / "headcount.toml").write_text(content)
    trust(folder / "headcount.toml", content.encode())
    with pytest.raises(SettingsError, match=told):
        load_settings()


def test_neither_errors_nor_settings_show_a_key(folder: Path) -> None:
    assert "sk-secret" not in repr(load_settings(api_key="sk-secret"))
    (folder / "headcount.toml").write_text('api_key = ["sk-secret"]\n')
    with pytest.raises(SettingsError) as raised:
        load_settings()
    assert "sk-secret" not in str(raised.value)
    assert "api_key" in str(raised.value)


@pytest.mark.parametrize(
    ("flags", "variables", "key", "url"),
    [
        ({}, {}, None, None),
        ({}, {"OPENAI_API_KEY": "o"}, "o", None),
        ({}, {"OPENAI_API_KEY": "o", "OPENAI_BASE_URL": "http://p"}, "o", "http://p"),
        ({}, {"OPENAI_API_KEY": "o", "HEADCOUNT_API_KEY": "h"}, "h", None),
        ({"base_url": "http://s"}, {"OPENAI_API_KEY": "o"}, None, "http://s"),
        ({}, {"file": 'api_key = "f"'}, "f", None),
        ({}, {"file": 'api_key = "f"\nbase_url = "http://f"'}, "f", "http://f"),
        ({"base_url": "http://s"}, {"file": 'api_key = "f"'}, None, "http://s"),
    ],
    ids=["none", "openai", "proxy", "own", "other-server", "file", "file-server", "file-other"],
)
def test_the_key_goes_only_where_it_belongs(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    flags: dict[str, str],
    variables: dict[str, str],
    key: str | None,
    url: str | None,
) -> None:
    (folder / "home" / "headcount" / "config.toml").write_text(variables.pop("file", ""))
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    options = load_settings(**flags).chat_options()
    secret = options["api_key"]
    assert (secret and secret.get_secret_value()) == key
    assert options["base_url"] == url


@pytest.mark.parametrize(
    "content",
    [
        'base_url = "http://evil/v1"',
        'BASE_URL = "http://evil/v1"',
        'api_key = "sk-secret"',
        'model = "gpt-9"',
        'store = "postgresql://u:sk-secret@evil/x"',
    ],
)
def test_a_folder_names_no_server_before_it_is_trusted(
    folder: Path, content: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    own, name = folder / "headcount.toml", content.partition(" ")[0].lower()
    own.write_text(content)
    with pytest.raises(SettingsError, match=f"{name}.*headcount trust") as raised:
        load_settings()
    assert "sk-secret" not in str(raised.value)
    trust(own, own.read_bytes())
    assert getattr(load_settings(), name)
    (folder / "home" / own.name).write_text(content)
    own.write_text(f"{content} # changed")
    for place in (folder, folder / "home"):
        monkeypatch.chdir(place)
        with pytest.raises(SettingsError, match="headcount trust"):
            load_settings()


def test_a_link_to_a_trusted_file_is_not_trusted_in_its_own_folder(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own, other = folder / "headcount.toml", folder / "other"
    own.write_text('base_url = "http://x"')
    trust(own, own.read_bytes())
    other.mkdir()
    (other / own.name).symlink_to(own)
    (folder / "same").symlink_to(folder)
    monkeypatch.chdir(folder / "same")
    assert load_settings().base_url == "http://x"
    monkeypatch.chdir(other)
    with pytest.raises(SettingsError, match="headcount trust"):
        load_settings()


@pytest.mark.parametrize(
    "content",
    [
        'prices = { "m" = [0, 0] }',
        "max_usd = 1000000.0",
        "MAX_RETRIES = 1000",
        "file_seconds = 0",
        "recall = 1.0",
    ],
)
def test_a_folder_moves_no_limit_or_bill_before_it_is_trusted(
    folder: Path, content: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEADCOUNT_PRICES", '{"n": [1, 1]}')  # none is added to these either
    own, harmless = folder / "headcount.toml", 'temperature = 0.5\nmodel = "lexical"\n'
    own.write_text(harmless)
    assert load_settings().temperature == 0.5
    own.write_text(harmless + content)
    with pytest.raises(SettingsError) as raised:
        load_settings()
    assert f"({content.partition(' ')[0].lower()} = " in str(raised.value)
    assert "temperature" not in str(raised.value)
    trust(own, own.read_bytes())
    load_settings()


@pytest.mark.parametrize("key", ["k\ney", "kéy", "a b", "\u200bsk"])
def test_a_key_that_cannot_be_sent_is_refused_without_being_shown(key: str) -> None:
    with pytest.raises(SettingsError, match="copy it again") as raised:
        load_settings(api_key=key).chat_options()
    assert key not in str(raised.value)
