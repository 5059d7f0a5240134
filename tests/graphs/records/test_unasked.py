"""Records that nobody asked for: drawn up where reading is free and a structure shows."""

from pathlib import Path

import pytest

from agent.policy import Policy
from agent.prompt_values import QueryValues
from agent.reasoner import Prompt, Reasoner
from agent.reasoners.rules import RulesReasoner
from agent.reasoners.scripted import Scripted, ScriptedReasoner
from agent.records.plan import Column, Compare, Query
from agent.state import Question
from graphs.context import Context
from graphs.headcount import RunState, build_graph
from graphs.look import look_at
from graphs.records.place import schema_path
from graphs.records.unasked import records_exist
from tests.graphs.conftest import INTERPRETED, Script
from tests.graphs.searching import corpus_of
from tools.corpus.build import build
from tools.corpus.corpus import Corpus, open_corpus

VESSELS = ("Aalto", "Birka", "Cora", "Dagny", "Edda", "Freja", "Gerda", "Hilma")
ASKED = "How many ferries have a length above 60?"


def ferry(number: int) -> str:
    return (
        f"Ferry sheet\n\nName: {VESSELS[number]}\nLength: {40 + 10 * number}\n"
        f"Harbour: {('Ystad', 'Visby')[number % 2]}\nBuilt: {1980 + number}\n"
    )


def prose(number: int) -> str:
    return (
        f"On the {number + 3}th morning we walked along the shore and spoke of nothing at all. "
        "The wind had turned, the gulls kept away, and somebody had left a kettle on the pier. " * 4
    )


@pytest.fixture
def ferries(tmp_path: Path) -> Corpus:
    return corpus_of({f"ferry-{each}": ferry(each) for each in range(6)}, tmp_path)


def ran(corpus: Corpus, reasoner: Reasoner, policy: Policy | None = None) -> RunState:
    context = Context(corpus=corpus, reasoner=reasoner, policy=policy or Policy(trial=0))
    state = RunState(**build_graph().invoke(Question(question=ASKED), context=context))
    context.store.close()
    return state


def test_a_structure_shows_in_sheets_and_not_in_prose(ferries: Corpus, tmp_path: Path) -> None:
    walks = corpus_of({f"walk-{each}": prose(each) for each in range(4)}, tmp_path / "walks")
    assert look_at(ferries).structured
    assert not look_at(walks).structured


def test_a_look_is_taken_once_for_each_state_of_the_corpus(ferries: Corpus) -> None:
    first = look_at(ferries)
    place = ferries.path / "records" / "look.json"
    place.write_text(first.model_copy(update={"share": 0.0}).model_dump_json(), encoding="utf-8")
    assert look_at(ferries).share == 0
    place.write_text("no JSON", encoding="utf-8")
    assert look_at(ferries) == first


def test_where_reading_is_free_records_are_drawn_up(ferries: Corpus) -> None:
    ran(ferries, RulesReasoner(), Policy(trial=0, route="hybrid"))
    assert records_exist(ferries)
    assert schema_path(ferries).exists()


def test_who_pays_is_told_where_much_stands_in_prose(tmp_path: Path, script: Script) -> None:
    texts = {f"ferry-{each}": f"{ferry(each)}\n{prose(each)[:150]}" for each in range(6)}
    ferries = corpus_of(texts, tmp_path)
    reasoner = ScriptedReasoner(script | {"interpret": lambda prompt: INTERPRETED})
    state = ran(ferries, reasoner)
    assert state.route is not None
    assert "headcount records induce" in state.route.why
    assert not records_exist(ferries)


def test_who_pays_does_not_query_what_rules_read_of_prose(tmp_path: Path, script: Script) -> None:
    texts = {f"ferry-{each}": f"{ferry(each)}\n{prose(each)[:150]}" for each in range(6)}
    ferries = corpus_of(texts, tmp_path)
    ran(ferries, RulesReasoner(), Policy(trial=0, route="hybrid"))
    assert records_exist(ferries)
    state = ran(ferries, ScriptedReasoner(script | {"interpret": lambda prompt: INTERPRETED}))
    assert state.route is not None
    assert state.route.path == "text"


def test_sheets_are_read_by_code_whoever_asks(ferries: Corpus, script: Script) -> None:
    def queried(prompt: Prompt) -> Scripted:
        (kind,) = prompt.values_as(QueryValues).tables.schema.kinds
        length = Column(kind=kind.name, attribute="length")
        longer = Compare(left=length, comparator=">", value=60)
        plan = Query(kind=kind.name, operation="count", where=longer).model_dump(mode="json")
        return {"why": "", "answerable": True, "missing": "", "plan": plan, "sql": None}

    reasoner = ScriptedReasoner(
        script | {"interpret": lambda prompt: INTERPRETED, "query": queried}
    )
    state = ran(ferries, reasoner)
    assert state.route is not None
    assert state.answer is not None
    assert (state.route.path, state.answer.value) == ("records", 3)
    assert not any(each.name == "extract" for each in reasoner.prompts)


def test_prose_is_not_read_into_records(tmp_path: Path) -> None:
    walks = corpus_of({f"walk-{each}": prose(each) for each in range(4)}, tmp_path)
    ran(walks, RulesReasoner())
    assert not records_exist(walks)


def test_new_documents_are_read_into_records_drawn_up_before(
    ferries: Corpus, tmp_path: Path
) -> None:
    policy = Policy(trial=0, route="hybrid")
    ran(ferries, RulesReasoner(), policy)
    (tmp_path / "texts" / "ferry-6.txt").write_text(ferry(6), encoding="utf-8")
    build([tmp_path / "texts"], ferries.path, settings=ferries.manifest.settings)
    again = open_corpus(ferries.path)
    state = ran(again, RulesReasoner(), policy)
    assert look_at(again).filled == again.digest
    assert state.answer is not None


def test_a_number_that_its_field_holds_as_text_is_ranked_by_the_records(tmp_path: Path) -> None:
    deposits = ("£2,500", "£1.2k", "5500 pounds", "n/a", "£900", "n/a", "1,700 GBP", "£ 3 000")
    texts = {
        f"vessel-{number}": f"Vessel: {name}\nBuilt: {1980 + number}\nDeposit: {deposit}\n"
        for number, (name, deposit) in enumerate(zip(VESSELS, deposits, strict=True))
    }
    corpus = corpus_of(texts, tmp_path)
    deposit = corpus.field("Deposit")
    assert deposit is not None
    assert deposit.type == "text"
    context = Context(corpus=corpus, reasoner=RulesReasoner(), policy=Policy(trial=0))
    asked = Question(question="Which vessel has the highest deposit?")
    state = RunState(**build_graph().invoke(asked, context=context))
    context.store.close()
    assert state.route is not None
    assert state.route.why != "the fields of the documents decide all of it"
