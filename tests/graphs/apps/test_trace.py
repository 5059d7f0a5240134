import io

from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from agent.cost import Cost
from agent.coverage import Coverage
from agent.history import Step
from agent.reasoner import ToolCall
from graphs.apps.in_words import call_text
from graphs.apps.trace import Trace, event_text
from graphs.runs.run_session import Event


def _step(**given: object) -> Step:
    call = ToolCall(tool="keywords", arguments={"words": ["dog"], "at_least": None})
    base = {"round": 1, "call": call, "before": "a", "after": "b", "kept": 4, "discarded": 6}
    return Step.model_validate(base | given)


def _judged(judged: int, **given: object) -> Event:
    update = {"coverage": Coverage(judged=judged, unseen=2), "cost": Cost(model_calls=3), **given}
    return {"kind": "update", "node": "judge", "update": update}


def test_judging_tells_how_far_it_is_and_what_it_cost():
    said = event_text(_judged(8, stopped="calls (limit 3)"))
    assert said == "judge: 8 chunks judged, 2 to go, 0 matched, 3 calls; stopped: calls (limit 3)"


@given(st.dictionaries(st.text(), st.recursive(st.none() | st.text() | st.integers(), st.lists)))
def test_any_arguments_that_a_model_invents_can_be_told(arguments: dict[str, object]):
    assert call_text("tool", arguments).startswith("tool")


def _chosen(round_: int) -> Event:
    return {"kind": "update", "node": "feedback", "update": {"history": (_step(kept=round_),)}}


def _traced(*, terminal: bool, waves: int = 9) -> str:
    file = io.StringIO()
    console = Console(file=file, force_terminal=terminal, width=80, color_system=None)
    with Trace(console) as trace:
        for number in range(1, waves + 1):
            trace.show(_chosen(number))
            trace.show(_judged(number))
    return file.getvalue()


def test_a_terminal_renews_the_lines_of_reading():
    shown = _traced(terminal=True)
    assert shown.count("\x1b[1A\x1b[2K") == 1 + 2 * 16
    assert "feedback: 9 of 15 chunks" in shown.rsplit("\x1b[2K", 1)[1]
    assert "judge: 9 chunks judged" in shown.rsplit("\x1b[2K", 1)[1]


def test_a_pipe_gets_the_first_round_some_waves_and_the_last():
    told = [line.split()[:2] for line in _traced(terminal=False).splitlines()]
    waves = [number for name, number in told if name == "judge:"]
    rounds = [number for name, number in told if name == "feedback:"]
    assert waves == rounds == ["1", "2", "4", "8", "9"]
