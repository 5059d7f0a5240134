"""Runs over records that a limit ended, and that go on."""

from collections.abc import Callable, Iterator

import pytest

from agent.errors import LimitReached
from agent.policy import Policy
from agent.reasoner import Prompt
from graphs.context import Context
from graphs.sessions import Session
from tests.graphs.conftest import Script
from tests.graphs.recorded import DEAR, column, count_of, keep_records, reply
from tests.integration.asking import adds_up
from tests.scripted import Scripted, ScriptedReasoner
from tools.corpus.corpus import Corpus

Q = "How many leases ask for a deposit above 1000 pounds?"
DEARER = reply(count_of(DEAR))
BEYOND = reply(count_of(DEAR.model_copy(update={"left": column("city")})))
"""A plan that cannot be carried out: its tests do not fit the column."""
LIMIT = LimitReached("calls (limit 3, spent 3)")


@pytest.fixture
def session(corpus: Corpus, script: Script) -> Iterator[Session]:
    keep_records(corpus)

    def query(prompt: Prompt) -> Scripted:
        line = script["query"]
        return line(prompt) if callable(line) else line

    reasoner = ScriptedReasoner(script | {"query": query})
    context = Context(corpus=corpus, reasoner=reasoner, policy=Policy())
    with Session(context) as opened:
        yield opened


def replying(*replies: Scripted) -> Callable[[Prompt], Scripted]:
    given = iter(replies)

    def next_reply(prompt: Prompt) -> Scripted:
        return next(given)

    return next_reply


@pytest.mark.parametrize(
    "before",
    [(LIMIT,), (BEYOND, LIMIT)],
    ids=["while the way is chosen", "while a query is mended"],
)
def test_a_run_that_a_limit_ended_goes_on_with_the_records(
    session: Session, script: Script, before: tuple[Scripted, ...]
) -> None:
    script["query"] = replying(*before)
    list(session.start(Q, run="r1"))
    partial = session.outcome("r1")
    assert (partial.status, session.state("r1").stopped) == ("partial", str(LIMIT))
    assert adds_up(partial)
    script["query"] = replying(DEARER)
    events = list(session.resume("r1"))
    asked = [event["prompt"] for event in events if event["kind"] == "prompt"]
    answer = session.outcome("r1")
    assert (answer.status, answer.value, set(asked)) == ("answered", 6, {"query"})
    assert [each.tool for each in answer.snapshots] == ["select"]
    assert not any("limit" in each for each in answer.warnings)
