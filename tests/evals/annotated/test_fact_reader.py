"""S-RAG beside retrieval, over invented documents, by a reader who knows what they state."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from evals.experiment import Collection, Experiment, Measured, run, system_arm
from evals.question_sets.invented_documents import build_invented

SYSTEMS = ("records-gold", "hybrid-gold", "full-corpus", "naive-rag-5", "records-gold+chunks-1")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("cups") / "set"
    build_invented("worldcup", place, seed=0, documents=8, questions=6)
    return place


def _measured(folder: Path, into: Path, reader: str, *systems: str) -> Mapping[str, list[Measured]]:
    asked = Collection(questions=folder / "questions.jsonl", documents=folder / "docs")
    arms = tuple(system_arm(each, reader) for each in systems)
    experiment = Experiment(name="s-rag", arms=arms, collections=(asked,))
    found = run(experiment, into, None, lambda _: None).measured
    assert not [each.error for each in found if each.error]
    return {name: [each for each in found if each.arm == name] for name in systems}


def test_without_errors_records_and_the_whole_corpus_answer_all(
    folder: Path, tmp_path: Path
) -> None:
    found = _measured(folder, tmp_path / "run", "gold", *SYSTEMS)
    right = {name: sum(bool(each.score["answer_right"]) for each in found[name]) for name in found}
    assert right["records-gold"] == right["full-corpus"] == 6
    assert right["naive-rag-5"] < 6
    assert right["records-gold+chunks-1"] < 6
    shares = [[each.figure("judged_share") for each in found[name]] for name in SYSTEMS[1:3]]
    assert all(hybrid < full == 1 for hybrid, full in zip(*shares, strict=True))


def test_what_is_not_seen_is_seen_by_no_system(folder: Path, tmp_path: Path) -> None:
    reader = "skill:0,extraction=0.4,searching=0.3"
    found = _measured(folder, tmp_path / "run", reader, "records-gold", "full-corpus")
    kept, read = ([each.figure("value") or 0 for each in found[name]] for name in found)
    assert kept == pytest.approx(read)
    assert [each.score["gold"] for each in found["records-gold"]] != kept
