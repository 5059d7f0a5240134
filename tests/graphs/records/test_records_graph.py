"""Answers from records: how the way is chosen, what is shown, what happens where it fails."""

import re
from collections.abc import Callable, Collection
from typing import Any

import pytest

from agent.answer import Answer
from agent.errors import LimitReached, NeedsRecords, QuestionError
from agent.policy import Policy
from agent.prompt_values import JudgeValues, QueryValues, RewriteValues
from agent.reasoner import Prompt
from agent.records.query_plan import AllTests, Compare, Query
from agent.records.record import Cell, Failure, Record
from agent.records.record_schema import CellValue, Kind, Schema
from agent.state import Question
from graphs.context import Context
from graphs.headcount import RunState, build_graph
from graphs.records.available_records import AtHand, at_hand, digest_of
from graphs.sessions import Session
from tests.graphs.conftest import INTERPRETED, Script, whole
from tests.graphs.replies import ambiguity
from tests.integration.asking import adds_up, quotes_hold
from tests.scripted import Scripted, ScriptedReasoner
from tests.tools.records.league import column, query, table, when
from tools.corpus.corpus import Corpus
from tools.records.record_store import RecordStore

LEASE = table("lease", grain="document", city="text", deposit="integer GBP", floor="integer")


def keep_records(
    corpus: Corpus,
    *,
    without: Collection[int] = (),
    cityless: Collection[int] = (),
    outdated: Collection[int] = (),
    kind: Kind = LEASE,
) -> None:
    """Put a record of each lease beside the corpus, but for those `without`; none states a floor.

    Of some no city is stated, and the texts of some have changed since.
    """
    store = store_of(corpus)
    store.write_schema(Schema(kinds=(kind,)))
    for number, name in enumerate(corpus.documents):
        if number in without:
            continue
        text = corpus.document_text(number)
        cells = [_cell(text, "deposit", r"The deposit is (\d+) pounds")]
        if number not in cityless:
            cells.append(_cell(text, "city", r"City: (\w+)"))
        record = Record(kind="lease", document=name, cells=tuple(cells), by="careful")
        digest = "another" if number in outdated else digest_of(corpus, number)
        store.put(name, digest, [record])
    store.close()


@pytest.fixture
def kept(corpus: Corpus) -> Corpus:
    keep_records(corpus)
    return corpus


def store_of(corpus: Corpus) -> RecordStore:
    return RecordStore(corpus.path / "records" / "records.sqlite")


def _cell(text: str, attribute: str, pattern: str) -> Cell:
    found = re.search(pattern, text)
    assert found is not None
    value: CellValue = int(found[1]) if found[1].isdigit() else found[1]
    place = {"quote": found[0], "start": found.start(), "end": found.end()}
    return Cell.model_validate({"attribute": attribute, "value": value, **place})


def count_of(*tests: Compare) -> Query:
    return query("lease", "count", where=AllTests(parts=tests) if tests else None)


def in_city(name: str) -> Query:
    return count_of(when(column("lease", "city"), "=", name))


def reply(plan: Query | None = None, **told: object) -> dict[str, object]:
    """Return what a reasoner replies that knows the tables."""
    given = {"why": "the leases that pass", "answerable": plan is not None, "missing": "the tables"}
    return given | {"plan": plan and plan.model_dump(), "sql": None} | told


ASKED = "How many leases ask for a deposit above 1000 pounds?"
DEARER = count_of(when(column("lease", "deposit"), ">", 1000))
Ran = tuple[Answer, Any, ScriptedReasoner]
Run = Callable[..., Ran]


@pytest.fixture
def run(corpus: Corpus, script: Script) -> Run:
    def ran(*replies: Scripted, policy: Policy | None = None, **lines: Any) -> Ran:
        given = iter(replies)
        reasoner = ScriptedReasoner(script | {"query": lambda prompt: next(given)} | lines)
        context = Context(corpus=corpus, reasoner=reasoner, policy=policy or Policy())
        state = RunState(**build_graph().invoke(Question(question=ASKED), context=context))
        context.store.close()
        assert state.answer is not None
        return state.answer, state, reasoner

    return ran


def asked(reasoner: ScriptedReasoner, name: str) -> list[Prompt]:
    return [each for each in reasoner.prompts if each.name == name]


@pytest.mark.parametrize("kept", [False, True])
def test_without_records_or_where_texts_are_asked_for_nothing_more_is_asked(
    run: Run, corpus: Corpus, kept: bool
) -> None:
    if kept:
        keep_records(corpus)
    answer, state, reasoner = run(policy=Policy(route="text" if kept else "auto"))
    assert (state.route.path, answer.value) == ("text", 5)
    assert not asked(reasoner, "query")


def test_what_no_passage_can_tell_is_declined_and_computed_from_tables(
    run: Run, corpus: Corpus
) -> None:
    reading = INTERPRETED | {"computed": "the share of its clauses"}
    computed = {"interpret": lambda prompt: reading}
    with pytest.raises(NeedsRecords, match="no passage can tell it: the share of its clauses"):
        run(**computed)
    keep_records(corpus)
    answer, _, _ = run(reply(DEARER), **computed)
    assert answer.value == 6
    with pytest.raises(QuestionError, match="no passage can tell it, so the question is declined"):
        run(reply(), policy=Policy(route="records"), **computed)


def test_a_reader_that_cannot_write_is_never_asked_to_query(kept: Corpus, script: Script) -> None:
    judge = ScriptedReasoner(dict(script), abilities=frozenset({"judge"}))
    context = Context(corpus=kept, reasoner=judge, policy=Policy())
    state = RunState(**build_graph().invoke(Question(question=ASKED), context=context))
    assert (state.route.path, state.route.why) == ("text", "scripted cannot write queries")
    forced = Context(corpus=kept, reasoner=judge, policy=Policy(route="records"))
    with pytest.raises(QuestionError, match="which the route 'records' needs"):
        build_graph().invoke(Question(question=ASKED), context=forced)
    assert not asked(judge, "query")


def test_records_answer_without_reading_and_every_row_is_proved_by_its_cells(
    run: Run, kept: Corpus
) -> None:
    answer, _, reasoner = run(reply(DEARER))
    assert (answer.value, answer.bounds) == (6, (6, 6))
    assert not asked(reasoner, "judge")
    assert len(asked(reasoner, "query")) == 1
    told = [asked(reasoner, name)[0].text for name in ("interpret", "classify")]
    assert all("- lease (12 rows): " in each for each in told)
    assert [each.name for each in answer.entities] == list(kept.documents[6:])
    assert adds_up(answer)
    assert answer.coverage.matched == answer.coverage.judged >= 6
    quotes = [each for entity in answer.entities for each in entity.evidence]
    assert {each.condition for each in quotes} == {"deposit"}
    assert quotes_hold(answer, kept)


def test_a_free_statement_is_shown_without_quotes(run: Run, kept: Corpus) -> None:
    sql = "SELECT city, _document FROM lease WHERE deposit > 1500"
    answer, *_ = run(reply(answerable=True, sql=sql))
    assert [(each.name, each.documents) for each in answer.entities] == [("Hull", ("lease-11",))]
    assert answer.bounds is None
    assert any("no quotes" in told for told in answer.warnings)


def test_what_records_do_not_state_widens_the_bounds(run: Run, corpus: Corpus) -> None:
    keep_records(corpus, cityless={1, 4}, without={3})
    answer, *_ = run(reply(in_city("York")))
    assert (answer.value, answer.bounds) == (2, (2, 5))
    assert "11 of 12 documents" in answer.completeness.method
    assert "lease.city stated by 9 of 11 rows" in answer.completeness.method
    assert answer.completeness.recall_lower_bound is None
    assert answer.coverage.unseen == len(corpus.chunks_of(3))
    assert adds_up(answer)


def test_a_result_stands_where_the_alarm_is_false(run: Run, corpus: Corpus) -> None:
    keep_records(corpus, cityless={0, 2, 3, 6, 7, 8})
    answer, state, _ = run(reply(in_city("York")), reply(in_city("York")))
    assert state.route.path == "records"
    assert answer.bounds == (answer.value, answer.value + 6)


def test_what_is_mentioned_only_the_texts_tell(run: Run, kept: Corpus) -> None:
    (pets,) = INTERPRETED["conditions"]
    mention = pets | {"text": "mentions a dog", "terms": ["dog"]}
    _, state, reasoner = run(
        reply(DEARER), interpret=lambda prompt: INTERPRETED | {"conditions": [mention]}
    )
    assert (state.route.path, state.route.why) == ("text", "what is mentioned, only the texts tell")
    assert not asked(reasoner, "query")


LEFT: dict[str, tuple[list[dict[str, object]], str]] = {
    "a column that is not there":
        ([reply(count_of(when(column("lease", "rent"), ">", 1)))], "lease.rent"),
    "a word that no row holds":
        ([reply(in_city("Ystad")), reply(missing="Ystad")], "'Ystad' in lease.city"),
    "queries that cannot be run":
        ([reply(answerable=True, sql=f"SELECT {each}") for each in ("rent FROM lease", "1e999")],
         "the records were asked, but"),
}  # fmt: skip


@pytest.mark.parametrize(("replies", "why"), LEFT.values(), ids=LEFT)
def test_what_tables_do_not_answer_is_left_to_the_texts_and_said(
    run: Run, kept: Corpus, replies: list[dict[str, object]], why: str
) -> None:
    answer, state, reasoner = run(*replies)
    assert (state.route.path, answer.value) == ("text", 5)
    assert why in state.route.left
    assert any(why in told for told in answer.warnings)
    assert len(asked(reasoner, "query")) == len(replies)


def test_too_few_records_lead_to_the_texts(run: Run, corpus: Corpus) -> None:
    keep_records(corpus, without={1, 2})
    _, state, reasoner = run()
    assert "only 10 of 12 documents" in state.route.why
    assert not asked(reasoner, "query")


def test_what_is_known_of_a_changed_text_is_forgotten(run: Run, corpus: Corpus) -> None:
    keep_records(corpus, outdated={7})
    answer, *_ = run(reply(DEARER))
    assert (answer.value, answer.bounds) == (5, (5, 6))


def test_records_that_are_asked_for_must_be_there_and_answer(run: Run, corpus: Corpus) -> None:
    with pytest.raises(QuestionError, match="there are no records"):
        run(policy=Policy(route="records"))
    keep_records(corpus)
    with pytest.raises(QuestionError, match=r"do not answer it: .*“pets”"):
        run(reply(missing="pets"), policy=Policy(route="records"))


BOTH = INTERPRETED | {
    "restated": "How many dear leases allow the tenant to keep a pet?",
    "conditions": [
        INTERPRETED["conditions"][0],
        INTERPRETED["conditions"][0]
        | {"id": "c2", "text": "asks for a deposit above 1000 pounds", "counts": []},
    ],
    "logic": "c1 and c2",
}


def hybrid(prompt: Prompt) -> Scripted:
    """Answer one condition of the two, and not the whole."""
    dear = "deposit above" in str(prompt.values_as(QueryValues).question)
    alone = str(prompt.values_as(QueryValues).question).startswith("Which lease ")
    return reply(DEARER.model_copy(update={"operation": "list"}) if dear and alone else None)


def test_records_narrow_what_the_texts_decide(run: Run, kept: Corpus) -> None:
    answer, state, reasoner = run(interpret=lambda prompt: BOTH, query=hybrid)
    assert (state.route.path, state.route.settled) == ("hybrid", {"c2"})
    assert [each.name for each in answer.entities] == ["lease-07", "lease-11"]
    judged = [prompt.values_as(JudgeValues) for prompt in asked(reasoner, "judge")]
    shown = {each.document for values in judged for each in values.passages}
    assert shown <= set(kept.documents[6:])
    assert {each.id for values in judged for each in values.conditions} == {"c1"}
    assert answer.snapshots[0].tool == "select"
    proofs = {each.condition for each in answer.entities[0].evidence}
    assert proofs == {"allows the tenant to keep a pet", "asks for a deposit above 1000 pounds"}
    assert "the records decided “asks for a deposit" in answer.completeness.method
    assert adds_up(answer)


def test_every_reading_has_its_own_query(run: Run, kept: Corpus) -> None:
    senses = ("dear: above 1000 pounds", "dear: at least one")
    readings = ((f"dear{n}", each) for n, each in enumerate(senses))
    found = ambiguity("A1", "deposit above 1000 pounds", *readings)

    def rewritten(prompt: Prompt) -> Scripted:
        chosen = prompt.values_as(RewriteValues).exchange.chosen.meaning
        atoms = [INTERPRETED["conditions"][0] | {"text": chosen}]
        return whole(INTERPRETED | {"restated": chosen, "conditions": atoms})

    answer, state, _ = run(
        policy=Policy(on_ambiguity="branch", disambiguation="guided"),
        classify=lambda prompt: {"ambiguities": [found]},
        rewrite=rewritten,
        query=lambda prompt: reply(
            DEARER if "above" in str(prompt.values_as(QueryValues).question) else count_of()
        ),
    )
    assert [each.value for each in answer.readings] == [6, 12]
    assert [len(each.snapshots) for each in answer.readings] == [1, 1]
    assert state.route.path == "records"
    assert all(adds_up(each) for each in answer.readings)


def lose_a_part(corpus: Corpus, number: int) -> str:
    store, name = store_of(corpus), corpus.documents[number]
    digest = store.documents()[name].digest
    lost = Failure(document=name, reason="no usable reply", start=5, end=90)
    store.put(name, digest, store.records_of(name), [lost])
    store.close()
    return name


def test_a_document_that_was_read_in_part_is_lacking_and_named(run: Run, kept: Corpus) -> None:
    name = lose_a_part(kept, 3)
    answer, *_ = run(reply(DEARER))
    assert (answer.value, answer.bounds) == (6, (6, 7))
    assert answer.completeness.method is not None
    assert "records of 11 of 12 documents, 1 read in part" in answer.completeness.method
    assert any(
        f"only parts of 1 document ({name}) could be read" in each for each in answer.warnings
    )
    assert adds_up(answer)


def test_what_is_left_of_a_document_may_hold_any_number_of_rows(run: Run, corpus: Corpus) -> None:
    keep_records(corpus, kind=LEASE.model_copy(update={"grain": "row"}))
    assert run(reply(DEARER))[0].bounds == (6, 6)
    lose_a_part(corpus, 3)
    assert run(reply(DEARER))[0].bounds is None


def test_documents_to_be_read_again_are_not_covered(kept: Corpus) -> None:
    store = store_of(kept)
    first = kept.documents[0]
    renamed = Schema(kinds=(LEASE.model_copy(update={"name": "flat"}),))
    record, digest = store.records_of(first)[0], store.documents()[first].digest
    store.write_schema(renamed)
    store.put(first, digest, [record.model_copy(update={"kind": "flat"})])
    store.close()
    with at_hand(Context(corpus=kept, reasoner=ScriptedReasoner({}))) as found:
        assert isinstance(found, AtHand)
    assert (found.covered, found.failed, found.partial) == ((first,), (), ())
    assert found.lacking == len(kept.documents) - 1


def test_records_that_all_failed_are_told_of_beside_the_answer_of_the_texts(
    run: Run, kept: Corpus
) -> None:
    store = store_of(kept)
    for name, state in store.documents().items():
        store.put(name, state.digest, (), [Failure(document=name, reason="no usable reply")])
    store.close()
    answer, state, _ = run()
    assert (state.route and state.route.path) == "text"
    told = "none of 12 documents could be read into records: `headcount records fill` tries again"
    assert any(each.startswith(told) for each in answer.warnings)


LIMIT = LimitReached("calls (limit 3, spent 3)")
BEYOND = count_of(when(column("lease", "city"), ">", 1000))
"""A plan that cannot be carried out: its tests do not fit the column."""


@pytest.mark.parametrize(
    "before",
    [(LIMIT,), (reply(BEYOND), LIMIT)],
    ids=["while the way is chosen", "while a query is repaired"],
)
def test_a_run_that_a_limit_ended_goes_on_with_the_records(
    kept: Corpus, script: Script, before: tuple[Scripted, ...]
) -> None:
    replies = iter((*before, reply(DEARER)))
    reasoner = ScriptedReasoner(script | {"query": lambda prompt: next(replies)})
    with Session(Context(corpus=kept, reasoner=reasoner, policy=Policy())) as session:
        list(session.start(ASKED, run="r1"))
        partial = session.outcome("r1")
        assert (partial.status, session.state("r1").stopped) == ("partial", str(LIMIT))
        assert adds_up(partial)
        events = list(session.resume("r1"))
        answer = session.outcome("r1")
    assert {event["prompt"] for event in events if event["kind"] == "prompt"} == {"query"}
    assert (answer.status, answer.value) == ("answered", 6)
    assert [each.tool for each in answer.snapshots] == ["select"]
    assert not any("limit" in each for each in answer.warnings)
