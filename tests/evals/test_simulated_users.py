"""A user knows what it means, and says no more of it than it is asked."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from agent.ambiguity import Clarification, Option, Reply
from agent.answer import Answer
from agent.errors import RunError
from agent.policy import Policy
from evals.questions import AnnotatedReading, Record
from evals.simulated_users import Asker, Intent, Trial, converse, same, scripted
from graphs.sessions import Event, Session
from tests.evals.question_files import answer_of
from tests.graphs.apps.answers import answer
from tools.corpus.corpus import Corpus

ASKED = "How many reports have many authors?"
MEANT = "How many reports have at least 5 authors?"
INTENT = Intent(asked=ASKED, meant=MEANT)
OPEN = Clarification(code=None, span="", question="What do you want to know?", options=())


def asking(*limits: int) -> Clarification:
    told = tuple(
        Option(
            label=f"at least {limit}", meaning=f"How many reports have at least {limit} authors?"
        )
        for limit in limits
    )
    return Clarification(code="A1", span="many", question="From which value on?", options=told)


@pytest.mark.parametrize(
    ("limits", "place"), [((3, 5), 1), ((3, 4), None), ((5, 5), None), ((), None)], ids=str
)
def test_a_number_in_mind_decides(limits: tuple[int, ...], place: int | None) -> None:
    assert INTENT.option(asking(*limits).options) == place


def test_an_option_that_settles_a_part_is_chosen() -> None:
    told = tuple(
        Option(label=f"reading {year}", meaning=f"How many reports since {year} have many authors?")
        for year in (2021, 2024)
    )
    wanted = Intent(
        asked="How many recent reports have many authors?",
        meant="How many reports since 2024 have at least 5 authors?",
    )
    assert wanted.option(told) == 1


@pytest.mark.parametrize(
    ("estimates", "expected"),
    [(("81", "17"), 1), (("about 17", "about 81"), None), (("81", "16"), None), (("", ""), None)],
    ids=["told exactly", "told about", "none is it", "not told"],
)
def test_the_result_that_an_option_states_decides(
    estimates: tuple[str, str], expected: int | None
) -> None:
    told = tuple(Option(label="", meaning="How many?", estimate=estimate) for estimate in estimates)
    assert Intent(asked=ASKED, meant="With a big team?", number=17).option(told) == expected


@pytest.mark.parametrize("asked", [asking(3, 4), OPEN], ids=["no option", "open"])
def test_where_no_option_means_it_the_user_says_it_in_a_phrase(asked: Clarification) -> None:
    assert scripted(INTENT, asking(3, 5)) == Reply(choice=2)
    assert scripted(INTENT, asked) == Reply(text="at least 5")


ANSWER = answer(value=7)


class Asking:
    """A session that asks so many times, then answers."""

    def __init__(self, questions: int) -> None:
        self.left = questions

    def start(self, question: str, *, run: str) -> Iterator[Event]:
        yield {"kind": "node", "node": "clarify"}
        if self.left:
            self.left -= 1
            asked = asking(3, 5).model_dump(mode="json")
            yield {"kind": "waiting", "asked": {"kind": "clarification", "problem": "", **asked}}

    def reply(self, run: str, reply: Reply) -> Iterator[Event]:
        return self.start("", run=run)

    def outcome(self, run: str) -> Answer:
        return ANSWER


@pytest.mark.parametrize("replies", [0, 3])
def test_replies_arrive_until_there_is_an_answer(replies: int) -> None:
    session = cast("Session", Asking(replies))
    answer, exchanges = converse(session, "How many?", partial(scripted, INTENT))
    trial = Trial(meant="?", expected=7, exchanges=exchanges)
    assert (answer, trial.questions, trial.turns) == (ANSWER, min(1, replies), replies)
    assert [each.reply for each in exchanges] == [Reply(choice=2)] * replies


def test_a_run_that_never_stops_asking_is_given_up() -> None:
    with pytest.raises(RunError, match="still asks: From which value on"):
        converse(cast("Session", Asking(10**6)), "How many?", lambda _: Reply(text="-"))


def test_what_goes_wrong_is_that_readings_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("no such model")

    monkeypatch.setattr(Asker, "session", broken)
    record = Record(
        id="q1",
        question="How many?",
        ambiguity=("A1",),
        readings=(
            AnnotatedReading(rewritten="One?", answer_count=1),
            AnnotatedReading(rewritten="Unknown?"),
        ),
    )
    (trial,) = Asker("gold", tmp_path).tries(record, cast("Corpus", Path()), Policy())
    assert (trial.meant, trial.right, trial.error) == ("One?", False, "RuntimeError: no such model")


NAMED = cast("Corpus", SimpleNamespace(documents=("hall", "room", "city")))
BOTH = ("hall", "room")
JUDGED = {
    "the same": (BOTH, {}, BOTH, True),
    "another": (("hall", "city"), {}, BOTH, False),
    "too few": (("hall",), {}, BOTH, False),
    "names not known": (BOTH, {}, None, True),
    "names of no documents": (BOTH, {}, ("Ann", "Bob"), True),
    "partial": (BOTH, {"status": "partial"}, None, False),
    "waiting": (BOTH, {"status": "needs_clarification"}, None, False),
    "no number": (BOTH, {"value": None}, None, False),
    "by group": (BOTH, {"value": {"a": 2}}, None, False),
}


@pytest.mark.parametrize(("found", "members", "names", "expected"), JUDGED.values(), ids=JUDGED)
def test_it_is_an_answer_whose_number_and_documents_agree(
    found: Any, members: Any, names: Any, expected: bool
) -> None:
    meant = AnnotatedReading(rewritten="?", answer_count=2, answer=names)
    assert same(answer_of(found, **members), meant, NAMED) is expected
