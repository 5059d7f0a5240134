"""A plan is measured chapter by chapter into one report, and what is done stays done."""

from pathlib import Path

import pytest

from agent.errors import SettingsError
from evals.paper import STATEMENTS, arms, load_plan, reproduce
from evals.questions import load
from tests.built import write

PLAN = """
reasoner = "gold"
invented = ["worldcup"]
collections = []

[[chapters]]
name = "records"
title = "Records beside retrieval"
collections = ["worldcup"]
systems = ["records-gold", "llm-only"]

[[chapters]]
name = "again"
title = "One of them again"
collections = ["worldcup"]
systems = ["llm-only"]

[readings]
folders = ["masts"]
"""


@pytest.mark.slow
def test_invented_and_mined_sets_are_measured_and_gone_on_with(tmp_path: Path) -> None:
    said = 'The tallest mast in this harbour is {} metres high.\n\n"Keel" means {}.\n'
    told = {"a.txt": said.format(14, "a beam of oak"), "b.txt": said.format(35, "lead below")}
    write(tmp_path / "masts", told)
    (tmp_path / "plan.toml").write_text(PLAN)
    plan = load_plan(tmp_path / "plan.toml").model_copy(update={"sample": 1})
    heard: list[str] = []
    report = reproduce(plan, tmp_path, tmp_path / "out", jobs=1, say=heard.append)
    assert "1 of 1 were done before" in heard  # what one chapter measured no other does again
    text = report.read_text(encoding="utf-8")
    assert text.index("## Records beside retrieval") < text.index("## Answering in several")
    assert "| adf, no gate" in text
    heard.clear()
    assert reproduce(plan, tmp_path, tmp_path / "out", jobs=1, say=heard.append) == report
    assert "2 of 2 were done before" in heard


def test_a_chapter_over_an_unknown_collection_is_refused(tmp_path: Path) -> None:
    (tmp_path / "plan.toml").write_text(
        PLAN.replace('["worldcup"]\nsystems', '["hotels"]\nsystems')
    )
    with pytest.raises(SettingsError, match="the unknown collection 'hotels'"):
        load_plan(tmp_path / "plan.toml")


@pytest.mark.parametrize("name", ["statements", "statements_dev"])
def test_every_quote_of_the_statements_stands_in_its_document(name: str) -> None:
    folder, data = STATEMENTS.documents, STATEMENTS.questions.parent
    records = load(data / f"{name}.jsonl")
    names = (data / f"{name}.txt").read_text(encoding="utf-8").split("\n")[:-1]
    paths = {each: next(folder.glob(f"{each}.*")) for each in names}
    assert {each.corpus_filter for each in records} == {f"{name}.txt"}
    for record in records:
        assert {each.document for each in record.gold_evidence} == {*record.gold_documents}
        for each in record.gold_evidence:
            assert each.text in paths[each.document].read_text(encoding="utf-8")


def test_the_shipped_plan_asks_systems_and_readers_that_there_are() -> None:
    plan = load_plan(None)
    assert (plan.batching and plan.clarification and plan.readings) is not None
    for chapter in plan.chapters:
        for arm in arms(chapter, plan.reasoner):
            arm.check()
