"""Where a chunk or a run stands, in words.

Of a chunk: what ruled it out, who judged it, why there is no verdict. Of a run: how it ended, or
what it waits for.
"""

from collections.abc import Mapping

from agent.coverage import Cause, Change, Standing
from agent.errors import RunError
from graphs.apps.progress import call_text
from graphs.runs.place import RunsPlace
from tools.runs.chunk_story import BY_FIELDS
from tools.runs.store import RunInfo

__all__ = ("cause_text", "change_text", "run_text", "standing_text", "state_text", "step_text")

_RUNS = {"paused": "waiting for a reply", "partial": "limit reached"}

_STATES = {
    "unseen": "not read",
    "reverted": "a candidate again, not read",
    "pruned": "ruled out",
    "yes": "judged, a match",
    "no": "judged, no match",
    "unparsable": "unusable reply",
    "failed": "failed request",
}


def state_text(standing: Standing) -> str:
    """Say the state alone.

    >>> state_text(Standing(state="no", by="reader"))
    'judged, no match'
    """
    return _STATES[standing.state]


def cause_text(standing: Standing, causes: Mapping[int, Cause]) -> str:
    """Say what put a chunk there; empty where nothing did or nothing is recorded.

    >>> cause_text(Standing(state="failed", reason="time-out"), {})
    'time-out'
    """
    if standing.step is not None:
        return step_text(standing.step, causes)
    return f"by {standing.by}" if standing.by else standing.reason


def standing_text(standing: Standing, causes: Mapping[int, Cause]) -> str:
    """Say the state and what put the chunk there.

    >>> standing_text(Standing(state="pruned", step=3), {3: Cause(step=3, tool="bm25",
    ...     arguments={"n": 5})})
    'ruled out: step 3, bm25(n=5)'
    """
    cause = cause_text(standing, causes)
    return f"{state_text(standing)}: {cause}" if cause else state_text(standing)


def change_text(change: Change, causes: Mapping[int, Cause]) -> str:
    """Say one move, and the step during which it was made unless the new state names it."""
    told = standing_text(change.after, causes)
    if change.step is None or change.step == change.after.step:
        return told
    return f"{told} (during {step_text(change.step, causes)})"


def step_text(number: int | None, causes: Mapping[int, Cause]) -> str:
    """Say a step: its number, its call, and whether it was rolled back."""
    if number is None:
        return "outside any recorded step"
    if number == BY_FIELDS:
        return "a field of the document decides"
    cause = causes.get(number)
    if cause is None:
        return f"step {number}"
    undone = ", rolled back later" if cause.undone else ""
    return f"step {number}, {call_text(cause.tool, cause.arguments)}{undone}"


def run_text(info: RunInfo, runs: RunsPlace) -> str:
    """Say how far a run has come: one that was killed had no time to say so itself.

    Args:
        info: the run; a later reading of a question is worked on with the first.
        runs: where the corpus's runs are kept.
    """
    if info.status != "running":
        return _RUNS.get(info.status, info.status)
    try:
        with runs.working_on(info.run.partition(".")[0]):
            return "interrupted"
    except RunError:
        return "running"
