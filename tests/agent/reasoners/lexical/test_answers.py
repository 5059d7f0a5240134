"""What the graph answers with the lexical reader: what is decided by code is exact, and no more."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from agent.answer import Answer
from agent.errors import QuestionError
from tests.agent.reasoners.lexical.collections_asked import asked, collection
from tools.corpus.corpus import Corpus


def named(answer: Answer) -> set[str]:
    return {name.rpartition("/")[2] for each in answer.entities for name in each.documents}


EXACT = [
    ("permits", "Which permits have no sponsor?",
     {"dog-show", "lantern-walk", "market", "regatta", "swim"}),
    ("permits", "Are there any granted permits in the Harbour?", set()),
    ("permits", "Which permits mention neither dogs nor toilets?",
     {"carnival", "lantern-walk", "regatta", "swim"}),
    ("papers", "which minutes do NOT mention Lena Ostergaard", {"autumn"}),
    ("assets", "Which assets are neither in Malaga nor in service?", {"AS-102"}),
    ("assets", "number of assets that have a warranty", {"AS-102", "AS-104"}),
    ("assets", "Assets in Leeds that mention an apprentice or an inspector", {"AS-102", "AS-103"}),
    ("trails", "How many trails have an ascent of at least 300 m?", {"mill", "ridge"}),
    ("trails", "Which trails are shorter than 5000 m?", {"lake"}),
    ("trails", "list the trails surveyed by Cy Reed", {"ridge", "lake"}),
    ("trails", "How many trails did Cy Reed survey in 2022?", {"ridge"}),
    ("trails", "trails surveyed in the first half of 2021", {"lake"}),
    ("trails", "How many trails mention reopened?", {"mill", "lake"}),
    ("standards", "Find all guide STDs that were withdrawn.", {"std-15"}),
    ("standards", "How many final STDs were issued in 2009 or later?", {"std-13", "std-14"}),
    ("standards", "How many final STDs list Ida Rask among their editors?", {"std-11", "std-14"}),
    ("standards", "Find all STDs that replace another STD.", {"std-14", "std-16", "std-17"}),
    ("standards", "How many STDs mention the Line Access Protocol (LAP)?",
     {"std-11", "std-12", "std-16"}),
    ("standards", "How many STDs have more than one editor?", {"std-11", "std-14", "std-16"}),
    ("standards", "Which STDs name Pia Thorn among their editors?", {"std-13", "std-14", "std-16"}),
    ("standards", "Which guides deal with signalling?", {"std-15"}),
    ("standards", "Which STDs did Pia Thorn and Ida Rask edit together?", {"std-14"}),
    ("standards", "Which STDs do not state a maximum speed?", {"std-13", "std-15", "std-17"}),
    ("standards", "How many STDs mention corroded (corrosion, corrodes)?", {"std-14", "std-17"}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "question", "documents"), EXACT, ids=[each[1] for each in EXACT])
def test_what_code_decides_has_bounds_that_are_its_value(
    name: str, question: str, documents: set[str], corpora: Mapping[str, Corpus], tmp_path: Path
) -> None:
    answer = asked(question, corpora[name], tmp_path)
    assert named(answer) == documents
    assert (answer.status, answer.value) == ("answered", len(documents))
    assert answer.bounds == (len(documents), len(documents))


COMPUTED = [
    ("permits", "What is the average fee of the granted permits?", 402.5),
    ("papers", "number of documents per kind", {"letters": 3, "inspections": 2, "minutes": 2}),
    ("assets", "what did everything in Leeds cost in total?", 74950),
    ("assets", "total cost by site", {"Rotterdam Yard": 141400, "Leeds": 74950, "Málaga": 3480}),
    ("assets", "What is the highest cost in Leeds?", 55750),
    ("trails", "How many trails were surveyed in each year?", {"2022": 2, "2021": 1}),
    ("permits", "How many permits were decided per year?",
     {"2022": 2, "2023": 2, "2024": 2, "2021": 1}),
    ("visits", "number of visits per month",
     {"2024-02": 2, "2024-01": 1, "2024-05": 1, "2024-06": 1}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "question", "value"), COMPUTED, ids=[each[1] for each in COMPUTED]
)
def test_fields_are_computed_with(
    name: str, question: str, value: object, corpora: Mapping[str, Corpus], tmp_path: Path
) -> None:
    answer = asked(question, corpora[name], tmp_path)
    assert answer.value == value
    assert answer.bounds is None or answer.bounds == (value, value)


def test_a_maximum_that_a_field_is_called_by_is_no_superlative(
    corpora: Mapping[str, Corpus], tmp_path: Path
) -> None:
    question = "How many STDs have a maximum speed over 80 km/h?"
    answer = asked(question, corpora["standards"], tmp_path)
    assert named(answer) == {"std-12", "std-16"}
    assert (answer.value, answer.bounds) == (2, (2, 5))  # three state no speed


def test_a_name_with_the_ending_of_a_plural_is_said_to_be_taken_as_it_is(
    corpora: Mapping[str, Corpus], tmp_path: Path
) -> None:
    answer = asked("How many STDs mention Drivers?", corpora["standards"], tmp_path / "a")
    assert answer.interpretation is not None
    assert answer.interpretation.assumptions == ()
    answer = asked("How many STDs mention Spans?", corpora["standards"], tmp_path / "b")
    assert answer.interpretation is not None
    (told,) = answer.interpretation.assumptions
    assert told == "“Spans” is taken as a name: “span” does not mention it"


def test_a_word_that_stands_in_another_form_alone_is_not_denied(tmp_path: Path) -> None:
    texts = {
        "a.txt": "We refunded the fare of the ferry.\n",
        "b.txt": "The crossing was late, and nothing was paid back.\n",
        "c.txt": "Repeated complaints about boarding the ferry at low tide.\n",
        "d.txt": "The boards of the gangway were complained of again.\n",
    }
    corpus = collection("ferry", texts, tmp_path)
    for asks in ("mention refunds", "do not mention a refund"):
        with pytest.raises(QuestionError, match="in no document as such, but refunded does"):
            asked(f"How many documents {asks}?", corpus, tmp_path / "a")
    answer = asked("How many documents mention boards?", corpus, tmp_path / "b")
    assert (answer.value, answer.bounds) == (1, (1, 1))
    assert answer.interpretation is not None
    assert answer.interpretation.assumptions == ("“boards” is looked for, not “boarding”",)


def test_what_each_document_is_by_its_number_is_no_type_that_ends_in_the_word(
    tmp_path: Path,
) -> None:
    rows = [("Service Bulletin", "in force", 2016), ("Service Bulletin", "superseded", 2018),
            ("Safety Notice", "in force", 2019), ("Retrofit Instruction", "in force", 2021),
            ("Safety Notice", "superseded", 2015), ("Retrofit Instruction", "void", 2017),
            ]  # fmt: skip
    texts = {
        f"tb-{at}.md": "| Field | Entry |\n|---|---|\n"
        f"| Bulletin-No | TB-{at} |\n| Kind | {kind} |\n| Status | {status} |\n"
        f"| Issued | {year}-03-0{at} |\n| Editors | Ann Ray; Bo Lee |\n\nGrease the bearing.\n"
        for at, (kind, status, year) in enumerate(rows, start=1)
    }
    corpus = collection("bulletins", texts, tmp_path)
    answer = asked("How many bulletins are in force?", corpus, tmp_path / "a")
    assert (answer.value, answer.bounds) == (3, (3, 3))
    answer = asked("How many service bulletins are there?", corpus, tmp_path / "b")
    assert (answer.value, answer.bounds) == (2, (2, 2))
    with pytest.raises(QuestionError, match="of another document"):
        asked("How many bulletins were superseded by a bulletin?", corpus, tmp_path / "c")


NOTICES = {
    f"tn-{at}.md": f"Ref: TN/{at}\nDocument type: {kind}\nOfficers: {officers}\nPosted: {posted}\n"
    f"Dated: {dated}\n\nKeep clear of the buoy.\n"
    for at, (kind, officers, posted, dated) in enumerate(
        [
            ("Temporary Notice to Mariners", "Lee, Ann; Ray, Bo", "2021-03-04", "2020-12-30"),
            ("Permanent Notice to Mariners", "Lee, Ann", "2020-05-06", "2020-05-01"),
            ("Diving Permit", "Ray, Bo", "2021-07-08", "2021-07-01"),
            ("Diving Permit", "Eke, Sam; Lee, Ann", "2021-09-10", "2021-08-31"),
            ("Notice to Staff", "Eke, Sam", "2022-01-02", "2021-12-31"),
        ],
        start=1,
    )
}


@pytest.mark.parametrize(
    ("question", "documents"),
    [
        ("How many notices to mariners are there?", {"tn-1", "tn-2"}),
        ("Which permits name Ann Lee as an officer?", {"tn-4"}),
        ("How many documents dated 2020 are there?", {"tn-1", "tn-2"}),
    ],
)
def test_names_of_kinds_people_and_dates_are_read_as_the_header_has_them(
    question: str, documents: set[str], tmp_path: Path
) -> None:
    answer = asked(question, collection("notices", NOTICES, tmp_path), tmp_path / "runs")
    assert named(answer) == documents
    assert answer.bounds == (len(documents), len(documents))


def test_a_count_by_years_is_declined_where_several_dates_may_be_meant(tmp_path: Path) -> None:
    notices = collection("notices", NOTICES, tmp_path)
    answer = asked("How many documents were posted per year?", notices, tmp_path / "runs")
    assert answer.value == {"2021": 3, "2020": 1, "2022": 1}
    with pytest.raises(QuestionError, match="'Dated' or 'Posted'"):
        asked("How many documents are there per year?", notices, tmp_path / "more")


LETS = {
    "Smith/2023/a.txt": "Landlord: Jones\n\nA dog is allowed.\n",
    "Smith/2024/b.txt": "Landlord: Ray\n\nA dog is allowed.\n",
    "Jones/2024/c.txt": "Landlord: Smith\n\nA dog is allowed.\n",
    "Jones/2024/d.txt": "Landlord: Smith\n\nNo cat is allowed.\n",
}


@pytest.mark.parametrize(
    ("folder", "documents"),
    [("Smith", {"a", "b"}), ("2024", {"b", "c"}), ("Smith/2024", {"b"}), ('"Jones"', {"c"})],
)
def test_a_folder_is_named_by_a_part_of_its_path_and_no_value_of_a_field(
    folder: str, documents: set[str], tmp_path: Path
) -> None:
    lets = collection("lets", LETS, tmp_path)
    question = f"How many documents in the folder {folder} mention a dog?"
    answer = asked(question, lets, tmp_path / "runs")
    assert named(answer) == documents
    assert answer.bounds == (len(documents), len(documents))
    answer = asked(question.replace(folder, "Ray"), lets, tmp_path / "more")
    assert (answer.status, answer.value) == ("candidates", None)


def test_documents_are_of_the_kind_of_a_folder_that_theirs_lie_in(tmp_path: Path) -> None:
    texts = {f"letters/{path}": text for path, text in LETS.items()}
    mixed = collection("post", texts | {"bills/e.txt": "A dog's bill.\n"}, tmp_path)
    answer = asked("How many letters mention a dog?", mixed, tmp_path / "runs")
    assert named(answer) == {"a", "b", "c"}


def test_a_noun_that_a_field_says_of_some_documents_is_not_taken_for_all(tmp_path: Path) -> None:
    texts = {name: text.replace("Document type", "Level") for name, text in NOTICES.items()}
    notices = collection("papers", texts, tmp_path)
    answer = asked("How many permits name Ann Lee as an officer?", notices, tmp_path / "runs")
    assert (answer.status, answer.value) == ("candidates", None)


PEOPLE = [
    ("Which people edited a withdrawn signalling STD?", {"Ida Rask", "Sam Eke"}),
    ("How many distinct people edited or co-edited a final STD?",
     {"Ida Rask", "Olu Bede", "Pia Thorn"}),
    ("How many different editors edited guides?", {"Pia Thorn", "Sam Eke", "Olu Bede"}),
    ("How many people are editors of guides?", {"Pia Thorn", "Sam Eke", "Olu Bede"}),
]  # fmt: skip


@pytest.mark.parametrize(("question", "people"), PEOPLE, ids=[each[0] for each in PEOPLE])
def test_who_did_something_is_told_by_the_field_that_the_verb_has_the_root_of(
    question: str, people: set[str], corpora: Mapping[str, Corpus], tmp_path: Path
) -> None:
    answer = asked(question, corpora["standards"], tmp_path)
    assert {each.name for each in answer.entities} == people
    assert (answer.value, answer.bounds) == (len(people), (len(people), len(people)))


def test_people_in_what_a_field_names_are_not_what_it_names(
    corpora: Mapping[str, Corpus], tmp_path: Path
) -> None:
    answer = asked("How many people in the topic edited STDs?", corpora["standards"], tmp_path)
    assert (answer.status, answer.value) == ("candidates", None)


def test_how_many_items_a_field_has_is_a_number_of_a_document(
    corpora: Mapping[str, Corpus], tmp_path: Path
) -> None:
    question = "What is the average number of editors of the final STDs?"
    assert asked(question, corpora["standards"], tmp_path / "a").value == 2
    top = asked("Which STD has the most editors?", corpora["standards"], tmp_path / "b")
    assert named(top) == {"std-14"}


def test_whole_numbers_keep_all_their_digits(tmp_path: Path) -> None:
    isbns = ("9780306406157", "9780306406158")
    cards = ("4929123456789012345", "4929123456789012346")
    large = "9007199254740993"
    told = [(isbns[0], cards[0], large), (isbns[1], cards[1], large), (isbns[0], cards[0], "1"),
            ("9780306406156", "4929123456789012347", "1e300")]  # fmt: skip
    texts = {
        f"{at}.md": f"---\nisbn: {isbn}\ncard: {card}\ncost: {cost}\n"
        f"account: {int(large) + at * at}\n---\nA bill.\n"
        for at, (isbn, card, cost) in enumerate(told)
    }
    corpus = collection("bills", texts, tmp_path)
    expected = {
        "How many documents have the isbn 9780306406157?": 2,
        "How many documents have an isbn above 9780306406157?": 1,
        "How many documents have the card 4929123456789012346?": 1,
        "How many documents have a card above 4929123456789012345?": 2,
        "How many documents have a card below 4929123456789012347?": 3,
        "What is the total cost of the documents?": 18014398509481987,
        "What is the highest cost?": 9007199254740993,
    }
    for place, (question, value) in enumerate(expected.items()):
        answer = asked(question, corpus, tmp_path / str(place))
        assert answer.value == value, question
        assert answer.bounds in (None, (value, value)) or "cost" in question
    assert "1 document without a usable value: '3'" in answer.warnings
    top = asked("Which 2 documents have the highest cost?", corpus, tmp_path / "top")
    assert [each.value for each in top.entities] == [9007199254740993] * 2
    top = asked("Which 3 documents have the highest account?", corpus, tmp_path / "accounts")
    assert [each.value for each in top.entities] == [int(large) + each for each in (9, 4, 1)]


MEANINGS = [
    ("permits", "How many permits forbid fireworks?"),
    ("permits", "Which permits were refused because of strong currents?"),
    ("permits", "permits about a parade"),
    ("papers", "Which letters offer an object as a gift?"),
    ("papers", "Which letters offer an old object as a gift?"),
]


@pytest.mark.parametrize(("name", "question"), MEANINGS, ids=[each[1] for each in MEANINGS])
def test_a_condition_about_meaning_gets_no_number_ever(
    name: str, question: str, corpora: Mapping[str, Corpus], tmp_path: Path
) -> None:
    answer = asked(question, corpora[name], tmp_path)
    assert (answer.status, answer.value, answer.bounds) == ("candidates", None, None)
    assert answer.entities
    assert all(each.evidence for each in answer.entities)
    assert answer.entities[0].shown["words"]
    assert not answer.ambiguity.codes  # an old object is no matter of the letters' dates
    assert any("nobody has read" in each for each in answer.warnings)


def test_candidates_are_of_documents_that_code_does_not_rule_out(
    corpora: Mapping[str, Corpus], tmp_path: Path
) -> None:
    answer = asked("Which refused permits are about a parade?", corpora["permits"], tmp_path)
    assert named(answer) <= {"lantern-walk", "swim"}
