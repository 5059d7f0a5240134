"""Whatever decides C2 decides how many the same mentions are: one test a way of deciding it."""

from functools import partial
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from agent.policy import Policy
from agent.prompt_values import AlignValues, RewriteValues
from agent.reasoner import Prompt
from graphs.context import Context
from graphs.headcount import build_graph
from tests.built import built_once
from tests.graphs.conftest import whole
from tests.graphs.replies import ambiguity, interpreted
from tests.graphs.searching import Case, answer_of, corpus_of, ran, reasoner_for
from tests.scripted import Scripted, ScriptedReasoner
from tools.corpus.corpus import Corpus

NAMES = (("Acme Ltd", "Model 5"), ("ACME", "Model 6"), ("Acme Ltd",))
"""What each of three notes names."""
QUESTION = "How many things are named?"
WAYS = {
    "exact": ("each spelling counts", "How many things are named, each spelling by itself?"),
    "alias": ("variants are one", "How many things are named, spelling variants merged?"),
    "wide": ("versions are one", "How many things are named, all versions counted as one?"),
    "document": ("once per note", "How many things are named, counted once per note?"),
}
COUNTS = {"exact": 4, "alias": 3, "wide": 2, "document": 5}


NOTES = {f"note-{n}": f"Note {n}\n\nWhat was seen on day {n} is told here." for n in range(3)}
corpus = built_once(partial(corpus_of, NOTES))


def _read(text: str) -> dict[str, Any]:
    rule = next((way for way, told in WAYS.items() if text in told), None)
    return interpreted(restated=text, entity_type="thing", grain="entity", merge=rule)


def _same(prompt: Prompt) -> Scripted:
    pairs: Any = prompt.values_as(AlignValues).pairs
    told = [{"pair": number, "reason": "", "same": True} for number in range(1, len(pairs) + 1)]
    return {"pairs": told}


def _chosen(prompt: Prompt) -> Scripted:
    exchange: Any = prompt.values_as(RewriteValues).exchange
    number, said = exchange.reply.choice, exchange.reply.text.removesuffix(", please")
    return whole(_read(exchange.asked.options[number - 1].meaning if number else said))


def _reasoner(corpus: Corpus, *ways: str, text: str = QUESTION) -> ScriptedReasoner:
    """Return who finds C2 with the ways as readings, the first the likeliest; none is clear."""
    found = ambiguity("C2", "things", *(WAYS[way] for way in ways))
    case = Case(
        relevant={"c1": frozenset(range(len(corpus)))},
        reading=_read(text),
        named=lambda chunk: list(NAMES[corpus.chunk_document[chunk]]),
    )
    return _reading(
        corpus,
        case,
        classify=lambda prompt: {"ambiguities": [found] if ways else []},
        rewrite=_chosen,
        clarify=lambda prompt: {"question": "When are two one?"},
    )


def _reading(corpus: Corpus, case: Case, **lines: Any) -> ScriptedReasoner:
    """Return who reads the case and takes all names for one."""
    reads = reasoner_for(corpus, case)
    reads._lines |= {"align": _same, **lines}
    return reads


@pytest.mark.parametrize("way", WAYS)
def test_the_interpretation_decides(corpus: Corpus, way: str) -> None:
    reads = _reasoner(corpus, text=WAYS[way][1])
    state = ran(corpus, Case(relevant={}), reasoner=reads, question=QUESTION)
    assert answer_of(state).value == COUNTS[way]


def test_every_branch_has_its_own_count(corpus: Corpus) -> None:
    policy = Policy(on_ambiguity="branch")
    reads = _reasoner(corpus, *WAYS)
    state = ran(corpus, Case(relevant={}), policy, reasoner=reads, question=QUESTION)
    found = {each.interpretation.text: each.value for each in answer_of(state).readings
             if each.interpretation}  # fmt: skip
    assert found == {WAYS[way][1]: COUNTS[way] for way in WAYS}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("said", ["choice", "words"])
def test_a_person_decides(corpus: Corpus, way: str, said: str) -> None:
    other = next(each for each in WAYS if each != way)
    reads = _reasoner(corpus, other, way)
    context = Context(corpus=corpus, reasoner=reads, policy=Policy(on_ambiguity="ask"))
    config: Any = {"configurable": {"thread_id": "t"}}
    graph: Any = build_graph(InMemorySaver())
    with context.store:
        waiting = graph.invoke({"question": QUESTION}, config, context=context)
        (asked,) = waiting["__interrupt__"]
        labels = [each["label"] for each in asked.value["options"]]
        number = labels.index(WAYS[way][0]) + 1
        reply = {"choice": number} if said == "choice" else {"text": f"{WAYS[way][0]}, please"}
        out = graph.invoke(Command(resume={asked.id: reply}), config, context=context)
    assert out["answer"].value == COUNTS[way]
    compared = [each.text for each in reads.prompts if each.name == "align"]
    assert way != "wide" or WAYS[way][0] in compared[-1]


def test_things_in_a_note_of_their_own_tell_where_they_stand(corpus: Corpus) -> None:
    reads = _reasoner(corpus, text=WAYS["document"][1])
    answer = answer_of(ran(corpus, Case(relevant={}), reasoner=reads, question=QUESTION))
    assert [(each.name, each.documents) for each in answer.entities][:2] == [
        ("Acme Ltd (note-0)", ("note-0",)),
        ("Acme Ltd (note-1)", ("note-1",)),
    ]
    assert answer.entities[1].aliases == ("ACME",)


OWNERS = ("Acme Ltd", "ACME LTD", "Acme", "Birch & Co", "Birch and Co")


def deeds(*owners: str) -> dict[str, str]:
    text = "Title: Deed {0}\nOwner: {1}\n\nDeed {0}\n\nIt was signed on day {0}."
    return {f"deed-{n}": text.format(n, owner) for n, owner in enumerate(owners)}


owned = built_once(partial(corpus_of, deeds(*OWNERS)))


@pytest.mark.parametrize(
    ("rule", "count"), [(None, 4), ("exact", 5), ("alias", 2), ("document", 5)]
)
def test_items_of_a_field_are_merged_as_was_said(
    owned: Corpus, rule: str | None, count: int
) -> None:
    reading = interpreted("", entity_type="owner", grain="entity", entity_field="Owner", merge=rule)
    case = Case(relevant={}, reading=reading)
    answer = answer_of(ran(owned, case, reasoner=_reading(owned, case)))
    assert (answer.value, answer.bounds) == (count, (count, count))


@pytest.mark.parametrize(("alias", "count"), [(None, 3), ("Formerly", 2)])
def test_a_field_of_other_names_says_which_names_are_one(
    tmp_path: Path, alias: str | None, count: int
) -> None:
    told = deeds("Quill Press\nFormerly: Harbour Books", "Harbour Books", "Ridge Farm")
    reading = interpreted(
        "", entity_type="owner", grain="entity", entity_field="Owner", alias_field=alias
    )
    state = ran(corpus_of(told, tmp_path), Case(relevant={}, reading=reading))
    assert answer_of(state).value == count
