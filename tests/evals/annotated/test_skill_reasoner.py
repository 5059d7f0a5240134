from dataclasses import replace
from typing import Any

import pytest

from agent.cost import Cost
from agent.evidence import Passage
from agent.prompt_values import JudgeValues
from agent.question import Condition, Interpretation
from agent.reasoner import Prompt
from agent.replies import JudgeReply
from evals.annotated import SkillReasoner
from evals.questions import Record
from tests.evals.question_files import corpus_of, record_of, stated

FIRST = "The walls are red. The doors are blue."
SECOND = "Nothing is painted here at all."
TEXTS = {"x/a": FIRST, "x/b": SECOND}
RED = {"label": "R", "text": "is painted red"}
BLUE = {"label": "B", "text": "is painted blue"}
C1 = Condition(id="c1", text="painted red")
C2 = Condition(id="c2", text="painted blue")
NAMED = Interpretation(text="?", entity_type="page", grain="entity")


def _prompt(*passages: Passage, **values: Any) -> Prompt:
    settled = JudgeValues(
        question="?",
        interpretation=Interpretation(text="?", entity_type="page"),
        conditions=(C1, C2),
        passages=passages,
    )
    return Prompt(name="judge", digest="", text="x" * 41, values=replace(settled, **values))


def _passage(document: str) -> Passage:
    return Passage(chunk=0, document=document, title="", start=0, text=TEXTS[document])


@pytest.fixture
def painted() -> Record:
    return record_of(
        answer=["a"],
        gold_documents=["a"],
        conditions=[RED, BLUE],
        gold_evidence=[
            stated("a", FIRST, "walls are red", "R"),
            stated("a", FIRST, "doors are blue", "B"),
        ],
    )


def reasoner(record: Record) -> SkillReasoner:
    return SkillReasoner(record, corpus_of(TEXTS))


def _found(reply: JudgeReply) -> list[list[tuple[str, str]]]:
    said = {
        chunk.passage: [(each.condition, each.quote) for each in chunk.evidence]
        for chunk in reply.passages
    }
    found = said | {number: [] for number in reply.none}
    return [found[number] for number in sorted(found)]


def test_a_passage_proves_what_it_overlaps_and_costs_what_is_sent_and_said(painted: Record) -> None:
    asked = reasoner(painted)
    reply = asked.ask(_prompt(_passage("x/a"), _passage("x/b")), JudgeReply)
    assert _found(reply) == [[("c1", "walls are red"), ("c2", "doors are blue")], []]
    said = -(-len(reply.model_dump_json()) // 4)
    assert asked.spent() == Cost(model_calls=1, input_tokens=11, output_tokens=said)


def test_a_pattern_finds_what_the_file_does_not_list() -> None:
    record = record_of(
        answer=["a"],
        gold_documents=["a"],
        conditions=[{**RED, "pattern": "red"}, {**BLUE, "pattern": "blue|painted"}],
        gold_evidence=[stated("a", FIRST, "red")],
    )
    reply = reasoner(record).ask(_prompt(_passage("x/a"), _passage("x/b")), JudgeReply)
    assert _found(reply) == [[("c1", "red"), ("c2", "blue")], []]


def test_gold_documents_without_spans_are_proof_as_a_whole() -> None:
    record = record_of(
        answer=["b"], gold_documents=["b"], conditions=[RED, {**BLUE, "negated": True}]
    )
    reply = reasoner(record).ask(_prompt(_passage("x/a"), _passage("x/b")), JudgeReply)
    assert _found(reply) == [[], [("c1", SECOND)]]


def test_answers_that_stand_in_the_evidence_name_entities() -> None:
    record = record_of(
        answer=["Red", "Blue"], gold_documents=["a"], gold_evidence=[stated("a", FIRST, FIRST)]
    )
    prompt = _prompt(_passage("x/a"), conditions=(C1,), interpretation=NAMED)
    reply = reasoner(record).ask(prompt, JudgeReply)
    assert [each.entity for each in reply.passages[0].evidence] == ["Red", "Blue"]
