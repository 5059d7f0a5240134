"""All filters by name, how a reasoner is offered them, and how a call is carried out."""

from collections.abc import Mapping
from dataclasses import dataclass

from pyroaring import BitMap

from agent.errors import ToolArgumentError
from agent.reasoner import ToolCall, ToolSpec
from tools.filters import bm25, exact, fuzzy, keywords, metadata, regex, semantic
from tools.filters.arguments import Arguments
from tools.filters.checking import checked
from tools.filters.control import CONTROLS, Control
from tools.filters.predicates import FilterArguments
from tools.filters.searchable import Searchable

__all__ = ("FILTERS", "Filter", "apply", "arguments_of", "specs")


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """A tool that keeps some of the candidates."""

    name: str
    description: str
    """When to use it, with examples: what a model reads."""
    arguments: type[FilterArguments]
    """What it is asked with: the predicate that an engine evaluates."""


FILTERS: Mapping[str, Filter] = {
    each.name: each
    for each in (
        Filter(
            name="metadata",
            description=metadata.DESCRIPTION,
            arguments=metadata.MetadataArguments,
        ),
        Filter(
            name="keywords",
            description=keywords.DESCRIPTION,
            arguments=keywords.KeywordsArguments,
        ),
        Filter(
            name="exact",
            description=exact.DESCRIPTION,
            arguments=exact.ExactArguments,
        ),
        Filter(
            name="regex",
            description=regex.DESCRIPTION,
            arguments=regex.RegexArguments,
        ),
        Filter(
            name="fuzzy",
            description=fuzzy.DESCRIPTION,
            arguments=fuzzy.FuzzyArguments,
        ),
        Filter(
            name="bm25",
            description=bm25.DESCRIPTION,
            arguments=bm25.Bm25Arguments,
        ),
        Filter(
            name="semantic",
            description=semantic.DESCRIPTION,
            arguments=semantic.SemanticArguments,
        ),
    )
}


def specs() -> list[ToolSpec]:
    """Return the filters and the control tools as they are offered to a reasoner."""
    offered: dict[str, Filter | Control] = {**FILTERS, **CONTROLS}
    return [
        ToolSpec(name=name, description=tool.description, arguments=tool.arguments)
        for name, tool in offered.items()
    ]


def arguments_of(call: ToolCall) -> Arguments:
    """Return a call's arguments, checked, with defaults filled in.

    Raises:
        ToolArgumentError: there is no such tool, or its arguments are wrong.
    """
    tool = FILTERS.get(call.tool) or CONTROLS.get(call.tool)
    if tool is None:
        names = ", ".join((*FILTERS, *CONTROLS))
        raise ToolArgumentError(f"there is no tool {call.tool!r}; there are: {names}")
    return checked(call.tool, call.arguments, tool.arguments)


def apply(corpus: Searchable, candidates: BitMap, call: ToolCall) -> BitMap:
    """Carry out a filter call by the corpus's engine and return the candidates that it keeps.

    Raises:
        ToolArgumentError: no such filter, wrong arguments, a field the corpus lacks, a pattern
            that is none; the text says what to do instead.
    """
    arguments = arguments_of(call)
    if not isinstance(arguments, FilterArguments):
        raise ToolArgumentError(f"{call.tool!r} is no filter: the search loop carries it out")
    return corpus.engine.keep(arguments, candidates)
