"""Settings: a flag goes before the environment, the environment before the files."""

import difflib
import os
import re
import tomllib
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)
from pydantic_settings import SettingsError as SourceError

from agent.cost import Budget
from agent.errors import SettingsError
from agent.policy import OnAmbiguity, Policy
from agent.providers import KNOWN, PROVIDERS, Provider, listed_price, split_name
from agent.trusted_files import is_trusted, own_settings

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

_PREFIX = "HEADCOUNT_"
_CHAT = {
    "timeout", "max_retries", "temperature", "context_tokens", "reply_tokens", "concurrency",
    "requests_per_second",
}  # fmt: skip
"""Settings that a chat reasoner takes as they are."""
_OPENAIS = {"", "ft", "openai", "recorded"}
"""What stands before a colon, or none, in a name that is not another provider's."""
OPENAI_URL = "https://api.openai.com/v1"
_SHORTEST_KEY = 8
_Amount = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class Settings(Policy, BaseSettings):
    """Everything that can be set: the run's policy, the model and what may be spent."""

    model_config = SettingsConfigDict(
        env_prefix=_PREFIX,
        env_ignore_empty=True,
        extra="forbid",
        frozen=True,
        hide_input_in_errors=True,
    )

    model: str = Field(default="lexical", min_length=1)
    """`lexical` (embedded; `rules` is an alias), `recorded:FILE`, a chat model's name at OpenAI or
    at `base_url`, or another provider's as `provider:name` (`anthropic:…`, `ollama:…`)."""
    base_url: str | None = None
    """An OpenAI-compatible server; None is OpenAI."""
    api_key: SecretStr | None = None
    """The server's key; in a file it belongs to the base_url beside it, without one to OpenAI.
    OPENAI_API_KEY serves where no base_url is set, a provider's own variable for its models."""
    timeout: float = Field(default=60.0, gt=0, allow_inf_nan=False)
    """Seconds that one request may take."""
    max_retries: int = Field(default=4, ge=0)
    """How often a request that the server failed is repeated."""
    concurrency: int = Field(default=8, ge=1)
    """Requests in flight at most."""
    temperature: float = Field(default=0.0, ge=0, le=2)
    context_tokens: int = Field(default=128_000, ge=1024)
    """Tokens of a prompt and its reply together."""
    reply_tokens: int = Field(default=4096, ge=64)
    """Tokens of a reply at most."""
    requests_per_second: float | None = Field(default=None, gt=0, allow_inf_nan=False)
    prices: dict[str, tuple[_Amount, _Amount]] = Field(default_factory=dict)
    """US dollars per million input and output tokens, by model; before those of a table."""
    prices_of: date | None = None
    """The day on which these were the servers' prices; estimates and answers say it."""
    store: SecretStr | None = None
    """A PostgreSQL server, as a URL, that keeps the runs; None keeps them beside the corpus."""
    response_cache: bool = True
    """Whether replies are kept on disk, so that none is paid for twice."""
    file_seconds: float = Field(default=60.0, ge=0, le=86_400)
    """Seconds that reading one file may take; 0 for no limit."""
    file_memory_mb: int = Field(default=1024, ge=64)
    """Mebibytes of memory that reading one file may take, on Linux."""
    file_text_mb: int = Field(default=100, ge=1)
    """Millions of characters of text that one file may hold."""
    ocr: str = Field(default="eng", pattern=r"^[\w/-]+(\+[\w/-]+)*$")
    """The languages of Tesseract in which scans are read, as `eng+deu`; `none` reads none."""
    on_ambiguity: OnAmbiguity = "ask"
    max_calls: int | None = Field(default=None, ge=0)
    max_tokens: int | None = Field(default=None, ge=0)
    max_usd: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    max_seconds: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    """Seconds in model calls."""

    @field_validator("model")
    @classmethod
    def _is_current(cls, value: str) -> str:
        return "lexical" if value == "rules" else value

    @field_validator("base_url")
    @classmethod
    def _is_address(cls, value: str | None) -> str | None:
        return value and _address(value)

    @field_validator("store")
    @classmethod
    def _is_server(cls, value: SecretStr | None) -> SecretStr | None:
        schemes = ("postgresql://", "postgres://")
        if value is not None and not value.get_secret_value().startswith(schemes):
            raise ValueError("it must begin with postgresql://")
        return value

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Return the sources, the strongest first."""
        files = []
        for path in settings_files():
            try:
                files.append(_FileSource(settings_cls, path))
            except (ValueError, RecursionError, OSError) as error:
                raise SettingsError(f"{path} cannot be read: {error}") from error
        return (init_settings, env_settings, *files)

    def policy(self) -> Policy:
        """Return what the nodes of a run may read."""
        return Policy.model_validate(self.model_dump(include=set(Policy.model_fields)))

    def budget(self) -> Budget:
        """Return what may be spent."""
        return Budget(
            calls=self.max_calls, tokens=self.max_tokens, usd=self.max_usd, seconds=self.max_seconds
        )

    def chat_options(self) -> dict[str, Any]:
        """Return what `chat_reasoner` takes, without cache and earlier cost.

        Raises SettingsError: no key looks like the one that is set, or a provider's is not set.
        """
        key = self._key()
        price, said_by = self.price()
        return {
            "base_url": self._server(),
            "api_key": None if key is None else _sendable(key),
            "budget": self.budget(),
            "prices": {} if price is None else {self._own_name: price},
            "prices_of": said_by,
            **self.model_dump(include=_CHAT),
        }

    def around_options(self) -> dict[str, Any]:
        """Return what is set of `reasoner_around`'s fields: its limits, budget and set prices."""
        limits = {"context_tokens", "reply_tokens", "concurrency"} & self.model_fields_set
        dated = {"prices_of": str(self.prices_of or ""), "budget": self.budget()}
        return {"prices": self.prices, **dated, **self.model_dump(include=limits)}

    def price(self) -> tuple[tuple[float, float] | None, str]:
        """Return the model's price as it is set, else as a table has it, and whose price it is.

        A table is asked about the providers' own servers alone: behind any other address the same
        name may be another model, or cost nothing.
        """
        own = self.prices.get(self.model, self.prices.get(self._own_name))
        if own is not None:
            return own, str(self.prices_of or "")
        address = (self._server() or OPENAI_URL).rstrip("/")
        if address not in {OPENAI_URL, *(each.address for each in PROVIDERS.values())}:
            return None, ""
        name = split_name(self._own_name)[1]
        return listed_price(name, address, self.context_tokens) or (None, "")

    @property
    def own_client(self) -> bool:
        """Whether the model is asked by its provider's own client, not by OpenAI's interface."""
        return self._host is not None

    @property
    def _own_name(self) -> str:
        return self.model.removeprefix("openai:") or self.model

    @property
    def _host(self) -> Provider | None:
        """The provider that the model's name begins with, unless a server is named."""
        return PROVIDERS.get(split_name(self.model)[0]) if self.base_url is None else None

    def _server(self) -> str | None:
        """Return the server's address; raises SettingsError where its provider's is not known."""
        if (host := self._host) is not None:
            return host.server()
        # OpenAI's own variables are read together or not at all.
        own = self.base_url is not None or self.api_key is not None
        told = os.environ.get("OPENAI_BASE_URL") if os.environ.get("OPENAI_API_KEY") else None
        address = self.base_url if own else told or None
        prefix = self.model.partition(":")[0] if ":" in self.model else ""
        if address is None and prefix not in _OPENAIS:
            raise SettingsError(
                f"Model {self.model!r} is of none of the providers whose servers are known "
                f"({', '.join(KNOWN)}): name a server that speaks OpenAI's interface with "
                "--base-url, or give LangChain's chat model as reasoner from Python."
            )
        return address

    def _key(self) -> SecretStr | None:
        host = self._host
        variables = ("OPENAI_API_KEY",) if host is None else host.keys
        if host is None and (self.api_key is not None or self.base_url is not None):
            return self.api_key
        key = next(filter(None, map(os.environ.get, variables)), None)
        if host is not None and variables and key is None:
            raise SettingsError(f"Model {self.model!r} needs a key: set {variables[0]}.")
        return None if key is None else SecretStr(key)


def _address(url: str) -> str:
    """Return a server's address; raise ValueError where it is none, or holds what may be a key."""
    if not url.startswith(("http://", "https://")):
        raise ValueError("it must begin with http:// or https://")
    parts = urlsplit(url)
    if not parts.hostname or parts.port == 0 or not url.isprintable() or " " in url:
        raise ValueError("it names no server")
    if "@" in parts.netloc or parts.query or parts.fragment:
        raise ValueError("a password does not belong in it, nor a query: set HEADCOUNT_API_KEY")
    return url


def redacted(text: str, key: SecretStr | None) -> str:
    """Return a text without the key that a server may echo; what is shorter is no secret.

    Nor with the key as JSON escapes it, in a text within a text, too: it would be read there.

    >>> redacted("Incorrect API key: sk-12345", SecretStr("sk-12345"))
    'Incorrect API key: [key]'
    """
    secret = key.get_secret_value() if key is not None else ""
    if len(secret) < _SHORTEST_KEY:
        return text
    return re.sub("".join(map(_escaped, secret)), "[key]", text)


def _escaped(character: str) -> str:
    r"""Return a pattern of a character as it stands, or behind `\`, or as `\u002d`."""
    return rf"(?:\\{{0,9}}{re.escape(character)}|\\{{1,9}}u(?i:{ord(character):04x}))"


def _sendable(key: SecretStr) -> SecretStr:
    """Return a key without the white space around it; no client's error may quote a broken one."""
    text = key.get_secret_value().strip()
    if not text.isascii() or not text.isprintable() or " " in text:
        raise SettingsError("the API key holds a character that no key has: copy it again")
    return SecretStr(text)


LOCAL_FILE = Path("headcount.toml")
"""The settings of the working folder, which may come from anyone."""


def settings_files() -> tuple[Path, ...]:
    """Return the files that settings are read from where they exist, the strongest first."""
    return (LOCAL_FILE, own_settings() / "config.toml")


def load_settings(**flags: object) -> Settings:
    """Read the settings, None for no flag; raises SettingsError, which says where a value is."""
    given: dict[str, Any] = {name: value for name, value in flags.items() if value is not None}
    _refuse_misspelt_variables()
    try:
        return Settings(**given)
    except ValidationError as error:
        told = (_explained(problem, given) for problem in error.errors(include_input=False))
        raise SettingsError("; ".join(told)) from error
    except SourceError as error:
        raise SettingsError(f"The environment cannot be used: {error}") from error


class _FileSource(TomlConfigSettingsSource):
    """A file of settings; its key goes nowhere but to its own address."""

    def __call__(self) -> dict[str, Any]:
        """Return what the file sets; raise SettingsError where that needs trust that it lacks."""
        found, stronger = super().__call__(), self.current_state
        merged = {name: found[name] for name in found if name not in stronger or name == "prices"}
        told = needing_trust(merged)
        local = self.toml_file_path == LOCAL_FILE
        if local and told and not is_trusted(LOCAL_FILE, LOCAL_FILE.read_bytes()):
            raise SettingsError(
                f"{LOCAL_FILE} in this folder says where to send your questions and texts or what "
                f"may be spent ({', '.join(told)}): read it, then run `headcount trust .`, or "
                "remove it"
            )
        if "api_key" in found:
            own = found.setdefault("base_url", None)
            if stronger.get("base_url", own) != own:
                del found["api_key"]
        return found


def needing_trust(found: Mapping[str, object]) -> list[str]:
    """Say which settings of a file send something, limit something or cost; secrets are left out.

    >>> needing_trust({"model": "lexical", "base_url": "http://x", "api_key": "k", "max_usd": 9})
    ["base_url = 'http://x'", 'api_key', 'max_usd = 9']
    """
    secret, known = {"api_key", "store"}, Settings.model_fields.keys() - {"temperature"}
    told = {name: found[name] for name in found if name in known}
    if told.get("model") in ("lexical", "rules"):
        del told["model"]
    return [name if name in secret else f"{name} = {value!r}" for name, value in told.items()]


def _refuse_misspelt_variables() -> None:
    """Raise where a variable is nearly a setting's: it would be passed over silently."""
    known = [name.upper() for name in Settings.model_fields]
    for variable in os.environ:
        name = variable.upper().removeprefix(_PREFIX)
        if name in known or not variable.upper().startswith(_PREFIX):
            continue
        if close := difflib.get_close_matches(name, known, n=1, cutoff=0.8):
            told = f"{variable} is not a setting: do you mean {_PREFIX}{close[0]}?"
            raise SettingsError(told)


def _explained(problem: "ErrorDetails", given: Mapping[str, object]) -> str:
    """Say in one line what is wrong with a setting and where it was set."""
    name = str(problem["loc"][0]) if problem["loc"] else "settings"
    where = _origin(name, given)
    if problem["type"] != "extra_forbidden":
        path = ".".join(str(step) for step in problem["loc"])
        return f"{where}: {path}: {problem['msg']}"
    close = difflib.get_close_matches(name, Settings.model_fields, n=1)
    return f"{where}: {name!r} is not a setting" + (f": do you mean {close[0]!r}?" if close else "")


def _origin(name: str, given: Mapping[str, object]) -> str:
    """Return the strongest place that sets a value."""
    if name in given:
        return "--" + name.replace("_", "-")
    variable = _PREFIX + name.upper()
    if any(each.upper() == variable for each in os.environ):
        return variable
    for path in settings_files():
        if path.is_file() and name in tomllib.loads(path.read_text(encoding="utf-8")):
            return str(path)
    return "settings"
