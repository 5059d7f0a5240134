"""Which question is clear enough for nobody to be paid to look at it."""

from typing import Any

import pytest

from agent.ambiguity import Coherence
from agent.policy import AmbiguityGate
from agent.question import Condition, Interpretation
from graphs.context import Context
from tools.corpus.corpus import Corpus

CLEAR = Coherence(dispersion=0.1, separability=0.0, state="clear")
SPREAD = Coherence(dispersion=0.5, separability=0.0, state="uncertain")
SPLIT = Coherence(dispersion=0.5, separability=0.5, state="ambiguous")


def read(question: str) -> Interpretation:
    return Interpretation(
        text=question,
        entity_type="lease",
        operation="count",
        conditions=Condition(id="c1", text="allows animals"),
    )


@pytest.mark.parametrize(
    ("gate", "coherence", "seen", "skips"),
    [
        ("off", CLEAR, (), False),
        ("coherence", CLEAR, ("A1",), True),
        ("coherence", CLEAR, None, True),
        ("coherence", SPREAD, (), False),
        ("coherence", SPLIT, (), False),
        ("coherence", None, (), False),
        ("screen", CLEAR, (), True),
        ("screen", CLEAR, ("A1",), False),
        ("screen", CLEAR, None, False),
        ("screen", SPREAD, (), False),
        ("screen", None, (), False),
    ],
)
def test_a_gate_skips_only_by_signs_that_were_measured(
    gate: AmbiguityGate, coherence: Coherence | None, seen: Any, *, skips: bool
):
    assert bool(skipped(gate, Signs(coherence=coherence, seen=seen))) is skips


@pytest.mark.parametrize(
    ("question", "seen"),
    [
        ("How many leases allow animals?", ()),
        ("How many recent leases allow animals?", ("A2",)),
        ("Why do the leases allow animals?", None),
        ("Leases, animals", None),
    ],
)
def test_to_see_nothing_in_what_cannot_be_read_is_no_sign(
    question: str, seen: tuple[str, ...] | None, corpus: Corpus
):
    signs = signs_of(question, read(question), CLEAR, Context(corpus=corpus))
    assert signs.seen == seen
    assert signs.coherent


def test_few_passages_are_on_one_topic_for_want_of_another(corpus: Corpus):
    class Few:
        def __init__(self, corpus: Corpus) -> None:
            self.corpus = corpus

        def __len__(self) -> int:
            return 3

        def __getattr__(self, name: str) -> Any:
            return getattr(self.corpus, name)

    few: Any = Few(corpus)
    question = "How many leases allow animals?"
    signs = signs_of(question, read(question), CLEAR, Context(corpus=few))
    assert not signs.coherent
