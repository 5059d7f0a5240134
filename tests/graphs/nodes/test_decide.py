"""decide: what fields and spellings decide is certain, never read, never audited."""

from collections.abc import Callable

import pytest

from agent.prompt_values import JudgeValues
from tests.graphs.replies import atom, interpreted
from tests.graphs.searching import (
    LOOP,
    NAMES,
    Case,
    adds_up,
    answer_of,
    corpus_of,
    holding,
    in_town,
    letters_once,
    ran,
    read_chunks,
    reasoner_for,
)
from tools.corpus.corpus import Corpus

KETTLE = atom("c1", terms=["kettle"])
MIRROR = atom("c2", terms=["mirror", "looking-glass"])
ABSENT = atom("c4", terms=["zeppelin"])
YORK = in_town("c3", "York")
Sets = dict[str, frozenset[int]]
corpus = letters_once(12, 16)


def documents(corpus: Corpus, chunks: frozenset[int]) -> set[str]:
    return {corpus.documents[corpus.chunk_document[chunk]] for chunk in chunks}


def mentions(corpus: Corpus) -> Sets:
    return {"c1": holding(corpus, "kettle"), "c2": holding(corpus, "mirror")}


def york(corpus: Corpus) -> set[str]:
    return documents(corpus, holding(corpus, "Town: York"))


def test_documents_that_a_field_rules_out_are_not_read(corpus: Corpus) -> None:
    reading = interpreted("c1 and c3", atom("c1"), YORK)
    case = Case(relevant={"c1": frozenset(range(0, len(corpus), 3))}, reading=reading)
    reasoner = reasoner_for(corpus, case)
    answer = answer_of(ran(corpus, case, LOOP, reasoner=reasoner))
    read = frozenset(read_chunks(reasoner))
    assert documents(corpus, read) == york(corpus)
    assert {each.name for each in answer.entities} == documents(
        corpus, frozenset(case.relevant["c1"])
    ) & york(corpus)
    assert answer.completeness.recall_lower_bound == answer.completeness.confidence == 1.0
    assert answer.bounds == (answer.value, answer.value)


def test_a_condition_is_not_asked_of_documents_where_a_field_leaves_it_no_say(
    corpus: Corpus,
) -> None:
    reading = interpreted("(c1 and c3) or c2", atom("c1"), atom("c2"), YORK)
    relevant = {
        "c1": frozenset(range(0, len(corpus), 2)),
        "c2": frozenset(range(0, len(corpus), 16)),
    }
    case = Case(relevant=relevant, reading=reading)
    reasoner = reasoner_for(corpus, case, paid=False)
    state = ran(corpus, case, LOOP, reasoner=reasoner)
    judged = [each.values_as(JudgeValues) for each in reasoner.prompts if each.name == "judge"]
    for each in judged:
        within = {passage.document for passage in each.passages} & york(corpus)
        assert [one.id for one in each.conditions] == (["c1", "c2"] if within else ["c2"])
    assert {each.name for each in answer_of(state).entities} == york(corpus) | documents(
        corpus, relevant["c2"]
    )
    assert adds_up(state)


@pytest.mark.parametrize(
    ("logic", "expected"),
    [
        ("c1", lambda one, two, all_: one),
        ("not c1", lambda one, two, all_: all_ - one),
        ("c1 or c2", lambda one, two, all_: one | two),
        ("c1 and c2", lambda one, two, all_: one & two),
        ("c1 and not c2", lambda one, two, all_: one - two),
        ("not (c1 or c2)", lambda one, two, all_: all_ - one - two),
        ("c4", lambda one, two, all_: set()),
    ],
)
def test_mentions_are_decided_for_certain(
    logic: str, expected: Callable[[set[str], set[str], set[str]], set[str]], corpus: Corpus
) -> None:
    found = mentions(corpus)
    used = [each for each in (KETTLE, MIRROR, ABSENT) if each["id"] in logic]
    case = Case(relevant=found, reading=interpreted(logic, *used))
    reasoner = reasoner_for(corpus, case)
    state = ran(corpus, case, LOOP.model_copy(update={"few_candidates": 60}), reasoner=reasoner)
    answer = answer_of(state)
    whole = set(corpus.documents)
    wanted = expected(documents(corpus, found["c1"]), documents(corpus, found["c2"]), whole)
    assert {each.name for each in answer.entities} == wanted
    assert answer.bounds == (len(wanted), len(wanted))
    assert answer.completeness.recall_lower_bound == answer.completeness.confidence == 1.0
    assert not state.audits
    bearing = (found[name] for name in found if name in logic)
    assert set(read_chunks(reasoner)) <= frozenset().union(*bearing)
    assert not any(prompt.name == "plan" for prompt in reasoner.prompts)
    assert adds_up(state)


def test_a_mention_of_a_named_thing_needs_its_words_too(corpus: Corpus) -> None:
    found = sorted(mentions(corpus)["c1"])
    case = Case(
        relevant={"c1": frozenset(found)},
        reading=interpreted("c1", KETTLE, grain="entity", entity_type="person"),
        named=lambda chunk: [NAMES[found.index(chunk) % len(NAMES)]],
    )
    reasoner = reasoner_for(corpus, case)
    answer = answer_of(ran(corpus, case, LOOP, reasoner=reasoner))
    assert sorted(read_chunks(reasoner)) == found
    assert answer.value == min(len(found), len(NAMES))
    assert answer.bounds == (answer.value, answer.value)


@pytest.mark.parametrize(
    ("logic", "match"),
    [
        ("c3 and c4 and not c1", "all"),
        ("c3 or c4", "any"),
        ("not c3", "as the question joins or denies them"),
        ("c1 and (c3 or c4)", "as the question joins or denies them"),
    ],
)
def test_a_step_says_how_tests_are_joined_only_where_one_word_does(
    logic: str, match: str, corpus: Corpus
) -> None:
    used = [each for each in (atom("c1"), YORK, in_town("c4", "Hull")) if each["id"] in logic]
    state = ran(corpus, Case(relevant={}, reading=interpreted(logic, *used)))
    assert state.history[0].call.arguments["match"] == match


def test_each_ruling_is_a_certain_step_with_its_snapshot(corpus: Corpus) -> None:
    reading = interpreted("c1 and c3", KETTLE, YORK)
    state = ran(corpus, Case(relevant=mentions(corpus), reading=reading))
    rulings = [step for step in state.history if step.certain]
    assert [(step.round, step.call.tool) for step in rulings] == [(1, "metadata"), (2, "mention")]
    assert rulings[0].kept + rulings[0].discarded == len(corpus)
    assert rulings[1].kept + rulings[1].discarded == rulings[0].kept
    assert rulings[1].before == rulings[0].after
    shots = answer_of(state).snapshots[:2]
    assert [shot.id for shot in shots] == [step.after for step in rulings]
    assert all(step.why for step in rulings)


def test_a_mention_across_the_edge_of_a_chunk_is_not_ruled_out(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    words = "the kettle drum of the old band"
    texts = {
        f"sheet-{before:02}": " ".join(["word"] * before + [words] + ["other"] * 100)
        for before in range(85, 110)
    }
    corpus = corpus_of(texts, tmp_path_factory.mktemp("edge"), chunk_tokens=100)
    case = Case(
        relevant={"c1": frozenset(range(len(corpus)))},
        reading=interpreted("c1", atom("c1", terms=[words])),
    )
    assert answer_of(ran(corpus, case)).value == len(texts)
