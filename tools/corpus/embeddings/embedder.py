"""What turns text into vectors: one protocol, three embedders."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from agent.errors import SettingsError
from tools.corpus.settings import Endpoint

__all__ = ("Embedder", "check_embedder", "load_embedder", "new_embedder")

_KINDS = ("lsa", "openai:NAME", "sentence-transformers:NAME")


class Embedder(Protocol):
    """Turns texts into unit vectors."""

    @property
    def name(self) -> str:
        """As in the settings: `lsa`, `openai:NAME` or `sentence-transformers:NAME`."""
        ...

    @property
    def dimensions(self) -> int:
        """The length of a vector; 0 for a remote model that has not embedded yet."""
        ...

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return unit rows, (n, dimensions); a text without a known word gives a zero row."""
        ...

    def save(self, directory: Path) -> None:
        """Write what `load_embedder` needs; never a key, never a pickle."""
        ...


def check_embedder(name: str) -> None:
    """Raise SettingsError where no embedder has this name."""
    kind, _, model = name.partition(":")
    if name != "lsa" and not (kind in {"openai", "sentence-transformers"} and model):
        raise SettingsError(f"there is no embedder {name!r}: use one of {', '.join(_KINDS)}")


def new_embedder(name: str, endpoint: Endpoint) -> Embedder:
    """Return a pretrained embedder by name; raises SettingsError where it cannot be used here."""
    check_embedder(name)
    kind, _, model = name.partition(":")
    if kind == "openai":
        from tools.corpus.embeddings.openai_embedder import OpenAIEmbedder

        return OpenAIEmbedder(model, endpoint)
    if kind == "sentence-transformers":
        from tools.corpus.embeddings.sentence_embedder import SentenceEmbedder

        return SentenceEmbedder(model)
    raise SettingsError("the lsa embedder is fitted on a corpus: it has no pretrained form")


def load_embedder(directory: Path, endpoint: Endpoint) -> Embedder:
    """Return the embedder saved in a directory; raises OSError or ValueError where damaged."""
    saved = json.loads((directory / "embedder.json").read_text(encoding="utf-8"))
    if saved["name"] == "lsa":
        from tools.corpus.embeddings.lsa import LsaEmbedder

        return LsaEmbedder.load(directory)
    known = Endpoint(base_url=endpoint.base_url or saved.get("base_url"), api_key=endpoint.api_key)
    return new_embedder(saved["name"], known)
