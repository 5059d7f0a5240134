"""Headcount and its filters as tools of another agent."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from pyroaring import BitMap

from agent.errors import HeadcountError
from graphs.apps.ask import ask
from tools.corpus.corpus import Corpus, open_corpus
from tools.filters.filter_calls import Snapshots, langchain_tools
from tools.passage_windows import passages as windows

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool


def agent_tools(corpus: Path | str | Corpus, **settings: object) -> "list[BaseTool]":
    """Return `find_all`, each filter, and `read_passages`, as tools that any LangChain agent takes.

    `find_all` answers a question as `graphs.ask` does, by the same `settings`. A filter narrows a
    snapshot, of which `all` is the first, and returns the id of another. What is wrong with a call,
    and what the corpus or the model declines, is the tool's text.
    """
    from langchain_core.tools import StructuredTool, ToolException

    opened = open_corpus(corpus) if isinstance(corpus, Path | str) else corpus
    snapshots = Snapshots(BitMap(range(len(opened))))

    def find_all(question: str, items: int = 20) -> dict[str, Any]:
        """Find every match of a plain question in the documents: how many, which, averages, groups.

        Returns the number with its bounds, the first items with a quote each, and warnings: repeat
        them with the number. Status `candidates`: nobody has read the passages.
        """
        try:
            answer = ask(opened, question, **settings)
        except HeadcountError as error:
            raise ToolException(str(error)) from error
        return answer.shortened(items).model_dump(mode="json")

    def read_passages(snapshot: str, limit: int = 10) -> list[dict[str, Any]]:
        """Return the first passages of a snapshot, with their places."""
        shown = windows(opened, list(snapshots.get(snapshot)[:limit]))
        return [{"document": one.document, "start": one.start, "text": one.text} for one in shown]

    made = (find_all, read_passages)
    own = [StructuredTool.from_function(each, handle_tool_error=True) for each in made]
    return [*own, *langchain_tools(opened, snapshots)]
