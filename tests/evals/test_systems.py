from evals.annotated import SkillReasoner
from evals.systems import BASELINES, DEPTHS, SYSTEMS, observed
from graphs.context import Context
from tests.evals.bridges import QUESTION, record
from tools.corpus.corpus import Corpus


def test_every_paradigm_of_the_paper_is_there() -> None:
    ends = tuple(f"-{k}" for k in DEPTHS)
    kinds = {name.rpartition("-")[0] for name in BASELINES if name.endswith(ends)}
    assert kinds == {"naive-rag", "iterative-rag", "note-taking", "react"}
    assert set(BASELINES) - {f"{kind}-{k}" for kind in kinds for k in DEPTHS} == {
        "llm-only", "naive-rag-full", "tool-agent", "diversify-verify", "full-scan",
        "records-alone",
    }  # fmt: skip
    assert set(SYSTEMS) - set(BASELINES) == {"main", "analyst"}


def test_the_main_graph_is_measured_from_the_run_store(bridges: Corpus) -> None:
    gold = record()
    reader = SkillReasoner(gold, bridges)
    outcome = observed(SYSTEMS["main"], QUESTION, Context(corpus=bridges, reasoner=reader))
    assert outcome.answer.value == gold.answer_count
    assert len(outcome.kept) >= outcome.answer.coverage.judged > 0
