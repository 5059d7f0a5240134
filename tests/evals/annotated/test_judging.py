import pytest

from agent.evidence import Passage
from agent.question import Condition
from agent.reasoner import Prompt, PromptValues
from agent.replies import ChunkReply, EvidenceReply, JudgeReply
from evals.annotated.skill import Chance, Skill, erring

C1, C2 = Condition(id="c1", text="states the deposit"), Condition(id="c2", text="is void")
PASSAGES = tuple(
    Passage(
        chunk=at, document=f"d{at}", title="", start=0, text="The deposit is 5 pounds. More.",
    )
    for at in range(400)
)  # fmt: skip
EVIDENCE = EvidenceReply(
    condition="c1", entity="", quote="deposit is 5", certainty="certain", value=5.0, unit="pounds"
)
RIGHT = JudgeReply(
    passages=[
        ChunkReply(passage=at, reason="", evidence=[EVIDENCE]) for at in range(1, len(PASSAGES) + 1)
    ],
    none=[],
)


def _erring(skill: Skill, grain: str = "document") -> list[EvidenceReply]:
    chance = Chance(skill, Prompt(name="judge", digest="", text="t", values=PromptValues()))
    reply = erring(RIGHT, PASSAGES, (C1, C2), grain, skill, chance)  # type: ignore[arg-type]
    numbers = [*reply.none, *(each.passage for each in reply.passages)]
    assert sorted(numbers) == [*range(1, len(PASSAGES) + 1)]
    return [entry for each in reply.passages for entry in each.evidence]


def test_a_faultless_reader_changes_nothing() -> None:
    assert _erring(Skill()) == [EVIDENCE] * len(PASSAGES)


@pytest.mark.parametrize("rate", [0.1, 0.6])
def test_misses_leave_nothing_of_a_condition(rate: float) -> None:
    found = _erring(Skill(misses=rate))
    assert set(map(repr, found)) == {repr(EVIDENCE)}
    assert 1 - len(found) / len(PASSAGES) == pytest.approx(rate, abs=0.06)


@pytest.mark.parametrize(
    ("grain", "entity"), [("document", ""), ("entity", "The deposit is 5 pounds.")]
)
def test_a_false_alarm_quotes_what_stands_there(grain: str, entity: str) -> None:
    alarms = [each for each in _erring(Skill(false_alarms=0.2), grain) if each.condition == "c2"]
    assert len(alarms) / len(PASSAGES) == pytest.approx(0.2, abs=0.06)
    assert {(each.quote, each.entity) for each in alarms} == {("The deposit is 5 pounds.", entity)}


def test_a_number_is_not_seen_at_the_rate_of_extraction() -> None:
    found = _erring(Skill(extraction=0.3))
    unread = [each for each in found if each.value is None]
    assert len(found) == len(PASSAGES)
    assert len(unread) / len(found) == pytest.approx(0.3, abs=0.06)
    assert all(each.unit is None for each in unread)
