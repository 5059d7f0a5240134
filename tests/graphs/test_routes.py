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


STEPS = {
    "verdict": ([_step(verdict="enough", why="all found")], "all found"),
    "rounds": ([_step(kept=500)] * 4, "limit: 4 rounds"),
    "no progress": (
        [_step(kept=500), _step(verdict="again"), _step(refused="no", verdict="again")],
        "limit: 2 rounds without progress",
    ),
    "a refinement within the candidate budget": (
        [_step(kept=500), _step(before="a", after="b", kept=41)],
        "candidate budget: 41 candidates are few enough to read them all",
    ),
    "a union within the candidate budget": (
        [_step(kept=9), _step("union", before="b", after="c", kept=60)],
        "candidate budget: 60 candidates are few enough to read them all",
    ),
    "nothing done yet": ([], ""),
    "fields decided by code": ([_step("metadata", kept=9)], ""),
    "what may be one branch of a union": ([_step(kept=9)], ""),
    "a way back": ([_step(kept=9), _step("rollback", before="a", after="all", kept=9)], ""),
    "a refinement that was undone": (
        [_step(kept=500), _step(before="a", after="b", kept=9, verdict="again")],
        "",
    ),
    "one candidate too many": ([_step(kept=500), _step(before="a", after="b", kept=61)], ""),
}


@pytest.mark.parametrize(("steps", "reason"), STEPS.values(), ids=STEPS)
def test_filtering_ends_and_says_why_or_goes_on(steps: list[Step], reason: str) -> None:
    assert _end(*steps) == reason


def test_a_limit_that_was_reached_ends_filtering() -> None:
    assert _end(stopped="8 calls") == "limit: 8 calls"
