"""Every variant is the product with other values of its policy, and can be had by its name."""

from pathlib import Path

import pytest

from agent.errors import SettingsError
from agent.policy import Policy
from agent.prompt_values import PlanValues
from evals.ablation import Ablation
from evals.experiment import Collection, arms_of, load_run, system_arm
from evals.variants import GROUPS, VARIANTS, WHOLE
from tests.evals.question_files import invoked
from tests.graphs.replies import atom, interpreted
from tests.graphs.searching import Case, in_town, letters_once, ran, read_chunks, reasoner_for
from tools.corpus.corpus import Corpus

corpus = letters_once(12, 16)


def test_every_variant_differs_from_the_product_and_from_the_others() -> None:
    whole, *variants = arms_of(GROUPS, "gold")
    assert [each.name for each in (whole, *variants)] == [WHOLE, *VARIANTS]
    assert whole.over(Policy()) == Ablation()
    policies = {arm.over(Policy()).model_dump_json() for arm in (whole, *variants)}
    assert len(policies) == len(VARIANTS) + 1


def test_as_published_every_question_is_filtered_and_all_candidates_are_read(
    corpus: Corpus,
) -> None:
    reading = interpreted("c1 and c3", atom("c1", terms=["kettle"]), in_town("c3", "York"))
    case = Case(relevant={"c1": frozenset({0, 5})}, reading=reading, words=("mirror",))
    reasoner = reasoner_for(corpus, case)
    state = ran(corpus, case, arms_of(("dfa",), "gold")[1].over(Policy()), reasoner=reasoner)
    assert [step.call.tool for step in state.history] == ["keywords", "finish", "read"]
    planned = next(each for each in reasoner.prompts if each.name == "plan").values_as(PlanValues)
    assert [each.id for each in planned.conditions] == ["c1", "c3"]
    assert not any(each.terms or each.predicate for each in planned.conditions)
    assert len(read_chunks(reasoner)) == state.history[0].kept < len(corpus)
    assert not state.audits


def test_an_unknown_name_is_told_what_there_is() -> None:
    with pytest.raises(SettingsError, match=r"no ablation 'no-audti'.*no-audit"):
        arms_of(("no-audti",), "gold")
    with pytest.raises(SettingsError, match=r"no variant 'search'; choose among .*chunks-3"):
        system_arm("records-gold+search", "gold")


def test_a_variant_is_a_command(inspected: Collection, tmp_path: Path) -> None:
    told = invoked("ablate no-audit", inspected, "--into", tmp_path / "run", "--sample", 2)
    assert told.exit_code == 0, told.stderr
    assert "questions: each arm minus headcount" in told.stdout
    assert "2 of 3 questions, drawn with seed 0." in told.stdout
    run = load_run(tmp_path / "run")
    assert [arm.name for arm in run.plan.arms] == ["headcount", "no-audit"]
    assert len(run.measured) == len(run.plan.keys) == 4


def test_systems_stand_side_by_side(inspected: Collection, tmp_path: Path) -> None:
    systems = "compare systems main naive-rag-5 llm-only"
    told = invoked(systems, inspected, "--into", tmp_path / "run", "--sample", 2)
    assert told.exit_code == 0, told.stderr
    assert "questions: each arm minus main" in told.stdout
    run = load_run(tmp_path / "run")
    assert [arm.system for arm in run.plan.arms] == ["main", "naive-rag-5", "llm-only"]
    recall = {each.arm: each.figure("chunk_recall_filtered") for each in run.measured}
    assert (recall["main"], recall["llm-only"]) == (1.0, 0.0)
