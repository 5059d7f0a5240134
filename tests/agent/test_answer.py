"""The JSON of an answer is a public interface: other programs rely on every key."""

import json
from typing import Any

import pytest
from pydantic import ValidationError

from agent.ambiguity import Coherence
from agent.answer import AmbiguityReport, Answer, AnswerReading, Asked, Completeness
from agent.coverage import Coverage
from agent.evidence import Entity, Evidence
from agent.question import AllOf, AnyOf, Not
from tests.graphs.apps.answers import answer, entity
from tests.prompts.examples import CLOSED, RECENT, RUST

QUOTE = Evidence(document="a", start=0, end=3, quote="dog", condition="keeps a dog")
ONE = answer(
    interpretation=AnswerReading(
        text="How many reports after 2020 find rust or name no lane closure?",
        entity_type="report",
        operation="count",
        conditions=AllOf(parts=(AnyOf(parts=(RUST, Not(part=CLOSED))), RECENT)),
    ),
    unit="reports",
    entities=(entity("Report 11", aliases=("R11",), value=4.5),),
    completeness=Completeness(
        recall_lower_bound=0.93, confidence=0.95, audited=180, audit_hits=0, method="sample"
    ),
    ambiguity=AmbiguityReport(
        codes=("A1",),
        coherence=Coherence(dispersion=0.31, separability=0.12, state="ambiguous"),
        asked=(Asked(question="Since when?", options=("2019", "2020"), reply="2"),),
    ),
)
FULL = ONE.model_copy(update={"readings": (ONE, ONE.model_copy(update={"value": {"Leeds": 2}}))})
BARE = Answer(
    question="?",
    status="needs_clarification",
    completeness=Completeness(method="nothing was searched yet"),
    coverage=Coverage(),
    run="r",
)
KEYS = {
    "": (
        "schema_version question status interpretation readings value bounds likely unit entities "
        "completeness coverage snapshots ambiguity cost warnings run"
    ),
    "interpretation": "text entity_type operation conditions assumptions",
    "entities": "name aliases documents value evidence",
    "entities.evidence": "document start end quote condition",
    "completeness": "recall_lower_bound confidence audited audit_hits method",
    "coverage": "chunks pruned judged matched unparsable failed unseen",
    "snapshots": "id parent tool arguments kept discarded outcome why",
    "ambiguity": "codes coherence asked",
    "ambiguity.coherence": "dispersion separability state",
    "ambiguity.asked": "question options reply",
    "cost": "model_calls cached_calls input_tokens output_tokens usd seconds",
}


def at(tree: Any, path: str) -> Any:
    """Return what stands at a dotted path; of a list, in its first item."""
    for key in path.split(".") if path else []:
        tree = tree[key]
        tree = tree[0] if isinstance(tree, list) else tree
    return tree


@pytest.mark.parametrize("path", KEYS, ids=lambda path: path or "top")
@pytest.mark.parametrize("reading", [False, True], ids=["whole", "one reading"])
def test_the_keys_are_those_promised(path: str, reading: bool) -> None:
    told = json.loads(FULL.model_dump_json())
    assert list(at(told["readings"][0] if reading else told, path)) == KEYS[path].split()


def test_no_key_is_left_out_where_there_is_nothing_to_say_and_another_version_is_refused() -> None:
    told = json.loads(BARE.model_dump_json())
    assert list(told) == KEYS[""].split()
    assert (told["interpretation"], told["value"], told["bounds"]) == (None, None, None)
    assert (told["readings"], told["entities"], told["snapshots"]) == ([], [], [])
    assert told["schema_version"] == 1
    with pytest.raises(ValidationError, match="schema_version"):
        Answer.model_validate(told | {"schema_version": 2})


def test_what_a_question_wants_beside_an_item_is_a_key_only_where_it_wants_some() -> None:
    plain = Entity(name="Ann")
    assert "shown" not in json.loads(plain.model_dump_json())
    told = plain.model_copy(update={"shown": {"City": ("Hull",)}}).model_dump_json()
    assert json.loads(told)["shown"] == {"City": ["Hull"]}
    assert Entity.model_validate_json(told).shown == {"City": ("Hull",)}


def test_a_frame_has_a_row_for_each_quote_of_each_reading():
    later = QUOTE.model_copy(update={"page": 3})
    quoted = Entity(name="a", value=4.5, evidence=(QUOTE, later))
    bare = Entity(name="b", documents=("b1", "b2"))
    one = answer(entities=(quoted,), unit="kg")
    frame = answer(readings=(one, answer(entities=(bare,)))).to_frame()
    assert frame["reading"].to_list() == [1, 1, 2, 2]
    assert frame.row(1) == (1, "a", "4.5", "kg", "a", 3, 0, 3, "dog", "keeps a dog")
    assert frame["document"].to_list()[2:] == ["b1", "b2"]
    assert answer(entities=()).to_frame().is_empty()


def test_a_notebook_shows_the_number_how_it_was_read_what_is_asked_and_no_markup_of_a_document():
    asked = AmbiguityReport(asked=(Asked(question="Which?", options=("since 2023 (1)",)),))
    reading = AnswerReading(text="Count the leases.", entity_type="lease", operation="count")
    waits = answer(
        question="<b>?", status="partial", ambiguity=asked, interpretation=reading,
        entities=(entity("<script>"),), value={"Hull": 2.0, "York": 1}, warnings=("2 unread",),
    )  # fmt: skip
    shown = waits._repr_html_()
    told = ("interpreted as: Count the leases.", "Which?", "since 2023 (1)", "2 unread", "run ")
    assert all(f"<br>{each}" in shown for each in told)
    assert "<b>Hull: 2, York: 1</b> (between 1 and 3), partial<br>" in shown
    assert "<script>" not in shown
    assert "<b>?" not in shown
