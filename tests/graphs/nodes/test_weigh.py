"""Ask only when it matters: readings are tried first, and what makes no difference is told."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from agent.ambiguity import Clarification, Option, Reply
from agent.answer import Answer
from agent.errors import AmbiguousQuestion, LimitReached, MalformedReply
from agent.policy import Policy
from agent.prompt_values import JudgeValues, RewriteValues
from agent.reasoner import ALL_ABILITIES, Ability, Prompt
from graphs.context import Context
from graphs.headcount import build_graph
from graphs.nodes.clarify import understood
from tests.graphs.conftest import IN_YORK, INTERPRETED, NARROWED, PETS, QUOTE, Script, whole
from tests.graphs.replies import ambiguity, proof, verdicts
from tests.scripted import Scripted, ScriptedReasoner
from tools.corpus.corpus import Corpus, open_corpus

QUESTION = "How many leases allow the tenant to keep a pet in the city?"
ALL = 1000
"""A sample that takes every chunk."""
CONFIG = {"configurable": {"thread_id": "t"}}
PET = INTERPRETED["conditions"][0]


def narrowed_by(which: str, **city: Any) -> dict[str, Any]:
    restated = f"How many leases {which} allow the tenant to keep a pet?"
    return NARROWED | {"restated": restated, "conditions": [PET, IN_YORK | city]}


ANYWHERE = narrowed_by("with a city", text="has a city", comparison="exists", values=[])
IN_HULL = narrowed_by("in Hull", text="is in Hull", values=["Hull"])
ANSWERS = {"any": INTERPRETED, "anywhere": ANYWHERE, "york": NARROWED, "hull": IN_HULL}
"""Readings by the label of their option."""


def unclear(span: str, *labels: str, code: str = "A2") -> dict[str, Any]:
    return ambiguity(code, span, *((each, ANSWERS[each]["restated"]) for each in labels))


def chosen(prompt: Prompt) -> str:
    exchange = prompt.values_as(RewriteValues).exchange
    if exchange.reply.choice is None:
        return str(exchange.reply.text).split(":", maxsplit=1)[0]
    return str(exchange.asked.options[exchange.reply.choice - 1].label)


def doubting(script: Script, *found: dict[str, Any]) -> ScriptedReasoner:
    script["classify"] = lambda prompt: {"ambiguities": list(found)}
    script["clarify"] = lambda prompt: {"question": "Which one?"}
    script["rewrite"] = lambda prompt: whole(ANSWERS.get(chosen(prompt), INTERPRETED))
    return ScriptedReasoner(script)


CITY = unclear("the city", "any", "york")


@pytest.fixture
def city(script: Script) -> ScriptedReasoner:
    return doubting(script, CITY)


def asked(
    corpus: Corpus, reasoner: ScriptedReasoner, *replies: object, **policy: Any
) -> dict[str, Any]:
    """Ask and reply in turn; the state at the last stop."""
    graph = build_graph(InMemorySaver())
    context = Context(corpus=corpus, reasoner=reasoner, policy=Policy(on_ambiguity="ask", **policy))
    out = graph.invoke({"question": QUESTION}, CONFIG, context=context)
    for reply in replies:
        (waiting,) = out["__interrupt__"]
        out = graph.invoke(Command(resume={waiting.id: reply}), CONFIG, context=context)
    return dict(out)


def answered(corpus: Corpus, reasoner: ScriptedReasoner, **policy: Any) -> Answer:
    """Ask without a person who replies."""
    context = Context(corpus=corpus, reasoner=reasoner, policy=Policy(**policy))
    answer: Answer = build_graph().invoke({"question": QUESTION}, context=context)["answer"]
    return answer


def options(out: dict[str, Any]) -> list[str]:
    (waiting,) = out["__interrupt__"]
    return [each["estimate"] for each in waiting.value["options"]]


def names(prompts: list[Prompt]) -> list[str]:
    return [prompt.name for prompt in prompts]


@pytest.mark.parametrize(
    ("label", "told"),
    [("any", "executed alike"), ("anywhere", "makes no difference here: any or anywhere")],
)
def test_readings_that_come_to_the_same_are_not_asked_about(
    label: str, told: str, corpus: Corpus, script: Script
):
    reasoner = doubting(script, unclear("pet", "any", label))
    answer: Answer = asked(corpus, reasoner, trial=ALL)["answer"]
    assert answer.value == len(PETS)
    assert answer.ambiguity.codes == ("A2",)
    assert not answer.ambiguity.asked
    assert any(told in each for each in answer.interpretation.assumptions)


def test_readings_that_differ_are_asked_about_with_what_they_come_to(
    corpus: Corpus, script: Script
):
    assert options(asked(corpus, doubting(script, CITY), trial=ALL)) == ["5", "2"]
    answer = asked(corpus, doubting(script, CITY), 2, trial=ALL)["answer"]
    assert answer.value == 2
    assert answer.interpretation.text == NARROWED["restated"]
    assert answer.ambiguity.asked[0].options[1].endswith("(2)")


def test_an_option_is_not_paid_for_twice_nor_is_a_wrong_reply(corpus: Corpus, script: Script):
    reasoner, alone = doubting(script, CITY), doubting(script, CITY)
    (waiting,) = asked(corpus, reasoner, 9)["__interrupt__"]
    assert "choose 1 to 2" in waiting.value["problem"]
    asked(corpus, alone)
    assert names(reasoner.prompts) == names(alone.prompts)
    asked(corpus, alone, 2)
    assert names(alone.prompts).count("rewrite") == 4


def told_of(prompts: list[Prompt]) -> Counter[str]:
    """Count the passages that were asked about, by the condition's words."""
    sent = [each.values_as(JudgeValues) for each in prompts if each.name == "judge"]
    return Counter(one.text for each in sent for one in each.conditions for _ in each.passages)


GARDEN = {"text": "deals with windows", "counts": ["windows"]}
BOTH = INTERPRETED | {
    "restated": "How many leases deal with windows and allow the tenant to keep a pet?",
    "conditions": [PET | GARDEN | {"id": "c1"}, PET | {"id": "c2"}],
    "logic": "c1 and c2",
}


QUOTES = {PET["text"]: QUOTE, GARDEN["text"]: "windows and the stairs"}


def careful(prompt: Prompt) -> Scripted:
    """Quote what each condition is stated by, under whatever id it has."""
    values = prompt.values_as(JudgeValues)
    quotes = [(each.id, QUOTES[each.text]) for each in values.conditions]
    shown = enumerate(values.passages, start=1)
    return verdicts(
        {at: [proof(q, condition=c) for c, q in quotes if q in each.text] for at, each in shown}
    )


@pytest.mark.parametrize(
    ("reply", "anew", "value"),
    [(2, set(), 2), ("both", {GARDEN["text"]}, len(PETS))],
    ids=["as it was tried", "with another condition"],
)
def test_what_a_trial_judged_is_not_asked_again_after_the_reply(
    reply: object,
    anew: set[str],
    value: int,
    corpus: Corpus,
    script: Script,
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setitem(ANSWERS, "both", BOTH)
    script["judge"] = careful
    reasoner = doubting(script, CITY)
    saver = InMemorySaver()
    graph, policy = build_graph(saver), Policy(on_ambiguity="ask", trial=ALL)
    context = Context(corpus=corpus, reasoner=reasoner, policy=policy)
    (waiting,) = graph.invoke({"question": QUESTION}, CONFIG, context=context)["__interrupt__"]
    assert told_of(reasoner.prompts) == {PET["text"]: len(corpus)}
    context.store.close()
    later = doubting(script, CITY)
    context = Context(corpus=open_corpus(corpus.path), reasoner=later, policy=policy)
    out = build_graph(saver).invoke(Command(resume={waiting.id: reply}), CONFIG, context=context)
    answer = out["answer"]
    assert QUOTE in {each.quote for entity in answer.entities for each in entity.evidence}
    assert answer.coverage.judged == answer.coverage.chunks - answer.coverage.pruned
    assert set(told_of(later.prompts)) == anew
    assert answer.value == value
    assert [each.run for each in context.store.runs()] == [out["run"]]


def test_the_most_consequential_ambiguity_comes_first_and_both_are_resolved(
    corpus: Corpus, script: Script
):
    small = unclear("a pet", "york", "hull", code="A1")
    out = asked(corpus, doubting(script, small, CITY), trial=ALL)
    (first,) = out["__interrupt__"]
    assert first.value["span"] == "the city"
    out = asked(corpus, doubting(script, small, CITY), 1, 2, trial=ALL)
    assert [each.question for each in out["answer"].ambiguity.asked] == ["Which one?"] * 2
    assert out["answer"].value == 1
    assert out["answer"].ambiguity.codes == ("A1", "A2")


def test_what_is_open_after_the_last_turn_is_assumed(corpus: Corpus, script: Script):
    small = unclear("a pet", "hull", "york", code="A1")
    answer = asked(corpus, doubting(script, small, CITY), 1, max_turns=1)["answer"]
    assert any("“a pet” was read as" in each for each in answer.interpretation.assumptions)


@pytest.mark.parametrize(("trial", "estimates"), [(0, ["", ""]), (20, ["about", "about"])])
def test_a_sample_as_large_as_allowed_says_about_and_no_sample_says_nothing(
    trial: int, estimates: list[str], corpus: Corpus, script: Script
):
    reasoner = doubting(script, CITY)
    out = asked(corpus, reasoner, trial=trial)
    assert [each[:5] for each in options(out)] == estimates
    assert told_of(reasoner.prompts).total() == trial


def test_readings_are_not_tried_on_documents_that_a_field_decides_under_each(
    corpus: Corpus, script: Script, monkeypatch: pytest.MonkeyPatch
):
    for label, about in (("dogs", PET), ("cats", PET | {"text": "allows a cat"})):
        either = NARROWED | {"logic": "c1 or c2", "conditions": [about, IN_YORK], "restated": label}
        monkeypatch.setitem(ANSWERS, label, either)
    reasoner = doubting(script, unclear("pet", "dogs", "cats"))
    asked(corpus, reasoner, trial=ALL)
    judged = [each.values_as(JudgeValues) for each in reasoner.prompts if each.name == "judge"]
    shown = {each.document for values in judged for each in values.passages}
    assert shown == {name for at, name in enumerate(corpus.documents) if at % 3 != 1}


def test_guided_asks_for_every_ambiguity_found(corpus: Corpus, script: Script):
    reasoner = doubting(script, unclear("pet", "any", "anywhere"))
    out = asked(corpus, reasoner, disambiguation="guided")
    assert options(out) == ["", ""]
    assert "rewrite" not in names(reasoner.prompts)


@pytest.mark.parametrize(
    ("disambiguation", "replies", "value"), [("none", (), len(PETS)), ("direct", ("york",), 2)]
)
def test_without_classifying_nothing_or_one_open_question_is_asked(
    disambiguation: str, replies: Sequence[str], value: int, corpus: Corpus, city: ScriptedReasoner
):
    answer = asked(corpus, city, *replies, disambiguation=disambiguation)["answer"]
    assert answer.value == value
    assert [each.options for each in answer.ambiguity.asked] == [()] * len(replies)
    assert "classify" not in names(city.prompts)


def test_a_number_that_the_reading_lost_is_told(corpus: Corpus, city: ScriptedReasoner):
    answer = asked(corpus, city, "york: at least 7")["answer"]
    assert any("your reply says 7" in each for each in answer.warnings)


ASKED = Clarification(
    code="A1",
    span="x",
    question="?",
    options=(Option(label="a1", meaning="A?"), Option(label="2019", meaning="B?")),
)
OPEN = Clarification(code=None, span="", question="?", options=())


@pytest.mark.parametrize(
    ("given", "clarification", "reply"),
    [
        ("a1", ASKED, Reply(choice=1)),
        ({"text": "A1"}, ASKED, Reply(choice=1)),
        ("2019", ASKED, Reply(choice=2)),
        (2, ASKED, Reply(choice=2)),
        ("option 1", ASKED, Reply(choice=1)),
        ({"choice": 1, "text": "since 2019"}, ASKED, Reply(choice=1, text="since 2019")),
        ("at least a1", ASKED, Reply(text="at least a1")),
        ("5", OPEN, Reply(text="5")),
        ("option 7", ASKED, "there is no option 7: choose 1 to 2"),
        ("0", ASKED, "there is no option 0: choose 1 to 2"),
        (" ", ASKED, "the reply is empty: give the number of an option, or words"),
        (" ", OPEN, "the reply is empty: give the number of an option, or words"),
        (True, ASKED, "reply with the number of an option, or with words"),
    ],
)
def test_a_reply_is_understood_by_what_was_asked(
    given: object, clarification: Clarification, reply: Reply | str
):
    assert understood(given, clarification) == reply


def test_fail_names_the_readings_and_what_they_come_to(corpus: Corpus, city: ScriptedReasoner):
    with pytest.raises(AmbiguousQuestion, match=r"York .* \(2\)"):
        answered(corpus, city, on_ambiguity="fail", trial=ALL)


@pytest.mark.parametrize("reply", ["", "I don't know", "Sorry, no idea.", "it doesn’t matter"])
def test_what_is_assumed_says_what_the_other_readings_come_to_and_what_a_person_left_open(
    reply: str, corpus: Corpus, script: Script
):
    reasoner = doubting(script, unclear("the city", "york", "any"))
    left = asked(corpus, reasoner, reply, trial=ALL)["answer"] if reply else None
    answer = left or answered(corpus, reasoner, trial=ALL)
    assert answer.value == 2
    (told,) = [each for each in answer.interpretation.assumptions if "(2; any: 5)" in each]
    assert reply in told
    assert names(reasoner.prompts).count("rewrite") == 2


def test_an_open_question_left_open_changes_nothing(corpus: Corpus, script: Script):
    reasoner = doubting(script)
    answer = asked(corpus, reasoner, "I don't know", disambiguation="direct")["answer"]
    assert answer.value == len(PETS)
    assert any("as it was read at first" in each for each in answer.interpretation.assumptions)
    assert "rewrite" not in names(reasoner.prompts)


def test_a_limit_leaves_the_question_to_be_asked_as_it_is_or_a_partial_answer(
    corpus: Corpus, script: Script
):
    doubting(script, CITY)
    script["rewrite"] = lambda _: LimitReached("no more calls")
    assert options(asked(corpus, ScriptedReasoner(script))) == ["", ""]
    answer = answered(corpus, ScriptedReasoner(script), on_ambiguity="branch")
    assert answer.status == "partial"
    assert any("no more calls" in each for each in answer.warnings)


def test_branch_reads_for_all_readings_at_once(corpus: Corpus, script: Script):
    reasoner = doubting(script, CITY)
    answer = answered(corpus, reasoner, on_ambiguity="branch", trial=0)
    assert [each.value for each in answer.readings] == [len(PETS), 2]
    alone = ScriptedReasoner(script | {"classify": lambda prompt: {"ambiguities": []}})
    answered(corpus, alone, on_ambiguity="branch", trial=0)
    assert names(reasoner.prompts).count("judge") == names(alone.prompts).count("judge")


def narrowed(prompt: Prompt) -> Scripted:
    """Narrow what was read so far by what the option says; 'any' narrows nothing."""
    label, so_far = chosen(prompt), prompt.values_as(RewriteValues).interpretation.text
    told = [each for each in ("york", "signed") if each == label or each in so_far]
    signed = {"text": "was signed", "field": "Signed", "comparison": "at_least", "values": ["2015"]}
    more = {"york": IN_YORK, "signed": IN_YORK | signed | {"id": "c3"}}
    order = INTERPRETED | {
        "restated": f"pets {' '.join(told)}",
        "conditions": [PET, *(more[each] for each in told)],
        "logic": " and ".join(["c1", *(more[each]["id"] for each in told)]),
    }
    return whole(order)


@pytest.mark.parametrize(("most", "values"), [(6, [5, 2, 2, 1]), (3, [5, 2]), (1, [5])])
def test_branch_multiplies_ambiguities_up_to_a_limit(
    most: int, values: list[int], corpus: Corpus, script: Script
):
    signed = "How many leases signed since 2015 allow the tenant to keep a pet?"
    when = ambiguity("A1", "a pet", ("any", INTERPRETED["restated"]), ("signed", signed))
    doubting(script, CITY, when)
    script["rewrite"] = narrowed
    answer = answered(
        corpus, ScriptedReasoner(script), on_ambiguity="branch", max_readings=most, trial=0
    )
    assert sorted((each.value for each in answer.readings), reverse=True) == values


def test_a_reading_that_makes_no_sense_is_asked_for_once_more(corpus: Corpus, script: Script):
    doubting(script, CITY)
    tries: list[str] = []

    def once_wrong(prompt: Prompt) -> Scripted:
        tries.append(chosen(prompt))
        wrong = tries.count("york") == 1 and chosen(prompt) == "york"
        return whole(ANSWERS[chosen(prompt)] | ({"logic": "c9"} if wrong else {}))

    script["rewrite"] = once_wrong
    answer = answered(corpus, ScriptedReasoner(script), on_ambiguity="branch", trial=0)
    assert [each.value for each in answer.readings] == [5, 2]


def test_what_makes_no_difference_yet_waits_until_the_rest_is_settled(
    corpus: Corpus, script: Script
):
    idle = unclear("pet", "any", "anywhere", code="A1")
    out = asked(corpus, doubting(script, idle, CITY), trial=ALL)
    (first,) = out["__interrupt__"]
    assert first.value["span"] == "the city"
    answer = asked(corpus, doubting(script, idle, CITY), 1, trial=ALL)["answer"]
    assert len(answer.ambiguity.asked) == 1
    assert any("“pet” makes no difference" in each for each in answer.interpretation.assumptions)


def test_readings_under_which_nothing_matches_are_asked_about(corpus: Corpus, script: Script):
    def nowhere(label: str) -> dict[str, Any]:
        elsewhere = IN_YORK | {"text": f"is in {label}", "values": [f"{label} on Sea"]}
        return INTERPRETED | {"conditions": [elsewhere], "logic": "c2"}

    doubting(script, CITY)
    script["rewrite"] = lambda prompt: whole(nowhere(chosen(prompt)))
    assert options(asked(corpus, ScriptedReasoner(script))) == ["0", "0"]


@pytest.mark.parametrize(
    ("abilities", "waits"),
    [(frozenset({"judge", "choose"}), False), (ALL_ABILITIES, True)],
    ids=["who says the same again", "who writes may do better"],
)
def test_what_cannot_be_executed_is_not_offered_by_who_cannot_write(
    corpus: Corpus, script: Script, *, abilities: frozenset[Ability], waits: bool
):
    doubting(script, unclear("pet", "any", "york"))

    def rewrite(prompt: Prompt) -> Scripted:
        if chosen(prompt) == "york":
            raise MalformedReply("it cannot be executed")
        return whole(INTERPRETED)

    script["rewrite"] = rewrite
    out = asked(corpus, ScriptedReasoner(script, abilities=abilities), trial=ALL)
    assert ("__interrupt__" in out) is waits
    told = [each for each in out["warnings"] if "it is not offered" in each]
    assert bool(told) is not waits
