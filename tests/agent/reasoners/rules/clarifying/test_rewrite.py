"""A reply to a clarification leads to one reading."""

import pytest

from agent.ambiguity import Ambiguity, Clarification, Exchange, Option, Reading, Reply
from agent.errors import MalformedReply
from agent.interpretation import interpretation_from
from agent.question import Interpretation
from agent.reasoners.rules.ambiguity.universal import IN_COMMON
from agent.reasoners.rules.clarifying.clarify import clarify
from agent.reasoners.rules.clarifying.rewrite import rewrite
from agent.replies import InterpretReply
from agent.taxonomy import AmbiguityCode
from tests.agent.reasoners.rules.papers import TICKETS

QUESTION = "How many tickets have many authors?"


def answered(
    reply: Reply, code: AmbiguityCode = "A1", question: str = QUESTION, span: str = "many authors"
) -> InterpretReply:
    options = tuple(
        Option(
            label=f"at least {bound}", meaning=f"How many tickets have at least {bound} authors?"
        )
        for bound in (2, 3)
    )
    asked = Clarification(code=code, span=span, question="?", options=options)
    return rewrite(
        {
            "question": question,
            "interpretation": TICKETS.read(question),
            "exchange": Exchange(asked=asked, reply=reply),
            "corpus": TICKETS,
        }
    )


@pytest.mark.parametrize(
    ("reply", "bound"),
    [
        pytest.param(Reply(choice=2), "3", id="an option's number"),
        pytest.param(Reply(text="at least 3"), "3", id="an option's label"),
        pytest.param(Reply(text="yes"), "2", id="yes is the first"),
        pytest.param(Reply(text="I don't know"), "2", id="unsure is the likeliest"),
        pytest.param(Reply(text="I don't mind, the second"), "3", id="unsure, and yet a choice"),
        pytest.param(Reply(text="at least 5"), "5", id="own words"),
        pytest.param(Reply(text="4"), "4", id="a bare number"),
    ],
)
def test_a_reply_settles_the_threshold(reply: Reply, bound: str) -> None:
    (atom,) = answered(reply).conditions
    assert (atom.field, atom.comparison, atom.values) == ("Author", "at_least", [bound])


@pytest.mark.parametrize(
    ("question", "span", "said", "expected"),
    [
        ("How many heavily edited tickets are open?", "heavily edited", "at least 3 tags",
         ("Tags", "at_least", ["3"])),
        ("How many high-voted tickets are open?", "high-voted", "a number of over 7",
         ("document name", "more_than", ["7"])),
    ],
    ids=["a participle goes with its adverb", "the documents' own numbers"],
)  # fmt: skip
def test_a_threshold_is_said_with_what_it_limits(
    question: str, span: str, said: str, expected: tuple[str, str, list[str]]
) -> None:
    options = (Option(label="any", meaning="How many tickets are open?"),)
    asked = Clarification(code="A1", span=span, question="?", options=options)
    reply = rewrite(
        {
            "question": question,
            "interpretation": TICKETS.read(question),
            "exchange": Exchange(asked=asked, reply=Reply(text=said)),
            "corpus": TICKETS,
        }
    )
    told = [(atom.field, atom.comparison, atom.values) for atom in reply.conditions]
    assert sorted(map(str, told)) == sorted(map(str, [expected, ("Status", "is", ["Open"])]))


def test_an_open_reply_is_assumed_aloud() -> None:
    assert any("left open" in each for each in answered(Reply(text="no idea")).assumptions)


def test_a_date_in_the_persons_words_bounds_the_time() -> None:
    reply = answered(
        Reply(text="since 2017"), "A2", "How many open tickets were filed recently?", "recently"
    )
    told = [(atom.field, atom.comparison, atom.values) for atom in reply.conditions]
    assert ("Filed", "at_least", ["2017"]) in told


@pytest.mark.parametrize(
    "words", ["since 2017", "2017 or later", "filed since 2017", "in 2017 or later"]
)
def test_a_limit_in_own_words_does_not_run_into_what_is_mentioned(words: str) -> None:
    question = "How many recent tickets mention a crash?"
    reply = answered(Reply(text=words), "A2", question, "recent")
    told = [(atom.field, atom.comparison, atom.values) for atom in reply.conditions]
    assert ("Filed", "at_least", ["2017"]) in told
    assert [atom.terms for atom in reply.conditions if atom.terms] == [["crash"]]


def test_the_question_offers_the_readings() -> None:
    readings = (Reading(label="one", question="Q1?"), Reading(label="two", question="Q2?"))
    ambiguity = Ambiguity(code="A1", span="many", why="…", readings=readings)
    asked = clarify({"question": QUESTION, "ambiguity": ambiguity})
    assert "“many”" in asked.question
    assert [(each.label, each.meaning) for each in asked.options] == [
        ("one", "Q1?"),
        ("two", "Q2?"),
    ]


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        pytest.param("option 2", "3", id="an option's number in words"),
        pytest.param("the first one", "2", id="an ordinal"),
        pytest.param("the second, no, the first", "2", id="what was said last"),
        pytest.param("at least 2, sorry, at least 3", "3", id="the label said last"),
        pytest.param("How many tickets have at least 7 authors?", "7", id="the whole question"),
    ],
)
def test_a_reply_in_words_is_understood(text: str, bound: str) -> None:
    (atom,) = answered(Reply(text=text)).conditions
    assert (atom.field, atom.comparison, atom.values) == ("Author", "at_least", [bound])


@pytest.mark.parametrize(
    ("text", "since"),
    [
        pytest.param("the last 2 years", "2017-06-11", id="a stretch before now"),
        pytest.param("2 years", "2017-06-11", id="its length alone"),
        pytest.param("in the past six months", "2018-12-11", id="months"),
    ],
)
def test_time_is_reckoned_back_from_the_latest_date(text: str, since: str) -> None:
    question = "How many tickets were filed recently?"
    reply = answered(Reply(text=text), "A2", question, "recently")
    (bound,) = [atom for atom in reply.conditions if atom.comparison == "at_least"]
    assert (bound.field, bound.values) == ("Filed", [since])
    assert any(since in each for each in reply.assumptions)


def test_what_an_earlier_reply_settled_is_kept() -> None:
    question = "How many recent tickets have many authors?"
    first = settled(
        question, "A1", "many authors", "How many recent tickets have at least 2 authors?"
    )
    now = interpretation_from(first, [each.name for each in TICKETS.fields])
    meaning = "How many tickets with Filed on or after 2018 have many authors?"
    second = settled(question, "A2", "recent", meaning, now)
    assert {(atom.field, atom.of, *atom.values) for atom in second.conditions} == {
        ("Author", "length", "2"),
        ("Filed", "value", "2018"),
    }


def test_a_time_goes_to_the_alternative_with_the_word_that_it_describes() -> None:
    question = "How many recently closed network and printing tickets are there?"
    listed = "they are recently closed and tagged network; they are tagged printing"
    first = settled(
        question, "B2", question[9:-11], f"How many tickets meet one of these conditions: {listed}?"
    )
    now = interpretation_from(first, [each.name for each in TICKETS.fields])
    meaning = "How many closed network and printing tickets with Filed since 2018 are there?"
    second = settled(question, "A2", "recently", meaning, now)
    said = {each.id: f"{each.field} {each.values[0]}" for each in second.conditions}
    assert (first.logic, second.logic) == ("(c1 and c2) or c3", "(c1 and c2 and c3) or c4")
    assert [said[each] for each in ("c1", "c2", "c3", "c4")] == [
        "Status Closed", "Tags network", "Filed 2018", "Tags printing",
    ]  # fmt: skip


def test_an_open_question_is_answered_by_a_whole_one() -> None:
    asked = Clarification(code=None, span="", question="What do you mean?", options=())
    reply = rewrite(
        {
            "question": QUESTION,
            "interpretation": TICKETS.read(QUESTION),
            "exchange": Exchange(
                asked=asked, reply=Reply(text="How many tickets have at least 4 authors?")
            ),
            "corpus": TICKETS,
        }
    )
    assert [atom.values for atom in reply.conditions] == [["4"]]


def test_how_names_are_merged_is_told() -> None:
    reply = settled("How many different authors are there?", "C2", "different",
                    "How many distinct authors are there, each spelling by itself?")  # fmt: skip
    assert any("each spelling" in each for each in reply.assumptions)


def settled(
    question: str,
    code: AmbiguityCode,
    span: str,
    meaning: str,
    now: Interpretation | None = None,
) -> InterpretReply:
    """Reread a question by its only option."""
    label = "each spelling counts" if code == "C2" else "it"
    options = (Option(label=label, meaning=meaning),)
    asked = Clarification(code=code, span=span, question="?", options=options)
    return rewrite(
        {
            "question": question,
            "interpretation": now or TICKETS.read(question),
            "exchange": Exchange(asked=asked, reply=Reply(choice=1)),
            "corpus": TICKETS,
        }
    )


def test_what_is_common_to_all_is_refused_not_read_as_something_else() -> None:
    question = "List the authors of every ticket"
    meant = Option(label="common to all", meaning=f"{question}, {IN_COMMON}?")
    asked = Clarification(code="B1", span="every ticket", question="?", options=(meant,))
    with pytest.raises(MalformedReply, match="ask for each one by itself"):
        rewrite(
            {
                "question": question,
                "interpretation": TICKETS.read(question),
                "exchange": Exchange(asked=asked, reply=Reply(choice=1)),
                "corpus": TICKETS,
            }
        )
