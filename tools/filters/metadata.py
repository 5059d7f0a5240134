"""The filter `metadata`: chunks of the documents whose fields satisfy predicates."""

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import Field
from pyroaring import BitMap

from agent.errors import ToolArgumentError
from agent.predicates import NAME_FIELD
from agent.question import Comparison, Predicate
from agent.reasoner import ToolSpec
from agent.value import counted
from tools.corpus.fields.field_values import fold
from tools.filters.arguments import Arguments, Engine, FilterArguments, Words

_DESCRIPTION = (
    "Keep the chunks of the documents whose metadata fields satisfy predicates. Use it first where "
    "a field decides a condition: "
    '{"predicates": [{"field": "Status", "comparison": "is", "values": ["Final", "Active"]}]}; '
    '{"predicates": [{"field": "Date", "comparison": "between", "values": ["2015", "2017-06"]}, '
    '{"field": "Author", "comparison": "at_least", "values": ["3"], "of": "length"}], '
    '"match": "all"}. The field "document name" is the file\'s own name.'
)

_FIELDS_TOLD = 50
_BOUNDS = {"between": 2, "at_least": 1, "at_most": 1, "more_than": 1, "less_than": 1}


class PredicateArguments(Arguments, Predicate):
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


class MetadataArguments(FilterArguments):
    """Predicates on a document's fields."""

    predicates: Annotated[tuple[PredicateArguments, ...], Field(min_length=1, max_length=50)]
    """One or more tests."""
    match: Literal["all", "any"] = "all"
    """Whether a document must satisfy all of them or any."""

    def keep(self, engine: Engine, candidates: BitMap) -> BitMap:
        """Return the candidates whose document satisfies the predicates."""
        tests = _field_tests(engine.corpus.field_names, self)
        return engine.described(candidates, tests, every=self.match == "all")


def _field_tests(names: Sequence[str], arguments: MetadataArguments) -> list[Predicate]:
    """Return the tests with each field named as the corpus writes it; raises ToolArgumentError."""
    tests: list[Predicate] = []
    for each in arguments.predicates:
        field = canonical_field(names, each.field)
        if field is None:
            told = ", ".join([*names[:_FIELDS_TOLD], NAME_FIELD])
            raise ToolArgumentError(f"the corpus has no field {each.field!r}; it has: {told}")
        _check_values(each)
        tests.append(each.model_copy(update={"field": field}))
    return tests


def canonical_field(names: Sequence[str], name: str) -> str | None:
    """Return the field's name as the corpus writes it; case, hyphens and spaces do not matter."""
    return {fold(field): field for field in (NAME_FIELD, *names)}.get(fold(name))


def _check_values(arguments: PredicateArguments) -> None:
    comparison, given = arguments.comparison, len(arguments.values)
    needed = _BOUNDS.get(comparison)
    if needed is not None and given != needed:
        raise ToolArgumentError(f"{comparison!r} needs {counted(needed, 'value')}, not {given}")
    if comparison in {"is", "contains", "has_all"} and not given:
        raise ToolArgumentError(f"{comparison!r} needs at least one value")


FILTER = ToolSpec(name="metadata", description=_DESCRIPTION, arguments=MetadataArguments)
