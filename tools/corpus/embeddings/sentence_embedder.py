"""Embeddings from a local sentence-transformers model, where that package is installed."""

import json
from collections.abc import Sequence
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agent.errors import SettingsError
from tools.corpus.embeddings.unit import unit_rows

__all__ = ("SentenceEmbedder",)


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
