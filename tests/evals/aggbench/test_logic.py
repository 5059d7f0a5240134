from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from evals.aggbench.rules import Logic, Truths, combined

ENTITIES = "abc"
TRUTH = st.fixed_dictionaries({each: st.sampled_from(["yes", "no", "maybe"]) for each in ENTITIES})
LOGIC: st.SearchStrategy[Logic] = st.sampled_from(["AND", "OR"])


@given(st.lists(TRUTH, min_size=1, max_size=3), LOGIC)
def test_an_entity_is_in_doubt_where_the_doubts_decide(
    parts: list[dict[str, str]], logic: Logic
) -> None:
    told = [
        Truths(
            frozenset(each for each in ENTITIES if part[each] == "yes"),
            frozenset(each for each in ENTITIES if part[each] == "maybe"),
        )
        for part in parts
    ]
    whole = combined(logic, told)
    join = all if logic == "AND" else any
    for each in ENTITIES:
        ways = product(
            *([True, False] if part[each] == "maybe" else [part[each] == "yes"] for part in parts)
        )
        outcomes = {join(way) for way in ways}
        assert (each in whole.satisfied) == (outcomes == {True})
        assert (each in whole.doubted) == (len(outcomes) == 2)
