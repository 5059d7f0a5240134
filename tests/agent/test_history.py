import re

from hypothesis import given
from hypothesis import strategies as st

from agent.history import Step, render
from agent.reasoner import ToolCall

WORDS = st.text(st.sampled_from("abc ,.-"), max_size=400)


def step(number: int, **told: object) -> Step:
    call = ToolCall(tool="keywords", arguments={"words": ["rust", "wear"], "match": "any"})
    given = {"call": call, "before": "a1", "after": "b2", "kept": 30, "discarded": 70, **told}
    return Step.model_validate({"round": number, **given})


HISTORIES = st.lists(
    st.builds(
        lambda why, summary, refused, lost: {
            "why": why,
            "summary": summary,
            "refused": refused,
            "lost": lost,
            "verdict": "keep",
        },
        WORDS,
        WORDS,
        WORDS | st.just(""),
        st.integers(0, 3),
    ),
    max_size=12,
).map(lambda told: [step(number, **each) for number, each in enumerate(told, start=1)])


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


@given(HISTORIES, st.integers(0, 6000))
def test_no_round_is_ever_left_out(history: list[Step], characters: int) -> None:
    rounds = re.findall(r"^round (\d+)", render(history, characters=characters), re.MULTILINE)
    assert [int(each) for each in rounds] == [each.round for each in history]


@given(HISTORIES, st.integers(0, 6000))
def test_the_text_outgrows_its_limit_by_a_line_a_round_at_most(
    history: list[Step], characters: int
) -> None:
    longest_line = len("round 99: keywords: kept 30, discarded 70, not judged\n")
    text = render(history, characters=characters)
    assert len(text) <= max(characters, 30) + longest_line * len(history)
