"""LangGraph's own server finds the graph, describes it, and gives it a context in JSON."""

import importlib.util
import json
from pathlib import Path
from typing import Any

import pytest
from langgraph.graph.state import CompiledStateGraph

from agent.errors import CorpusMissing, HeadcountError, QuestionError
from graphs.context import Context
from tools.corpus.corpus import Corpus

ROOT = Path(__file__).parents[2]


PLACES = json.loads((ROOT / "langgraph.json").read_text(encoding="utf-8"))["graphs"]


def served(place: str) -> CompiledStateGraph[Any, Any, Any, Any]:
    """Build a graph as the server finds it: by the file and the name in `langgraph.json`."""
    file, _, name = place.rpartition(":")
    spec = importlib.util.spec_from_file_location("served", ROOT / file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    built: CompiledStateGraph[Any, Any, Any, Any] = getattr(module, name)()
    return built


@pytest.mark.parametrize("name", PLACES)
def test_a_graph_has_no_checkpointer_and_every_schema_that_a_server_shows_can_be_made(name: str):
    graph = served(PLACES[name])
    assert graph.checkpointer is None
    for schema in (graph.get_input_jsonschema(), graph.get_output_jsonschema()):
        assert "question" in schema["properties"]
    context = graph.get_context_jsonschema()
    assert list(context["properties"]) == ["corpus", "reasoner", "policy"]
    assert context["required"] == ["corpus"]


@pytest.mark.parametrize("given", [{}, {"messages": [("ai", "Hello.")]}], ids=["nothing", "ours"])
@pytest.mark.parametrize("name", PLACES)
def test_an_input_without_a_question_is_told_so(
    name: str, given: Any, corpus: Corpus, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("HEADCOUNT_BASE_URL", "http://127.0.0.1:9/v1")
    context: Any = {"corpus": str(corpus.path), "reasoner": "never-asked"}
    with pytest.raises(QuestionError, match="the question is empty; ask for instance"):
        served(PLACES[name]).invoke(given, context=context)


def test_runs_over_a_corpus_given_by_name_are_kept_where_the_settings_say(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("HEADCOUNT_STORE", "postgresql://db.example/team")
    given: dict[str, Any] = {"corpus": str(corpus.path)}
    context = Context(**given)
    assert str(context.server) == "postgresql://db.example/team"
    assert Context(**given, runs=corpus.runs).server is None
    assert Context(corpus=corpus).server is None


def test_a_context_made_in_an_event_loop_opens_nothing_there():
    context: Any = Context(corpus="/nowhere", reasoner="recorded:/nowhere")
    assert not {"corpus", "reasoner", "server"} & vars(context).keys()
    with pytest.raises(CorpusMissing):
        context.corpus.digest  # noqa: B018 - opens it
    with pytest.raises(AttributeError, match="no attribute 'corpse'"):
        context.corpse  # noqa: B018


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (None, "which corpus"),
        ({}, "which corpus"),
        ({"corpus": "/nowhere"}, "there is no corpus at '/nowhere'"),
        ({"corpus": "/nowhere", "policy": {"recall": 2}}, "recall: Input should be less"),
        ({"corpus": "/nowhere", "reasonr": "lexical"}, "no 'reasonr': did you mean 'reasoner'"),
        ({"corpus": "/nowhere", "x": 1}, "no 'x': it has clock, components, corpus"),
    ],
    ids=["no context", "an empty one", "no such corpus", "a wrong policy", "misspelt", "unknown"],
)
def test_what_is_wrong_with_a_context_is_one_line(given: Any, told: str):
    with pytest.raises(HeadcountError, match=told) as raised:
        served(PLACES["headcount"]).invoke({"question": "How many?"}, context=given)
    assert "\n" not in str(raised.value)
    assert isinstance(raised.value, RuntimeError)  # the server shows the text of no other
