"""Predicates: what a filter call asks of a chunk, as a value that any engine evaluates.

The arguments of a filter are its predicate. Predicates join by set algebra, each part being
evaluated on the same snapshot, so that one call of an engine may answer several.
"""

from typing import Annotated, TypeAlias

from pydantic import Field

from tools.filters.arguments import Arguments
from tools.filters.bm25 import Bm25Arguments
from tools.filters.exact import ExactArguments
from tools.filters.fuzzy import FuzzyArguments
from tools.filters.keywords import KeywordsArguments
from tools.filters.metadata import MetadataArguments
from tools.filters.regex import RegexArguments
from tools.filters.semantic import SemanticArguments

__all__ = ("Complement", "FilterArguments", "Intersection", "Predicate", "Union")

FilterArguments: TypeAlias = (
    ExactArguments
    | KeywordsArguments
    | RegexArguments
    | FuzzyArguments
    | Bm25Arguments
    | SemanticArguments
    | MetadataArguments
)
"""What one filter asks."""

_Parts = Annotated[tuple["Predicate", ...], Field(min_length=1)]


class Union(Arguments):
    """Kept is what any part keeps of the snapshot."""

    parts: _Parts


class Intersection(Arguments):
    """Kept is what every part keeps of the snapshot."""

    parts: _Parts


class Complement(Arguments):
    """Kept is what the part does not keep of the snapshot."""

    part: "Predicate"


Predicate: TypeAlias = FilterArguments | Union | Intersection | Complement
