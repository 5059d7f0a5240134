"""`headcount filter`: filter calls over a local or sharded corpus, without a question."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict

from pydantic import TypeAdapter, ValidationError
from pyroaring import BitMap

from agent.errors import SettingsError, ToolArgumentError
from agent.reasoner import ToolCall
from graphs.apps.terminal import write_json, write_line
from tools.engines.sharded.sharded_engine import open_engine
from tools.filters.arguments import FilterArguments
from tools.filters.registry import FILTERS, arguments_of

_CALL = TypeAdapter(dict[str, dict[str, object]])
_LINE = 160


def run_filter(
    corpus: str, calls: Sequence[str], *, cluster: str | None, show: int, as_json: bool
) -> None:
    """Carry out the calls, each on what the one before kept, and print how much and the first."""
    began = time.monotonic()
    asked = [each for text in calls for each in _filters(text)]
    engine = open_engine(corpus, cluster)
    kept = BitMap(range(engine.corpus.chunk_count))
    for predicate in asked:
        kept = engine.keep(predicate, kept)
    shown = engine.passages(kept[:show])
    seconds = round(time.monotonic() - began, 3)
    if as_json:
        totals = {"chunks": engine.corpus.chunk_count, "kept": len(kept), "seconds": seconds}
        passages = [asdict(passage) for passage in shown]
        write_json(totals | {"passages": passages}, indent=None)
        return
    for each in shown:
        text = " ".join(each.text.split())[:_LINE]
        write_line(f"{each.document}:{each.start}-{each.end}: {text}")
    write_line(f"{len(kept)} of {engine.corpus.chunk_count} chunks ({seconds:.1f} s)")


def _filters(text: str) -> Iterator[FilterArguments]:
    """Yield the filters in one argument; raises SettingsError or ToolArgumentError."""
    try:
        given = _CALL.validate_json(text)
    except ValidationError as error:
        example = '{"regex": {"pattern": "\\\\bnet \\\\d+ days"}}'
        raise SettingsError(
            f"{_cut(text)!r} is not a filter call: write for instance {example}"
        ) from error
    for tool, told in given.items():
        arguments = arguments_of(ToolCall(tool=tool, arguments=told)) if tool in FILTERS else None
        if not isinstance(arguments, FilterArguments):
            raise ToolArgumentError(
                f"there is no filter {_cut(tool)!r}; there are: {', '.join(FILTERS)}"
            )
        yield arguments


def _cut(text: str) -> str:
    return text if len(text) <= _LINE else f"{text[:_LINE]}…"
