"""A call without a use is refused beforehand; one that was made is judged by what is lost by it."""

from typing import Any

import pytest
from langgraph.runtime import Runtime
from pyroaring import BitMap

from agent.history import Step, Verdict
from agent.policy import Policy
from agent.prompt_values import ObserveValues
from agent.question import Condition, Interpretation
from agent.reasoner import Prompt, ToolCall
from agent.state import State, Update
from evals.ablation import Ablation
from graphs.nodes.apply import apply, observe
from tests.graphs.replies import KEEP
from tests.graphs.searching import begun, context_of
from tests.scripted import ScriptedReasoner
from tools.corpus.corpus import Corpus

READING = Interpretation(
    text="How many leases allow a pet?",
    entity_type="lease",
    conditions=Condition(id="c1", text="allows a pet"),
)
NOTHING, EVERYTHING = "zebra", "lease"


def applied(corpus: Corpus, word: str, **policy: Any) -> tuple[Update, int]:
    """Filter the whole corpus by a word; return the update and how many chunks are left."""
    context = context_of(corpus, policy=Ablation(**policy))
    arguments = {"words": [word], "match": "any", "at_least": None, "stem": True}
    with context.store as store:
        whole = store.put_ids(BitMap(range(len(corpus))))
        call = ToolCall(tool="keywords", arguments=arguments)
        state = begun(context, READING, snapshot=whole, call=call)
        update = apply(state, Runtime(context=context, stream_writer=lambda told: None))
        return update, len(store.ids(update.get("snapshot", whole)))


@pytest.mark.parametrize(
    ("word", "why"), [(NOTHING, "would keep nothing"), (EVERYTHING, "would change nothing")]
)
def test_a_call_without_a_use_is_refused_beforehand_and_carried_out_without_a_preview(
    corpus: Corpus, word: str, why: str
) -> None:
    update, left = applied(corpus, word)
    assert why in update["history"][-1].refused
    assert left == len(corpus)
    update, left = applied(corpus, word, preview=False)
    step = update["history"][-1]
    assert not step.refused
    assert step.verdict is None
    assert left == step.kept == (0 if word == NOTHING else len(corpus))


def seen(
    corpus: Corpus,
    *calls: tuple[str, BitMap, BitMap, Verdict | None],
    policy: Policy = Policy(),  # noqa: B008 - frozen
) -> Prompt:
    """Return the prompt about the last of these calls: tool, before, after, verdict."""
    reasoner = ScriptedReasoner({"observe": lambda prompt: KEEP})
    context = context_of(corpus, reasoner, policy)
    put = context.store.put_ids
    history = tuple(
        Step(
            round=number,
            call=ToolCall(tool=tool, arguments={}),
            before=put(before),
            after=put(after),
            kept=len(after),
            discarded=len(before - after),
            verdict=verdict,
        )
        for number, (tool, before, after, verdict) in enumerate(calls, start=1)
    )
    state = State(question="?", run="r", interpretation=READING, history=history)
    observe(state, Runtime(context=context, stream_writer=lambda told: None))
    (prompt,) = reasoner.prompts
    return prompt


def discarded(prompt: Prompt) -> set[int]:
    return {passage.chunk for passage in prompt.values_as(ObserveValues).discarded or ()}


WHOLE = BitMap(range(12))
LEFT, RIGHT = BitMap(range(6)), BitMap(range(4, 9))


def test_what_another_branch_holds_is_not_shown_as_lost(corpus: Corpus) -> None:
    prompt = seen(
        corpus,
        ("keywords", WHOLE, LEFT, "keep"),
        ("rollback", LEFT, WHOLE, "keep"),
        ("semantic", WHOLE, RIGHT, None),
    )
    assert discarded(prompt) == {9, 10, 11}
    assert "Of the discarded, 4 are held by another snapshot" in prompt.text


def test_what_was_discarded_can_be_kept_from_whoever_judges(corpus: Corpus) -> None:
    calls: tuple[str, BitMap, BitMap, Verdict | None] = ("keywords", WHOLE, LEFT, None)
    open_, blind = (
        seen(corpus, calls, policy=Ablation(observe_discarded=shown)) for shown in (True, False)
    )
    assert discarded(open_)
    assert not discarded(blind)
    assert blind.values_as(ObserveValues).kept == open_.values_as(ObserveValues).kept
    assert "(not shown)" in blind.text
    assert "(not shown)" not in open_.text
