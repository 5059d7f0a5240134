import re
from pathlib import Path

import pytest

from graphs.apps.demo import QUESTIONS
from tests.graphs.apps.conftest import run
from tools.corpus.corpus import Corpus, open_corpus

pytestmark = pytest.mark.slow


def _licensed(corpus: Corpus, place: int) -> bool:
    field = corpus.document_fields(place).get("License")
    # By the corpus's own items: whole sentences with commas ("… (GPLv3+), MIT") are one.
    return field is not None and "MIT" in field.items


def _mentions(corpus: Corpus, place: int, word: str) -> bool:
    return bool(re.search(rf"\b{word}\b", corpus.document_text(place), re.IGNORECASE))


def test_the_demonstration_gives_the_right_answers(tmp_path: Path):
    done = run("demo", "--into", tmp_path / "demo" / "packages.corpus")
    assert done.exit_code == 0, done.output
    corpus = open_corpus(tmp_path / "demo" / "packages.corpus")
    every = range(len(corpus.documents))
    mit = {place for place in every if _licensed(corpus, place)}
    windows = {place for place in every if _mentions(corpus, place, "windows")}
    asyncio = {place for place in every if _mentions(corpus, place, "asyncio")}
    parts = re.split(r"^── ", done.stdout, flags=re.MULTILINE)[1:]
    found = [int(re.findall(r"^(\d+)(?: \(|$)", part, re.MULTILINE)[0]) for part in parts[:3]]
    assert [part.splitlines()[0] for part in parts] == list(QUESTIONS)
    assert found == [len(mit), len(asyncio), len(mit & windows)]
    assert all("\ncost: " in part for part in parts)
    assert "Nobody has read these: " in parts[3]
    assert "headcount report" in done.stdout
