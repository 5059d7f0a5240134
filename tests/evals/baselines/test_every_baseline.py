"""What holds of every baseline, whoever reads."""

import pytest

from agent.answer import Answer
from agent.cost import Budget
from agent.errors import MalformedReply, ProviderUnavailable
from agent.reasoner import Reasoner
from evals.annotated.skill import Skill
from evals.annotated.skill_reasoner import SkillReasoner
from evals.scores import Outcome
from evals.systems import DEPTHS, METHODS, SYSTEMS, observed
from graphs.context import Context
from tests.evals.bridges import record
from tests.integration.asking import quotes_hold
from tests.scripted import ScriptedReasoner
from tools.corpus.corpus import Corpus

RECORD = record()
OTHER_DEPTHS = tuple(f"-{k}" for k in DEPTHS[1:])
GRAPHS = [name for name in METHODS if not name.endswith(OTHER_DEPTHS)]
PROMPTS = ("answer", "assess", "diversify", "interpret", "note", "verify")


def _reader(corpus: Corpus, budget: Budget | None = None, **rates: float) -> SkillReasoner:
    skill = Skill.model_validate(rates)
    return SkillReasoner(RECORD, corpus, skill=skill, budget=budget)


def _asked(name: str, corpus: Corpus, reasoner: Reasoner) -> Outcome:
    context = Context(corpus=corpus, reasoner=reasoner)
    return observed(SYSTEMS[name], RECORD, context)


def _answer(name: str, corpus: Corpus, reasoner: Reasoner) -> Answer:
    return _asked(name, corpus, reasoner).answer


@pytest.mark.parametrize("name", GRAPHS)
def test_its_answer_and_its_bill_account_for_all_that_was_read(name: str, bridges: Corpus) -> None:
    reader = _reader(bridges)
    outcome = _asked(name, bridges, reader)
    answer, coverage = outcome.answer, outcome.answer.coverage
    assert answer.status == "answered"
    assert coverage.chunks == len(bridges)
    assert coverage.judged + coverage.pruned == len(bridges)
    assert (coverage.judged > 0) == (name != "llm-only")
    assert all(entity.documents for entity in answer.entities)
    assert quotes_hold(answer, bridges)
    assert len(outcome.kept) == coverage.judged
    assert answer.cost.model_calls == reader.spent().model_calls > 0
    assert answer.cost.input_tokens == reader.spent().input_tokens > 0


@pytest.mark.parametrize("name", GRAPHS)
def test_it_makes_the_same_errors_again(name: str, bridges: Corpus) -> None:
    rates = {"misses": 0.4, "false_alarms": 0.1, "counting": 0.3, "searching": 0.4}
    once, again = (_answer(name, bridges, _reader(bridges, **rates)) for _ in range(2))
    alike = {"run", "cost"}
    assert once.model_dump(exclude=alike) == again.model_dump(exclude=alike)


@pytest.mark.parametrize("name", GRAPHS)
@pytest.mark.parametrize("calls", [0, 1])
def test_a_spent_budget_is_a_partial_answer(name: str, calls: int, bridges: Corpus) -> None:
    reader = _reader(bridges, Budget(calls=calls))
    needed = _answer(name, bridges, _reader(bridges)).cost.model_calls
    answer = _answer(name, bridges, reader)
    assert answer.status == ("partial" if needed > calls else "answered")
    assert reader.spent().model_calls == calls
    assert any("budget" in each for each in answer.warnings) == (needed > calls)


@pytest.mark.parametrize("name", [each for each in GRAPHS if each != "full-scan"])
@pytest.mark.parametrize("error", [MalformedReply("no JSON"), ProviderUnavailable("timed out")])
def test_replies_that_fail_are_told_and_answer_nothing(
    name: str, error: Exception, bridges: Corpus
) -> None:
    fails = {prompt: lambda _: error for prompt in (*PROMPTS, "act")}
    answer = _answer(name, bridges, ScriptedReasoner(fails))
    assert (answer.value, answer.entities) == (None, ())
    assert any(str(error) in each for each in answer.warnings)


@pytest.mark.parametrize("name", ["full-scan", "note-taking-50", "tool-agent"])
def test_a_faultless_reader_of_everything_finds_exactly_the_answer(
    name: str, bridges: Corpus
) -> None:
    answer = _answer(name, bridges, _reader(bridges))
    assert answer.value == RECORD.answer_count
    assert {each.documents for each in answer.entities} == {
        (document,) for document in RECORD.gold_documents
    }
