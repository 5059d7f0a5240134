import pytest

from agent.errors import SettingsError
from agent.reasoner import Prompt, PromptValues
from evals.annotated import Skill, skill_of
from evals.annotated.skill import LOST_IN_THE_MIDDLE, Chance


def _prompt(text: str, name: str = "judge") -> Prompt:
    return Prompt(name=name, digest="", text=text, values=PromptValues())


@pytest.mark.parametrize(
    ("name", "skill"),
    [
        ("gold", Skill()),
        ("skill:0", Skill()),
        ("skill:0.2", Skill.overall(0.2)),
        ("skill:0.2,seed=7", Skill.overall(0.2, seed=7)),
        ("skill:misses=0.3", Skill(misses=0.3)),
        (
            "skill:0.2, misses=0.5",
            Skill(misses=0.5, false_alarms=0.004, searching=0.2, extraction=0.2, counting=0.02),
        ),
        (
            "skill:misses=0.1,lost-in-the-middle",
            Skill(misses=0.1, fading=LOST_IN_THE_MIDDLE),
        ),
        ("skill:lost-in-the-middle,fading=0.1", Skill(fading=0.1)),
    ],
)
def test_a_name_tells_the_skill(name: str, skill: Skill) -> None:
    assert skill_of(name) == skill


@pytest.mark.parametrize("skill", [Skill(), Skill.overall(0.1), Skill(counting=0.5, seed=3)])
def test_a_skill_tells_its_name(skill: Skill) -> None:
    assert skill_of(skill.name) == skill


@pytest.mark.parametrize(
    "name", ["skill:", "skill:much", "skill:2", "skill:0.1,0.2", "skill:luck=0.1", "rules", "0.1"]
)
def test_what_names_no_skill_is_refused(name: str) -> None:
    with pytest.raises(SettingsError, match="the tasks are misses, false_alarms, searching"):
        skill_of(name)


def test_a_passage_fades_with_the_number_around_it_and_least_at_the_edges() -> None:
    fading = Skill(fading=0.3)
    in_the_middle = [fading.faded(n // 2, n) for n in (1, 3, 9, 27, 81)]
    assert in_the_middle[0] == 0.0
    assert in_the_middle == sorted(set(in_the_middle))
    places = [fading.faded(place, 9) for place in range(9)]
    assert places == pytest.approx(places[::-1])
    assert min(places) == places[0] > 0
    assert max(places) == places[4]
    assert Skill.overall(0.3).faded(4, 9) == 0.0


def test_draws_depend_on_seed_prompt_and_place_alone() -> None:
    base = Chance(Skill(), _prompt("a"))
    assert base.draw("x", 1) == Chance(Skill(misses=0.5), _prompt("a")).draw("x", 1)
    others = (
        base.draw("x", 2),
        Chance(Skill(seed=1), _prompt("a")).draw("x", 1),
        Chance(Skill(), _prompt("b")).draw("x", 1),
        Chance(Skill(), _prompt("a", "note")).draw("x", 1),
    )
    assert base.draw("x", 1) not in others


@pytest.mark.parametrize("rate", [0.0, 0.1, 0.5, 1.0])
def test_errors_come_at_their_rate(rate: float) -> None:
    chance = Chance(Skill(), _prompt("a"))
    hits = sum(chance.hits(rate, place) for place in range(5000))
    assert hits / 5000 == pytest.approx(rate, abs=0.02)
