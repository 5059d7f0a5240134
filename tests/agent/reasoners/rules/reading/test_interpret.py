"""Questions are read into operations, entities and conditions that metadata decides."""

import pytest

from agent.ambiguity import Turn
from agent.errors import QuestionError
from agent.question import AllOf, AnyOf, Condition, Node, Not, atoms
from agent.reasoners.rules.reading.interpret import interpret
from tests.agent.reasoners.rules.papers import TICKETS, WARDS, Papers

BARE = Papers({f"contract-{number}": {} for number in range(6)})


def shape(node: Node | None) -> str:
    """Return the tree with each atom as `field comparison values`, its terms, or its text."""
    match node:
        case None:
            return ""
        case Condition(predicate=None):
            return "/".join(node.terms) if node.terms else f"<{node.text}>"
        case Condition(predicate=p):
            assert p is not None
            mark = "#" if p.of == "length" else ""
            return f"{mark}{p.field} {p.comparison} {'|'.join(p.values)}".strip()
        case Not():
            return f"not({shape(node.part)})"
        case AllOf() | AnyOf():
            return f"{node.kind}({', '.join(shape(part) for part in node.parts)})"


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How many tickets are open?", "Status is Open"),
        ("How many open tickets are there?", "Status is Open"),
        ("Find all tickets that were closed.", "Status is Closed"),
        ("How many tickets are still in progress?", "Status is In Progress"),
        ("Which tickets are open or closed?", "Status is Open|Closed"),
        ("How many critical tickets have the status Open?",
         "and(Severity is critical, Status is Open)"),
        ("How many tickets are not open?", "not(Status is Open)"),
        ("How many tickets are outside In Progress?", "not(Status is In Progress)"),
        ("How many tickets are in any status but Open?", "not(Status is Open)"),
        ("How many tickets besides those in Open are minor?",
         "and(not(Status is Open), Severity is minor)"),
        ("How many tickets are outside of Open and minor?",
         "and(not(Status is Open), Severity is minor)"),
        ("How many tickets have the tag network besides printing?",
         "<have the tag network besides printing>"),
        ("How many tickets are open or minor, but not both?",
         "and(or(Status is Open, Severity is minor), not(and(Status is Open, Severity is minor)))"),
        ("How many tickets mention Java or Ruby but not both, and are open?",
         "and(or(Java, Ruby), not(and(Java, Ruby)), Status is Open)"),
        ("How many open tickets are either network tickets of 2016, or minor tickets of any date?",
         "and(Status is Open, or(and(Tags is network, Filed is 2016), Severity is minor))"),
        ("How many tickets that are open meet one of these conditions: they are minor; by Ann?",
         "and(Status is Open, or(Severity is minor, Author contains Ann))"),
        ("How many tickets do not meet any of these conditions: they are minor; mention radar?",
         "not(or(Severity is minor, radar))"),
        ("How many tickets never meet all of the following: they are minor; they mention radar?",
         "or(not(Severity is minor), not(radar))"),
        ("How many tickets meet exactly one of these conditions: they are minor; they are open?",
         "and(or(Severity is minor, Status is Open), not(and(Severity is minor, Status is Open)))"),
        ("How many tickets meet at least two of these conditions: they are minor; they are open?",
         "and(Severity is minor, Status is Open)"),
        ("How many tickets meet any of these conditions: they are minor, or they are open?",
         "or(Severity is minor, Status is Open)"),
        ("How many tickets meet these conditions: they are minor; they are open?",
         "and(Severity is minor, Status is Open)"),
        ("Which tickets satisfy the following criteria: minor; mention radar; or open?",
         "or(Severity is minor, radar, Status is Open)"),
        ("How many tickets are open network ones, or minor printing ones of any date?",
         "or(and(Status is Open, Tags is network), and(Severity is minor, Tags is printing))"),
        ("How many tickets are neither open network ones nor minor printing ones?",
         "not(or(and(Status is Open, Tags is network), and(Severity is minor, Tags is printing)))"),
        ("How many tickets are neither open nor minor?",
         "not(or(Status is Open, Severity is minor))"),
        ("How many tickets filed in 2016 or later are minor?",
         "and(Filed at_least 2016, Severity is minor)"),
        ("How many tickets filed between March 2016 and May 2017 are there?",
         "Filed between 2016-03|2017-05"),
        ("How many tickets were filed since 2016-03?", "Filed at_least 2016-03"),
        ("How many tickets were filed before 2016-03?", "Filed less_than 2016-03"),
        ("How many tickets were filed between 2016-03 and 2017-05?",
         "Filed between 2016-03|2017-05"),
        ("How many tickets were filed in the last 3 years?", "Filed at_least 2016-06-11"),
        ("How many tickets of the past decade are open?",
         "and(Filed at_least 2009-06-11, Status is Open)"),
        ("How many tickets from 2017 are open?", "and(Filed is 2017, Status is Open)"),
        ("How many tickets have more than 10 votes?", "Votes more_than 10"),
        ("How many tickets have at least two authors?", "#Author at_least 2"),
        ("How many tickets have two authors or more?", "#Author at_least 2"),
        ("How many tickets have a sponsor?", "Sponsor exists"),
        ("How many tickets have no sponsor?", "Sponsor exists false"),
        ("Find tickets without a sponsor.", "Sponsor exists false"),
        ("How many tickets are sponsored by Grace Kim?", "Sponsor is Grace Kim"),
        ("How many tickets were written by Ann Becker?", "Author is Ann Becker"),
        ("How many tickets by Ann Becker or that mention Linux are there?",
         "or(Author is Ann Becker, Linux)"),
        ("How many tickets has Carla Diaz written?", "Author is Carla Diaz"),
        ("How many tickets list Ann Becker or Carla Diaz among their authors?",
         "Author is Ann Becker|Carla Diaz"),
        ("How many tickets by Ann are there?", "Author contains Ann"),
        ("How many tickets are duplicates of another ticket?", "Duplicate-Of exists"),
        ("Which tickets numbered 3 to 9 are closed?",
         "and(document name between 3|9, Status is Closed)"),
        ("How many tickets are licensed under MIT?", "License is MIT|MIT License"),
        ("How many MIT-licensed tickets are open?",
         "and(License is MIT|MIT License, Status is Open)"),
        ("How many tickets are tagged network and printing?",
         "and(Tags is network, Tags is printing)"),
        ("How many network or printing tickets are open?",
         "and(Tags is network|printing, Status is Open)"),
        ("How many open tickets mention printers?", "and(Status is Open, printers)"),
        ("How many tickets that mention Linux were closed?", "and(Linux, Status is Closed)"),
        ("How many tickets mention Linux and were filed in 2016?", "and(Linux, Filed is 2016)"),
    ],
)  # fmt: skip
def test_words_are_bound_to_fields(question: str, expected: str) -> None:
    assert shape(TICKETS.read(question).conditions) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How many contracts contain a non-compete clause?", "<contain a non-compete clause>"),
        ("Find all contracts that limit liability or limit the time for claims.",
         "<limit liability or limit the time for claims>"),
        ("How many contracts both limit a party's liability and let a party walk away?",
         "and(<limit a party's liability>, <let a party walk away>)"),
        ("How many contracts let a party leave, or set a minimum price (or both)?",
         "or(<let a party leave>, <set a minimum price>)"),
        ("How many contracts let a party leave but do not set a price?",
         "and(<let a party leave>, not(<set a price>))"),
        ("How many contracts meet at least one of these conditions: they cap a fee; they ban it?",
         "or(<cap a fee>, <ban it>)"),
        ("How many contracts governed by the law of Texas impose a fee?",
         "and(<governed by the law of Texas>, <impose a fee>)"),
        ("How many contracts neither cap fees nor require insurance?",
         "not(or(<cap fees>, <require insurance>))"),
        ("How many contracts are not signed?", "not(<are signed>)"),
        ("Find contracts without an end date.", "not(<have an end date>)"),
        ("How many contracts mention both Kotlin and Swift?", "and(Kotlin, Swift)"),
        ("How many contracts mention neither Kotlin nor Swift?", "not(or(Kotlin, Swift))"),
        ("How many contracts mention Kotlin but not Swift?", "and(Kotlin, not(Swift))"),
        ("How many contracts refer to the Paris Agreement?", "Paris Agreement"),
        ('How many contracts contain the word "force majeure"?', "force majeure"),
        ("How many contracts mention WebAssembly (wasm) or Rust?", "or(WebAssembly/wasm, Rust)"),
        ("How many contracts mention GPG or PGP signatures?", "GPG/PGP"),
        ("How many rejected contracts mention arbitration?", "and(<is rejected>, arbitration)"),
    ],
)  # fmt: skip
def test_text_conditions_keep_their_words(question: str, expected: str) -> None:
    assert shape(BARE.read(question).conditions) == expected


@pytest.mark.parametrize(
    ("question", "operation", "measure", "field"),
    [
        ("What is the average number of authors of open tickets?", "avg", "number of authors",
         "Author"),
        ("What are the total votes of closed tickets?", "sum", "votes", "Votes"),
        ("Which ticket has the most votes?", "top_k", "votes", "Votes"),
        ("What is the longest notice period in days?", "max", "notice period in days", None),
        ("Among tickets that name a period, what is the shortest period?", "min", "period", None),
    ],
)  # fmt: skip
def test_numbers_are_measured(
    question: str, operation: str, measure: str, field: str | None
) -> None:
    read = TICKETS.read(question)
    assert read.operation == operation
    assert read.measure is not None
    assert (read.measure.text, read.measure.field) == (measure, field)


@pytest.mark.parametrize(
    ("question", "grain", "field"),
    [
        ("How many tickets are open?", "document", None),
        ("How many distinct people authored an open ticket?", "entity", "Author"),
        ("Which authors have written minor tickets?", "entity", "Author"),
        ("Who wrote the tickets of 2016?", "entity", "Author"),
        ("Which distinct jurisdictions are named in the tickets?", "entity", None),
    ],
)
def test_the_noun_tells_what_is_counted(question: str, grain: str, field: str | None) -> None:
    read = TICKETS.read(question)
    assert (read.grain, read.entity_field) == (grain, field)


def test_groups_are_counted_by_a_field() -> None:
    read = TICKETS.read("How many tickets are there per severity?")
    assert (read.operation, read.group_by) == ("group_by", "Severity")


def test_the_documents_that_satisfy_the_headers_are_found() -> None:
    assert TICKETS.found("Which critical tickets filed in 2016 or later are closed?") == {
        "ticket-004",
        "ticket-016",
        "ticket-022",
    }


def test_what_metadata_cannot_tell_is_assumed_aloud() -> None:
    assumed = BARE.read("How many sales contracts are signed?").assumptions
    assert any("“sales”" in sentence for sentence in assumed)


def test_a_follow_up_keeps_the_conditions() -> None:
    first = TICKETS.read("How many critical tickets were filed in 2016?")
    turn = Turn(question="…", interpretation=first)
    both = interpret(
        {"question": "and which of those are closed?", "conversation": (turn,), "corpus": TICKETS}
    )
    assert [atom.field for atom in both.conditions] == ["Severity", "Filed", "Status"]
    other = interpret({"question": "How about 2017?", "conversation": (turn,), "corpus": TICKETS})
    assert [(atom.field, atom.values) for atom in other.conditions] == [
        ("Severity", ["critical"]),
        ("Filed", ["2017"]),
    ]


def test_glosses_and_exclusions_are_no_terms() -> None:
    question = (
        "How many contracts mention TOML (the format; a file name such as x.toml does not count)?"
    )
    (atom,) = atoms(BARE.read(question).conditions)
    assert atom.terms == ("TOML",)
    assert atom.counts == ("the format",)
    assert atom.excludes == ("a file name such as x.toml does not count",)


@pytest.mark.parametrize("question", ["how many", "how many of", "find (all)"])
def test_odd_questions_are_read_without_an_error(question: str) -> None:
    assert TICKETS.read(question).operation in {"count", "list"}


@pytest.mark.parametrize("question", ["", "?", "and or not", "(", "of of of 3 3"])
def test_what_has_no_word_to_look_for_is_an_error_of_the_question(question: str) -> None:
    with pytest.raises(QuestionError):
        TICKETS.read(question)


def test_the_number_of_the_most_extreme_is_an_extreme() -> None:
    reading = TICKETS.read("What is the votes of the highest open ticket?")
    assert (reading.operation, reading.measure and reading.measure.field) == ("max", "Votes")


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How many contracts have no audit clause?", "not(<have audit clause>)"),
        ("Which contracts contain no fee?", "not(<contain fee>)"),
        ("Which contracts allow pets and have no fee?", "and(<allow pets>, not(<have fee>))"),
        ("Which contracts have no more than two fees?", "<have no more than two fees>"),
    ],
)
def test_no_before_the_object_of_having_denies_it(question: str, expected: str) -> None:
    assert shape(BARE.read(question).conditions) == expected


def test_or_behind_what_a_field_decides_opens_an_alternative() -> None:
    read = TICKETS.read("How many tickets have more than 10 votes or a workaround?")
    assert shape(read.conditions) == "or(Votes more_than 10, <a workaround>)"


def test_capitals_that_a_field_has_as_its_value_are_no_pronoun() -> None:
    staff = Papers({f"clerk-{n}": {"Dept": ("IT", "HR")[n % 2]} for n in range(6)})
    assert shape(staff.read("How many clerks are in IT?").conditions) == "Dept is IT"
    assert staff.read("How many clerks is it in all?").conditions is None


def test_alternatives_before_the_noun_are_one_list_with_what_restricts_it_behind() -> None:
    read = WARDS.read("How many Surgery, Medicine or Cardiology patients with an age above 30?")
    assert shape(read.conditions) == "and(Ward is Surgery|Medicine|Cardiology, Age more_than 30)"


def test_a_stretch_up_to_now_that_no_field_dates_is_named() -> None:
    (told,) = BARE.read("How many contracts were renewed in the last 3 years?").assumptions
    assert told == "“in the last 3 years” is not understood as a time: no field here dates that."
    (told,) = TICKETS.read("How many tickets were filed in the last 3 years?").assumptions
    assert "the latest Filed is 2019-06-11" in told


def test_what_cannot_be_parted_is_not_one_of_two() -> None:
    with pytest.raises(QuestionError, match="ask for one of them without the other"):
        TICKETS.read("How many tickets are open but not both?")


@pytest.mark.parametrize("said", ["only Linux", "Linux at least twice", "Linux more than 3 times"])
def test_how_often_something_is_mentioned_is_refused(said: str) -> None:
    with pytest.raises(QuestionError, match="how often something is mentioned"):
        TICKETS.read(f"How many tickets mention {said}?")
    assert shape(TICKETS.read("How many tickets mention Seven Times?").conditions) == "Seven Times"


@pytest.mark.parametrize(
    "how", ["fail to meet at least one", "do not meet none", "meet some", "meet at least three"]
)
def test_how_many_conditions_are_to_hold_is_not_guessed(how: str) -> None:
    with pytest.raises(QuestionError, match="condition"):
        TICKETS.read(f"How many tickets {how} of these conditions: they are minor; they are open?")
