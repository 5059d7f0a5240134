"""Requests fit what is left of the budget: whole ones, a part of one, or one to be refused."""

from collections.abc import Sequence

import pytest
from pydantic import BaseModel

from agent.prompt_values import JudgeValues
from agent.question import Condition, Interpretation
from agent.reasoner import Prompt
from agent.reasoners.scripted import ScriptedReasoner
from graphs.search.allowance import Allowance
from graphs.search.judging import Bench
from tests.graphs.searching import corpus_of, letters
from tools.corpus.corpus import Corpus

ABOUT = Condition(id="c1", text="is about it")
READING = Interpretation(text="?", entity_type="letter", conditions=ABOUT)
BATCHES = [[4, 2, 9], [1, 3], [7]]


class Limited(ScriptedReasoner):
    """Has so many tokens left; a prompt counts 10, and 5 for each passage."""

    def __init__(self, left: int) -> None:
        super().__init__({}, context_tokens=200)
        self.left = left

    def tokens(self, prompt: Prompt, reply: type[BaseModel]) -> int:
        shown = prompt.values_as(JudgeValues).passages
        assert isinstance(shown, Sequence)
        return 10 + 5 * len(shown)

    def affords(self, sent: int, received: int) -> bool:
        return sent + received <= self.left


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return corpus_of(letters(4), tmp_path_factory.mktemp("allowance"))


@pytest.mark.parametrize(
    ("left", "paid"),
    [
        pytest.param(600, BATCHES, id="no limit is near"),
        pytest.param(72, BATCHES, id="all, to the token"),
        pytest.param(71, BATCHES[:2], id="whole requests before a part of one"),
        pytest.param(30, [[4, 2]], id="a part of the first"),
        pytest.param(17, [[4]], id="one passage and its reply"),
        pytest.param(16, [[4, 2, 9]], id="nothing: the first is left to be refused"),
    ],
)
def test_what_is_sent_is_what_is_paid_for(left: int, paid: list[list[int]], corpus: Corpus) -> None:
    bench = Bench(corpus=corpus, reasoner=Limited(left), reading=READING, conditions=(ABOUT,))
    assert Allowance(bench=bench, reply=2).paid(BATCHES) == paid


def test_no_batches_are_none(corpus: Corpus) -> None:
    bench = Bench(corpus=corpus, reasoner=Limited(0), reading=READING, conditions=(ABOUT,))
    assert Allowance(bench=bench, reply=2).paid([]) == []
