import pytest

from agent.errors import SettingsError
from evals.aggbench.building import Band, Proximity, expand, lasting, proximities
from evals.aggbench.queries import Query
from evals.aggbench.rules import MentionRule, Noun, Truths, annotate_by_rule, by_rule
from evals.aggbench.sources import Source

BIRD, TOOL = (by_rule(MentionRule(term=each), Noun()) for each in ("bird", "tool"))


def stranger(number: int) -> Source:
    return Source(f"s{number:02}", "A bird." if number < 10 else "A tool." if number == 10 else "-")


STRANGERS = [stranger(number) for number in range(40)]
FOUND = [each for part in (BIRD, TOOL) for each in annotate_by_rule(part, STRANGERS)]


def scored(**scores: float) -> Proximity:
    return Proximity(scores, Band(2, 8))


def test_documents_outside_the_band_are_left_out() -> None:
    found = expand(scored(a=1, b=2, c=8, d=9), [], [])
    assert set(found.scores) == {"b", "c"}
    assert found.outside == 2


def test_a_condition_that_many_satisfy_is_generic_and_a_document_that_satisfies_another_leaks() -> (
    None
):
    near = Proximity({each.name: 5.0 for each in STRANGERS}, Band(2, 8))
    found = expand(near, [BIRD, TOOL], FOUND)
    assert found.generic == (BIRD.id,)
    assert found.leaking == {"s10": (TOOL.id,)}
    assert len(found.scores) == 39


def test_a_question_with_a_generic_condition_does_not_last() -> None:
    truths = Truths(frozenset("a"))
    queries = {
        1: Query((BIRD,), "single", truths),
        2: Query((TOOL,), "single", truths),
        3: Query((BIRD, TOOL), "OR", truths),
    }
    assert set(lasting(queries, [BIRD.id])) == {2}


def test_a_band_without_documents_is_an_error() -> None:
    with pytest.raises(SettingsError, match="choose another --band"):
        expand(scored(a=1), [], [])


def test_nearer_texts_score_higher_however_long_they_are() -> None:
    core = [
        Source("one", "The falcon hunts small rodents over open fields at dusk."),
        Source("two", "Sailors mend the nets before the boats leave at dawn."),
        Source("three", "A baker kneads dough and heats the oven every night."),
    ]
    near = Source("near", "A falcon that hunts rodents at dusk.")
    far = Source("far", "Numbers are added, then divided. " * 400)
    scores = proximities(core, [near, far]).scores
    assert scores["near"] > scores["far"]
