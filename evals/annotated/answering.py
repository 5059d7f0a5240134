"""Replies that answer: from passages, from nothing, from notes; and notes themselves."""

from collections.abc import Mapping, Sequence
from typing import Final

from agent.evidence import Evidence, Passage
from agent.reasoner import Prompt
from agent.replies import QuotedReply
from evals.annotated.rates import Chance, Skill
from evals.annotated.reading import Reader
from evals.baselines.combining import Combined, Stated
from evals.baselines.prompts.answering import BaselineValues
from evals.baselines.replies import (
    AnswerReply,
    ItemReply,
    MergedReply,
    MergeReply,
    NoteReply,
)

__all__ = ("PRIOR", "Answering")

PRIOR: Final = 10.0
"""What is guessed of a count that nothing is known of: the middle, in magnitude, of 1 to 100."""
_WHY: Final = "from the labels of what was shown"


class Answering:
    """Forms the replies to the prompts of `evals.baselines.prompts.answering`."""

    def __init__(self, reader: Reader, skill: Skill) -> None:
        self._reader = reader
        self._skill = skill

    def answer(self, prompt: Prompt) -> AnswerReply:
        """Answer from the passages shown; without any, guess."""
        if prompt.values_as(BaselineValues).passages is None:
            counted = self._reader.unaided.operation == "count"
            return AnswerReply(
                reason="a guess", items=[], value=PRIOR if counted else None, unit=None
            )
        shown, chance = _passages(prompt), Chance(self._skill, prompt)
        stated = self._reader.stated(shown, chance)
        found = self._reader.together(stated, shown)
        return AnswerReply(
            reason=_WHY,
            items=[self._item(name, told, shown) for name, told in found.items.items()],
            value=self._value(found, chance),
            unit=found.computed.unit,
        )

    def note(self, prompt: Prompt) -> NoteReply:
        """Note whatever the passages state of any condition, and what to search for next."""
        shown, chance = _passages(prompt), Chance(self._skill, prompt)
        told: dict[str, list[Stated]] = {}
        for each in self._reader.stated(shown, chance):
            told.setdefault(each.name, []).append(each)
        notes = prompt.values_as(BaselineValues).notes
        known = {each.quote for note in notes for each in note.evidence}
        new = {
            name: [each for each in found if each.quote not in known]
            for name, found in told.items()
        }
        tried = prompt.values_as(BaselineValues).queries
        return NoteReply(
            items=[self._item(name, found, shown) for name, found in new.items() if found],
            query=self._reader.next_query(tried, chance),
        )

    def merge(self, prompt: Prompt) -> MergeReply:
        """Answer from the quotes of notes, read as passages."""
        notes = prompt.values_as(BaselineValues).notes
        chance = Chance(self._skill, prompt)
        quotes = [
            (number, quote) for number, note in enumerate(notes, start=1) for quote in note.evidence
        ]
        shown = tuple(_as_passage(quote) for _, quote in quotes)
        found = self._reader.together(self._reader.stated(shown, chance), shown)
        return MergeReply(
            reason=_WHY,
            items=[
                MergedReply(
                    name=self._shown(name),
                    notes=list(dict.fromkeys(quotes[each.passage - 1][0] for each in told)),
                )
                for name, told in found.items.items()
            ],
            value=self._value(found, chance),
            unit=found.computed.unit,
        )

    def _item(self, name: str, told: Sequence[Stated], shown: Sequence[Passage]) -> ItemReply:
        """Return an item with its quotes; a document that states nothing is shown by a passage."""
        evidence = [QuotedReply(passage=each.passage, quote=each.quote) for each in told]
        if not evidence:
            place = next(at for at, each in enumerate(shown, start=1) if each.document == name)
            evidence = [QuotedReply(passage=place, quote="")]
        return ItemReply(name=self._shown(name), evidence=evidence)

    def _shown(self, name: str) -> str:
        """Return a document's title, as a prompt shows it; other names as they are."""
        if self._reader.unaided.grain != "document":
            return name
        corpus = self._reader.corpus
        return corpus.titles[corpus.document_index(name)]

    def _value(self, found: Combined, chance: Chance) -> float | None:
        value = found.computed.value
        if isinstance(value, Mapping) or value is None:
            return None
        if self._reader.unaided.operation == "count":
            return float(value) + sum(self._slip(name, chance) for name in found.items)
        return None if self._reader.unaided.operation == "list" else float(value)

    def _slip(self, name: str, chance: Chance) -> int:
        """Return -1 where an item is passed over in counting, 1 where it is counted twice."""
        if not chance.hits(self._skill.counting, "count", name):
            return 0
        return -1 if chance.hits(0.5, "slip", name) else 1


def _as_passage(quote: Evidence) -> Passage:
    return Passage(
        chunk=-1,
        document=quote.document,
        title=quote.document,
        start=quote.start,
        text=quote.quote,
    )


def _passages(prompt: Prompt) -> Sequence[Passage]:
    return prompt.values_as(BaselineValues).shown
