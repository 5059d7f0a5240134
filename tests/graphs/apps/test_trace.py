from hypothesis import given
from hypothesis import strategies as st

from agent.cost import Cost
from agent.coverage import Coverage
from graphs.apps.in_words import call_text
from graphs.apps.trace import event_text


def test_judging_tells_how_far_it_is_and_what_it_cost():
    coverage, stopped = Coverage(judged=8, unseen=2), "calls (limit 3)"
    update = {"coverage": coverage, "cost": Cost(model_calls=3), "stopped": stopped}
    said = event_text({"kind": "update", "node": "judge", "update": update})
    assert said == "judge: 8 chunks judged, 2 to go, 0 matched, 3 calls; stopped: calls (limit 3)"


@given(st.dictionaries(st.text(), st.recursive(st.none() | st.text() | st.integers(), st.lists)))
def test_any_arguments_that_a_model_invents_can_be_told(arguments: dict[str, object]):
    assert call_text("tool", arguments).startswith("tool")
