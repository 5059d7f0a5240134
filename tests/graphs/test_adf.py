"""The ADF graph as a whole: which steps run, what they cost, what the answer holds."""

from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from agent.adf_state import AdfAnswer, AdfOptions, AdfState
from agent.errors import LimitReached, MalformedReply, QuestionError, SettingsError
from agent.reasoner import Prompt
from graphs.adf import build_adf_graph
from graphs.context import Context
from graphs.runs.beside import serializer
from tests.built import built_once
from tests.graphs.renewals import QUESTION, SENSES, build_renewals, reader, synthesised
from tests.scripted import Scripted, ScriptedReasoner
from tools.corpus.corpus import Corpus

OFF = AdfOptions(gate="off")
corpus = built_once(build_renewals)


def answered(
    corpus: Corpus,
    reasoner: Any,
    options: AdfOptions | dict[str, Any] = OFF,
    question: str = QUESTION,
) -> AdfAnswer:
    given = {"question": question, "options": options}
    out = build_adf_graph().invoke(given, context=Context(corpus=corpus, reasoner=reasoner))
    answer = out["answer"]
    assert isinstance(answer, AdfAnswer)
    return answer


def names(reasoner: ScriptedReasoner) -> list[str]:
    return [prompt.name for prompt in reasoner.prompts]


def failing(error: Exception):
    def fail(prompt: Prompt) -> Scripted:
        return error

    return fail


def test_an_ambiguous_question_is_answered_in_every_reading_with_quotes_of_the_text(corpus: Corpus):
    answer = answered(corpus, reader())
    assert answer.status == "answered"
    assert {each.label.partition(" ")[0] for each in answer.readings} == set(SENSES)
    for reading in answer.readings:
        (citation,) = reading.evidence
        document = corpus.document_index(citation.document)
        text = corpus.document_text(document)
        assert text[citation.start : citation.end] == citation.quote
        assert citation.chunk in corpus.chunks_of(document)
        assert citation.quote == SENSES[reading.label.partition(" ")[0]]
        assert reading.hypothesis
    assert "however" in answer.contrast
    assert answer.text == ""


def test_one_request_is_made_a_step_and_reading(corpus: Corpus):
    reasoner = reader()
    answer = answered(corpus, reasoner)
    asked = names(reasoner)
    assert asked.count("hypothesise") == len(answer.readings)
    assert asked.count("synthesise") == 1
    assert "gate" not in asked
    assert answer.cost.model_calls == len(asked)


def test_a_coherent_retrieval_skips_the_decomposition(corpus: Corpus):
    reasoner = reader()
    tight = AdfOptions(retrieval="bm25", thresholds="ambignq", k=1)
    answer = answered(corpus, reasoner, tight, "library card renewal counter librarian shelves")
    assert answer.state == "clear"
    assert names(reasoner) == ["synthesise"]
    (reading,) = answer.readings
    assert reading.question == "library card renewal counter librarian shelves"
    assert len(reading.chunks) == 1
    assert answer.contrast == ""


@pytest.mark.parametrize(
    ("verdict", "steps"),
    [
        ("clear", ["gate", "synthesise"]),
        ("uncertain", ["gate", *["decompose"] * 3, *["hypothesise"] * 3, "synthesise"]),
        ("ambiguous", ["gate", *["decompose"] * 3, *["hypothesise"] * 3, "synthesise"]),
    ],
)
def test_the_classifier_of_the_words_alone_is_another_gate(
    verdict: str, steps: list[str], corpus: Corpus
):
    reasoner = reader(gate=lambda prompt: {"reason": "so it reads", "verdict": verdict})
    answer = answered(corpus, reasoner, AdfOptions(gate="question"))
    assert names(reasoner) == steps
    assert (answer.gate, answer.state) == ("question", verdict)


@pytest.mark.parametrize(
    ("second", "status"),
    [(MalformedReply("no JSON"), "answered"), (LimitReached("calls"), "partial")],
    ids=["nonsense", "a limit"],
)
def test_what_a_faulty_reply_proves_is_kept_when_no_better_one_comes(
    second: Exception, status: str, corpus: Corpus
):
    def once(prompt: Prompt) -> Scripted:
        if "Reply again." in prompt.text:
            return second
        members: Any = synthesised(prompt)
        members["readings"][0]["evidence"] = [{"passage": 1, "quote": "nobody said this"}]
        return members

    answer = answered(corpus, reader(synthesise=once))
    assert answer.status == status
    assert [each.answer is None for each in answer.readings] == [True, False, False]
    assert len(answer.failures) == (status == "answered")


@pytest.mark.parametrize("step", ["gate", "decompose", "hypothesise", "synthesise"])
def test_a_limit_ends_in_a_partial_answer_that_says_so(step: str, corpus: Corpus):
    limit = LimitReached("calls (limit 1, spent 1)")
    script = {step: failing(limit), "gate": failing(limit)}
    if step != "gate":
        script["gate"] = lambda prompt: {"reason": "", "verdict": "uncertain"}
    if step != "synthesise":
        script["synthesise"] = failing(limit)
    answer = answered(corpus, reader(**script), AdfOptions(gate="question"))
    assert answer.status == "partial"
    assert any("calls (limit 1" in warning for warning in answer.warnings)
    assert answer.readings
    assert not answer.failures


def test_nothing_retrieved_is_no_answer_and_no_request(corpus: Corpus):
    reasoner = reader()
    answer = answered(corpus, reasoner, AdfOptions(), "xyzzy plugh?")
    assert names(reasoner) == []
    assert answer.coherence is None
    assert answer.readings[0].answer is None
    assert "no passage was found" in answer.warnings[0]


def test_a_checkpointed_run_keeps_its_state_but_no_quotes(corpus: Corpus):
    saver = InMemorySaver(serde=serializer())
    graph = build_adf_graph(saver)
    config: Any = {"configurable": {"thread_id": "t"}}
    given: Any = {"question": QUESTION, "options": OFF}
    context = Context(corpus=corpus, reasoner=reader())
    out = graph.invoke(given, config=config, context=context)
    assert out["answer"].status == "answered"
    kept = graph.get_state(config).values
    assert kept["answer"] == out["answer"].kept
    assert not any(proof.quote for each in kept["answer"].readings for proof in each.evidence)
    assert AdfState(**kept).intents[0].retrieved == out["answer"].readings[0].chunks


def test_without_a_corpus_or_a_question_nothing_runs(corpus: Corpus):
    given: Any = {"question": QUESTION}
    with pytest.raises(SettingsError):
        build_adf_graph().invoke(given)
    with pytest.raises(QuestionError):
        answered(corpus, reader(), question=" ")
