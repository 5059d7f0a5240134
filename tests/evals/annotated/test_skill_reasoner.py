from dataclasses import replace
from typing import Any

import pytest

from agent.cost import Cost
from agent.evidence import Passage
from agent.history import Step
from agent.prompt_values import JudgeValues
from agent.question import Condition, Interpretation
from agent.reasoner import Prompt, ToolCall
from agent.replies import JudgeReply, ObserveReply
from evals.annotated.skill import Skill
from evals.annotated.skill_reasoner import SkillReasoner
from evals.baselines.attempt import proven
from evals.baselines.baseline_prompts import AnswerReply, BaselineValues, NoteReply, baseline_prompt
from evals.questions import Record
from tests.evals.bridges import CLOSED, QUESTION, RUSTY, record
from tests.evals.question_files import corpus_of, record_of, stated
from tests.prompts.examples import rendered
from tools.corpus.corpus import Corpus
from tools.passage_windows import passages

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
    return [said.get(number, []) for number in sorted({*said, *reply.none})]


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


RECORD = record()
CONDITIONS = (
    Condition(id="c1", text="describe rust on the girders"),
    Condition(id="c2", text="describe a closure to traffic"),
)


def _reader(corpus: Corpus, **rates: Any) -> SkillReasoner:
    return SkillReasoner(RECORD, corpus, skill=Skill.model_validate(rates))


def _all(corpus: Corpus) -> tuple[Passage, ...]:
    return passages(corpus, range(len(corpus)))


def _asking(name: str, **shown: Any) -> Prompt:
    return baseline_prompt(name, BaselineValues(question=QUESTION, **shown))


def test_it_answers_from_what_is_shown_and_from_nothing_else(bridges: Corpus) -> None:
    reader = _reader(bridges)
    everything = _all(bridges)
    whole = reader.ask(_asking("answer", passages=everything), AnswerReply)
    assert whole.value == RECORD.answer_count
    half = [each for each in everything if each.document == "report-2"]
    part = reader.ask(_asking("answer", passages=half), AnswerReply)
    assert [each.documents for each in proven(part.items, half)] == [("report-2",)]
    first = [each for each in half if "rust" in each.text][:1]
    unproven = reader.ask(_asking("answer", passages=first), AnswerReply)
    assert (unproven.items, unproven.value) == ([], 0)


def test_its_notes_hold_parts_of_a_proof(bridges: Corpus) -> None:
    reader, shown = _reader(bridges), _all(bridges)
    told: dict[str, Any] = {"queries": (QUESTION,)}
    noted = reader.ask(_asking("note", **told, notes=(), passages=shown), NoteReply)
    notes = proven(noted.items, shown)
    assert {each.documents for each in notes} == {(f"report-{at}",) for at in RUSTY | CLOSED}
    assert noted.query == "describe rust on the girders"
    again = reader.ask(_asking("note", **told, notes=notes, passages=shown), NoteReply)
    assert again.items == []


def test_an_observer_undoes_a_ranked_cut_and_errs_at_its_own_rate(bridges: Corpus) -> None:
    discarded = [each for each in _all(bridges) if "found rust" in each.text]
    call = ToolCall(tool="bm25", arguments={"query": "lamps", "best": 5})
    step = Step(round=1, before="s0", after="s1", call=call, kept=5, discarded=len(discarded))
    reading = Interpretation(text=QUESTION, entity_type="report")
    shown = {"step": step, "kept": (), "discarded": discarded, "snapshots": ()}
    prompt = rendered("observe", interpretation=reading, conditions=CONDITIONS, **shown)
    for rate, verdict in ((0.0, "again"), (1.0, "keep")):
        reader = _reader(bridges, observing=rate, searching=1.0 - rate)
        assert reader.ask(prompt, ObserveReply).verdict == verdict
