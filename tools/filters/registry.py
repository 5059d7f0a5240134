"""All filters by name: how a reasoner is offered them, and how a call is carried out."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated

from pydantic import BaseModel, Field, ValidationError
from pyroaring import BitMap

from agent.errors import ToolArgumentError
from agent.languages import ENGLISH, language_name
from agent.reasoner import ToolCall, ToolSpec
from tools.corpus.corpus import Corpus
from tools.filters import bm25, exact, fuzzy, keywords, metadata, regex, semantic
from tools.filters.arguments import Arguments, FilterArguments, Words, explained
from tools.filters.local_engine import LocalEngine

FILTERS: Mapping[str, ToolSpec] = {
    each.name: each
    for each in (
        metadata.FILTER,
        keywords.FILTER,
        exact.FILTER,
        regex.FILTER,
        fuzzy.FILTER,
        bm25.FILTER,
        semantic.FILTER,
    )
}
"""All filters, in the order in which a reasoner is offered them; to add one, list it here."""


class UnionArguments(Arguments):
    """The snapshots to join."""

    snapshots: Annotated[tuple[Words, ...], Field(min_length=2, max_length=50)]
    """Two or more snapshot ids of the history, e.g. `["3f2a…", "90c1…"]`."""


class RollbackArguments(Arguments):
    """The snapshot to go back to."""

    snapshot: Words
    """A snapshot id of the history."""


class FinishArguments(Arguments):
    """Nothing."""


CONTROLS: Mapping[str, ToolSpec] = {
    each.name: each
    for each in (
        ToolSpec(
            name="union",
            description="Join snapshots: a chunk is kept that any of them holds. Use it to combine "
            "two ways of finding the same thing, each called on the same parent: "
            '{"snapshots": ["<id>", "<id>"]}.',
            arguments=UnionArguments,
        ),
        ToolSpec(
            name="rollback",
            description="Go back to an earlier snapshot, when a call discarded chunks that matter: "
            '{"snapshot": "<id>"}.',
            arguments=RollbackArguments,
        ),
        ToolSpec(
            name="finish",
            description="Stop filtering: the candidates are few enough to be read, or no call "
            "would discard only what is irrelevant. {}",
            arguments=FinishArguments,
        ),
    )
}
"""The tools whose effect is on the loop, not on the candidates."""


_IN_LANGUAGES = (
    " Words are matched in the documents' own languages, here {}, and not translated: list those "
    "of each. Letters of Chinese, Japanese, Korean, Thai and Arabic match wherever they stand."
)


def specs(languages: Sequence[str] = (ENGLISH,)) -> list[ToolSpec]:
    """Return the tools as offered to a reasoner; keywords tells of languages but English."""
    filters = dict(FILTERS)
    if tuple(languages) != (ENGLISH,):
        told = _IN_LANGUAGES.format(", ".join(map(language_name, languages)))
        own = filters["keywords"]
        filters["keywords"] = replace(own, description=own.description + told)
    return [*filters.values(), *CONTROLS.values()]


def arguments_of(call: ToolCall) -> BaseModel:
    """Return a call's arguments, with defaults; raises ToolArgumentError where they are wrong."""
    tool = FILTERS.get(call.tool) or CONTROLS.get(call.tool)
    if tool is None:
        names = ", ".join((*FILTERS, *CONTROLS))
        raise ToolArgumentError(f"there is no tool {call.tool!r}; there are: {names}")
    try:
        return tool.arguments.model_validate(dict(call.arguments))
    except ValidationError as error:
        raise ToolArgumentError(f"{call.tool}: {explained(error, tool.arguments)}") from error


def apply(corpus: Corpus, candidates: BitMap, call: ToolCall) -> BitMap:
    """Carry out a filter call; raises ToolArgumentError, which says what to do instead."""
    arguments = arguments_of(call)
    if not isinstance(arguments, FilterArguments):
        raise ToolArgumentError(f"{call.tool!r} is no filter: the search loop carries it out")
    return LocalEngine(corpus).keep(arguments, candidates)
