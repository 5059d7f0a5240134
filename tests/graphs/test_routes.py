"""Why filtering ends: each reason, and what does not end it."""

import pytest

from agent.history import Step
from agent.policy import Policy
from agent.reasoner import ToolCall
from agent.state import State
from graphs.routes import end_of_filtering

POLICY = Policy(few_candidates=60, max_rounds=4, max_idle_rounds=2)


def _step(tool: str = "keywords", *, before: str = "all", after: str = "a", **told: object) -> Step:
    call = ToolCall(tool=tool, arguments={"n": str(told)})
    given = {"round": 1, "call": call, "before": before, "after": after, "verdict": "keep"} | told
    return Step.model_validate(given)


def _end(*steps: Step, stopped: str = "") -> str:
    return end_of_filtering(State(question="How many?", history=steps, stopped=stopped), POLICY)


@pytest.mark.parametrize(
    ("steps", "reason"),
    [
        pytest.param([_step(verdict="enough", why="all found")], "all found", id="verdict"),
        pytest.param([_step(kept=500)] * 4, "limit: 4 rounds", id="rounds"),
        pytest.param(
            [_step(kept=500), _step(verdict="again"), _step(refused="no", verdict="again")],
            "limit: 2 rounds without progress",
            id="no progress",
        ),
        pytest.param(
            [_step(kept=500), _step(before="a", after="b", kept=41)],
            "candidate budget: 41 candidates are few enough to read them all",
            id="a refinement within the candidate budget",
        ),
        pytest.param(
            [_step(kept=9), _step("union", before="b", after="c", kept=60)],
            "candidate budget: 60 candidates are few enough to read them all",
            id="a union within the candidate budget",
        ),
        pytest.param([], "", id="nothing done yet"),
        pytest.param([_step("metadata", kept=9)], "", id="fields decided by code"),
        pytest.param([_step(kept=9)], "", id="what may be one branch of a union"),
        pytest.param(
            [_step(kept=9), _step("rollback", before="a", after="all", kept=9)], "", id="a way back"
        ),
        pytest.param(
            [_step(kept=500), _step(before="a", after="b", kept=9, verdict="again")],
            "",
            id="a refinement that was undone",
        ),
        pytest.param(
            [_step(kept=500), _step(before="a", after="b", kept=61)],
            "",
            id="one candidate too many",
        ),
    ],
)
def test_filtering_ends_and_says_why_or_goes_on(steps: list[Step], reason: str) -> None:
    assert _end(*steps) == reason


def test_a_limit_that_was_reached_ends_filtering() -> None:
    assert _end(stopped="8 calls") == "limit: 8 calls"
