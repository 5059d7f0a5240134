"""Embeddings from OpenAI or any server compatible with it."""

import json
import os
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agent.errors import ProviderRejected, ProviderUnavailable, SettingsError
from tools.corpus.embeddings.unit import unit_rows
from tools.corpus.settings import Endpoint

__all__ = ("OpenAIEmbedder",)

_BATCH = 256


class OpenAIEmbedder:
    """One remote embedding model; the client is made at the first call."""

    def __init__(self, model: str, endpoint: Endpoint) -> None:
        self._model = model
        self._base_url = endpoint.base_url or os.environ.get("OPENAI_BASE_URL")
        self._api_key = endpoint.api_key or os.environ.get("OPENAI_API_KEY")
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
