"""Erring verdicts: a right reply about passages with some of it missed and some made up."""

from collections.abc import Iterator, Sequence

from agent.evidence import Passage
from agent.question import Condition, Grain
from agent.replies import ChunkReply, EvidenceReply, JudgeReply
from evals.annotated.proof import quoted
from evals.annotated.rates import Chance, Skill

__all__ = ("erring",)

_NAME_CHARACTERS = 60


def erring(
    right: JudgeReply,
    passages: Sequence[Passage],
    conditions: Sequence[Condition],
    grain: Grain,
    skill: Skill,
    chance: Chance,
) -> JudgeReply:
    """Flip verdicts at the skill's rates, each passage and condition for itself.

    A missed condition loses all its evidence in the passage; a false alarm quotes the passage's
    first words and, where things are named, takes the quote's beginning for the name. A measured
    number is not seen at the rate of extraction. A passage that fades among the others is taken to
    state nothing.
    """
    said = {each.passage: each.evidence for each in right.passages}
    unread = set(_faded(passages, skill, chance))
    found = {
        number: [
            entry
            for condition in conditions
            if number not in unread
            for entry in _of(
                condition, [e for e in said.get(number, ()) if e.condition == condition.id],
                passage, grain, skill, chance,
            )
        ]
        for number, passage in enumerate(passages, start=1)
    }  # fmt: skip
    return JudgeReply(
        passages=[
            ChunkReply(passage=number, reason="from the labels", evidence=evidence)
            for number, evidence in found.items()
            if evidence
        ],
        none=[number for number, evidence in found.items() if not evidence],
    )


def _faded(passages: Sequence[Passage], skill: Skill, chance: Chance) -> Iterator[int]:
    """Yield the numbers of the passages that are passed over unread."""
    for place, each in enumerate(passages):
        rate = skill.faded(place, len(passages))
        if chance.hits(rate, "faded", each.document, each.start):
            yield place + 1


def _of(
    condition: Condition,
    right: Sequence[EvidenceReply],
    passage: Passage,
    grain: Grain,
    skill: Skill,
    chance: Chance,
) -> Iterator[EvidenceReply]:
    rate = skill.misses if right else skill.false_alarms
    flipped = chance.hits(rate, "verdict", passage.document, passage.start, condition.id)
    if not flipped:
        for at, entry in enumerate(right):
            place = ("value", passage.document, passage.start, condition.id, at)
            unread = entry.value is not None and chance.hits(skill.extraction, *place)
            yield entry.model_copy(update={"value": None, "unit": None}) if unread else entry
    elif not right:
        quote = quoted(passage.text, *(passage.sentences[0] if passage.sentences else (0, 400)))
        if quote:
            yield EvidenceReply(
                condition=condition.id,
                entity="" if grain == "document" else quote[:_NAME_CHARACTERS],
                quote=quote,
                certainty="certain",
                value=None,
                unit=None,
            )
