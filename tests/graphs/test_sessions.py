from collections.abc import Iterator

import pytest

from agent.errors import RunError
from agent.reasoner import Prompt
from graphs.context import Context
from graphs.sessions import Session
from tests.graphs.conftest import PETS, Script, changeable
from tests.scripted import Scripted
from tools.corpus.corpus import Corpus

Q = "How many leases allow the tenant to keep a pet?"


@pytest.fixture
def session(corpus: Corpus, script: Script) -> Iterator[Session]:
    context = Context(corpus=corpus, reasoner=changeable(script))
    with Session(context) as opened:
        yield opened


def test_a_run_is_told_node_by_node_and_kept_without_a_text_of_the_corpus(
    session: Session, corpus: Corpus
):
    events = list(session.start(Q, run="r1"))
    nodes = [event["node"] for event in events if event["kind"] == "update"]
    assert nodes[:5] == ["interpret", "classify", "ground", "weigh", "route"]
    assert nodes[-2:] == ["align", "answer"]
    assert session.outcome("r1").value == len(PETS)
    assert session.context.store.info("r1").status == "answered"
    assert not session.unfinished("r1")
    session.close()
    stored = b"".join(path.read_bytes() for path in corpus.runs.glob("checkpoints.sqlite*"))
    assert b"r1" in stored
    assert b"deals with heating" not in stored


def interrupted(prompt: Prompt) -> Scripted:
    raise KeyboardInterrupt


def test_a_run_that_failed_goes_on_where_it_failed(session: Session, script: Script):
    judge = script["judge"]
    script["judge"] = interrupted
    with pytest.raises(KeyboardInterrupt):
        list(session.start(Q, run="r1"))
    assert session.context.store.info("r1").status == "running"
    assert session.unfinished("r1")
    with pytest.raises(RunError, match="not finished"):
        session.outcome("r1")
    script["judge"] = judge
    nodes = [event.get("node") for event in session.resume("r1") if event["kind"] == "update"]
    assert nodes == ["judge", "feedback", "audit", "align", "answer"]
    assert session.outcome("r1").value == len(PETS)
