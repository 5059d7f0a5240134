"""The filters as native LangChain tools, for a model or another agent to call by itself."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from pydantic import Field, create_model
from pydantic_core import to_jsonable_python
from pyroaring import BitMap

from agent.errors import ToolArgumentError
from agent.reasoner import ToolCall
from tools.filters.arguments import Arguments
from tools.filters.checking import explained
from tools.filters.preview import preview
from tools.filters.registry import FILTERS, Filter
from tools.filters.searchable import Searchable

if TYPE_CHECKING:
    from langchain_core.tools import StructuredTool

__all__ = ("Snapshots", "langchain_tools")


class Snapshots(Protocol):
    """Where sets of chunk ids are kept under an id."""

    def get(self, snapshot: str, /) -> BitMap:
        """Return the set of an id; raise KeyError or ToolArgumentError where it is unknown."""
        ...

    def put(self, chunks: BitMap, /) -> str:
        """Keep a set and return its id."""
        ...


def langchain_tools(corpus: Searchable, snapshots: Snapshots) -> Sequence["StructuredTool"]:
    """Return each filter as a tool that takes a snapshot's id beside its own arguments.

    A tool returns `{"snapshot": id, "kept": int, "discarded": int, "hint": str}`. Wrong arguments
    and unknown snapshots come back as the tool's text, so that a model can mend its call.
    """
    return [_tool(corpus, snapshots, each) for each in FILTERS.values()]


def _tool(corpus: Searchable, snapshots: Snapshots, each: Filter) -> "StructuredTool":
    from langchain_core.tools import StructuredTool, ToolException

    schema = _with_snapshot(each)

    def call(snapshot: str, **arguments: Any) -> dict[str, Any]:
        try:
            return _called(corpus, snapshots, snapshot, each.name, arguments)
        except ToolArgumentError as error:
            raise ToolException(str(error)) from error

    def told(error: Any) -> str:
        return f"{each.name}: {explained(error, schema)}"

    return StructuredTool.from_function(
        func=call,
        name=each.name,
        description=each.description,
        args_schema=schema,
        handle_tool_error=True,
        handle_validation_error=told,
    )


def _with_snapshot(each: Filter) -> type[Arguments]:
    """Return the filter's arguments with the snapshot's id beside them."""
    place = (str, Field(description="The id of the snapshot to filter."))
    return create_model(f"{each.name}_call", __base__=each.arguments, snapshot=place)


def _called(
    corpus: Searchable, snapshots: Snapshots, snapshot: str, tool: str, given: dict[str, Any]
) -> dict[str, Any]:
    try:
        candidates = snapshots.get(snapshot)
    except KeyError as error:
        raise ToolArgumentError(f"there is no snapshot {snapshot!r}") from error
    plain = to_jsonable_python(given)
    effect = preview(corpus, candidates, ToolCall(tool=tool, arguments=plain), BitMap())
    return {
        "snapshot": snapshots.put(effect.kept),
        "kept": len(effect.kept),
        "discarded": len(effect.discarded),
        "hint": effect.hint,
    }
