import asyncio

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from agent.answer import Answer
from agent.errors import (
    QuestionError,
)
from agent.policy import Policy
from agent.prompt_values import PlanValues, RewriteValues
from agent.reasoner import Prompt
from evals.ablation import Ablation, components_of
from graphs.context import Context
from graphs.headcount import build_graph
from tests.graphs.conftest import INTERPRETED, NARROWED, PETS, Script, judged, whole
from tests.scripted import Scripted, ScriptedReasoner
from tools.corpus.corpus import Corpus

QUESTION = {"question": "How many leases allow the tenant to keep a pet?"}
DEFAULT = Policy()
READ_ALL = Ablation(few_candidates=10_000, feedback=False)
FILTER_ON = Ablation(few_candidates=0, feedback=False, audit=0)
CANDIDATES = Ablation(feedback=False, audit=0)
"""Filter, and read what is left: nothing else is read."""
GOLD = [f"lease-{number:02}" for number in sorted(PETS)]


def _answer(corpus: Corpus, reasoner: ScriptedReasoner, policy: Policy = DEFAULT) -> Answer:
    context = Context(
        corpus=corpus, reasoner=reasoner, policy=policy, components=components_of(policy)
    )
    return build_graph().invoke(QUESTION, context=context)["answer"]


def _names(answer: Answer) -> list[str]:
    return [entity.name for entity in answer.entities]


def _adds_up(answer: Answer) -> bool:
    coverage = answer.coverage
    parts = coverage.pruned + coverage.judged + coverage.unparsable + coverage.failed
    return parts + coverage.unseen == coverage.chunks


def test_every_match_is_found_with_its_words(corpus: Corpus, scripted: ScriptedReasoner):
    answer = _answer(corpus, scripted)
    assert answer.value == len(PETS)
    assert _names(answer) == GOLD
    for entity in answer.entities:
        for each in entity.evidence:
            text = corpus.document_text(corpus.document_index(each.document))
            assert text[each.start : each.end] == each.quote


@pytest.mark.parametrize("way", ["invoke", "stream", "ainvoke", "astream"])
def test_all_four_ways_to_run_give_the_same_answer(
    way: str, corpus: Corpus, scripted: ScriptedReasoner
):
    graph = build_graph()
    context = Context(corpus=corpus, reasoner=scripted)

    async def streamed() -> Answer:
        parts = [part async for part in graph.astream(QUESTION, context=context)]
        return parts[-1]["answer"]["answer"]

    ways = {
        "invoke": lambda: graph.invoke(QUESTION, context=context)["answer"],
        "stream": lambda: list(graph.stream(QUESTION, context=context))[-1]["answer"]["answer"],
        "ainvoke": lambda: asyncio.run(graph.ainvoke(QUESTION, context=context))["answer"],
        "astream": lambda: asyncio.run(streamed()),
    }
    assert _names(ways[way]()) == GOLD


def test_again_undoes_the_call_and_its_pruning(corpus: Corpus, script: Script):
    calls = iter(
        [
            {"tool": "keywords", "arguments": {"words": ["pounds"], "match": "any"}},
            {"tool": "keywords", "arguments": {"words": ["dog", "animal"], "match": "any"}},
            {"tool": "finish", "arguments": {}},
        ]
    )
    verdicts = iter(["again", "keep"])
    script["plan"] = lambda prompt: next(calls)
    script["observe"] = lambda prompt: {
        "summary": "",
        "why": "the discarded speak of animals",
        "verdict": next(verdicts),
        "rollback_to": None,
    }
    answer = _answer(corpus, ScriptedReasoner(script), CANDIDATES)
    assert [shot.outcome for shot in answer.snapshots] == ["rolled_back", "kept"]
    assert answer.snapshots[1].parent == answer.snapshots[0].parent
    assert answer.snapshots[1].kept + answer.snapshots[1].discarded == len(corpus)
    assert _names(answer) == GOLD
    assert _adds_up(answer)


def test_a_repeated_call_is_answered_from_history(corpus: Corpus, script: Script):
    seen = []

    def stubborn(prompt):
        seen.append(prompt.values_as(PlanValues).history)
        return {"tool": "keywords", "arguments": {"words": ["dog", "animal"], "match": "any"}}

    script["plan"] = stubborn
    answer = _answer(corpus, ScriptedReasoner(script), FILTER_ON)
    assert len(answer.snapshots) == 1
    assert "without progress" in " ".join(answer.warnings)
    assert any(step.refused for step in seen[-1])
    assert _names(answer) == GOLD


@pytest.mark.parametrize(
    ("call", "hint"),
    [
        ({"tool": "regex", "arguments": {"pattern": "(?<=a)b"}}, "look"),
        (
            {
                "tool": "metadata",
                "arguments": {
                    "predicates": [{"field": "Town", "comparison": "is", "values": ["York"]}],
                    "match": "all",
                },
            },
            "City",
        ),
        ({"tool": "keywords", "arguments": {"words": ["zebra"], "match": "any"}}, "nothing"),
        ({"tool": "union", "arguments": {"snapshots": ["0000", "1111"]}}, "no snapshot"),
    ],
    ids=["unsupported pattern", "unknown field", "keeps nothing", "unknown snapshot"],
)
def test_a_wrong_call_is_refused_with_a_hint(
    call: dict[str, object], hint: str, corpus: Corpus, script: Script
):
    told = []

    def plan(prompt):
        told.extend(step.refused for step in prompt.values_as(PlanValues).history)
        return call if not prompt.values_as(PlanValues).history else planned_finish()

    script["plan"] = plan
    answer = _answer(corpus, ScriptedReasoner(script), CANDIDATES)
    assert hint in told[0]
    assert answer.coverage.judged == len(corpus)
    assert _names(answer) == GOLD


def planned_finish() -> dict[str, object]:
    return {"tool": "finish", "arguments": {}}


def test_union_joins_two_ways_of_finding(corpus: Corpus, script: Script):
    def plan(prompt):
        history = prompt.values_as(PlanValues).history
        match len(history):
            case 0:
                return {"tool": "keywords", "arguments": {"words": ["dog"], "match": "any"}}
            case 1:
                return {"tool": "rollback", "arguments": {"snapshot": history[0].before}}
            case 2:
                return {"tool": "exact", "arguments": {"phrase": "No animal"}}
            case 3:
                both = [history[0].after, history[2].after]
                return {"tool": "union", "arguments": {"snapshots": both}}
            case _:
                return planned_finish()

    script["plan"] = plan
    answer = _answer(corpus, ScriptedReasoner(script), FILTER_ON)
    first, _, second, both = answer.snapshots
    assert both.kept == first.kept + second.kept
    assert answer.coverage.judged == both.kept
    assert _adds_up(answer)


def test_a_quote_that_is_not_in_the_text_is_no_evidence(corpus: Corpus, script: Script):
    def judge(prompt):
        shown = judged(prompt)
        for said in shown["passages"]:
            for each in said["evidence"]:
                each["quote"] = "The tenant is free to keep as many horses as the garden holds."
        return shown

    script["judge"] = judge
    answer = _answer(corpus, ScriptedReasoner(script), READ_ALL)
    assert answer.value == 0
    assert answer.coverage.unparsable == len(PETS)
    assert answer.bounds == (0, len(PETS))


AMBIGUOUS = {
    "ambiguities": [
        {
            "why": "a pet can be any animal or a dog",
            "code": "A1",
            "span": "pet",
            "readings": [
                {"label": "any animal", "question": "How many leases allow any animal?"},
                {"label": "dogs only", "question": "How many leases allow dogs?"},
            ],
        }
    ]
}
CLARIFIED = {
    "question": "Which animals count as a pet?",
    "options": [
        {"label": "any animal", "meaning": "How many leases allow any animal?"},
        {"label": "dogs only", "meaning": "How many leases allow dogs?"},
    ],
}


@pytest.fixture
def ambiguous(script: Script) -> ScriptedReasoner:
    script["classify"] = lambda prompt: AMBIGUOUS
    script["clarify"] = lambda prompt: CLARIFIED
    script["rewrite"] = _reread
    return ScriptedReasoner(script)


def _reread(prompt: Prompt) -> Scripted:
    """Read the question in the sense of the option chosen: the second one asks for less."""
    exchange = prompt.values_as(RewriteValues).exchange
    said = exchange.asked.options[exchange.reply.choice - 1].meaning
    return whole((INTERPRETED if exchange.reply.choice == 1 else NARROWED) | {"restated": said})


def test_an_ambiguous_question_waits_and_goes_on_with_the_reply(
    corpus: Corpus, ambiguous: ScriptedReasoner
):
    graph = build_graph(InMemorySaver())
    config = {"configurable": {"thread_id": "t"}}
    context = Context(corpus=corpus, reasoner=ambiguous, policy=Policy(on_ambiguity="ask"))
    waiting = graph.invoke(QUESTION, config, context=context)
    (asked,) = waiting["__interrupt__"]
    assert [option["label"] for option in asked.value["options"]] == ["any animal", "dogs only"]
    asked_before = len(ambiguous.prompts)
    out = graph.invoke(Command(resume={asked.id: {"choice": 9}}), config, context=context)
    (again,) = out["__interrupt__"]
    assert "choose 1 to 2" in again.value["problem"]
    assert len(ambiguous.prompts) == asked_before
    out = graph.invoke(Command(resume={again.id: {"choice": 2}}), config, context=context)
    answer = out["answer"]
    assert answer.interpretation.text == "How many leases allow dogs?"
    assert answer.ambiguity.codes == ("A1",)
    assert answer.ambiguity.asked[0].reply == "2"


def test_a_reading_with_an_unknown_field_is_asked_again(corpus: Corpus, script: Script):
    wrong = INTERPRETED | {"entity_field": "Landlord"}
    replies = iter([wrong, INTERPRETED])
    script["interpret"] = lambda prompt: next(replies)
    reasoner = ScriptedReasoner(script)
    assert _names(_answer(corpus, reasoner)) == GOLD
    asked = [prompt.text for prompt in reasoner.prompts if prompt.name == "interpret"]
    assert "'Landlord'" in asked[1]


def test_metadata_decides_without_a_model(corpus: Corpus, script: Script):
    atom = INTERPRETED["conditions"][0] | {
        "text": "is in York",
        "field": "City",
        "comparison": "is",
        "values": ["York"],
    }
    script["interpret"] = lambda prompt: INTERPRETED | {"conditions": [atom]}
    del script["plan"], script["judge"], script["observe"]
    answer = _answer(corpus, ScriptedReasoner(script))
    assert _names(answer) == ["lease-01", "lease-04", "lease-07", "lease-10"]
    assert {each.quote for entity in answer.entities for each in entity.evidence} == {"City: York"}
    assert answer.completeness.recall_lower_bound == 1.0
    assert _adds_up(answer)


@pytest.mark.parametrize("question", ["", " \n", None, 5, "caf\udce9?"], ids=repr)
def test_what_is_no_question_is_refused(corpus: Corpus, question: object):
    with pytest.raises(QuestionError, match="question"):
        build_graph().invoke({"question": question}, context=Context(corpus=corpus))
