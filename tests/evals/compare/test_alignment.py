"""Pairs of known truth: what is written holds, what is changed by rule keeps its truth."""

import json
from collections import Counter
from pathlib import Path

import pytest
from typer.testing import CliRunner

from agent.errors import SettingsError
from evals.cli import app
from evals.compare.alignment_pairs import (
    KEPT,
    NamePair,
    changed_pairs,
    labelled_pairs,
    made_names,
    names_in,
)
from evals.compare.alignment_scores import Scores, judged, pace

TEXT = """Anna Lindqvist and Peter of Halden met at Saint Aldhelm Church in May.
The Harbour Light Holdings were founded by Zoë Marsh-Hill, Kwame Lartey Osei and Ilse Brandt.
"""


def test_half_of_the_written_pairs_are_traps_and_none_stands_twice() -> None:
    pairs = labelled_pairs()
    assert len(pairs) >= 290
    assert 0.4 < sum(pair.same for pair in pairs) / len(pairs) < 0.6
    assert max(Counter(frozenset((each.left, each.right)) for each in pairs).values()) == 1


def test_no_trap_is_called_sure_and_hardly_a_true_pair_is_lost() -> None:
    scores = Scores.of(judged(labelled_pairs()))
    assert scores.sure_precision == 1.0
    assert scores.sure_recall is not None
    assert scores.sure_recall >= 0.65
    assert scores.blocking_recall is not None
    assert scores.blocking_recall >= 0.98
    assert scores.grey <= 0.3
    assert scores.reasoner_wrong == 0


def test_a_change_of_spelling_alone_is_sure(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(TEXT, encoding="utf-8")
    names = names_in(tmp_path, 100)
    assert "Harbour Light Holdings" in " ".join(names)
    for seed in range(5):
        outcomes = judged(list(changed_pairs(names, seed)))
        assert {each.state for each in outcomes if each.pair.kind in KEPT} == {"sure"}
        assert "sure" not in {each.state for each in outcomes if not each.pair.same}


def test_the_sample_and_its_changes_depend_on_the_seed_alone(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(TEXT, encoding="utf-8")
    names = names_in(tmp_path, 3, seed=1)
    assert names == names_in(tmp_path, 3, seed=1)
    assert len(names) == 3
    assert list(changed_pairs(names, 1)) == list(changed_pairs(names, 1))


def test_made_names_are_many_and_depend_on_the_seed_alone() -> None:
    pairs = labelled_pairs()
    names = made_names(pairs, 2000, seed=3)
    assert len(set(names)) == 2000
    assert names == made_names(pairs, 2000, seed=3)
    assert pace(names)["share"] < 0.02


def test_scores_without_pairs_have_no_shares() -> None:
    scores = Scores.of([])
    assert scores.sure_precision is None
    assert scores.blocking_recall is None


def test_the_command_reports_each_set(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(TEXT, encoding="utf-8")
    own, told = tmp_path / "pairs.jsonl", tmp_path / "told.json"
    pair = NamePair(left="Acme", right="ACME", same=True, kind="case")
    own.write_text(pair.model_dump_json() + "\n", encoding="utf-8")
    flags = ["--names", str(own), "--documents", str(tmp_path), "--json", str(told), "--scale", "0"]
    result = CliRunner().invoke(app, ["compare", "alignment", *flags])
    assert result.exit_code == 0, result.output
    assert "blocking recall" in result.output
    sets = json.loads(told.read_text(encoding="utf-8"))["sets"]
    assert sets["labelled"]["sure_recall"] == 1.0
    assert set(sets) == {"labelled", str(tmp_path)}


@pytest.mark.parametrize("content", [None, "no json", '{"left": "a"}'])
def test_a_file_without_pairs_is_told(tmp_path: Path, content: str | None) -> None:
    path = tmp_path / "pairs.jsonl"
    if content is not None:
        path.write_text(content, encoding="utf-8")
    with pytest.raises(SettingsError, match="holds no pairs of names"):
        labelled_pairs(path)
    result = CliRunner().invoke(app, ["compare", "alignment", "--names", str(path)])
    assert result.exit_code == 1


def test_a_folder_without_names_is_told(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="no names"):
        names_in(tmp_path, 5)
