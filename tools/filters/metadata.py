"""The filter `metadata`: chunks of the documents whose fields satisfy predicates."""

from collections.abc import Callable, Mapping
from typing import Annotated, Literal

import numpy as np
from pydantic import Field
from pyroaring import BitMap

from agent.corpus import FieldValue
from agent.errors import ToolArgumentError
from agent.predicates import NAME_FIELD, name_value, satisfies
from agent.question import Comparison, Predicate
from tools.corpus.catalogue import fold
from tools.filters.arguments import Arguments, Words
from tools.filters.bitmaps import bitmap, ids
from tools.filters.searchable import Searchable

__all__ = (
    "DESCRIPTION",
    "MetadataArguments",
    "PredicateArguments",
    "canonical_field",
    "field_values",
    "keep",
)

DESCRIPTION = (
    "Keep the chunks of the documents whose metadata fields satisfy predicates. Use it first where "
    "a field decides a condition: "
    '{"predicates": [{"field": "Status", "comparison": "is", "values": ["Final", "Active"]}]}; '
    '{"predicates": [{"field": "Date", "comparison": "between", "values": ["2015", "2017-06"]}, '
    '{"field": "Author", "comparison": "at_least", "values": ["3"], "of": "length"}], '
    '"match": "all"}. The field "document name" is the file\'s own name.'
)

_FIELDS_TOLD = 50
_BOUNDS = {"between": 2, "at_least": 1, "at_most": 1, "more_than": 1, "less_than": 1}


class PredicateArguments(Arguments):
    """A test of one field."""

    field: Words
    """The field's name as the corpus lists it, e.g. `Status`."""
    comparison: Comparison
    """How it is compared; `exists` with the value `false` keeps documents without the field."""
    values: tuple[str, ...] = ()
    """What it is compared with, alternatives for is and contains, all wanted for has_all, e.g.
    `["Final", "Active"]`; numbers or ISO dates (`2017-06`), two of them for between."""
    of: Literal["value", "length"] = "value"
    """`length` compares how many items the field has: `at_least` 3 authors."""


class MetadataArguments(Arguments):
    """Predicates on a document's fields."""

    predicates: Annotated[tuple[PredicateArguments, ...], Field(min_length=1, max_length=50)]
    """One or more tests."""
    match: Literal["all", "any"] = "all"
    """Whether a document must satisfy all of them or any."""


def keep(corpus: Searchable, candidates: BitMap, arguments: MetadataArguments) -> BitMap:
    """Return the candidates whose document satisfies the predicates.

    Raises:
        ToolArgumentError: the corpus has no such field, or a comparison lacks its values.
    """
    tests = [_test(corpus, predicate) for predicate in arguments.predicates]
    joined = all if arguments.match == "all" else any
    chunks = ids(candidates)
    documents = corpus.chunk_document[chunks]
    satisfying = np.zeros(len(corpus.documents), dtype=bool)
    for document in np.unique(documents).tolist():
        satisfying[document] = joined(test(document) for test in tests)
    return bitmap(chunks[satisfying[documents]])


def canonical_field(corpus: Searchable, name: str) -> str | None:
    """Return the field's name as the corpus writes it; case, hyphens and spaces do not matter."""
    known = {fold(field): field for field in (NAME_FIELD, *(each.name for each in corpus.fields))}
    return known.get(fold(name))


def _test(corpus: Searchable, arguments: PredicateArguments) -> Callable[[int], bool]:
    """Return the test of a document by its index."""
    field = canonical_field(corpus, arguments.field)
    if field is None:
        names = ", ".join([*(field.name for field in corpus.fields[:_FIELDS_TOLD]), NAME_FIELD])
        raise ToolArgumentError(f"the corpus has no field {arguments.field!r}; it has: {names}")
    _check_values(arguments)
    predicate = Predicate(
        field=field,
        comparison=arguments.comparison,
        values=arguments.values,
        of=arguments.of,
    )
    values = field_values(corpus, field)
    return lambda document: satisfies(values.get(document), predicate)


def field_values(corpus: Searchable, field: str) -> Mapping[int, FieldValue]:
    """Return the values of a field, or of the documents' names, by document index."""
    if field == NAME_FIELD and all(known.name != NAME_FIELD for known in corpus.fields):
        return {index: name_value(name) for index, name in enumerate(corpus.documents)}
    return corpus.field_values(field)


def _check_values(arguments: PredicateArguments) -> None:
    """Check that the comparison has as many values as it needs."""
    comparison, given = arguments.comparison, len(arguments.values)
    needed = _BOUNDS.get(comparison)
    if needed is not None and given != needed:
        raise ToolArgumentError(f"{comparison!r} needs {needed} of values, {given} are given")
    if comparison in {"is", "contains", "has_all"} and not given:
        raise ToolArgumentError(f"{comparison!r} needs at least one of values")
