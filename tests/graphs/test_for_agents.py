"""One import gives another agent the filters and the whole agent, errors in words."""

from graphs import agent_tools
from tools.corpus.corpus import Corpus


def test_another_agent_finds_all_filters_and_reads_and_is_told_what_is_wrong(corpus: Corpus):
    tools = {tool.name: tool for tool in agent_tools(corpus, model="lexical")}
    found = tools["find_all"].invoke({"question": "Which leases mention York?", "items": 1})
    assert (found["value"], found["bounds"], len(found["entities"])) == (4, [4, 4], 1)
    assert any(each.startswith("3 more") for each in found["warnings"])
    kept = tools["keywords"].invoke({"snapshot": "all", "words": ["York"]})
    (passage,) = tools["read_passages"].invoke({"snapshot": kept["snapshot"], "limit": 1})
    assert "York" in passage["text"]
    assert corpus.document_text(corpus.document_index(passage["document"]))[
        passage["start"] :
    ].startswith(passage["text"])
    assert "cannot place" in tools["find_all"].invoke({"question": "Which leases allow pets?"})
    for name, given in (("read_passages", {}), ("keywords", {"words": ["York"]})):
        assert tools[name].invoke({"snapshot": "9", **given}) == "there is no snapshot '9'"
