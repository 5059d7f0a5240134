"""A reader that knows what was drawn: querying is seen apart from reading."""

import math
from collections.abc import Mapping, Sequence
from typing import TypeVar

from pydantic import BaseModel

from agent.prompt_values import ExtractValues
from agent.reasoner import Prompt, Reasoner
from agent.reasoners.stand_in import StandIn
from agent.records.record import Cell, Record, Refusal
from agent.records.record_replies import CellReply, ExtractReply, RecordReply

__all__ = ("DrawnReader",)

R = TypeVar("R", bound=BaseModel)
_CHARACTERS_PER_TOKEN = 4


class DrawnReader(StandIn):
    """Reads records from the drawn ones, as written and quoted; another answers all else.

    It copies values as the document has them, so that they are normalised like any reader's; only
    yes and no, which sentences say in their own words, it names. Its cost is what a model would
    have been sent.
    """

    def __init__(self, inner: Reasoner, drawn: Mapping[str, Record]) -> None:
        """Read the documents whose records are given by the documents' names."""
        super().__init__(
            inner, tokens=_tokens, forms=False, context_tokens=128_000, reply_tokens=16_000
        )
        self._drawn = drawn

    @property
    def name(self) -> str:
        """Say who read."""
        return "drawn"

    def _answered(self, prompt: Prompt, reply: type[R]) -> R:
        """Read from what was drawn, or pass the prompt on."""
        if prompt.name == "extract":
            return reply.model_validate(self._read(prompt).model_dump())
        if prompt.name == "extract-repair":
            return reply.model_validate(
                _unmended(prompt.values_as(ExtractValues).refused).model_dump()
            )
        return self._inner.ask(prompt, reply)

    def _read(self, prompt: Prompt) -> ExtractReply:
        """Return the record with the cells that stand in the part and in the schema."""
        values = prompt.values_as(ExtractValues)
        record = self._drawn.get(values.document)
        kinds = {each.name: each for each in values.kinds}
        if record is None or record.kind not in kinds:
            return ExtractReply(records=[])
        start = values.start
        end = start + len(values.text)
        cells = [
            _told(cell)
            for cell in record.cells
            if start <= (cell.start or 0) < end and kinds[record.kind].attribute(cell.attribute)
        ]
        told = RecordReply(kind=record.kind, label=record.label, cells=cells)
        return ExtractReply(records=[told])


def _told(cell: Cell) -> CellReply:
    said = {True: "yes", False: "no"}.get(cell.value) if isinstance(cell.value, bool) else None
    value = cell.original if said is None else said
    return CellReply(attribute=cell.attribute, value=value, unit=None, quote=cell.quote)


def _unmended(refused: Sequence[Refusal]) -> ExtractReply:
    """Return no other values: what is written stays as it is."""
    numbers = sorted({each.record for each in refused})
    kinds = {each.record: each.kind for each in refused}
    empty = [RecordReply(kind=kinds[number], label="", cells=[]) for number in numbers]
    return ExtractReply(records=empty)


def _tokens(text: str) -> int:
    return math.ceil(len(text) / _CHARACTERS_PER_TOKEN)
