"""Faults of answers that code decided: decided once more, over every document there is."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, cast

from pydantic import TypeAdapter

from evals.aggbench.folder import ADDED
from evals.aggbench.logic import Logic, Truths, combined
from evals.aggbench.rule import Rule
from evals.aggbench.source import Source

if TYPE_CHECKING:
    from pydantic import JsonValue

__all__ = ("Decider",)

_RULE: TypeAdapter[Rule] = TypeAdapter(Rule)


class Decider:
    """Decides conditions over the documents of a corpus, each once."""

    def __init__(self, sources: Sequence[Source]) -> None:
        self._sources = sources
        self._known: dict[str, Truths] = {}

    @cached_property
    def added(self) -> frozenset[str]:
        """The documents of the expansion."""
        return frozenset(each.name for each in self._sources if each.name.startswith(ADDED))

    def faults(self, told: Mapping[str, "JsonValue"]) -> Iterator[str]:
        """Yield what differs from a record; nothing where a condition of it has no rule.

        Args:
            told: the record as the file has it.
        """
        conditions = cast("Sequence[Mapping[str, JsonValue]]", told.get("conditions") or ())
        if not conditions or not all(each.get("rule") for each in conditions):
            return
        parts = [self._truths(_RULE.validate_python(each["rule"])) for each in conditions]
        for each, truths in zip(conditions, parts, strict=True):
            leaking = sorted(truths.possible & self.added)
            yield from (f"added document {name!r} may {each['text']}" for name in leaking)
        whole = combined(cast("Logic", told["logic"]), parts)
        answer = frozenset(cast("Sequence[str]", told["answer"]))
        borderline = frozenset(cast("Sequence[str]", told.get("borderline_documents") or ()))
        yield from _differing("answer", answer, whole.satisfied)
        yield from _differing("borderline", borderline, whole.doubted)

    def _truths(self, rule: Rule) -> Truths:
        key = rule.model_dump_json()
        if key not in self._known:
            satisfied = frozenset(each.name for each in self._sources if rule.places(each))
            doubted = frozenset(each.name for each in self._sources if rule.doubted(each))
            self._known[key] = Truths(satisfied, doubted - satisfied)
        return self._known[key]


def _differing(where: str, said: frozenset[str], decided: frozenset[str]) -> Iterator[str]:
    for name in sorted(said - decided):
        yield f"document {name!r} is {where}, but code decides it is not"
    for name in sorted(decided - said):
        yield f"document {name!r} is not {where}, but code decides it is"
