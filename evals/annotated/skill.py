"""How skilled a simulated model is: an error rate, and the seed of its errors."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from pydantic import Field

from agent.errors import SettingsError
from agent.evidence import Passage
from agent.prompt_values import JudgeValues
from agent.question import Condition, Grain
from agent.reasoner import Prompt
from agent.replies import ChunkReply, EvidenceReply, JudgeReply
from agent.value import Value
from evals.annotated.proof import quoted
from tools.corpus.chunking.chunker import sentences

PREFIX: Final = "skill:"
_MISSES_A_FALSE_ALARM: Final = 50
"""Of a careful reader of contracts who was shown passages without labels, document precision was
.98 at a recall of .87: a false alarm a passage is rarer than a miss by about this factor."""
_MISSES_A_SLIP: Final = 10


class Skill(Value):
    """An error rate in [0, 1]; at nil a reader makes no mistake."""

    rate: float = Field(default=0.0, ge=0, le=1)
    """Of the conditions and values that a passage states, those that are not seen; of the filter
    calls, queries and verdicts on filter calls, those that are bad."""
    seed: int = 0

    @property
    def false_alarms(self) -> float:
        """Of the conditions that a passage does not state, those that are taken for stated."""
        return self.rate / _MISSES_A_FALSE_ALARM

    @property
    def slips(self) -> float:
        """Of the items counted in a reply, those that are passed over or counted twice."""
        return self.rate / _MISSES_A_SLIP

    @property
    def name(self) -> str:
        """The skill as a reasoner's name: equal skills have equal names."""
        return f"{PREFIX}{self.rate:g},seed={self.seed}" if self.rate else "gold"


def skill_of(name: str, seed: int = 0) -> Skill:
    """Return the skill of a name: `gold` or `skill:0.1`; raises SettingsError: it is neither."""
    try:
        rate = 0.0 if name == "gold" else float(name.removeprefix(PREFIX))
        return Skill(rate=rate, seed=seed)
    except ValueError as error:
        raise SettingsError(
            f"{name!r} names no skill: write skill:0.1 for an error rate of 0.1"
        ) from error


class Chance:
    """Draws that depend on the seed, the prompt's words and the place: the same in every run."""

    def __init__(self, skill: Skill, prompt: Prompt) -> None:
        self.skill = skill
        digest = hashlib.sha256(prompt.text.encode("utf-8", "replace")).hexdigest()
        self._base = f"{skill.seed}\0{prompt.name}\0{digest}"

    def hits(self, rate: float, *place: object) -> bool:
        """Tell whether an error of that rate befalls a place."""
        told = "\0".join([self._base, *map(str, place)])
        digest = hashlib.sha256(told.encode("utf-8", "replace")).digest()
        return int.from_bytes(digest[:8], "big") / 2**64 < rate


_NAME_CHARACTERS = 60


def erring(right: JudgeReply, values: JudgeValues, chance: Chance) -> JudgeReply:
    """Flip verdicts at the skill's rates, each passage and condition for itself.

    A missed condition loses all its evidence in the passage; a false alarm quotes the passage's
    first words and, where things are named, takes the quote's beginning for the name.
    """
    said = {each.passage: each.evidence for each in right.passages}
    found: dict[int, list[EvidenceReply]] = {}
    for number, passage in enumerate(values.passages, start=1):
        found[number] = []
        for condition in values.conditions:
            own = [each for each in said.get(number, ()) if each.condition == condition.id]
            found[number] += _of(condition, own, passage, values.interpretation.grain, chance)
    return judged(found)


def judged(verdicts: Mapping[int, list[EvidenceReply]]) -> JudgeReply:
    """Return the reply that tells of each passage, by number, its evidence."""
    return JudgeReply(
        passages=[
            ChunkReply(passage=number, reason="from the labels", evidence=evidence)
            for number, evidence in verdicts.items()
            if evidence
        ],
        none=[number for number, evidence in verdicts.items() if not evidence],
    )


def _of(
    condition: Condition,
    right: Sequence[EvidenceReply],
    passage: Passage,
    grain: Grain,
    chance: Chance,
) -> Iterator[EvidenceReply]:
    skill = chance.skill
    rate = skill.rate if right else skill.false_alarms
    flipped = chance.hits(rate, "verdict", passage.document, passage.start, condition.id)
    if not flipped:
        for at, entry in enumerate(right):
            place = ("value", passage.document, passage.start, condition.id, at)
            unread = entry.value is not None and chance.hits(skill.rate, *place)
            yield entry.model_copy(update={"value": None, "unit": None}) if unread else entry
    elif not right:
        quote = quoted(passage.text, *next(iter(sentences(passage.text)), (0, 400)))
        if quote:
            yield EvidenceReply(
                condition=condition.id,
                entity="" if grain == "document" else quote[:_NAME_CHARACTERS],
                quote=quote,
                certainty="certain",
            )
