"""The whole graph against a server that goes wrong: nothing dropped, everything counted."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from agent.answer import Answer
from agent.errors import ModelError, ProviderError, ProviderRejected
from agent.policy import Policy
from agent.value import counted
from graphs.apps.exits import Exit, exit_for
from tests.fake_provider.asking import chat
from tests.fake_provider.replies import FAULTS
from tests.fake_provider.server import FakeProvider
from tests.graphs.prepared import copied
from tests.integration.asking import FILTERED, GOLD, answered, by_command, complaint, is_true, names
from tests.integration.hostile import Hostile
from tests.integration.reader import doubting, kind_of
from tests.integration.scattered import SCATTERED_GOLD, audited, read_scattered
from tools.corpus.corpus import Corpus

pytestmark = [pytest.mark.slow, pytest.mark.faults]

MODES = sorted(FAULTS)
"""Every fault of the fake; what merely takes long is no fault."""
PROVIDER_MODES = {
    *("429", "quota", "500", "400", "401", "403", "404"),
    *("no-finish", "no-choices", "null-choices", "error-200"),
    *("html-200", "deep-json", "cut-json", "cut-body", "cut-stream"),
}
REJECTED = {"401", "403", "404", "quota"}
"""The server will serve nothing: another request would fare no better."""


def _holds(answer: Answer, corpus: Corpus, gold: Sequence[str] = GOLD) -> None:
    """Check what holds whatever the server did."""
    assert is_true(answer, corpus, gold)
    left = answer.coverage.failed + answer.coverage.unparsable
    assert exit_for(answer) == (Exit.FAILED_CHUNKS if left else Exit.ANSWERED)
    for state in ("failed", "unparsable"):
        number = getattr(answer.coverage, state)
        assert (number > 0) == any(
            each.startswith(f"{counted(number, 'chunk')} ") for each in answer.warnings
        )


@pytest.mark.parametrize("mode", [mode for mode in MODES if mode not in REJECTED])
def test_judging_outlives_every_fault(mode: str, provider: FakeProvider, corpus: Corpus):
    provider.answer = _spoiling("judge", mode)
    answer = answered(corpus, chat(provider), FILTERED)
    left = "failed" if mode in PROVIDER_MODES else "unparsable"
    assert getattr(answer.coverage, left) == answer.snapshots[0].kept
    assert answer.coverage.judged == 0
    assert answer.bounds == (0, 12)
    _holds(answer, corpus)


@pytest.mark.parametrize("kind", ["plan", "observe"])
@pytest.mark.parametrize("mode", MODES)
def test_filtering_outlives_every_fault(
    mode: str, kind: str, provider: FakeProvider, corpus: Corpus
):
    provider.answer = _spoiling(kind, mode)
    if mode in REJECTED - ({"403"} if kind == "observe" else set()):
        with pytest.raises(ProviderRejected):
            answered(corpus, chat(provider), FILTERED)
        return
    answer = answered(corpus, chat(provider), FILTERED)
    assert names(answer) == GOLD
    assert answer.coverage.judged == len(corpus)
    assert all(snapshot.outcome == "rolled_back" for snapshot in answer.snapshots)
    assert answer.warnings
    _holds(answer, corpus)


@pytest.mark.parametrize("mode", ["401", "403"])
@pytest.mark.parametrize("kind", ["interpret", "classify", "plan"])
def test_a_refused_key_ends_the_run_at_its_first_request(
    kind: str, mode: str, provider: FakeProvider, place: Path
):
    provider.answer = _spoiling(kind, mode)
    told = complaint(by_command(place, provider))
    assert "--resume" in told or kind == "interpret"
    assert [kind_of(body) for body in provider.requests].count(kind) == 1
    assert kind_of(provider.requests[-1]) == kind


@pytest.mark.parametrize("mode", MODES)
def test_an_unusable_classification_is_told_not_guessed(
    mode: str, provider: FakeProvider, corpus: Corpus
):
    provider.answer = _spoiling("classify", mode)
    if mode in PROVIDER_MODES:
        with pytest.raises(ProviderError):
            answered(corpus, chat(provider))
    else:
        answer = answered(corpus, chat(provider))
        assert names(answer) == GOLD
        assert any("could not be told" in each for each in answer.warnings)


@pytest.mark.parametrize("mode", MODES)
def test_a_question_that_cannot_be_read_is_a_typed_error(
    mode: str, provider: FakeProvider, corpus: Corpus
):
    provider.answer = _spoiling("interpret", mode)
    with pytest.raises(ProviderError if mode in PROVIDER_MODES else ModelError):
        answered(corpus, chat(provider))


@pytest.mark.parametrize("kind", ["interpret", "classify", "plan", "observe", "judge"])
@pytest.mark.parametrize("mode", ["malformed", "wrong-type", "null-content", "error-200", "500"])
def test_one_fault_is_mended(mode: str, kind: str, provider: FakeProvider, corpus: Corpus):
    provider.answer = _spoiling(kind, mode, most=1)
    answer = answered(corpus, chat(provider, max_retries=1), FILTERED)
    assert names(answer) == GOLD
    assert answer.coverage.failed + answer.coverage.unparsable == 0


@pytest.mark.parametrize("mode", ["malformed", "refusal", "500", "401"])
def test_a_clarification_that_cannot_be_worded_is_asked_as_it_is(
    mode: str, provider: FakeProvider, place: Path
):
    spoilt = _spoiling("clarify", mode, reader=doubting)
    provider.answer = spoilt
    waiting = by_command(place, provider, "--on-ambiguity", "ask")
    assert waiting.code == Exit.WAITING
    (asked,) = waiting.answer["ambiguity"]["asked"]
    assert "pet" in asked["question"]
    assert asked["options"] == [
        "How many leases allow a dog or a cat? (about 5)",
        "How many leases allow any animal? (about 2)",
    ]
    replied = by_command(place, provider, "--resume", waiting.answer["run"], "--reply", "2")
    assert replied.code == Exit.ANSWERED


def _spoiling(kind: str, mode: str, **more: Any) -> Hostile:
    """Return a server whose replies to one prompt have a fault."""
    return Hostile(failing=1.0, failures=(mode,), kinds=(kind,), **more)


@pytest.fixture(scope="module")
def relevant(
    _scattered: Path, tmp_path_factory: pytest.TempPathFactory, _provider_process: FakeProvider
) -> int:
    """How many chunks are relevant: what a faultless reading of all of them finds."""
    corpus = copied(_scattered, tmp_path_factory.mktemp("whole"))
    _provider_process.reset()
    _provider_process.answer = read_scattered
    everything = Policy(few_candidates=10_000)
    found = answered(corpus, chat(_provider_process), everything)
    assert names(found) == SCATTERED_GOLD
    return found.coverage.matched


@pytest.mark.parametrize("seed", ["a", "b", "c", "e"])
def test_every_fault_now_and_then_loses_no_chunk(
    seed: str, provider: FakeProvider, scattered: Corpus, relevant: int
):
    modes = sorted(set(FAULTS) - REJECTED)
    provider.answer = server = Hostile(
        failing=0.05, failures=modes, kinds=("judge",), seed=seed, reader=read_scattered
    )
    state = audited(scattered, chat(provider))
    assert server.spoilt.total() > 0
    told = state.answer.completeness
    _holds(state.answer, scattered, SCATTERED_GOLD)
    assert state.answer.coverage.unseen == 0
    assert (told.recall_lower_bound or 0.0) <= state.answer.coverage.matched / relevant
