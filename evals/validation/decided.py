"""Faults of answers that code decided: decided once more, over every document there is."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, cast

from pydantic import BaseModel, ConfigDict, ValidationError

from evals.aggbench.folder import ADDED
from evals.aggbench.logic import Logic, Truths, combined
from evals.aggbench.rule import Rule
from evals.aggbench.source import Source

if TYPE_CHECKING:
    from pydantic import JsonValue

__all__ = ("Decider",)


class _Condition(BaseModel):
    """A condition that code decides."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    text: str
    rule: Rule


class _Stated(BaseModel):
    """What of a record code decides again."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    conditions: tuple[_Condition, ...]
    logic: Logic
    answer: frozenset[str]
    borderline_documents: frozenset[str] = frozenset()


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
        try:
            stated = _Stated.model_validate(told)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"])
            yield f"code cannot decide it again: {where}: {first['msg']}"
        else:
            yield from self._decided(stated)

    def _decided(self, stated: _Stated) -> Iterator[str]:
        parts = [self._truths(each.rule) for each in stated.conditions]
        for each, truths in zip(stated.conditions, parts, strict=True):
            leaking = sorted(truths.possible & self.added)
            yield from (f"added document {name!r} may {each.text}" for name in leaking)
        if (stated.logic == "single") != (len(parts) == 1):
            yield f"its logic is {stated.logic!r}, of {len(parts)} conditions"
        whole = combined(stated.logic, parts)
        yield from _differing("answer", stated.answer, whole.satisfied)
        yield from _differing("borderline", stated.borderline_documents, whole.doubted)

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
