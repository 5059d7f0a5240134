import pytest
from pyroaring import BitMap

from agent.reasoner import ToolCall
from tests.tools.filters.small_corpus import SmallCorpus
from tools.filters.registry import apply


def keep(corpus: SmallCorpus, tool: str, candidates: BitMap | None = None, **arguments) -> list:
    among = BitMap(range(corpus.chunk_count)) if candidates is None else candidates
    return list(apply(corpus, among, ToolCall(tool=tool, arguments=arguments)))


@pytest.mark.parametrize("tool", ["bm25", "semantic"])
def test_ties_go_to_the_lower_chunk(tool):
    same = SmallCorpus({"a": ("cat dog", "cow", "cat dog", "cat dog", "bee ant")})
    assert keep(same, tool, query="cat dog", best=2) == [0, 2]
