"""How Headcount decides: the graph over a typed state, and the applications on top."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from graphs.context import Context
    from graphs.headcount import build_graph
    from tools.corpus.corpus import open_corpus

__all__ = ("Context", "build_graph", "open_corpus")

_PLACES = {
    "Context": "graphs.context",
    "build_graph": "graphs.headcount",
    "open_corpus": "tools.corpus.corpus",
}


def __getattr__(name: str) -> Any:
    """Import the public names when first used: LangGraph alone takes a second to load."""
    if name not in _PLACES:
        raise AttributeError(f"module 'graphs' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_PLACES[name]), name)
