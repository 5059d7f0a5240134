"""What turns texts into unit vectors, (n, d); one without a known word has a zero row."""

import json
import os
import shlex
from collections.abc import Sequence
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import SecretStr

from agent.errors import ProviderRejected, ProviderUnavailable, SettingsError
from agent.reasoners.completion import connections
from agent.settings import redacted
from agent.small_files import read_small
from agent.trusted_files import is_trusted
from tools.corpus.embeddings.lsa import FACTS, LsaEmbedder
from tools.corpus.embeddings.vectors import unit_rows

_KINDS = ("lsa", "openai:NAME", "sentence-transformers:NAME")
_BATCH = 64
"""Texts of a request: their vectors, written out, are well below the limit of a response."""
_SECONDS = 60.0
_OPENAI_URL = "https://api.openai.com/v1"


def check_embedder(name: str) -> None:
    """Raise SettingsError where no embedder has this name."""
    kind, _, model = name.partition(":")
    if name != "lsa" and not (kind in {"openai", "sentence-transformers"} and model):
        raise SettingsError(f"there is no embedder {name!r}: use one of {', '.join(_KINDS)}")


def new_embedder(name: str, base_url: str | None = None) -> "OpenAIEmbedder | SentenceEmbedder":
    """Return a pretrained embedder by name; raises SettingsError where it cannot be used here.

    `OPENAI_API_KEY` and, where no address is given, `OPENAI_BASE_URL` reach a remote one.
    """
    check_embedder(name)
    kind, _, model = name.partition(":")
    return OpenAIEmbedder(model, base_url) if kind == "openai" else SentenceEmbedder(model)


def load_embedder(directory: Path, corpus: Path) -> "Embedder":
    """Return the embedder saved in a directory of a corpus.

    Raises OSError or ValueError where it is damaged, SettingsError where it sends what it embeds,
    or loads a model, and the corpus is not trusted or names another address than the environment.
    """
    content = read_small(directory / FACTS)
    saved = json.loads(content)
    if saved["name"] == "lsa":
        return LsaEmbedder.load(directory)
    address, needed = saved.get("base_url") or _OPENAI_URL, ""
    own = os.environ.get("OPENAI_BASE_URL") or _OPENAI_URL
    if saved["name"].startswith("openai:") and address != own:
        needed = "set OPENAI_BASE_URL to that address, and OPENAI_API_KEY to the key for it"
    if not is_trusted(corpus / FACTS, content):
        needed = f"if you agree, run `headcount trust {shlex.quote(str(corpus))}`"
    if needed:
        told = f"the corpus {str(corpus)!r} {told_of_embedder(content)}, and so every question"
        raise SettingsError(f"{told}: {needed}")
    return new_embedder(saved["name"], address)


def told_of_embedder(content: bytes) -> str:
    """Say where a saved embedder has texts embedded."""
    saved = json.loads(content)
    remote = saved["name"].startswith("openai:")
    where = repr(saved.get("base_url") or _OPENAI_URL) if remote else "this machine"
    return f"embeds by {saved['name']!r} at {where}"


class _Pretrained:
    """A model of others: a corpus keeps its name, and where it is reached."""

    def __init__(self, name: str, base_url: str | None = None) -> None:
        self.name = name
        """As in the settings."""
        self._base_url = base_url

    def save(self, directory: Path) -> None:
        """Write the model's name and, of a remote one, its address."""
        directory.mkdir(parents=True)
        saved = json.dumps({"name": self.name, "base_url": self._base_url})
        (directory / FACTS).write_text(saved, encoding="utf-8")


class SentenceEmbedder(_Pretrained):
    """One local model, by name or directory; loaded at the first call."""

    def __init__(self, model: str) -> None:
        if find_spec("sentence_transformers") is None:
            raise SettingsError(
                f"the embedder 'sentence-transformers:{model}' needs a package that is not "
                "installed: pip install 'headcount[sentence-transformers]'"
            )
        super().__init__(f"sentence-transformers:{model}")
        self._path = model

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return unit rows, (n, d)."""
        return unit_rows(np.asarray(self._model.encode(list(texts), convert_to_numpy=True)))

    @cached_property
    def _model(self) -> Any:
        from sentence_transformers import SentenceTransformer

        return SentenceTransformer(self._path)


class OpenAIEmbedder(_Pretrained):
    """One remote embedding model; the client is made at the first call."""

    def __init__(self, model: str, base_url: str | None) -> None:
        super().__init__(f"openai:{model}", base_url or os.environ.get("OPENAI_BASE_URL"))
        self._model = model
        self._key = SecretStr(os.environ.get("OPENAI_API_KEY", ""))

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return unit rows, (n, d); ProviderUnavailable says that another try may help."""
        import openai

        try:
            found = self._client.embed_documents(list(texts))
        except (openai.APIConnectionError, openai.RateLimitError, openai.InternalServerError) as e:
            told = redacted(str(e), self._key)
            raise ProviderUnavailable(f"the embedding model {self._model!r} failed: {told}") from e
        except openai.APIError as error:
            told = redacted(str(error), self._key)
            raise ProviderRejected(
                f"the server refused to embed with {self._model!r}: {told}"
            ) from error
        return unit_rows(np.asarray(found, dtype=np.float64).reshape(len(texts), -1))

    @cached_property
    def _client(self) -> Any:
        from langchain_openai import OpenAIEmbeddings

        if not self._key:
            raise SettingsError(
                f"the embedder {self.name!r} needs a key: set OPENAI_API_KEY "
                "(any word will do for a server that asks for none)"
            )
        return OpenAIEmbeddings(
            model=self._model,
            openai_api_base=self._base_url,
            openai_api_key=self._key,
            request_timeout=_SECONDS,
            http_client=connections(_SECONDS),
            chunk_size=_BATCH,
            check_embedding_ctx_length=False,
        )


Embedder = LsaEmbedder | OpenAIEmbedder | SentenceEmbedder
