import pytest

from agent.reasoners.scripted import ScriptedReasoner
from evals.baselines.baseline_prompts import answer
from evals.baselines.concluding import billed, fitted
from evals.systems import BASELINES, observed
from graphs.context import Context
from tools.corpus.corpus import Corpus


def _context(corpus: Corpus, tokens: int) -> Context:
    told = {"reason": "", "items": [], "value": None, "unit": None}
    reader = ScriptedReasoner({"answer": lambda _: told}, context_tokens=tokens, reply_tokens=100)
    return Context(corpus=corpus, reasoner=reader)


def test_what_does_not_fit_is_left_out_and_told(bridges: Corpus) -> None:
    chunks = range(20)
    everything = fitted(chunks, _context(bridges, 100_000))
    assert ([each.chunk for each in everything.passages], everything.warnings) == ([*chunks], ())
    some = fitted(chunks, _context(bridges, 2200))
    held = len(some.passages)
    assert 0 < held < 20
    assert [each.chunk for each in some.passages] == [*chunks[:held]]
    assert some.warnings == (f"{20 - held} of 20 passages did not fit in the model's context",)
    assert len(fitted(chunks, _context(bridges, 2200), besides="rust " * 300).passages) < held


@pytest.mark.parametrize("budget", [500, 1500, 3000, 6000])
def test_a_budget_holds_a_whole_prompt_and_says_that_it_cut(bridges: Corpus, budget: int) -> None:
    chunks = [*range(0, 84, 2), *range(1, 84, 2)]
    some = fitted(chunks, _context(bridges, 100_000), budget=budget)
    assert [each.chunk for each in some.passages] == [*chunks[: len(some.passages)]]
    assert len(some.passages) < len(chunks)
    assert some.stopped == some.warnings[0]
    assert some.stopped.endswith("did not fit in what is left of the budget")
    if some.passages:
        assert billed(answer(question="rust", passages=some.passages).text) <= budget


def test_only_what_was_shown_counts_as_read(bridges: Corpus) -> None:
    outcome = observed(BASELINES["naive-rag-20"], "rust", _context(bridges, 2200))
    assert outcome.answer is not None
    assert 0 < outcome.answer.coverage.judged < 20
    assert "did not fit" in outcome.answer.warnings[0]


def test_a_context_without_room_for_a_passage_answers_nothing(bridges: Corpus) -> None:
    outcome = observed(BASELINES["naive-rag-20"], "rust", _context(bridges, 1600))
    assert outcome.answer is not None
    assert outcome.answer.value is None
    assert outcome.answer.warnings[-1] == "no passage was found to answer from"
