"""`headcount report` about chunks: what happened to them, in words."""

from pathlib import Path
from typing import Any

import pytest

from tests.built import built
from tests.graphs.apps.conftest import refused, run
from tests.graphs.apps.web.test_guard import browsing
from tests.graphs.conftest import QUOTE
from tests.graphs.leaving_out import leave_out
from tools.corpus.build import BuildSettings, build
from tools.corpus.corpus import Corpus


@pytest.fixture(autouse=True)
def _reads_all_at_once(place: Path) -> None:
    leave_out({})


def test_a_judged_chunk_is_told_with_its_quote_by_its_place_and_of_the_newest_run(
    asked: dict[str, Any], place: Path, corpus: Corpus
) -> None:
    document = corpus.document_index("lease-03")
    start = corpus.document_text(document).index(QUOTE)
    chunk = corpus.chunks_at(document, start, start + len(QUOTE))[-1]
    done = run("report", asked["run"], "--chunk", chunk)
    assert done.exit_code == 0, done.stderr
    assert f"chunk {chunk} · lease-03, characters" in done.stdout
    assert "judged, a match" in done.stdout
    assert f"“{QUOTE}” (reader, characters" in done.stdout
    offset = int(corpus.chunk_end[chunk]) - 1
    waiting = run("ask", place, "How many mention a dog?", "--criteria", place.parent / "c.yaml")
    assert waiting.exit_code == 3, waiting.stderr
    assert run("report", place, "--chunk", f"lease-03:{offset}").stdout == done.stdout


def test_a_corpus_that_changed_since_is_said(
    asked: dict[str, Any], place: Path, tmp_path: Path
) -> None:
    (tmp_path / "new.txt").write_text("One more lease.", encoding="utf-8")
    build([tmp_path / "new.txt"], place, settings=BuildSettings(chunk_tokens=120))
    assert "the corpus has changed since" in refused("report", place, asked["run"], "--chunk", "0")
    assert run("report", place, asked["run"]).exit_code == 0
    page = Path(f"{asked['run']}.html").read_text(encoding="utf-8")
    assert "the corpus has changed since" in page
    with browsing(place.parent) as browser:
        shown = browser.get(f"/corpora/{place.name}/runs/{asked['run']}").text
    assert "the documents have changed since" in shown


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (["--chunk", "9999"], "the corpus has the chunks 0 to "),
        (["--chunk", "lease-03:99999"], "no chunk of 'lease-03' holds character 99999; it has "),
        (["--chunk", "nowhere:3"], "no document named 'nowhere'"),
        (["--chunk", f"lease-03:{'9' * 5000}"], "neither a document, nor a chunk's number"),
        (["--chunk=-1"], "neither a document, nor a chunk's number, nor DOCUMENT:OFFSET"),
        (["--chunk", "a:b:3"], "no document named 'a:b'"),
    ],
    ids=lambda given: None if isinstance(given, str) else given[-1][:24],
)
def test_a_chunk_that_is_not_there_is_one_clear_line(
    words: list[str], what: str, asked: dict[str, Any], place: Path
) -> None:
    assert what in refused("report", place, *words, alone=True)


@pytest.mark.parametrize("name", ["a:b", "12:00", "7", "x:7:"])
def test_a_document_whose_name_holds_colons_or_is_a_number_is_found(
    name: str, tmp_path: Path
) -> None:
    texts = dict.fromkeys((f"{name}.txt", "other.txt"), "The tenant may keep a dog.\n")
    place = built(texts, tmp_path, chunk_tokens=120).path
    run("ask", place, "How many files mention a dog?")
    told = run("report", place, "--chunk", f"{name}:9").stdout
    assert f" · {name}, characters 0 to " in told
