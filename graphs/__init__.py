"""How Headcount decides: the graph over a typed state, and the applications on top.

    from graphs import ask
    ask("contracts.corpus", "Which contracts mention Delaware?").to_frame()

`ask` answers a question as the command line does, by the same settings; `agent_tools` gives it and
the filters to another agent. `build_graph` returns the compiled LangGraph, whose nodes are given a
`Context` (an open corpus, a reasoner, a policy):

    from graphs import Context, build_graph, open_corpus
    context = Context(corpus=open_corpus("contracts.corpus"), reasoner=...)
    build_graph().invoke({"question": "Which contracts mention Delaware?"}, context=context)
"""

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from graphs.apps.ask import ask
    from graphs.context import Context
    from graphs.for_agents import agent_tools
    from graphs.headcount import build_graph
    from tools.corpus.corpus import open_corpus

__all__ = ("Context", "agent_tools", "ask", "build_graph", "open_corpus")

_PLACES = {
    "Context": "graphs.context",
    "agent_tools": "graphs.for_agents",
    "ask": "graphs.apps.ask",
    "build_graph": "graphs.headcount",
    "open_corpus": "tools.corpus.corpus",
}


def __getattr__(name: str) -> Any:
    """Import the public names when first used: LangGraph alone takes a second to load."""
    if name not in _PLACES:
        raise AttributeError(f"module 'graphs' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_PLACES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def _refuse_others() -> None:
    """Raise ImportError where a package of the same name is found before Headcount's own."""
    own = Path(__file__).parents[1]
    for name in ("agent", "tools", "prompts"):
        found = find_spec(name)
        place = Path(found.origin) if found and found.origin else None
        if place is None or place.parents[1] != own:
            raise ImportError(
                f"the package {name!r} in {place.parent if place else 'no folder'} hides the one "
                "that Headcount needs: rename it, or start Python from another folder"
            )


_refuse_others()
