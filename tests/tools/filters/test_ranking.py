import pytest
from pyroaring import BitMap
from rank_bm25 import BM25Okapi

from agent.reasoner import ToolCall
from tests.tools.filters.small_corpus import SmallCorpus
from tools.corpus.words.tokenizer import words
from tools.filters.registry import apply


def keep(corpus: SmallCorpus, tool: str, candidates: BitMap | None = None, **arguments) -> list:
    among = BitMap(range(corpus.chunk_count)) if candidates is None else candidates
    return list(apply(corpus, among, ToolCall(tool=tool, arguments=arguments)))


QUERY = "cooling of the supplier"


def test_bm25_keeps_the_best_of_rank_bm25_with_the_weights_of_the_whole_corpus(corpus):
    scores = BM25Okapi([words(text) for text in corpus.chunk_texts]).get_scores(words(QUERY))
    held = [n for n, text in enumerate(corpus.chunk_texts) if set(words(text)) & set(words(QUERY))]
    ranked = sorted(held, key=lambda chunk: (-scores[chunk], chunk))
    assert keep(corpus, "bm25", query=QUERY, best=3) == sorted(ranked[:3])
    among = BitMap(held[1:])
    rest = [chunk for chunk in ranked if chunk in among]
    assert keep(corpus, "bm25", among, query=QUERY, best=2) == sorted(rest[:2])
    least = float(scores[ranked[2]]) - 1e-9
    assert keep(corpus, "bm25", query=QUERY, min_score=least) == sorted(ranked[:3])


@pytest.mark.parametrize("tool", ["bm25", "semantic"])
def test_ties_go_to_the_lower_chunk(tool):
    same = SmallCorpus({"a": ("cat dog", "cow", "cat dog", "cat dog", "bee ant")})
    assert keep(same, tool, query="cat dog", best=2) == [0, 2]
