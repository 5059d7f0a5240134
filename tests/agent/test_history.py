from agent.history import Step, render
from agent.reasoner import ToolCall


def step(number: int, **told: object) -> Step:
    call = ToolCall(tool="keywords", arguments={"words": ["rust", "wear"], "match": "any"})
    given = {"call": call, "before": "a1", "after": "b2", "kept": 30, "discarded": 70, **told}
    return Step.model_validate({"round": number, **given})


def test_older_rounds_shrink_to_a_line_when_room_is_short() -> None:
    history = [
        step(1, verdict="again", why="w" * 300),
        step(2, refused="r" * 300),
        step(3, summary="s" * 300),
        step(4, verdict="keep", why="The newest."),
    ]
    lines = render(history, characters=250).splitlines()
    assert lines[:3] == [
        "round 1: keywords: kept 30, discarded 70, again",
        "round 2: keywords: refused, not judged",
        "round 3: keywords: kept 30, discarded 70, not judged",
    ]
    assert lines[3].startswith("round 4: keywords(words=")
    assert lines[-1] == "  verdict: keep. The newest."
