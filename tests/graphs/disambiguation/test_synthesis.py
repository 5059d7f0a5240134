"""Quotes of a synthesis stand in the text, or are refused and with them what they should prove."""

from typing import Any

import pytest

from agent.adf_state import AdfAnswer, Form, ReadingAnswer
from agent.errors import MalformedReply
from agent.replies import SynthesiseReply
from graphs.adf import Workshop
from tests.built import built_once
from tests.graphs.renewals import SENSES, build_renewals
from tools.corpus.corpus import Corpus
from tools.passage_windows import passages

LICENCE = SENSES["licence"]
READINGS = tuple(ReadingAnswer(label=each, question="?") for each in ("licence", "other"))
BARE = AdfAnswer(question="?", status="answered", state="ambiguous", gate="off", readings=READINGS)
corpus = built_once(build_renewals)


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
