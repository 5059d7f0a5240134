"""An audit whose hits lie in what one filter call ruled out undoes that call and reads there."""

import re
from typing import Any

import pytest
from langgraph.runtime import Runtime
from pyroaring import BitMap

from agent.history import Step
from agent.policy import Policy
from agent.prompt_values import PlanValues
from agent.reasoner import Prompt, ToolCall
from agent.state import State, Update
from graphs import headcount
from graphs.context import Context
from graphs.nodes.feedback import audit as node
from tests.graphs.searching import (
    LOOP,
    Case,
    adds_up,
    answer_of,
    bounds_of,
    count_of,
    letters_once,
    purposes,
    ran,
    reasoner_for,
)
from tools.corpus.corpus import Corpus
from tools.runs.chunk_story import stories

WORDS = ("apple",)
"""What the filter looks for: about half of the chunks have it."""
AUDITED = LOOP.model_copy(update={"batch_tokens": 700, "audit": 40})
corpus = letters_once(16, 54)


def kept(corpus: Corpus) -> frozenset[int]:
    """Return what the filter keeps."""
    texts = enumerate(map(corpus.chunk_text, range(len(corpus))))
    return frozenset(number for number, text in texts if any(word in text for word in WORDS))


def discarded(corpus: Corpus) -> list[int]:
    return sorted(set(range(len(corpus))) - kept(corpus))


def unread(corpus: Corpus, policy: Policy = AUDITED) -> list[int]:
    """Return what is not read before the audit by a search that finds nothing."""
    state = ran(corpus, Case(relevant={"c1": frozenset()}, words=WORDS), policy)
    read = read_before_the_audit(state, corpus)
    return [chunk for chunk in range(len(corpus)) if chunk not in read]


def lossy(corpus: Corpus) -> Case:
    """Return a case whose filter loses all that is relevant, half of what it rules out."""
    lost = sorted(set(unread(corpus)) - kept(corpus))
    return Case(relevant={"c1": frozenset(lost[::2])}, words=WORDS)


def spread(corpus: Corpus) -> Case:
    """Return a case of which much is left everywhere."""
    return Case(relevant={"c1": frozenset(unread(corpus)[::3])}, words=WORDS)


def read_before_the_audit(state: State, corpus: Corpus) -> BitMap:
    store = Context(corpus=corpus).store
    first = purposes(state).index("audit")
    return BitMap().union(*(store.ids(each.selection) for each in state.rounds[:first]))


def audits(state: State) -> list[Step]:
    return [step for step in state.history if step.call.tool == "audit"]


def test_the_call_is_rolled_back_and_history_and_snapshot_say_why(corpus: Corpus) -> None:
    state = ran(corpus, lossy(corpus), AUDITED)
    (step, *_) = audits(state)
    filtered, *_ = answer_of(state).snapshots
    assert (step.verdict, step.call.arguments["undone"]) == ("rollback", 1)
    assert "keywords in round 1" in step.why
    assert (filtered.tool, filtered.outcome) == ("keywords", "rolled_back")
    assert filtered.why.startswith(f"by the audit in round {step.round}: ")
    told = r"(\d+) of (\d+) chunks drawn there were relevant, elsewhere (\d+) of (\d+)"
    (there, drawn, other, elsewhere) = map(int, *re.findall(told, filtered.why))
    assert there / drawn > 5 * other / elsewhere


def test_what_the_call_discarded_becomes_a_snapshot_of_candidates(corpus: Corpus) -> None:
    state = ran(corpus, lossy(corpus), AUDITED)
    store = Context(corpus=corpus).store
    (step, *_) = audits(state)
    (made,) = [shot for shot in answer_of(state).snapshots if shot.id == step.after]
    sample = store.ids(state.rounds[purposes(state).index("audit")].selection)
    left = BitMap(discarded(corpus)) - read_before_the_audit(state, corpus) - sample
    assert store.ids(step.after) - store.ids(step.before) == left
    assert (made.parent, made.discarded, made.kept) == (step.before, 0, len(store.ids(step.after)))


def test_reading_goes_on_in_the_part_that_leaked(corpus: Corpus) -> None:
    state = ran(corpus, lossy(corpus), AUDITED)
    store = Context(corpus=corpus).store
    after = state.rounds[purposes(state).index("audit") + 1]
    assert after.purpose == "search"
    assert store.ids(after.selection) <= store.ids(state.audits[0].taken_back)
    assert store.ids(state.audits[0].taken_back) <= BitMap(discarded(corpus))
    assert "chunks that the audit took back" in after.why


def narrows(prompt: Prompt, tools: object) -> ToolCall:
    """Filter twice, the second time among what the first call kept."""
    history: Any = prompt.values_as(PlanValues).history
    if len(history) == 2:
        return ToolCall(tool="finish", arguments={})
    return ToolCall(tool="keywords", arguments={"words": [("apple", "barn")[len(history)]]})


def test_of_two_calls_the_one_to_blame_is_undone_and_without_feedback_read_whole(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = [corpus.chunk_text(chunk) for chunk in range(len(corpus))]
    lost = BitMap(at for at, text in enumerate(texts) if "apple" in text and "barn" not in text)
    case = Case(relevant={"c1": frozenset(lost)})
    policy = AUDITED.model_copy(update={"feedback": False})
    reasoner = reasoner_for(corpus, case)
    monkeypatch.setattr(reasoner, "choose", narrows)
    state = ran(corpus, case, policy, reasoner=reasoner)
    first, second, *_ = answer_of(state).snapshots
    assert [each.outcome for each in (first, second)] == ["kept", "rolled_back"]
    store = Context(corpus=corpus).store
    assert store.ids(state.audits[0].taken_back) <= lost
    assert count_of(state) == len(case.matching(corpus))


def test_hits_all_over_undo_nothing(corpus: Corpus) -> None:
    state = ran(corpus, spread(corpus), AUDITED)
    (step, *_) = audits(state)
    assert step.kept > 0
    assert (step.verdict, step.before) == ("again", step.after)
    assert state.audits[0].taken_back == ""
    assert {shot.outcome for shot in answer_of(state).snapshots} == {"kept"}


def test_the_ledger_adds_up_and_tells_each_chunk_that_came_back(corpus: Corpus) -> None:
    state = ran(corpus, lossy(corpus), AUDITED)
    assert adds_up(state)
    store = Context(corpus=corpus).store
    (step, *_) = audits(state)
    back = list(store.ids(step.after) - store.ids(step.before))[::9]
    for (told,) in stories(store, state.run, corpus, back).values():
        (taken,) = [move for move in told.changes if move.after.state == "reverted"]
        assert (taken.before.step, taken.step) == (1, step.round)
        assert told.now.state in {"yes", "no", "pruned"}
        assert told.now.step != 1


def test_what_a_filter_lost_is_found_and_the_bounds_hold(corpus: Corpus) -> None:
    case = lossy(corpus)
    without = ran(corpus, case, AUDITED.model_copy(update={"audit": 0}))
    state = ran(corpus, case, AUDITED)
    low, high = bounds_of(state)
    assert answer_of(without).value == 0
    assert low <= len(case.matching(corpus)) <= high
    found = count_of(state) / len(case.matching(corpus))
    assert found > 0.8
    assert (answer_of(state).completeness.recall_lower_bound or 0) <= found


def test_an_audit_concluded_twice_undoes_the_same(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after a crash between the run store and the checkpoint."""
    once = ran(corpus, lossy(corpus), AUDITED)
    repeated: list[Update] = []

    def audit(state: State, runtime: Runtime[Context]) -> Update:
        repeated.append(node(state, runtime))
        again = node(state, runtime)
        assert again == repeated[-1]
        return again

    replaced = tuple(audit if each is node else each for each in headcount.NODES)
    monkeypatch.setattr(headcount, "NODES", replaced)
    twice = ran(corpus, lossy(corpus), AUDITED)
    assert any("snapshot" in each for each in repeated)
    assert twice.history == once.history
    assert answer_of(twice).snapshots == answer_of(once).snapshots
