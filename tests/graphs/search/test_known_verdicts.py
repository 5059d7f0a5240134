"""Copies: one of the passages in the same words is sent, and its verdict holds for the others."""

from pathlib import Path

import pytest
from pyroaring import BitMap

from agent.question import AllOf, Condition, Interpretation
from agent.state import State
from graphs.context import Context
from graphs.search.judging_batches import Verdicts
from graphs.search.known_verdicts import copied
from tests.graphs.replies import atom, interpreted
from tests.graphs.searching import (
    LOOP,
    NAMES,
    Case,
    adds_up,
    answer_of,
    corpus_of,
    letters,
    ran,
    read_chunks,
    reasoner_for,
)
from tests.scripted import ScriptedReasoner
from tools.corpus.corpus import Corpus
from tools.passage_windows import copies_of
from tools.runs.coverage_ledger import CoverageLedger
from tools.runs.store import TRIAL

NOTICE = "Tenants of the house may keep the smaller dogs of the list, but none over 20 kg."
SPACED = NOTICE.upper().replace(", but", "  but").replace(" ", "\n")
OTHERS = {
    "number": NOTICE.replace("20", "25"),
    "name": NOTICE.replace("house", "Harbour House"),
    "term": NOTICE.replace("Tenants", "Guests"),
    "asked": NOTICE.replace("the smaller", "smaller"),
    "named-dogs": NOTICE,
}
"""Notices that a difference parts from the rest, by what it touches."""
ABOUT = atom("c1", text="allows the dogs")
CONDITIONS = (Condition(id="c1", text="allows dogs"), Condition(id="c2", text="names a weight"))


def house(place: Path, copies: int = 40) -> Corpus:
    texts = {f"notice-{each:02}": (SPACED if each % 2 else NOTICE) for each in range(copies)}
    return corpus_of(texts | OTHERS | letters(3), place)


def notices(corpus: Corpus) -> frozenset[int]:
    return frozenset(each for each in range(len(corpus)) if "20" in corpus.chunk_text(each)[-8:])


def test_one_of_forty_copies_is_sent_and_forty_documents_are_counted(tmp_path: Path) -> None:
    corpus = house(tmp_path)
    found = notices(corpus)
    case = Case(relevant={"c1": found}, reading=interpreted("c1", ABOUT))
    reasoner = reasoner_for(corpus, case)
    state = ran(corpus, case, LOOP, reasoner=reasoner)
    read = [corpus.documents[corpus.chunk_document[each]] for each in read_chunks(reasoner)]
    assert sum(each.startswith("notice") for each in read) == 1
    answer = answer_of(state)
    assert {each.name for each in answer.entities} == {
        *(f"notice-{each:02}" for each in range(40)),
        *("name", "term", "asked", "named-dogs"),
    }
    for quote in (each for entity in answer.entities for each in entity.evidence):
        text = corpus.document_text(corpus.document_index(quote.document))
        assert text[quote.start : quote.end] == quote.quote == text.strip()
    assert adds_up(state)


def test_a_copy_in_which_the_thing_named_does_not_stand_is_judged_by_itself(tmp_path: Path) -> None:
    corpus = house(tmp_path, copies=4)
    found = notices(corpus)
    reading = interpreted("c1", ABOUT, grain="entity", entity_type="house")
    names = dict(zip(sorted(found), NAMES, strict=False))
    case = Case(relevant={"c1": found}, reading=reading, named=lambda chunk: [names[chunk]])
    reasoner = reasoner_for(corpus, case, paid=False)
    assert answer_of(ran(corpus, case, LOOP, reasoner=reasoner)).value == len(found)
    assert found <= set(read_chunks(reasoner))


@pytest.mark.parametrize("known", [False, True], ids=["judged here", "by a trial"])
def test_a_copy_of_which_more_is_asked_is_read_by_itself(tmp_path: Path, *, known: bool) -> None:
    corpus = house(tmp_path, copies=2)
    first, copy = (corpus.chunks_of(corpus.document_index(f"notice-0{each}"))[0] for each in "01")
    one, both = (
        Interpretation(text="?", entity_type="notice", conditions=AllOf(parts=parts))
        for parts in (CONDITIONS[:1], CONDITIONS)
    )
    context = Context(corpus=corpus, reasoner=ScriptedReasoner({}))
    for run in ("r", "r.trial-0"):
        context.store.create(run, "?", corpus.digest, TRIAL, "scripted", "2026-01-01")
    CoverageLedger(context.store, "r.trial-0", ("c1",), len(corpus)).judge(
        "c1", yes=BitMap([first] if known else []), no=BitMap()
    )
    state = State(question="?", run="r", interpretation=both, tried={"r.trial-0": one})
    told = copied(Verdicts(read=BitMap([first])), state, context).read
    assert (copy in told) is not known


@pytest.mark.parametrize("touched", OTHERS)
def test_what_could_matter_parts_passages(touched: str, tmp_path: Path) -> None:
    corpus = house(tmp_path, copies=2)
    number = corpus.chunks_of(corpus.document_index(touched))[0]
    assert not copies_of(corpus, number, frozenset(("the", "dogs", "allows")))
