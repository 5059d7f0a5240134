"""Calls of filters: previewed before they are committed, known when repeated, made natively.

A call whose words or values the corpus lacks comes with a hint from the corpus's own vocabulary.
"""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np
from pydantic import BaseModel, Field, create_model
from pydantic_core import to_jsonable_python
from pyroaring import BitMap

from agent.corpus_view import Field as CorpusField
from agent.errors import ToolArgumentError
from agent.history import Step
from agent.languages import runs
from agent.predicates import NAME_FIELD, field_values, satisfies
from agent.reasoner import ToolCall, ToolSpec
from agent.value import in_digits
from tools.corpus.corpus import Corpus
from tools.filters.arguments import explained
from tools.filters.bm25 import Bm25Arguments
from tools.filters.exact import ExactArguments
from tools.filters.fuzzy import FuzzyArguments
from tools.filters.keywords import KeywordsArguments
from tools.filters.metadata import MetadataArguments, PredicateArguments, canonical_field
from tools.filters.registry import FILTERS, apply, arguments_of
from tools.filters.searchable import ids
from tools.filters.semantic import SemanticArguments
from tools.retrieval import ranked_among

if TYPE_CHECKING:
    from langchain_core.tools import StructuredTool

_SEED = 0
_UNORDERED = frozenset({"words", "predicates", "snapshots"})


def preview(corpus: Corpus, candidates: BitMap, call: ToolCall) -> tuple[BitMap, str]:
    """Return what a filter call would keep, and a hint; raises ToolArgumentError.

    The hint is a line on what the corpus lacks of the call; empty where nothing, and some is kept.
    """
    kept = apply(corpus, candidates, call)
    told = "; ".join(islice(_lacking(corpus, arguments_of(call)), _MOST_LINES))
    nothing = "" if kept else "no candidate matches, though other chunks of the corpus may"
    return kept, told or nothing


def sample(corpus: Corpus, chunks: BitMap, query: str, n: int, *, nearest: int) -> tuple[int, ...]:
    """Return the nearest by words and vector, then random others, the same each time."""
    near = []
    if chunks and nearest > 0:
        ranked = ranked_among(corpus, query, ids(chunks), 10 * nearest)
        near = [chunk for chunk, _ in ranked[:nearest]]
    others = ids(chunks - BitMap(near))
    seed = hashlib.sha256(ids(chunks).tobytes()).digest()[:8]
    generator = np.random.default_rng([int.from_bytes(seed, "little"), _SEED])
    drawn = generator.permutation(len(others))[: max(0, n - len(near))]
    return (*near, *(int(chunk) for chunk in np.sort(others[drawn])))


def same_call(history: Sequence[Step], call: ToolCall, snapshot: str) -> Step | None:
    """Return the first step, also a refused one, that made the same call on the same snapshot."""
    asked = _normalised(call)
    same = (each for each in history if each.before == snapshot and each.call.tool == call.tool)
    return next((each for each in same if _normalised(each.call) == asked), None)


def _normalised(call: ToolCall) -> dict[str, object]:
    """Return a call's arguments, defaults filled in, sets sorted and without repetitions."""
    try:
        given = arguments_of(call).model_dump(mode="json")
    except ToolArgumentError:
        given = dict(call.arguments)
    return {
        name: sorted(set(map(repr, value)))
        if name in _UNORDERED and isinstance(value, list)
        else value
        for name, value in given.items()
    }


class Snapshots:
    """Keeps sets of passages by a number; `all` is the corpus."""

    def __init__(self, everything: BitMap) -> None:
        self._kept = {"all": everything}

    def get(self, snapshot: str) -> BitMap:
        """Return the set of an id; raises ToolException where it is unknown."""
        from langchain_core.tools import ToolException

        if snapshot not in self._kept:
            raise ToolException(f"there is no snapshot {snapshot!r}")
        return self._kept[snapshot]

    def put(self, chunks: BitMap) -> str:
        """Keep a set and return its id."""
        name = str(len(self._kept))
        self._kept[name] = chunks
        return name


def langchain_tools(corpus: Corpus, snapshots: Snapshots) -> Sequence["StructuredTool"]:
    """Return each filter as a tool that takes a snapshot's id beside its own arguments.

    A tool returns `{"snapshot": id, "kept": int, "discarded": int, "hint": str}`. Wrong arguments
    and unknown snapshots come back as the tool's text, so that a model can correct its call.
    """
    return [_tool(corpus, snapshots, each) for each in FILTERS.values()]


def _tool(corpus: Corpus, snapshots: Snapshots, each: ToolSpec) -> "StructuredTool":
    from langchain_core.tools import StructuredTool, ToolException

    place = (str, Field(description="The id of the snapshot to filter."))
    schema = create_model(f"{each.name}_call", __base__=each.arguments, snapshot=place)

    def call(snapshot: str, **arguments: Any) -> dict[str, Any]:
        candidates = snapshots.get(snapshot)
        asked = ToolCall(tool=each.name, arguments=to_jsonable_python(arguments))
        try:
            kept, told = preview(corpus, candidates, asked)
        except ToolArgumentError as error:
            raise ToolException(str(error)) from error
        return {
            "snapshot": snapshots.put(kept),
            "kept": len(kept),
            "discarded": len(candidates) - len(kept),
            "hint": told,
        }

    def wrong(error: Any) -> str:
        return f"{each.name}: {explained(error, schema)}"

    return StructuredTool.from_function(
        func=call,
        name=each.name,
        description=each.description,
        args_schema=schema,
        handle_tool_error=True,
        handle_validation_error=wrong,
    )


_MOST_VALUES = 12
_MOST_NAMES = 5
_MOST_LINES = 5
_MOST_FORMS = 6


def _unmatched(corpus: Corpus, asked: PredicateArguments) -> Iterator[str]:
    """Yield a line for each alternative, or for the comparison, that no document satisfies."""
    field = canonical_field(corpus.field_names, asked.field)
    if field is None:
        return
    alternatives = asked.comparison in {"is", "contains"} and asked.of == "value"
    tests = [(value,) for value in asked.values] if alternatives else [asked.values]
    for values in tests:
        predicate = asked.model_copy(update={"field": field, "values": values})
        if not any(satisfies(has, predicate) for has in field_values(corpus, field).values()):
            test = " ".join((asked.comparison, *map(repr, values)))
            yield f"{field!r} {test} matches no document, {_values_known(corpus, field)}"


def _values_known(corpus: Corpus, name: str) -> str:
    if name == NAME_FIELD:
        shown = ", ".join(islice(corpus.documents, _MOST_NAMES))
        return f"the documents are named like: {shown}"
    field = next(each for each in corpus.fields if each.name == name)
    if told := _range(corpus, field):
        return told
    shown = ", ".join(f"{value} ({count})" for value, count in field.values[:_MOST_VALUES])
    more = field.distinct - _MOST_VALUES
    return f"its values are: {shown}" + (f" and {more} more" if more > 0 else "")


def _range(corpus: Corpus, field: CorpusField) -> str:
    """Return from where to where the field's numbers or dates go; empty for text."""
    values = corpus.field_values(field.name).values()
    if field.type == "number":
        numbers = sorted(has.number for has in values if has.number is not None)
        ends = [in_digits(number) for number in numbers[:1] + numbers[-1:]]
    elif field.type == "date":
        dates = sorted(has.date for has in values if has.date is not None)
        ends = [str(date) for date in dates[:1] + dates[-1:]]
    else:
        ends = []
    return f"its values go from {' to '.join(ends)}" if ends else ""


def _lacking(corpus: Corpus, arguments: BaseModel) -> Iterator[str]:
    match arguments:
        case KeywordsArguments():
            asked = runs(" ".join(arguments.entries))
            known = corpus.lexicon.inflections if arguments.stem else None
            unknown = (word for word in asked if not (known and known(word)))
            yield from _unknown(corpus, unknown)
        case ExactArguments():
            asked, forms = runs(arguments.phrase), corpus.lexical.vocabulary
            if not arguments.whole_word:
                asked = [word for word in asked if not any(word in form for form in forms)]
            yield from _unknown(corpus, asked)
        case FuzzyArguments():
            near = corpus.lexicon.spellings
            yield from _unknown(corpus, (w for w in runs(arguments.term) if not near(w)))
        case Bm25Arguments() | SemanticArguments():
            yield from _unknown(corpus, runs(arguments.query))
        case MetadataArguments():
            for predicate in arguments.predicates:
                yield from _unmatched(corpus, predicate)
        case _:
            return


def _unknown(corpus: Corpus, asked: Iterable[str]) -> Iterator[str]:
    """Yield a line for each word that is in no chunk, with the forms nearest to it."""
    lexicon = corpus.lexicon
    for word in dict.fromkeys(asked):
        if lexicon.frequency(word):
            continue
        forms = dict.fromkeys((*lexicon.inflections(word), *lexicon.spellings(word)))
        told = ", ".join(
            f"{form} ({lexicon.frequency(form)})" for form in islice(forms, _MOST_FORMS)
        )
        yield f"{word!r} is in no chunk" + (f", the corpus has: {told}" if told else "")
