import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.evidence import Passage
from agent.question import Condition, Grain, Measure
from agent.reasoners.rules.judging.judge import judge
from agent.replies import EvidenceReply, JudgeReply
from tests.agent.reasoners.rules.small_corpus import SmallCorpus, passage

LEASE = "Rent is due monthly. Either side may end the lease upon sixty (60) days notice. Done."


def judged(
    texts: list[str],
    *conditions: Condition,
    entity_type: str = "lease",
    grain: Grain = "document",
    measure: Measure | None = None,
) -> JudgeReply:
    passages: tuple[Passage, ...] = tuple(passage(text) for text in texts)
    return judge(
        {
            "conditions": conditions,
            "entity_type": entity_type,
            "grain": grain,
            "measure": measure,
            "passages": passages,
            "corpus": SmallCorpus(texts),
        }
    )


def evidence(reply: JudgeReply) -> list[EvidenceReply]:
    return [each for passage in reply.passages for each in passage.evidence]


def test_every_passage_is_answered_once_in_order() -> None:
    reply = judged([LEASE, "Nothing.", LEASE], Condition(id="c1", text="let a side end it"))
    assert [each.passage for each in reply.passages] == [1, 3]
    assert reply.none == [2]


def test_the_sentence_that_states_the_condition_is_quoted() -> None:
    reply = judged([LEASE], Condition(id="c1", text="let a party end it by giving notice"))
    [found] = evidence(reply)
    assert found.quote == "Either side may end the lease upon sixty (60) days notice."
    assert (found.condition, found.entity, found.value) == ("c1", "", None)


def test_the_measured_number_comes_with_the_quote() -> None:
    asked = Condition(id="c1", text="let a party end it by giving notice")
    [found] = evidence(judged([LEASE], asked, measure=Measure(text="notice in days", unit="days")))
    assert (found.value, found.unit) == (60, "days")


def test_a_mention_is_quoted_with_its_sentence() -> None:
    asked = Condition(id="m", text="mentions rent", terms=("rent",))
    assert [each.quote for each in evidence(judged([LEASE], asked))] == ["Rent is due monthly."]


def test_a_quote_is_cut_to_sixty_words_around_what_proves_it() -> None:
    text = "word " * 200 + "Kotlin " + "word " * 200
    [found] = evidence(judged([text], Condition(id="m", text="", terms=("Kotlin",))))
    assert len(found.quote.split()) == 60
    assert "Kotlin" in found.quote


@pytest.mark.parametrize(
    "condition", ["named as governing law of a lease", "names governing-law jurisdictions"]
)
def test_named_things_are_reported_one_by_one(condition: str) -> None:
    texts = ["It is governed by the law of the State of Utah.", "It is governed by Iowa law."]
    asked = Condition(id="c1", text=condition)
    found = evidence(judged(texts, asked, entity_type="jurisdiction", grain="entity"))
    assert [each.entity for each in found] == ["Utah"]


def test_each_row_is_an_entity() -> None:
    text = (
        "Ship record 1: name is Tana, tonnage is 900 and flag is Norway.\n"
        "Ship record 2: name is Bela, tonnage is 40 and flag is Norway."
    )
    asked = Condition(id="c1", text="whose tonnage is more than 100")
    measure = Measure(text="tonnage")
    found = evidence(judged([text], asked, entity_type="ship", grain="entity", measure=measure))
    assert [(each.entity, each.value) for each in found] == [("Tana", 900)]
    every = Condition(id="c0", text="names a ship")
    assert len(evidence(judged([text], every, entity_type="ship", grain="entity"))) == 2


def test_names_of_an_unknown_kind_are_not_guessed() -> None:
    reply = judged(
        ["Anna Roe met Bell Ltd in Oslo."],
        Condition(id="c0", text="names a person"),
        entity_type="person",
        grain="entity",
    )
    assert not evidence(reply)


def test_the_verdict_does_not_hang_on_the_neighbours_in_the_batch() -> None:
    asked = Condition(id="c1", text="let a party end it by giving notice")
    corpus = SmallCorpus([LEASE])
    values = {
        "conditions": (asked,),
        "entity_type": "lease",
        "grain": "document",
        "measure": None,
        "corpus": corpus,
    }
    alone = judge(values | {"passages": (passage(LEASE),)})
    together = judge(values | {"passages": (passage("Other."), passage(LEASE))})
    assert alone.passages[0].evidence == together.passages[0].evidence


@pytest.mark.parametrize("grain", ["document", "entity"])
@given(text=st.text(max_size=200))
def test_every_quote_is_verbatim(grain: Grain, text: str) -> None:
    asked = (
        Condition(id="c1", text="let a party end it by giving notice"),
        Condition(id="m", text="mentions a", terms=("a", "B 1")),
    )
    shown = f"{text} Anna may end it by giving notice to B 1. {text}"
    for found in evidence(judged([shown], *asked, grain=grain)):
        assert found.quote in shown
        assert len(re.findall(r"\S+", found.quote)) <= 60


ROWS = (
    "Clinic record 1: name is North and town is Ystad.\n"
    "Clinic record 2: name is South and town is Lund."
)


@pytest.mark.parametrize(
    ("text", "names"),
    [("offer hydrotherapy", []), ("are clinics", ["North", "South"])],
    ids=["words that stand nowhere", "no words but the kind"],
)
def test_rows_satisfy_only_what_says_nothing_of_them(text: str, names: list[str]) -> None:
    reply = judged([ROWS], Condition(id="c1", text=text), entity_type="clinic", grain="entity")
    assert [each.entity for each in evidence(reply)] == names
