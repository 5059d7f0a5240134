"""The rules for ordinary questions with several readings: extractive, and silent where unsure."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from agent.adf_state import Form, SubQuestion
from agent.evidence import Passage
from agent.reasoners.rules.senses.decompose import decompose
from agent.reasoners.rules.senses.gate import gate
from agent.reasoners.rules.senses.hypothesise import hypothesise
from agent.reasoners.rules.senses.synthesise import synthesise
from agent.replies import SynthesiseReply
from tests.agent.reasoners.rules.small_corpus import SmallCorpus

QUESTION = "What happens on eviction?"


def page(chunk: int, text: str, title: str = "", headings: Sequence[str] = ()) -> Passage:
    document = f"page-{chunk}"
    return Passage(
        chunk=chunk,
        document=document,
        title=title or document,
        start=0,
        text=text,
        headings=tuple(headings),
    )


FLATS = (
    page(1, "After an eviction the bailiff keeps the furniture of the tenant for a month."),
    page(2, "The bailiff may attend an eviction with a locksmith. It rained that day."),
)
CACHES = (
    page(3, "On eviction the cache writes dirty lines back to memory before reuse."),
    page(4, "An eviction of dirty lines costs a write to memory."),
)
CORPUS = SmallCorpus([each.text for each in (*FLATS, *CACHES)])


def sub_question(own: Sequence[Passage], others: Sequence[Passage], question: str = QUESTION):
    return decompose({"question": question, "passages": own, "others": [others], "corpus": CORPUS})


def test_a_question_is_narrowed_by_words_that_only_its_group_has():
    reply = sub_question(FLATS, CACHES)
    assert reply.label.split(", ")[0] == "bailiff"
    assert reply.question == f"What happens on eviction ({reply.label})?"
    other = sub_question(CACHES, FLATS)
    assert set(other.label.split(", ")) & {"dirty", "lines", "memory"}
    assert "bailiff" not in other.label


@pytest.mark.parametrize(
    ("title", "headings", "label"),
    [
        ("The law of flats", (), "The law of flats"),
        ("", ("4.2. Bailiffs and courts",), "Bailiffs and courts"),
        ("", ("Part III", "Article 7: Court orders"), "Court orders"),
    ],
    ids=["title", "numbered heading", "inner heading"],
)
def test_a_title_or_heading_of_the_group_alone_names_its_reading(
    title: str, headings: tuple[str, ...], label: str
):
    own = [replace(each, title=title or each.document, headings=headings) for each in FLATS]
    assert sub_question(own, CACHES).label == label


@pytest.mark.parametrize("heading", ["Eviction", "Evictions:"])
def test_a_heading_in_the_words_of_the_question_names_nothing(heading: str):
    own = [replace(each, headings=(heading,)) for each in FLATS]
    assert sub_question(own, CACHES).label.startswith("bailiff")


def test_a_heading_that_another_group_has_too_names_nothing():
    own = [replace(each, headings=("General",)) for each in FLATS]
    others = [replace(each, headings=("General",)) for each in CACHES]
    assert sub_question(own, others).label.startswith("bailiff")


@pytest.mark.parametrize(
    ("own", "question"),
    [(FLATS, "What is photosynthesis?"), (FLATS, "What happens?"), (FLATS[:1], "Eviction?")],
    ids=["about something else", "about nothing", "the same in both groups"],
)
def test_without_a_bearing_or_a_difference_there_is_no_sub_question(
    own: Sequence[Passage], question: str
):
    others = own if question == "Eviction?" else CACHES
    assert sub_question(own, others, question).question is None


READINGS = (
    SubQuestion(label="bailiff", question="What happens on eviction (bailiff)?", chunks=(), why=""),
    SubQuestion(label="dirty, lines", question="… (dirty, lines)?", chunks=(), why=""),
)


@pytest.mark.parametrize(("form", "sentences"), [("short", 2), ("long", 3)])
def test_the_hypothetical_passage_is_made_of_the_groups_sentences(form: Form, sentences: int):
    passages = (*FLATS, page(5, "The bailiff seals the door after an eviction of a tenant."))
    reply = hypothesise(
        {"reading": READINGS[0], "form": form, "passages": passages, "corpus": CORPUS}
    )
    whole = " ".join(each.text for each in passages)
    told = [each for each in reply.passage.split(".") if each.strip()]
    assert len(told) == sentences
    assert all(f"{each.strip()}." in whole for each in told)
    assert "rained" not in reply.passage


def test_where_no_sentence_bears_on_the_reading_there_is_no_passage():
    reading = SubQuestion(label="x", question="What is photosynthesis?", chunks=(), why="")
    given = {"reading": reading, "form": "short", "passages": FLATS, "corpus": CORPUS}
    assert hypothesise(given).passage == ""


def synthesis(
    readings: Sequence[SubQuestion] = READINGS,
    passages: Sequence[Passage] = (*FLATS, *CACHES),
    form: Form = "short",
    question: str = QUESTION,
    words: tuple[int, int] = (150, 250),
) -> SynthesiseReply:
    found = [(1, 2), (3, 4)] if len(readings) > 1 else [tuple(each.chunk for each in passages)]
    return synthesise(
        {
            "question": question,
            "readings": tuple(readings),
            "passages": tuple(passages),
            "found": tuple(found),
            "form": form,
            "words": words,
            "corpus": CORPUS,
        }
    )


@pytest.mark.parametrize("form", ["short", "long"])
def test_answers_are_sentences_of_the_passages_found_for_the_reading(form: Form):
    reply = synthesis(form=form)
    shown = (*FLATS, *CACHES)
    for number, reading in enumerate(reply.readings, start=1):
        assert reading.reading == number
        assert reading.evidence
        for each in reading.evidence:
            assert each.quote in shown[each.passage - 1].text
        assert reading.answer == " ".join(each.quote for each in reading.evidence)
    assert "bailiff" in str(reply.readings[0].answer)
    assert "dirty" in str(reply.readings[1].answer)


def test_readings_are_set_against_each_other_where_two_are_answered():
    assert "by contrast" in synthesis().contrast
    assert synthesis(readings=READINGS[:1]).contrast == ""


@pytest.mark.parametrize(
    ("question", "answered"),
    [
        ("What is the eviction policy?", True),
        ("What is the eviction policy of Harrogate?", False),
    ],
    ids=["a word that nothing has", "a name that nothing has"],
)
def test_only_a_name_cannot_be_done_without(question: str, answered: bool):
    reply = synthesis(readings=READINGS[:1], question=question)
    assert (reply.readings[0].answer is not None) is answered


@pytest.mark.parametrize("question", ["What is photosynthesis?", "What happens?"])
def test_a_question_that_no_sentence_is_about_is_not_answered(question: str):
    reply = synthesis(question=question)
    assert [each.answer for each in reply.readings] == [None, None]
    assert (reply.contrast, reply.text) == ("", "")


def test_the_same_sentence_is_quoted_once():
    twice = (FLATS[0], replace(FLATS[0], chunk=9))
    reply = synthesis(readings=READINGS[:1], passages=twice, form="long")
    assert len(reply.readings[0].evidence) == 1


def test_a_heading_with_its_rule_answers_nothing():
    ruled = (page(1, "Eviction of the tenant by bailiffs\n==========================="),)
    assert synthesis(readings=READINGS[:1], passages=ruled).readings[0].answer is None


@pytest.mark.parametrize("most", [10, 20, 250])
def test_the_paragraph_has_no_more_words_than_are_asked_for(most: int):
    assert len(synthesis(form="long", words=(1, most)).text.split()) <= most


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("What is the renewal policy?", "ambiguous"),
        ("How long is it?", "ambiguous"),
        ("What did Margaret Hale pay for the renewal?", "clear"),
        ("Which rule came into force in 1998?", "clear"),
        ('What does "net weight" mean?', "clear"),
        ("Why do old wooden bridges rot faster near salt water?", "uncertain"),
    ],
)
def test_by_its_words_a_question_is_clear_that_names_something(question: str, verdict: str):
    reply = gate({"question": question})
    assert reply.verdict == verdict
    assert reply.reason
