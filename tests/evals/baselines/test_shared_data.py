"""What the comparison is for, on contracts that lawyers labelled."""

import os
from pathlib import Path

import pytest

from agent.policy import Policy
from evals.annotated import SkillReasoner
from evals.names import DocumentNames
from evals.questions import Record, load
from evals.scores import Score, score
from evals.spans import gold_chunks
from evals.systems import SYSTEMS, observed
from graphs.context import Context
from tools.corpus.build import build
from tools.corpus.corpus import Corpus, open_corpus

DATA = Path(os.environ.get("HEADCOUNT_DATA", Path(__file__).parents[3] / "../shared/data"))
QUESTIONS = ("cuad-dev-005", "cuad-dev-017", "cuad-dev-033")
pytestmark = pytest.mark.skipif(
    not (DATA / "questions").is_dir(), reason="the shared data is not here: set HEADCOUNT_DATA"
)


@pytest.fixture(scope="module")
def contracts(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    place = tmp_path_factory.mktemp("contracts") / "contracts.corpus"
    build([DATA / "cuad/dev/docs"], place)
    return open_corpus(place)


@pytest.fixture(scope="module", params=QUESTIONS)
def record(request: pytest.FixtureRequest) -> Record:
    records = load(DATA / "questions" / "cuad_dev.jsonl")
    return next(each for each in records if each.id == request.param)


def _scored(system: str, record: Record, corpus: Corpus) -> Score:
    reader = SkillReasoner(record, corpus)
    context = Context(corpus=corpus, reasoner=reader, policy=Policy(on_ambiguity="assume"))
    outcome = observed(SYSTEMS[system], record.question, context)
    names = DocumentNames(corpus.documents)
    return score(record, outcome, names, gold_chunks(record, corpus))


def test_the_main_graph_finds_more_than_ranking_does(contracts: Corpus, record: Record) -> None:
    ours = _scored("main", record, contracts)
    assert ours.chunk_recall_filtered is not None
    for system in ("naive-rag-50", "hybrid-rag-50", "iterative-rag-20", "note-taking-20"):
        theirs = _scored(system, record, contracts)
        assert theirs.chunk_recall_filtered is not None
        assert ours.chunk_recall_filtered > theirs.chunk_recall_filtered, system


def test_a_deeper_retrieval_never_finds_less(contracts: Corpus, record: Record) -> None:
    found = [_scored(f"naive-rag-{k}", record, contracts) for k in (5, 20, 50)]
    recalls = [each.chunk_recall_filtered or 0.0 for each in found]
    assert recalls == sorted(recalls)
    assert recalls[-1] < 1
