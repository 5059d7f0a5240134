"""Invented collections follow from their seed, and every reading has its computed answer."""

import json
from pathlib import Path

import numpy as np
import pytest

from agent.errors import SettingsError
from evals.ambiguity.loading import load
from evals.drawn.asking import wonder
from evals.invented.collection import collection_of, write_collections
from evals.invented.sheet import draw_sheets
from evals.invented.trade import TRADES

SURVEYS = TRADES[0]


def written(folder: Path, seed: int) -> dict[str, str]:
    write_collections(folder, seed=seed, documents=12, draws=1)
    return {
        str(each.relative_to(folder)): each.read_text(encoding="utf-8")
        for each in folder.rglob("*")
        if each.is_file()
    }


def test_the_same_seed_writes_the_same_and_another_does_not(tmp_path: Path) -> None:
    first, again, other = (written(tmp_path / str(at), seed) for at, seed in enumerate((3, 3, 4)))
    assert first == again
    assert first.keys() == other.keys()
    assert first != other


def test_the_questions_are_of_the_form_that_is_asked_and_name_their_documents(
    tmp_path: Path,
) -> None:
    texts = written(tmp_path, 1)
    cases = load([tmp_path / "questions.jsonl"]).cases
    assert {code for each in cases for code in each.codes} == {"A1", "A2", "B1", "B2", "C1"}
    assert all(len(each.intended) == (1 if each.control else 2) for each in cases)
    for line in texts["questions.jsonl"].splitlines():
        asked = json.loads(line)
        for name in (name for each in asked["readings"] for name in each.get("answer", ())):
            assert f"{asked['corpus']}/{name}.txt" in texts


def test_what_a_reading_comes_to_follows_from_the_texts() -> None:
    rng = np.random.default_rng(5)
    sheets = draw_sheets(SURVEYS, 40, rng)
    texts = [sheet.text(SURVEYS) for sheet in sheets]
    asked = wonder(collection_of(SURVEYS, sheets), rng, turn=1)
    (times,) = (each for each in asked if each.codes == ("C1",))
    thing = times.question.split()[4]
    documents, mentions = times.readings
    within = [
        text
        for text in texts
        if all(f": {word}\n" in text for word in times.question.rstrip("?").split()[7:-1])
    ]
    assert len(documents.names) == sum(thing in text for text in within)
    assert mentions.number == sum(text.count(thing) for text in within)
    assert mentions.number > len(documents.names) > 0


@pytest.mark.parametrize("turn", [0, 1, 2])
def test_every_third_kind_of_question_makes_no_difference(turn: int) -> None:
    rng = np.random.default_rng(11)
    sheets = draw_sheets(SURVEYS, 48, rng)
    drawn = wonder(collection_of(SURVEYS, sheets), rng, turn=turn)
    asked = [each for each in drawn if len(each.codes) == 1]
    idle = [each.idle for each in asked]
    assert idle == [number % 3 == 0 for number in range(turn, turn + 8)]
    assert [each.matters for each in asked] == [not each for each in idle]


def test_a_folder_that_holds_something_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("kept", encoding="utf-8")
    with pytest.raises(SettingsError, match="not empty"):
        write_collections(tmp_path, seed=0, documents=12, draws=1)
