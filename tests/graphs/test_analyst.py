"""The analyst: documents chosen by their metadata, read one by one, computed by code.

An analysis that was stopped, by a limit, a fault or a person, goes on and pays nothing twice.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agent.answer import Answer
from agent.errors import LimitReached, MalformedReply, RunError
from agent.policy import Policy
from agent.prompt_values import ExtractValues
from agent.reasoner import Prompt
from agent.records.query_plan import Query
from agent.records.record_schema import Attribute, Kind, Schema
from graphs.analyst import AnalystSession, build_analyst_graph
from graphs.context import Context
from tests.graphs.hotels import CITY, ROOMS, build_hotels, copied, schema_reply, shown
from tests.graphs.replies import interpreted, measured
from tests.scripted import Scripted, ScriptedReasoner
from tests.tools.records.league import column, query, when
from tools.corpus.build import build
from tools.corpus.corpus import Corpus, open_corpus

QUESTION = "What is the average number of rooms of the inns in York?"
INTERPRETED = interpreted(
    "", restated=QUESTION, entity_type="inn", operation="avg", measure=measured("rooms")
)


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    return build_hotels(tmp_path)


def outline(*restrictions: dict[str, Any], attributes: Any = (ROOMS, CITY)) -> dict[str, Any]:
    (kind,) = schema_reply(Schema(kinds=(Kind(name="hotel", attributes=attributes),)))["kinds"]
    return {"why": "rooms are averaged", "restrictions": list(restrictions), "kind": kind}


def named(*names: str) -> dict[str, Any]:
    values = list(names)
    return {"field": "document name", "comparison": "is", "values": values, "of": "value"}


def average(of: str, where: Any = None) -> Query:
    return query("hotel", "avg", column("hotel", of), where=where)


AVERAGE = average("rooms", when(column("hotel", "city"), "=", "York"))


def replies(planned: Any, plan: Query) -> dict[str, Any]:
    told = {"why": "", "answerable": True, "missing": "", "plan": plan.model_dump(), "sql": None}
    return {
        "analyse": planned if callable(planned) else lambda prompt: planned,
        "extract": copied,
        "interpret": lambda prompt: INTERPRETED,
        "query": lambda prompt: told,
    }


def reader(planned: Any, plan: Query = AVERAGE) -> ScriptedReasoner:
    return ScriptedReasoner(replies(planned, plan))


def ask(reasoner: Any, corpus: Corpus, question: str = QUESTION, **policy: Any) -> dict[str, Any]:
    context = Context(corpus=corpus, reasoner=reasoner, policy=Policy(**policy))
    return build_analyst_graph().invoke({"question": question}, context=context)


def test_each_document_is_read_by_itself_and_code_computes(corpus: Corpus) -> None:
    planned = outline()
    planned["kind"] |= {"grain": "row"}  # rows of no kind concern no analysis
    reasoner = reader(planned)
    answer: Answer = ask(reasoner, corpus)["answer"]
    # The inns in York are numbers 1, 5, 9 and 13, with 21, 25, 29 and 33 rooms.
    assert answer.value == 27
    assert {each.documents for each in answer.entities} == {
        (f"inn-{number:02}",) for number in (1, 5, 9, 13)
    }
    assert len(shown(reasoner.prompts)) == 14
    assert answer.cost.model_calls == len(reasoner.prompts)
    assert not any("`unfit`" in prompt.text for prompt in reasoner.prompts)


def test_a_restriction_keeps_other_documents_from_being_read(corpus: Corpus) -> None:
    reasoner = reader(outline(named("inn-01", "inn-05")))
    out = ask(reasoner, corpus)
    assert out["analysis"].documents == ("inn-01", "inn-05")
    assert out["answer"].value == 23
    assert len(shown(reasoner.prompts)) == 2


def test_what_fields_state_is_read_by_nobody(corpus: Corpus) -> None:
    size = Attribute(name="size", type="integer", field="file size")
    sizes = [len(corpus.document_text(number)) for number in range(len(corpus.documents))]
    known = reader(outline(attributes=(size,)), average("size"))
    answer: Answer = ask(known, corpus)["answer"]
    assert answer.value == pytest.approx(sum(sizes) / len(sizes), rel=0.05)
    assert not any(prompt.name == "extract" for prompt in known.prompts)
    partly = reader(outline(attributes=(size, ROOMS)), average("size"))
    assert ask(partly, corpus)["answer"].value == answer.value
    asked = [each.values_as(ExtractValues) for each in partly.prompts if each.name == "extract"]
    assert {each.name for every in asked for each in every.kinds[0].attributes} == {"rooms"}
    wrong = size.model_copy(update={"field": "stars"})
    with pytest.raises(MalformedReply, match="no metadata field 'stars'"):
        ask(reader(outline(attributes=(wrong,))), corpus)


def test_a_row_that_lacks_a_field_has_nothing_more_to_be_read(tmp_path: Path) -> None:
    (tmp_path / "fees.csv").write_text("name,fee\nAda,5\nBo,\nCy,many\n", encoding="utf-8")
    build([tmp_path / "fees.csv"], tmp_path / "fees.corpus")
    fee = Attribute(name="fee", type="integer", field="fee")
    name = CITY.model_copy(update={"field": "name"})
    known = reader(outline(attributes=(fee, name)), average("fee"))
    assert ask(known, open_corpus(tmp_path / "fees.corpus"))["answer"].value == 5
    assert shown(known.prompts) == ["fees#Cy"]


@pytest.mark.parametrize(
    ("changed", "complaint"),
    [
        ({"field": "stars"}, "has no field 'stars'"),
        ({"values": []}, "'is' needs a value"),
        ({"comparison": "between"}, "'between' needs two values"),
        ({"values": ["villa"]}, "no document passes"),
    ],
)
def test_a_restriction_without_a_meaning_is_told_to_the_reader_once(
    corpus: Corpus, changed: dict[str, Any], complaint: str
) -> None:
    wrong = named("inn-01") | changed
    told: list[str] = []

    def planned(prompt: Prompt) -> Scripted:
        told.append(prompt.text)
        return outline(wrong) if len(told) == 1 else outline()

    assert ask(reader(planned), corpus)["answer"].value == 27
    assert complaint in told[1]


def test_a_plan_that_copies_nothing_out_is_an_error(corpus: Corpus) -> None:
    with pytest.raises(MalformedReply, match="no attributes"):
        ask(reader(outline(attributes=())), corpus)


Q = "What is the average number of rooms of the inns?"
Script = dict[str, Any]


@pytest.fixture
def script() -> Script:
    return replies(outline(), average("rooms"))


@pytest.fixture
def reasoner(script: Script) -> ScriptedReasoner:
    lines = {name: lambda prompt: script[prompt.name](prompt) for name in script}
    return ScriptedReasoner(lines, reply_tokens=200)  # of two documents, of two values each


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
