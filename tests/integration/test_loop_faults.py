"""Reading by feedback and by audit against a server that goes wrong: the proof stays true."""

from pathlib import Path

import pytest

from agent.answer import Answer
from agent.policy import Policy
from graphs.apps.exits import Exit, exit_for
from tests.fake_provider.asking import chat
from tests.fake_provider.replies import FAULTS
from tests.fake_provider.server import FakeProvider
from tests.graphs.prepared import copied
from tests.integration.asking import adds_up, answered, is_true, names
from tests.integration.hostile import Hostile
from tests.integration.scattered import SCATTERED_GOLD, audited, read_scattered
from tools.corpus.corpus import Corpus

pytestmark = [pytest.mark.slow, pytest.mark.faults]

REJECTED = {"401", "403", "404", "quota"}
"""The server will serve nothing: the run ends with an error and can be resumed."""
MODES = sorted(set(FAULTS) - REJECTED - {"slow"})


def _spoiling(share: float, *modes: str, seed: str = "") -> Hostile:
    return Hostile(
        failing=share, failures=modes, kinds=("judge",), seed=seed, reader=read_scattered
    )


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


def _holds(answer: Answer, corpus: Corpus, relevant: int) -> None:
    """Check what holds whatever the server did."""
    told = answer.completeness
    assert is_true(answer, corpus, SCATTERED_GOLD)
    assert answer.coverage.unseen == 0
    assert (told.recall_lower_bound or 0.0) <= answer.coverage.matched / relevant
    left = answer.coverage.failed + answer.coverage.unparsable
    assert exit_for(answer) == (Exit.FAILED_CHUNKS if left else Exit.ANSWERED)


@pytest.mark.parametrize("seed", ["a", "b", "c", "e"])
def test_every_fault_now_and_then_loses_no_chunk(
    seed: str, provider: FakeProvider, scattered: Corpus, relevant: int
):
    provider.answer = server = _spoiling(0.05, *MODES, seed=seed)
    state = audited(scattered, chat(provider))
    assert server.spoilt.total() > 0
    _holds(state.answer, scattered, relevant)


def test_every_chunk_failing_proves_nothing(provider: FakeProvider, scattered: Corpus):
    provider.answer = _spoiling(1.0, "500")
    answer = audited(scattered, chat(provider)).answer
    assert answer.bounds == (0, len(scattered.documents))
    assert answer.completeness.recall_lower_bound is None
    assert answer.coverage.judged == 0
    assert answer.coverage.failed > 0
    assert adds_up(answer)
