"""The ADF graph: which steps run, what they cost, what the answer holds, and which quotes stand."""

from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from agent.adf_state import AdfAnswer, AdfOptions, AdfState, Form, ReadingAnswer
from agent.errors import LimitReached, MalformedReply
from agent.reasoner import Prompt
from agent.replies import SynthesiseReply
from graphs.adf import Workshop, build_adf_graph
from graphs.context import Context
from graphs.runs.beside import serializer
from tests.built import built_once
from tests.graphs.renewals import QUESTION, SENSES, build_renewals, reader, synthesised
from tests.scripted import Scripted, ScriptedReasoner
from tools.corpus.corpus import Corpus
from tools.passage_windows import passages

OFF = AdfOptions(gate="off")
corpus = built_once(build_renewals)


def answered(
    corpus: Corpus,
    reasoner: Any,
    options: AdfOptions = OFF,
    question: str = QUESTION,
) -> AdfAnswer:
    given = {"question": question, "options": options}
    out = build_adf_graph().invoke(given, context=Context(corpus=corpus, reasoner=reasoner))
    answer = out["answer"]
    assert isinstance(answer, AdfAnswer)
    return answer


def names(reasoner: ScriptedReasoner) -> list[str]:
    return [prompt.name for prompt in reasoner.prompts]


def test_every_reading_is_answered_with_quotes_of_the_text_which_no_checkpoint_keeps(
    corpus: Corpus,
):
    reasoner = reader()
    graph = build_adf_graph(InMemorySaver(serde=serializer()))
    config: Any = {"configurable": {"thread_id": "t"}}
    given: Any = {"question": QUESTION, "options": {"gate": "off"}}
    context = Context(corpus=corpus, reasoner=reasoner)
    answer = graph.invoke(given, config=config, context=context)["answer"]
    assert answer.status == "answered"
    assert answer.cost.model_calls == len(reasoner.prompts)
    assert {each.label.partition(" ")[0] for each in answer.readings} == set(SENSES)
    for reading in answer.readings:
        (citation,) = reading.evidence
        document = corpus.document_index(citation.document)
        text = corpus.document_text(document)
        assert text[citation.start : citation.end] == citation.quote
        assert citation.quote == SENSES[reading.label.partition(" ")[0]]
        assert reading.hypothesis
    assert "however" in answer.contrast
    assert answer.text == ""
    kept = graph.get_state(config).values
    assert kept["answer"] == answer.kept
    assert not any(proof.quote for each in kept["answer"].readings for proof in each.evidence)
    assert AdfState(**kept).intents[0].retrieved == answer.readings[0].retrieved


def test_a_coherent_retrieval_skips_the_decomposition(corpus: Corpus):
    reasoner = reader()
    tight = AdfOptions(retrieval="bm25", thresholds="ambignq", k=1)
    answer = answered(corpus, reasoner, tight, "library card renewal counter librarian shelves")
    assert answer.state == "clear"
    assert names(reasoner) == ["synthesise"]
    (reading,) = answer.readings
    assert reading.question == "library card renewal counter librarian shelves"
    assert len(reading.retrieved) == 1
    assert answer.contrast == ""


@pytest.mark.parametrize(
    ("verdict", "steps"),
    [
        ("clear", ["gate", "synthesise"]),
        ("uncertain", ["gate", *["decompose"] * 3, *["hypothesise"] * 3, "synthesise"]),
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
    script: Any = dict.fromkeys((step, "gate", "synthesise"), lambda prompt: limit)
    if step != "gate":
        script["gate"] = lambda prompt: {"reason": "", "verdict": "uncertain"}
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


LICENCE = SENSES["licence"]
BLANK = {"question": "?", "chunks": (), "why": ""}
READINGS = tuple(ReadingAnswer(label=each, **BLANK) for each in ("licence", "other"))
BARE = AdfAnswer(question="?", status="answered", state="ambiguous", gate="off", readings=READINGS)


def workshop(corpus: Corpus, form: Form = "short") -> Workshop:
    shown = [corpus.document_index(name) for name in ("licence-1", "insurance-1")]
    return Workshop(
        bare=BARE,
        passages=passages(corpus, [corpus.chunks_of(each)[0] for each in shown]),
        corpus=corpus,
        form=form,
    )


def said(*readings: tuple[int, str | None, list[tuple[int, str]]], text: str = "") -> Any:
    return SynthesiseReply.model_validate(
        {
            "readings": [
                {
                    "reading": number,
                    "answer": answer,
                    "evidence": [{"passage": at, "quote": quote} for at, quote in quotes],
                }
                for number, answer, quotes in readings
            ],
            "contrast": "one, however, two",
            "text": text,
        }
    )


GOOD = (1, "paid by IT", [(1, LICENCE)])


def checked_twice(place: Workshop, reply: SynthesiseReply) -> AdfAnswer:
    with pytest.raises(MalformedReply):
        place.check(reply)
    return place.check(reply)


@pytest.mark.parametrize(
    ("passage", "quote"),
    [
        (1, LICENCE),
        (1, "every software licence\n renewal is paid for by the IT desk"),
        (1, "Every software licence renewal … within thirty days."),
        (2, LICENCE),
        (9, LICENCE),
    ],
    ids=["exact", "spaces and case", "ellipsis", "another passage", "no such passage"],
)
def test_a_quote_is_located_and_shown_as_the_text_has_it(passage: int, quote: str, corpus: Corpus):
    reply = said((1, "paid by IT", [(passage, quote)]), (2, None, []))
    reading, other = workshop(corpus).check(reply).readings
    (citation,) = reading.evidence
    text = corpus.document_text(corpus.document_index(citation.document))
    assert citation.document == "licence-1"
    assert text[citation.start : citation.end] == citation.quote
    assert LICENCE.startswith(citation.quote[:20])
    assert (other.answer, other.evidence) == (None, ())


@pytest.mark.parametrize("quote", ["", "The licence is free of charge.", "…", "within ten days"])
def test_an_answer_without_a_quote_of_the_text_is_asked_again_then_not_shown(
    quote: str, corpus: Corpus
):
    place = workshop(corpus)
    found = checked_twice(place, said((1, "free", [(1, quote)]), (2, None, [])))
    reading = found.readings[0]
    assert reading.answer is None
    assert reading.refused == (quote,)
    assert any("reading 1" in warning for warning in found.warnings)


def test_one_good_quote_proves_and_the_refused_one_is_listed(corpus: Corpus):
    reply = said((1, "paid by IT", [(1, LICENCE), (1, "never said at all")]), (2, None, []))
    reading = workshop(corpus).check(reply).readings[0]
    assert reading.answer == "paid by IT"
    assert reading.refused == ("never said at all",)


@pytest.mark.parametrize(
    "readings",
    [[GOOD], [GOOD, GOOD], [GOOD, (3, None, [])], []],
    ids=["one missing", "one twice", "an unknown one", "none"],
)
def test_every_reading_has_to_be_there_once(readings: list[Any], corpus: Corpus):
    found = checked_twice(workshop(corpus), said(*readings))
    assert [each.label for each in found.readings] == ["licence", "other"]


def test_of_two_faulty_replies_the_one_with_more_answers_is_taken(corpus: Corpus):
    place = workshop(corpus)
    with pytest.raises(MalformedReply):
        place.check(said(GOOD))
    assert place.check(said((1, "free", [(1, "nobody said this")]))).readings[0].answer == GOOD[1]


def test_a_missing_paragraph_is_asked_for_once(corpus: Corpus):
    found = checked_twice(workshop(corpus, form="long"), said(GOOD, (2, None, [])))
    assert found.text == ""
    assert found.warnings == ("the paragraph is missing",)
