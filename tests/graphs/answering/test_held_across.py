"""What holds of a thing over all its documents: a cutter and no saw, only saws, every tool."""

import pytest

from agent.ambiguity import Turn
from agent.answer import Answer
from agent.interpretation import interpretation_from
from agent.policy import Policy
from agent.question import Interpretation
from agent.reasoners.rules import RulesReasoner
from agent.reasoners.rules.reading.interpret import interpret
from agent.state import Question
from graphs.context import Context
from graphs.headcount import build_graph
from tests.graphs.replies import atom, interpreted
from tests.graphs.searching import Case, answer_of, bounds_of, corpus_of, ran
from tools.corpus.corpus import Corpus

SHEETS = (
    ("Ada", "cutter"), ("Ada", "saw"), ("Ben", "saw"), ("Ben", "drill"), ("Cleo", "cutter"),
    ("Dora", "drill"), ("Emil", "saw"), ("Emil", "cutter"), ("Gil", "saw"), ("Gil", "Saw"),
    ("Ada", "drill"),
)  # fmt: skip
"""Who owns which tool, a document each."""


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    texts = {
        f"sheet-{number:02}": f"Owner: {owner}\nTool: {tool}\n\nIt hangs on wall {number}.\n"
        for number, (owner, tool) in enumerate(SHEETS)
    }
    return corpus_of(texts, tmp_path_factory.mktemp("sheets"))


def asked(question: str, corpus: Corpus, policy: Policy = Policy()) -> Answer:  # noqa: B008
    context = Context(corpus=corpus, reasoner=RulesReasoner(), policy=policy)
    with context.store:
        answer = build_graph().invoke(Question(question=question), context=context)["answer"]
    assert isinstance(answer, Answer)
    return answer


@pytest.mark.parametrize(
    ("question", "owners"),
    [
        ("Which owners have no cutter?", ["Ben", "Dora", "Gil"]),
        ("Which owners never have a drill?", ["Cleo", "Emil", "Gil"]),
        ("List the owners without a saw.", ["Cleo", "Dora"]),
        ("Which owners have neither a cutter nor a drill?", ["Gil"]),
        ("How many owners have none of drill and cutter?", ["Gil"]),
        ("Which owners have a cutter but no drill?", ["Cleo", "Emil"]),
        ("How many owners have both a cutter and a saw?", ["Ada", "Emil"]),
        ("Which owners have only saws?", ["Gil"]),
        ("Which owners have every tool?", ["Ada"]),
        ("Which owners have a tool that is not a cutter?", ["Ada", "Ben", "Dora", "Emil", "Gil"]),
        ("Which owners have a cutter?", ["Ada", "Cleo", "Emil"]),
    ],
)
def test_what_is_said_of_a_thing_is_said_of_all_its_documents(
    question: str, owners: list[str], corpus: Corpus
) -> None:
    answer = asked(question, corpus)
    assert [each.name for each in answer.entities] == owners
    assert (answer.value, answer.bounds) == (len(owners), (len(owners), len(owners)))
    assert not any("tested by itself" in each for each in answer.warnings)


def test_a_word_of_all_documents_that_no_test_says_takes_the_bounds(corpus: Corpus) -> None:
    cutter = atom("c1", field="Tool", comparison="is", values=["cutter"])
    reading = interpreted("c1", cutter, entity_field="Owner", entity_type="owner", grain="entity")
    policy = Policy(scan=True, gate="off", route="text")
    case = Case(relevant={}, reading=reading)
    asked_for_all = answer_of(ran(corpus, case, policy, question="Which owner has only cutters?"))
    assert (asked_for_all.value, asked_for_all.bounds) == (3, None)
    assert any("“only”" in each for each in asked_for_all.warnings)


def test_an_amount_over_documents_that_no_test_says_takes_the_bounds(corpus: Corpus) -> None:
    answer = asked("Which owners have at least two walls?", corpus, Policy(route="text"))
    assert answer.bounds is None
    assert any("“at least”" in each for each in answer.warnings)


def test_what_any_document_of_a_thing_may_still_say_is_open(corpus: Corpus) -> None:
    rusty = atom("c2", text="is rusty")
    saw = atom("c1", field="Tool", comparison="is", values=["saw"])
    reading = interpreted(
        "c1 and not c2", saw, rusty, entity_field="Owner", entity_type="owner", grain="entity",
        across=True,
    )  # fmt: skip
    policy = Policy(scan=True, gate="off", route="text")
    whole = answer_of(ran(corpus, Case(relevant={}, reading=reading), policy))
    assert [each.name for each in whole.entities] == ["Ada", "Ben", "Emil", "Gil"]
    assert whole.bounds == (4, 4)
    drill_of_ben = frozenset({3})
    unread = Case(relevant={}, reading=reading, broken=drill_of_ben)
    low, high = bounds_of(ran(corpus, unread, policy))
    assert low <= 3 < high == 4


def test_a_follow_up_keeps_that_all_documents_are_meant(corpus: Corpus) -> None:
    first = Turn(question="Which owners have no cutter?", interpretation=read(corpus))
    assert first.interpretation is not None
    assert first.interpretation.across
    later = read(corpus, "And drill?", first)
    assert (later.across, later.entity_field) == (True, "Owner")


def read(
    corpus: Corpus, question: str = "Which owners have no cutter?", *before: Turn
) -> Interpretation:
    reply = interpret({"question": question, "conversation": before, "corpus": corpus})
    return interpretation_from(reply, [each.name for each in corpus.fields])


@pytest.mark.parametrize(
    ("question", "counts"),
    [
        ("How many tools does each owner have?", {"Ada": 3, "Ben": 2, "Cleo": 1}),
        ("How many owners does each tool have?", {"saw": 4, "cutter": 3, "drill": 3}),
    ],
)
def test_a_number_asked_of_each_is_counted_for_each(
    question: str, counts: dict[str, int], corpus: Corpus
) -> None:
    value = asked(question, corpus).value
    assert isinstance(value, dict)
    assert {name: value[name] for name in counts} == counts


def test_what_every_one_has_is_answered_in_both_readings(corpus: Corpus) -> None:
    policy = Policy(on_ambiguity="branch")
    common, own = asked("Which owners are named by every tool?", corpus, policy).readings
    assert [each.name for each in common.entities] == ["Ada"]
    assert len(own.entities) > 1


def test_a_list_of_what_was_found_keeps_in_how_many_documents_it_must_be(corpus: Corpus) -> None:
    first = Turn(
        question="How many owners have at least two tools?",
        interpretation=read(corpus, "How many owners are on at least two sheets?"),
    )
    assert first.interpretation is not None
    assert first.interpretation.quota is not None
    later = read(corpus, "Which ones?", first)
    assert later.quota == first.interpretation.quota
    assert "at least 2 documents" in later.text
