import pytest

from agent.errors import SettingsError
from agent.evidence import Passage
from agent.prompt_values import JudgeValues
from agent.question import Condition, Interpretation
from agent.reasoner import Prompt, PromptValues
from agent.replies import ChunkReply, EvidenceReply, JudgeReply
from evals.annotated.skill import Chance, Skill, erring, skill_of


@pytest.mark.parametrize(("name", "rate"), [("gold", 0.0), ("skill:0", 0.0), ("skill:0.2", 0.2)])
def test_a_name_tells_the_skill(name: str, rate: float) -> None:
    assert skill_of(name, 7) == Skill(rate=rate, seed=7)


@pytest.mark.parametrize("name", ["skill:", "skill:much", "skill:2", "skill:0.1,0.2", "rules"])
def test_what_names_no_skill_is_refused(name: str) -> None:
    with pytest.raises(SettingsError, match=r"write skill:0\.1"):
        skill_of(name)


C1, C2 = Condition(id="c1", text="states the deposit"), Condition(id="c2", text="is void")
PASSAGES = tuple(
    Passage(
        chunk=at, document=f"d{at}", title="", start=0, text="The deposit is 5 pounds. More.",
    )
    for at in range(400)
)  # fmt: skip
EVIDENCE = EvidenceReply(
    condition="c1", quote="deposit is 5", certainty="certain", value=5.0, unit="pounds"
)
RIGHT = JudgeReply(
    passages=[
        ChunkReply(passage=at, reason="", evidence=[EVIDENCE]) for at in range(1, len(PASSAGES) + 1)
    ],
    none=[],
)


def _erring(skill: Skill, grain: str = "document") -> list[EvidenceReply]:
    chance = Chance(skill, Prompt(name="judge", digest="", text="t", values=PromptValues()))
    reading = Interpretation.model_validate({"text": "?", "entity_type": "lease", "grain": grain})
    asked = JudgeValues(
        question="?", interpretation=reading, conditions=(C1, C2), passages=PASSAGES
    )
    reply = erring(RIGHT, asked, chance)
    numbers = [*reply.none, *(each.passage for each in reply.passages)]
    assert sorted(numbers) == [*range(1, len(PASSAGES) + 1)]
    return [entry for each in reply.passages for entry in each.evidence]


@pytest.mark.parametrize("rate", [0.1, 0.6])
def test_misses_leave_nothing_of_a_condition(rate: float) -> None:
    found = [each for each in _erring(Skill(rate=rate)) if each.condition == "c1"]
    unread = EVIDENCE.model_copy(update={"value": None, "unit": None})
    assert 1 - len(found) / len(PASSAGES) == pytest.approx(rate, abs=0.06)
    assert all(each in (EVIDENCE, unread) for each in found)
    assert found.count(unread) / len(found) == pytest.approx(rate, abs=0.06)


@pytest.mark.parametrize(
    ("grain", "entity"), [("document", ""), ("entity", "The deposit is 5 pounds.")]
)
def test_a_false_alarm_quotes_what_stands_there(grain: str, entity: str) -> None:
    alarms = _erring(Skill(rate=1.0), grain)
    assert 0 < len(alarms) / len(PASSAGES) < 0.05
    assert {(each.condition, each.quote, each.entity) for each in alarms} == {
        ("c2", "The deposit is 5 pounds.", entity)
    }
