import pytest

from agent.errors import SettingsError
from agent.evidence import Passage
from agent.prompt_values import JudgeValues
from agent.question import Condition, Interpretation
from agent.replies import ChunkReply, EvidenceReply, JudgeReply
from evals.annotated.skill import Chance, Skill, erring, skill_of


@pytest.mark.parametrize(
    ("name", "skill"),
    [
        ("gold", Skill()),
        ("skill:0", Skill()),
        ("skill:0.2", Skill.overall(0.2)),
        ("skill:0.2,seed=7", Skill.overall(0.2).model_copy(update={"seed": 7})),
        ("skill:misses=0.3", Skill(misses=0.3)),
        ("skill:0.2, misses=0.5", Skill.overall(0.2).model_copy(update={"misses": 0.5})),
    ],
)
def test_a_name_tells_the_skill(name: str, skill: Skill) -> None:
    assert skill_of(name) == skill


@pytest.mark.parametrize(
    "name", ["skill:", "skill:much", "skill:2", "skill:0.1,0.2", "skill:luck=0.1", "rules", "0.1"]
)
def test_what_names_no_skill_is_refused(name: str) -> None:
    with pytest.raises(SettingsError, match="the tasks are misses, false_alarms, searching"):
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


def _asked(passages: tuple[Passage, ...], grain: str = "document") -> JudgeValues:
    reading = Interpretation.model_validate({"text": "?", "entity_type": "lease", "grain": grain})
    return JudgeValues(question="?", interpretation=reading, conditions=(C1, C2), passages=passages)


def _erring(skill: Skill, grain: str = "document") -> list[EvidenceReply]:
    chance = Chance(skill, "q1")
    reply = erring(RIGHT, _asked(PASSAGES, grain), chance)
    numbers = [*reply.none, *(each.passage for each in reply.passages)]
    assert sorted(numbers) == [*range(1, len(PASSAGES) + 1)]
    return [entry for each in reply.passages for entry in each.evidence]


def test_a_passage_has_one_verdict_in_any_batch_and_lower_rates_miss_fewer_of_the_same() -> None:
    missed: dict[float, set[int]] = {}
    for rate in (0.1, 0.3):
        chance = Chance(Skill(misses=rate), "q1")
        missed[rate] = {at - 1 for at in erring(RIGHT, _asked(PASSAGES), chance).none}
        one = RIGHT.model_copy(update={"passages": RIGHT.passages[:1]})
        alone = [erring(one, _asked((each,)), chance).none for each in PASSAGES]
        assert missed[rate] == {at for at, none in enumerate(alone) if none}
    assert missed[0.1] < missed[0.3]


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
