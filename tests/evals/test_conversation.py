from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, cast

import pytest

from agent.ambiguity import Clarification, Option, Reply
from agent.answer import Answer, Completeness
from agent.coverage import Coverage
from agent.errors import RunError
from evals.ambiguity.examined import find
from evals.simulated_users import converse
from graphs.sessions import Event, Session

ASKED = Clarification(
    code="A1",
    span="many",
    question="From which value on?",
    options=(Option(label="3", meaning="At least 3?"), Option(label="5", meaning="At least 5?")),
)
ANSWER = Answer(
    question="How many?",
    status="answered",
    value=7,
    completeness=Completeness(method="test"),
    coverage=Coverage(),
    run="r",
)


class FakeSession:
    """Asks so many times, then answers; counts the steps that were followed."""

    def __init__(self, questions: int, *, refused: int = 0) -> None:
        self.left = questions
        self.refused = refused
        self.replies: list[Reply] = []
        self.steps = 0

    def start(self, question: str, *, run: str) -> Iterator[Event]:
        return self._events()

    def reply(self, run: str, reply: Reply) -> Iterator[Event]:
        self.replies.append(reply)
        return self._events()

    def outcome(self, run: str) -> Answer:
        return ANSWER

    def _events(self) -> Iterator[Event]:
        self.steps += 1
        yield {"kind": "node", "node": "clarify"}
        if self.left:
            self.left -= 1
            problem = "there is no option 9" if self.refused and self.replies else ""
            number = 0 if self.refused else self.left
            asked = ASKED.model_copy(update={"span": f"many {number}"}).model_dump(mode="json")
            yield {
                "kind": "waiting",
                "asked": {"kind": "clarification", "problem": problem, **asked},
            }


class Steady:
    def __init__(self) -> None:
        self.seen: list[Clarification] = []

    def reply(self, asked: Clarification) -> Reply:
        self.seen.append(asked)
        return Reply(choice=1)


def test_a_clear_question_is_answered_at_once() -> None:
    talk = converse(cast("Session", FakeSession(0)), "How many?", Steady())
    assert (talk.answer, talk.exchanges, talk.questions) == (ANSWER, (), 0)


def test_the_user_sees_what_a_person_sees_and_its_reply_arrives() -> None:
    session, user = FakeSession(2), Steady()
    talk = converse(cast("Session", session), "How many?", user)
    assert [each.options for each in user.seen] == [ASKED.options] * 2
    assert session.replies == [Reply(choice=1)] * 2
    assert (len(talk.exchanges), talk.questions) == (2, 2)


def test_a_question_that_is_put_again_is_one_question() -> None:
    talk = converse(cast("Session", FakeSession(3, refused=1)), "How many?", Steady())
    assert (len(talk.exchanges), talk.questions) == (3, 1)


def test_a_run_that_never_stops_asking_is_given_up() -> None:
    with pytest.raises(RunError, match="still asks: From which value on"):
        converse(cast("Session", FakeSession(10**6)), "How many?", Steady())


class Traced:
    """A session whose trace is given."""

    context = None

    def __init__(self, *events: dict[str, Any], **state: Any) -> None:
        self.events, self.seen = events, 0
        self.told = {"codes": (), "clarification": None, "cost": None, "coherence": None, **state}

    def start(self, question: str, *, run: str) -> Iterator[Event]:
        for event in self.events:
            self.seen += 1
            yield event

    def state(self, run: str) -> SimpleNamespace:
        return SimpleNamespace(**self.told)


def update(node: str, **changed: Any) -> dict[str, Any]:
    return {"kind": "update", "node": node, "update": changed}


def test_finding_stops_where_searching_begins() -> None:
    session = Traced(update("classify"), update("decide"), update("plan"), codes=("A1",))
    found = find(cast("Session", session), "How many?")
    assert (found.codes, found.asked, session.seen) == (("A1",), None, 2)


def test_ambiguities_are_told_as_they_stood_last() -> None:
    def found(code: str, differs: bool | None) -> SimpleNamespace:
        return SimpleNamespace(code=code, span="x", differs=differs)

    session = Traced(
        update("classify", ambiguities=(found("A1", None), found("B1", None))),
        update("weigh", ambiguities=(found("B1", True),)),
        {"kind": "waiting", "asked": {}},
        clarification=ASKED,
    )
    told = find(cast("Session", session), "How many?")
    assert [(each.code, each.differs) for each in told.ambiguities] == [("A1", None), ("B1", True)]
    assert told.asked == ASKED
