import pytest

from agent.answer import Answer
from agent.errors import QuestionError
from agent.history import Step
from agent.policy import Policy
from agent.prompt_values import PlanValues
from evals.ablation import Ablation
from graphs.context import Context
from graphs.headcount import build_graph
from tests.graphs.conftest import INTERPRETED, Script
from tests.graphs.replies import KEEP
from tests.graphs.searching import context_of
from tests.integration.asking import GOLD, adds_up, names
from tests.scripted import ScriptedReasoner
from tools.corpus.corpus import Corpus

QUESTION = {"question": "How many leases allow the tenant to keep a pet?"}
DEFAULT = Policy()
FILTER_ON = Ablation(few_candidates=0, feedback=False, audit=0)
CANDIDATES = Ablation(feedback=False, audit=0)
"""Filter, and read what is left: nothing else is read."""
FINISH = {"tool": "finish", "arguments": {}}
TOWN = {"field": "Town", "comparison": "is", "values": ["York"]}


def _answer(corpus: Corpus, reasoner: ScriptedReasoner, policy: Policy = DEFAULT) -> Answer:
    context = context_of(corpus, reasoner, policy)
    return build_graph().invoke(QUESTION, context=context)["answer"]


def test_again_undoes_the_call_and_its_pruning(corpus: Corpus, script: Script):
    calls = iter(
        [
            {"tool": "keywords", "arguments": {"words": ["pounds"], "match": "any"}},
            {"tool": "keywords", "arguments": {"words": ["dog", "animal"], "match": "any"}},
            FINISH,
        ]
    )
    verdicts = iter(["again", "keep"])
    script["plan"] = lambda prompt: next(calls)
    script["observe"] = lambda prompt: KEEP | {"verdict": next(verdicts)}
    answer = _answer(corpus, ScriptedReasoner(script), CANDIDATES)
    assert [shot.outcome for shot in answer.snapshots] == ["rolled_back", "kept"]
    assert answer.snapshots[1].parent == answer.snapshots[0].parent
    assert answer.snapshots[1].kept + answer.snapshots[1].discarded == len(corpus)
    assert names(answer) == GOLD
    assert adds_up(answer)


def last_history(reasoner: ScriptedReasoner) -> tuple[Step, ...]:
    """Return the history that whoever plans saw last."""
    *_, last = (each for each in reasoner.prompts if each.name == "plan")
    return last.values_as(PlanValues).history


def test_a_repeated_call_is_answered_from_history(corpus: Corpus, script: Script):
    call = {"tool": "keywords", "arguments": {"words": ["dog", "animal"], "match": "any"}}
    script["plan"] = lambda prompt: call
    reasoner = ScriptedReasoner(script)
    answer = _answer(corpus, reasoner, FILTER_ON)
    assert len(answer.snapshots) == 1
    assert "without progress" in " ".join(answer.warnings)
    assert any(step.refused for step in last_history(reasoner))
    assert names(answer) == GOLD


@pytest.mark.parametrize(
    ("call", "hint"),
    [
        ({"tool": "metadata", "arguments": {"predicates": [TOWN], "match": "all"}}, "City"),
        ({"tool": "union", "arguments": {"snapshots": ["0000", "1111"]}}, "no snapshot"),
    ],
    ids=["unknown field", "unknown snapshot"],
)
def test_a_wrong_call_is_refused_with_a_hint(
    call: dict[str, object], hint: str, corpus: Corpus, script: Script
):
    calls = iter([call, FINISH])
    script["plan"] = lambda prompt: next(calls)
    reasoner = ScriptedReasoner(script)
    answer = _answer(corpus, reasoner, CANDIDATES)
    assert hint in last_history(reasoner)[0].refused
    assert answer.coverage.judged == len(corpus)
    assert names(answer) == GOLD


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
                return FINISH

    script["plan"] = plan
    answer = _answer(corpus, ScriptedReasoner(script), FILTER_ON)
    first, _, second, both = answer.snapshots
    assert both.kept == first.kept + second.kept
    assert answer.coverage.judged == both.kept
    assert adds_up(answer)


def test_a_reading_with_an_unknown_field_is_asked_again(corpus: Corpus, script: Script):
    wrong = INTERPRETED | {"entity_field": "Landlord"}
    replies = iter([wrong, INTERPRETED])
    script["interpret"] = lambda prompt: next(replies)
    reasoner = ScriptedReasoner(script)
    assert names(_answer(corpus, reasoner)) == GOLD
    asked = [prompt.text for prompt in reasoner.prompts if prompt.name == "interpret"]
    assert "'Landlord'" in asked[1]


@pytest.mark.parametrize("question", ["", " \n", None, 5, "caf\udce9?"], ids=repr)
def test_what_is_no_question_is_refused(corpus: Corpus, question: object):
    with pytest.raises(QuestionError, match="question"):
        build_graph().invoke({"question": question}, context=Context(corpus=corpus))
