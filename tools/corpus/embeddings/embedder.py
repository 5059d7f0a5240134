"""What turns text into vectors: one protocol, three embedders."""

import json
import os
from collections.abc import Sequence
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from agent.errors import ProviderRejected, ProviderUnavailable, SettingsError
from tools.corpus.embeddings.lsa import LsaEmbedder
from tools.corpus.embeddings.vectors import unit_rows

_KINDS = ("lsa", "openai:NAME", "sentence-transformers:NAME")
_BATCH = 256


class Embedder(Protocol):
    """Turns texts into unit vectors."""

    @property
    def name(self) -> str:
        """As in the settings: `lsa`, `openai:NAME` or `sentence-transformers:NAME`."""

    @property
    def dimensions(self) -> int:
        """The length of a vector; 0 for a remote model that has not embedded yet."""

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return unit rows, (n, dimensions); a text without a known word gives a zero row."""

    def save(self, directory: Path) -> None:
        """Write what `load_embedder` needs; never a key, never a pickle."""


def check_embedder(name: str) -> None:
    """Raise SettingsError where no embedder has this name."""
    kind, _, model = name.partition(":")
    if name != "lsa" and not (kind in {"openai", "sentence-transformers"} and model):
        raise SettingsError(f"there is no embedder {name!r}: use one of {', '.join(_KINDS)}")


def new_embedder(name: str, base_url: str | None = None) -> Embedder:
    """Return a pretrained embedder by name; raises SettingsError where it cannot be used here.

    `OPENAI_API_KEY` and, where no address is given, `OPENAI_BASE_URL` reach a remote one.
    """
    check_embedder(name)
    kind, _, model = name.partition(":")
    if kind == "openai":
        return OpenAIEmbedder(model, base_url)
    if kind == "sentence-transformers":
        return SentenceEmbedder(model)
    raise SettingsError("the lsa embedder is fitted on a corpus: it has no pretrained form")


def load_embedder(directory: Path) -> Embedder:
    """Return the embedder saved in a directory; raises OSError or ValueError where damaged."""
    saved = json.loads((directory / "embedder.json").read_text(encoding="utf-8"))
    if saved["name"] == "lsa":
        return LsaEmbedder.load(directory)
    return new_embedder(saved["name"], saved.get("base_url"))


class SentenceEmbedder:
    """One local model, by name or directory; loaded at the first call."""

    def __init__(self, model: str) -> None:
        if find_spec("sentence_transformers") is None:
            raise SettingsError(
                f"the embedder 'sentence-transformers:{model}' needs a package that is not "
                "installed: pip install 'headcount[sentence-transformers]'"
            )
        self._path = model

    @property
    def name(self) -> str:
        """As in the settings."""
        return f"sentence-transformers:{self._path}"

    @property
    def dimensions(self) -> int:
        """The length of a vector."""
        return int(self._model.get_sentence_embedding_dimension())

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return unit rows, (n, dimensions)."""
        return unit_rows(np.asarray(self._model.encode(list(texts), convert_to_numpy=True)))

    def save(self, directory: Path) -> None:
        """Write the model's name."""
        directory.mkdir(parents=True)
        saved = json.dumps({"name": self.name, "dimensions": self.dimensions})
        (directory / "embedder.json").write_text(saved, encoding="utf-8")

    @cached_property
    def _model(self) -> Any:
        from sentence_transformers import SentenceTransformer

        return SentenceTransformer(self._path)


class OpenAIEmbedder:
    """One remote embedding model; the client is made at the first call."""

    def __init__(self, model: str, base_url: str | None) -> None:
        self._model = model
        self._base_url = base_url or os.environ.get("OPENAI_BASE_URL")
        self._api_key = os.environ.get("OPENAI_API_KEY")
        self._dimensions = 0

    @property
    def name(self) -> str:
        """As in the settings."""
        return f"openai:{self._model}"

    @property
    def dimensions(self) -> int:
        """The length of a vector; 0 until something was embedded."""
        return self._dimensions

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return unit rows, (n, dimensions).

        Raises SettingsError without a key, ProviderUnavailable where another try may help and
        ProviderRejected where it will not.
        """
        import openai

        try:
            found = self._client.embed_documents(list(texts))
        except (openai.APIConnectionError, openai.RateLimitError, openai.InternalServerError) as e:
            raise ProviderUnavailable(f"the embedding model {self._model!r} failed: {e}") from e
        except openai.APIError as error:
            raise ProviderRejected(
                f"the server refused to embed with {self._model!r}: {error}"
            ) from error
        rows = unit_rows(np.asarray(found, dtype=np.float64).reshape(len(texts), -1))
        self._dimensions = rows.shape[1]
        return rows

    def save(self, directory: Path) -> None:
        """Write the model's name and address."""
        directory.mkdir(parents=True)
        saved = {"name": self.name, "dimensions": self.dimensions, "base_url": self._base_url}
        (directory / "embedder.json").write_text(json.dumps(saved), encoding="utf-8")

    @cached_property
    def _client(self) -> Any:
        from langchain_openai import OpenAIEmbeddings
        from pydantic import SecretStr

        if not self._api_key:
            raise SettingsError(
                f"the embedder {self.name!r} needs a key: set OPENAI_API_KEY "
                "(any word will do for a server that asks for none)"
            )
        return OpenAIEmbeddings(
            model=self._model,
            openai_api_base=self._base_url,
            openai_api_key=SecretStr(self._api_key),
            chunk_size=_BATCH,
            check_embedding_ctx_length=False,
        )
