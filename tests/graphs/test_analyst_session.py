"""An analysis that was stopped, by a limit, a fault or a person, goes on and pays nothing twice."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agent.errors import LimitReached, RunError
from agent.reasoner import Prompt
from graphs.analyst import AnalystSession
from graphs.context import Context
from tests.graphs.hotels import build_hotels
from tests.graphs.test_analyst import AVERAGE, outline, replies
from tests.scripted import Scripted, ScriptedReasoner
from tools.corpus.corpus import Corpus

Q = "What is the average number of rooms of the inns?"
Script = dict[str, Any]


@pytest.fixture
def script() -> Script:
    return replies(outline(), plan=AVERAGE | {"where": None})


@pytest.fixture
def reasoner(script: Script) -> ScriptedReasoner:
    lines = {name: lambda prompt: script[prompt.name](prompt) for name in script}
    return ScriptedReasoner(lines, reply_tokens=200)  # of two documents, of two values each


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    return build_hotels(tmp_path)


@pytest.fixture
def session(corpus: Corpus, reasoner: ScriptedReasoner) -> Iterator[AnalystSession]:
    with AnalystSession(Context(corpus=corpus, reasoner=reasoner)) as opened:
        yield opened


def asked(reasoner: ScriptedReasoner) -> list[str]:
    return [prompt.name for prompt in reasoner.prompts]


def once(first: Exception | type[BaseException], after: int, then: Any) -> Any:
    """Answer some prompts, then raise, then answer all."""
    calls = iter(range(10**6))

    def answer(prompt: Prompt) -> Scripted:
        if next(calls) != after:
            return then(prompt)
        if isinstance(first, Exception):
            return first
        raise first

    return answer


def test_the_stored_answer_bears_all_its_cost(session: AnalystSession, reasoner: ScriptedReasoner):
    list(session.start(Q, run="r1"))
    assert session.outcome("r1").cost.model_calls == len(reasoner.prompts) == 7 + 3
    assert session.context.store.info("r1").status == "answered"


@pytest.mark.parametrize("lost", [0, 7], ids=["here", "on another machine"])
def test_documents_that_were_read_before_a_person_stopped_stay_read_where_their_records_are(
    session: AnalystSession, reasoner: ScriptedReasoner, corpus: Corpus, script: Script, lost: int
):
    script["query"] = once(KeyboardInterrupt, 0, script["query"])
    with pytest.raises(KeyboardInterrupt):
        list(session.start(Q, run="r1"))
    assert session.unfinished("r1")
    with pytest.raises(RunError, match="not finished"):
        session.outcome("r1")
    before = asked(reasoner)
    for _ in range(2 if lost else 1):
        for each in corpus.runs.glob("r1.records.sqlite*") if lost else ():
            each.unlink()
        list(session.resume("r1"))
    assert asked(reasoner)[len(before) :] == [*["extract"] * lost, "interpret", "query"]
    assert session.outcome("r1").value == 26.5


def test_a_limit_while_reading_gives_a_partial_answer_and_the_rest_is_read_later(
    session: AnalystSession, reasoner: ScriptedReasoner, script: Script
):
    read = script["extract"]
    script["extract"] = once(LimitReached("12 calls"), 2, read)
    list(session.start(Q, run="r1"))
    partial = session.outcome("r1")
    assert partial.status == "partial"
    assert partial.bounds is None
    assert any("a limit was reached" in each for each in partial.warnings)
    assert session.context.store.info("r1").status == "partial"
    script["extract"] = read
    before = asked(reasoner)
    list(session.resume("r1"))
    whole = session.outcome("r1")
    assert (whole.status, whole.value) == ("answered", 26.5)
    again = asked(reasoner)[len(before) :]
    assert "analyse" not in again
    assert asked(reasoner).count("extract") == 7 + 1
    assert whole.cost.model_calls == session.context.reasoner.spent().model_calls


def test_a_limit_before_the_computation_says_what_was_read(session: AnalystSession, script: Script):
    limit = LimitReached("16 calls")
    interpret = script["interpret"]
    script["interpret"] = lambda prompt: limit
    with pytest.raises(LimitReached):
        list(session.start(Q, run="r1"))
    partial = session.unread(Q, "r1", limit)
    assert partial.status == "partial"
    assert "14 of 14 documents were read into records" in partial.completeness.method
    script["interpret"] = interpret
    list(session.resume("r1"))
    assert session.outcome("r1").value == 26.5
