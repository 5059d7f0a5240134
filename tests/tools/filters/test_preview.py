import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyroaring import BitMap

from agent.reasoner import ToolCall
from tests.tools.filters.conftest import DOCUMENTS
from tests.tools.filters.small_corpus import SmallCorpus
from tools.filters import sample_discarded, sample_kept
from tools.filters.calls import preview

CORPUS = SmallCorpus(DOCUMENTS)
CHUNKS = range(CORPUS.chunk_count)
sets = st.builds(BitMap, st.sets(st.sampled_from(CHUNKS)))


@given(sets, sets)
def test_a_preview_parts_the_candidates_and_counts_the_lost(candidates, positives):
    call = ToolCall(tool="keywords", arguments={"words": ["cooling", "license"]})
    seen = preview(CORPUS, candidates, call, positives)
    assert seen.kept | seen.discarded == candidates
    assert not seen.kept & seen.discarded
    assert seen.lost == candidates & positives - seen.kept


@pytest.mark.parametrize("sample", [sample_kept, sample_discarded])
@given(chunks=sets, n=st.integers(0, 12))
def test_a_sample_has_as_many_different_members_as_there_are(sample, chunks, n):
    found = sample(CORPUS, chunks, "cooling outage", n)
    assert len(found) == len(set(found)) == min(n, len(chunks))
    assert set(found) <= set(chunks)
    assert found == sample(CORPUS, BitMap(chunks), "cooling outage", n)


def test_the_nearest_lead_the_discarded():
    found = sample_discarded(CORPUS, BitMap(CHUNKS), "cooling system outage", 2)
    assert found[0] == 6


def test_random_members_depend_on_set_and_seed():
    many = SmallCorpus({"d": [f"chunk number {n}" for n in range(60)]})
    drawn = {
        sample_kept(many, BitMap(range(size)), "zebra", 3, seed)
        for size in (50, 60)
        for seed in (0, 1)
    }
    assert len(drawn) == 4
