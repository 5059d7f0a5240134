"""Recording and replaying: the same replies, calls and errors, in any order, for nothing."""

import json
import stat
from pathlib import Path

import pytest

from agent.cost import Cost
from agent.errors import (
    HeadcountError,
    LimitReached,
    MalformedReply,
    ProviderUnavailable,
    SettingsError,
)
from agent.reasoner import Failure, Reasoner
from agent.reasoners import RecordedReasoner, Recorder
from agent.reasoners.completion import BadResponse
from tests.fake_provider.asking import ACME, FIND, PROMPT, Firm, prompts
from tests.scripted import Line, ScriptedReasoner


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "run.jsonl"


def recorded(path: Path, inner: Reasoner) -> list[Firm | Failure]:
    return Recorder(inner, path).ask_many(prompts(3), Firm)


def test_replies_and_failures_come_back_in_any_order(path: Path) -> None:
    lines: list[Line] = [ACME, ProviderUnavailable("down"), Firm(name="b", count=1)]
    first = recorded(path, ScriptedReasoner({"firm": lines}))
    replay = RecordedReasoner(path).ask_many(prompts(3)[::-1], Firm)
    assert (replay[2], replay[0]) == (first[0], first[2])
    assert isinstance(replay[1], Failure)
    assert type(replay[1].error) is ProviderUnavailable
    assert str(replay[1].error) == "down"


@pytest.mark.parametrize(
    ("raised", "replayed"),
    [
        (MalformedReply("m"), MalformedReply),
        (LimitReached("l"), LimitReached),
        (BadResponse("b"), ProviderUnavailable),
    ],
)
def test_errors_are_raised_again(
    path: Path, raised: HeadcountError, replayed: type[HeadcountError]
) -> None:
    recorder = Recorder(ScriptedReasoner({"firm": [raised, raised]}), path)
    with pytest.raises(type(raised)):
        recorder.ask(PROMPT, Firm)
    with pytest.raises(type(raised)):
        recorder.choose(PROMPT, [FIND])
    replay = RecordedReasoner(path)
    with pytest.raises(replayed):
        replay.ask(PROMPT, Firm)
    with pytest.raises(replayed):
        replay.choose(PROMPT, [FIND])


def test_a_replay_bears_name_and_limits_costs_nothing_and_repeats_replies_in_order(
    path: Path,
) -> None:
    for each in (ACME, Firm(name="b", count=1)):  # the second continues the recording
        inner = ScriptedReasoner({"firm": [each]}, name="big", context_tokens=5000)
        Recorder(inner, path).ask(PROMPT, Firm)
    replay = RecordedReasoner(path)
    assert [replay.ask(PROMPT, Firm).name for _ in range(3)] == ["acme", "b", "b"]
    assert (replay.name, replay.context_tokens, replay.reply_tokens) == ("big", 5000, 4096)
    assert replay.spent() == Cost(cached_calls=3)
    with pytest.raises(SettingsError, match="another reasoner"):
        Recorder(ScriptedReasoner({}, name="other"), path)


@pytest.mark.parametrize(
    ("content", "told"),
    [("", "is empty"), ("{}\n", "Line 1"), ("x\n", "Line 1"), (None, "cannot be read")],
    ids=["empty", "other", "text", "missing"],
)
def test_what_is_no_recording_is_named(path: Path, content: str | None, told: str) -> None:
    if content is not None:
        path.write_text(content)
    with pytest.raises(SettingsError, match=told):
        RecordedReasoner(path)


def test_the_file_is_private_without_prompts_and_a_last_line_cut_by_a_crash_is_left_out(
    path: Path,
) -> None:
    recorded(path, ScriptedReasoner({"firm": [ACME] * 3}))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert "Which firm" not in path.read_text()
    header, first, second, _ = (json.loads(line) for line in path.read_text().splitlines())
    assert header["recording"] == 1
    assert first["cost"]["model_calls"] == 3
    assert second["cost"] is None
    path.write_bytes(path.read_bytes()[:-9])
    replay = RecordedReasoner(path)
    assert replay.ask(prompts(2)[1], Firm) == ACME
    with pytest.raises(SettingsError, match="no reply"):
        replay.ask(prompts(3)[2], Firm)
