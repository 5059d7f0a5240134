"""How skilled a simulated model is: an error rate a task, and the seed of its errors."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Final

from pydantic import Field

from agent.errors import SettingsError
from agent.evidence import Passage
from agent.prompt_values import JudgeValues
from agent.question import Condition, Grain
from agent.replies import ChunkReply, EvidenceReply, JudgeReply
from agent.value import Value
from evals.annotated.proof import NAME_CHARACTERS, quoted
from tools.corpus.chunking.chunker import sentences

PREFIX: Final = "skill:"
_MISSES_A_FALSE_ALARM: Final = 50
_MISSES_A_SLIP: Final = 10


class Skill(Value):
    """Error rates in [0, 1]; all nil is a reader who makes no mistake.

    Two were measured, by lawyers' labels, of careful readers of contracts who saw none. Of 60, read
    in requests of this product, they found .87 of the labelled documents and .02 of the others,
    taken as misses of .13 a condition and, at ten passages a document, false alarms of .002. Of 24,
    every passage asked by itself, the rates are those of `tests/evals/test_rates_as_read.py`; half
    of these alarms were in the quarter of the passages likest to the question, where here each is
    as likely anywhere. Of all other tasks no rate was measured: it is assumed to be that of misses,
    of `counting` a tenth; sweep it.
    """

    seed: int = 0
    misses: float = Field(default=0.0, ge=0, le=1)
    """Of the conditions that a passage states, those that are not seen."""
    false_alarms: float = Field(default=0.0, ge=0, le=1)
    """Of the conditions that a passage does not state, those that are taken for stated."""
    searching: float = Field(default=0.0, ge=0, le=1)
    """Of the filter calls and queries, those that are bad; of the conditions, those of which no
    words to search for are told."""
    observing: float = Field(default=0.0, ge=0, le=1)
    """Of the verdicts on filter calls, those that are wrong."""
    extraction: float = Field(default=0.0, ge=0, le=1)
    """Of the values and measured numbers that a text states, those that are not seen."""
    counting: float = Field(default=0.0, ge=0, le=1)
    """Of the items counted in a reply, those that are passed over or counted twice."""

    @classmethod
    def overall(cls, rate: float) -> "Skill":
        """Return the skill with one rate for every task, and less of the rarer errors."""
        return cls(
            misses=rate,
            false_alarms=rate / _MISSES_A_FALSE_ALARM,
            searching=rate,
            observing=rate,
            extraction=rate,
            counting=rate / _MISSES_A_SLIP,
        )

    @property
    def name(self) -> str:
        """The skill as a reasoner's name: equal skills have equal names."""
        told = ",".join(
            f"{task}={value:g}"
            for task, value in self.model_dump(exclude_defaults=True).items()
            if task != "seed"
        )
        return f"{PREFIX}{told},seed={self.seed}" if told else "gold"


def skill_of(name: str) -> Skill:
    """Return the skill of a name: `gold`, `skill:0.1`, `skill:0.1,misses=0.3,seed=7`.

    A rate without a task is that of all tasks; the others then differ from it.

    Raises SettingsError: it is none of these.
    """
    if name == "gold":
        return Skill()
    given = [each.strip() for each in name.removeprefix(PREFIX).split(",")]
    rates = dict(each.split("=", 1) for each in given if "=" in each)
    overall = [each for each in given if "=" not in each]
    if name.startswith(PREFIX) and len(overall) <= 1:
        with suppress(ValueError):
            base = Skill.overall(float(overall[0])) if overall else Skill()
            return Skill.model_validate({**base.model_dump(), **rates})
    tasks = ", ".join(each for each in Skill.model_fields if each != "seed")
    raise SettingsError(
        f"{name!r} names no skill: write skill:0.1 for an error rate of 0.1 in every task, and "
        f"for single ones skill:0.1,misses=0.3,seed=7; the tasks are {tasks}"
    )


class Chance:
    """Draws by seed, question, task and place, never by a prompt's words: in any batch the same.

    The errors of a lower rate are among those of a higher one.
    """

    def __init__(self, skill: Skill, question: str) -> None:
        self.skill = skill
        self._base = f"{skill.seed}\0{question}"

    def hits(self, rate: float, task: str, *place: object) -> bool:
        """Tell whether an error of that rate befalls a task at a place."""
        told = "\0".join([self._base, task, *map(str, place)])
        digest = hashlib.sha256(told.encode("utf-8", "replace")).digest()
        return int.from_bytes(digest[:8], "big") / 2**64 < rate


def erring(right: JudgeReply, values: JudgeValues, chance: Chance) -> JudgeReply:
    """Flip verdicts at the skill's rates, each passage and condition for itself.

    A missed condition loses all its evidence in the passage; a false alarm quotes the passage's
    first words and, where things are named, takes the quote's beginning for the name. A measured
    number is not seen at the rate of extraction. What was seen is seen again in a note's quote.
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
    rate = skill.misses if right else skill.false_alarms
    start = passage.start + (passage.text.index(right[0].quote) if right else 0)
    place = (passage.document, start, condition.text)
    flipped = chance.hits(rate, "verdict", *place)
    if not flipped:
        for entry in right:
            unread = entry.value is not None and chance.hits(skill.extraction, "value", *place)
            yield entry.model_copy(update={"value": None, "unit": None}) if unread else entry
    elif not right:
        quote = quoted(passage.text, *next(iter(sentences(passage.text)), (0, 400)))
        if quote:
            yield EvidenceReply(
                condition=condition.id,
                entity="" if grain == "document" else quote[:NAME_CHARACTERS],
                quote=quote,
                certainty="certain",
            )
