"""The filters on a corpus that was built and opened, not on a stand-in."""

from pathlib import Path

import pytest
from pyroaring import BitMap

from agent.reasoner import ToolCall
from tests.tools.filters.test_contract import RANKING, SELECTING
from tools.corpus.build import build
from tools.corpus.corpus import Corpus, open_corpus
from tools.filters import apply, sample_discarded, sample_kept
from tools.filters.calls import preview
from tools.filters.searchable import Searchable
from tools.retrieval_coherence import calibrate, measure, pseudo_questions

TEXTS = {
    "lease": "Title: T\nStatus: Final\n\nEither party may give notice. The licenses cover C++.\n",
    "supply": "Title: T\nStatus: Draft\n\nThe supplier terminates. A non-\ncompete applies.\n",
    "memo": "Title: T\nStatus: Draft\n\nThe cooling failed: IT policy 5. Kubernets restarted.\n",
    "poem": "Title: T\nStatus: Final\n\nThe woods are lovely, dark and deep.\n",
}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    place: Path = tmp_path_factory.mktemp("corpus")
    (place / "docs").mkdir()
    for name, text in TEXTS.items():
        (place / "docs" / f"{name}.txt").write_text(text, encoding="utf-8")
    build([place / "docs"], place / "x.corpus")
    return open_corpus(place / "x.corpus")


@pytest.mark.parametrize(("tool", "arguments"), SELECTING + RANKING, ids=str)
def test_every_filter_keeps_a_part_of_a_built_corpus(built, tool, arguments):
    searchable: Searchable = built
    everything = BitMap(range(len(built)))
    call = ToolCall(tool=tool, arguments=arguments)
    seen = preview(searchable, everything, call, everything)
    assert seen.kept <= everything
    assert apply(searchable, BitMap(), call) == BitMap()
    assert seen.lost == seen.discarded
    assert seen.kept or seen.hint


def test_samples_and_coherence_come_from_a_built_corpus(built):
    everything = BitMap(range(len(built)))
    assert set(sample_kept(built, everything, "cooling", 9)) == set(everything)
    (nearest,) = sample_discarded(built, everything, "cooling failed", 1)
    assert nearest in built.chunks_of(built.document_index("memo"))
    questions = pseudo_questions(built, 12)
    thresholds = calibrate(questions, lambda _: built.vectors.rows())
    assert thresholds.questions == len(questions)
    assert measure(built.vectors.rows(), thresholds).state == "ambiguous"
