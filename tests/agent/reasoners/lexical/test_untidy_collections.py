"""Collections as people keep them: several currencies, variants of names, kinds half told."""

from pathlib import Path

import pytest

from agent.errors import QuestionError
from tests.agent.reasoners.lexical.collections_asked import asked, collection
from tools.corpus.corpus import Corpus

LOAN = "Type: loan agreement\nItem: {item}\nValue: {value}\nSigned by: {signed}\n\nIt is lent.\n"
LOANS = {
    "loan-jug.txt": LOAN.format(item="Jug", value="£9,750", signed="Miriam Okafor"),
    "loan-map.txt": LOAN.format(item="Map", value="EUR 18.500,00", signed="M. Okafor"),
    "loan-oil.txt": LOAN.format(item="Oil", value="EUR 120,000", signed="Dr Tomas Weiss"),
    "loan-pot.txt": LOAN.format(item="Pot", value="£250", signed="Okafor"),
    "sea.txt": "The sea piece goes to the school for a year and is worth a great deal.\n",
    "check-jug.txt": "Report: Condition report\nSeen by: A. Ray\nDamp: 50 %\n\nNo moths.\n",
    "check-map.txt": "Report: Condition report\nSeen by: Ann Ray\nDamp: 55 %\n\nMoths found.\n",
}


@pytest.fixture(scope="module")
def loans(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return collection("loans", LOANS, tmp_path_factory.mktemp("loans"))


@pytest.mark.parametrize(
    ("question", "value", "bounds"),
    [
        ("Total value of the loan agreements in euro", 138_500, None),
        ("loan agreements with a value above £500", 1, (1, 2)),
        ("How many loan agreements did Miriam Okafor sign?", 3, (3, 4)),
        ("How many loan agreements are there?", 4, (4, 7)),
        ("average damp of the condition reports", 52.5, None),
        ("How many condition reports mention moths?", 2, (2, 2)),
    ],
)
def test_what_a_collection_states_untidily_is_told_with_bounds_that_hold(
    question: str, value: float, bounds: tuple[int, int] | None, loans: Corpus, tmp_path: Path
) -> None:
    answer = asked(question, loans, tmp_path)
    assert (answer.value, answer.bounds) == (value, bounds)


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("total value of the loan agreements", "several units (EUR, GBP)"),
        ("loan agreements with a value above 500", "'Value' is in EUR and GBP"),
    ],
)
def test_what_would_mix_or_guess_is_declined(
    question: str, words: str, loans: Corpus, tmp_path: Path
) -> None:
    with pytest.raises(QuestionError) as raised:
        asked(question, loans, tmp_path)
    assert words in str(raised.value)


NOTE = "---\ntitle: {title}\nplace: {place}\nseen: {seen}\nwho: A. Ray\n---\n\nAll was quiet.\n"
NOTES = {
    f"notes/{place.casefold()}.md": NOTE.format(title=place, place=place, seen=seen)
    for place, seen in (("Alder", "2021-03-04"), ("Birch", "2022-05-06"), ("Cedar", "2022-07-08"))
} | {
    "notes/spring.md": "---\ntitle: The spring, in short\nauthor: A. Ray\n---\n\nThree visits.\n",
    "tolls.csv": "toll,at,by,fee\nT-1,Alder,A,£12.50\nT-2,Elm,B,0\nT-3,Elm,B,7.50\nTOTAL,,,£20\n",
    "memo.txt": "Toll: a memo\nFor: all\n\nTolls are due.\n",
}


@pytest.fixture(scope="module")
def notes(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return collection("notes", NOTES, tmp_path_factory.mktemp("notes"))


def test_a_row_of_totals_is_no_row_and_a_number_without_a_unit_has_that_of_its_field(
    notes: Corpus, tmp_path: Path
) -> None:
    answer = asked("total fee of the rows", notes, tmp_path)
    assert (answer.value, len(answer.entities)) == (20, 3)
    assert "numbers of 'fee' without a unit are in GBP" in answer.interpretation.assumptions


def test_what_lies_in_a_folder_and_is_headed_otherwise_makes_its_number_open(
    notes: Corpus, tmp_path: Path
) -> None:
    with pytest.raises(QuestionError, match="whether notes/spring is one"):
        asked("How many notes are there?", notes, tmp_path)


VISIT = (
    "---\ntitle: Site visit report – {place}\ntype: {type}\nplace: {place}\nbuilt: {built}\n"
    "seen by: {seen}\nschool: {school}\n---\n\nAll was quiet at the hut of {place}.\n"
)
_VISITS = (
    ("Alder", "site visit", 1988, "T. Wilk", "University of York"),
    ("Birch", "site visit", 1979, "Tomasz Wilk", "Univ. of York"),
    ("Cedar", "site visit", 1999, "Ada Moss", "York University"),
    ("Alder", "site visit", 1988, "Ada Moss", "York College"),
)
VISITS = {
    f"visit-{at}-{row[0].casefold()}.md": VISIT.format(
        **dict(zip(("place", "type", "built", "seen", "school"), row, strict=True))
    )
    for at, row in enumerate(_VISITS)
} | {
    "second-birch.md": VISIT.format(
        place="Birch", type="follow-up visit", built=1979, seen="Ada Moss", school="York College"
    ).replace("Site visit report – ", "Once more: "),
}
BILLS = {
    "bill-7.txt": "Bill No.: 7\nEst. cost: $40\nState: open\n\nFor quiet nights.\n",
    "bill-8.txt": "Bill Number: 8\nEstimated cost: $60\nState: open - disputed\n\nFor paint.\n",
}


@pytest.fixture(scope="module")
def visits(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return collection("visits", VISITS, tmp_path_factory.mktemp("visits"))


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("How many documents have the school University of York?", 3),
        ("How many documents were seen by Tomasz Wilk?", 2),
        ("Which titles contain the word Birch?", 2),
    ],
)
def test_names_and_fields_that_are_written_otherwise_are_one(
    question: str, value: float, visits: Corpus, tmp_path: Path
) -> None:
    assert asked(question, visits, tmp_path).value == value


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("How many visit reports are there?", "whether second-birch is one"),
        ("How many follow-up visit reports are there?", "no document is both"),
        ("What did we give to York College in total?", "no number is named"),
        ("Which documents mention the York A?", "cannot place “A”"),
        ("How many documents mention quieted?", "quiet does"),
    ],
)
def test_what_is_told_in_two_ways_or_says_more_is_declined(
    question: str, words: str, visits: Corpus, tmp_path: Path
) -> None:
    with pytest.raises(QuestionError) as raised:
        asked(question, visits, tmp_path)
    assert words in str(raised.value)


def test_two_documents_of_one_place_are_not_two_places(visits: Corpus, tmp_path: Path) -> None:
    assert asked("Which huts were built before 1990?", visits, tmp_path).status == "candidates"


def test_words_cut_short_in_the_names_of_fields_are_the_same_words(tmp_path: Path) -> None:
    bills = collection("bills", BILLS, tmp_path)
    assert asked("What is the average estimated cost of the bills?", bills, tmp_path).value == 50
    with pytest.raises(QuestionError, match="'open - disputed' beside it"):
        asked("How many bills are open?", bills, tmp_path)


def _sample(lead: str, grade: str, weight: str, state: str, told: str) -> str:
    return (
        f"---\nlead: {lead}\ngrade: {grade}\nweight: {weight}\nstate: {state}\nby: {told}\n"
        "drawn: 2021-02-15\n---\n\nIt was drawn at the weir.\n"
    )


SAMPLES = {
    "sample-1.md": _sample("5", "A", "2 kg", "active", "Al"),
    "sample-2.md": _sample("<5", "A+", "500 g", "not active", "Bo"),
    "sample-3.md": _sample("~5", "A-", "900 g", "paused", "Al & Bo"),
    "sample-4.md": _sample(">5", "B", "3 kg", "active", "Cy & Di"),
}


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return collection("samples", SAMPLES, tmp_path_factory.mktemp("samples"))


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("How many samples have a lead of 5?", 1),
        ("How many samples have grade A?", 1),
        ('How many samples have grade "A"?', 1),
        ("How many samples have grade A-?", 1),
        ('How many samples whose state is "not active"?', 1),
        ("How many samples are by Bo?", 2),
    ],
)
def test_signs_and_joined_names_are_part_of_what_a_value_says(
    question: str, value: int, samples: Corpus, tmp_path: Path
) -> None:
    answer = asked(question, samples, tmp_path)
    assert (answer.value, answer.bounds) == (value, (value, value))


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("How many samples are not active?", "or all but active is"),
        ("How many samples don't not mention the weir?", "two negations"),
        ("How many samples weigh at least 1 kg?", "several units (g, kg)"),
        ("How many samples were drawn on 31 February 2021?", "“drawn”"),
    ],
)
def test_what_can_be_meant_in_two_ways_or_is_no_day_is_declined(
    question: str, words: str, samples: Corpus, tmp_path: Path
) -> None:
    with pytest.raises(QuestionError) as raised:
        asked(question, samples, tmp_path)
    assert words in str(raised.value)


def _job(number: int, states: str, told: str) -> str:
    return f"Job: {number}\nClient: Dr. {told}\nCrew: Ann\n{states}\n\nDone for Dr. {told}.\n"


JOBS = {
    "job-1.txt": _job(
        1,
        "Hours: 3\nTerms: 30 days\nPaid: 2024-03-04\nHarm: none\nDelivery due: 2024-03-09",
        "Webb",
    ),
    "job-2.txt": _job(
        2, "Hours: 5\nTerms: 30 days net\nPaid: no\nHarm: no harm\nDelivery due: 2024-03-19", "Webb"
    ),
    "job-3.txt": _job(
        3, "Hours: 0\nTerms: cash\nPaid: no\nHarm: cut hand\nDelivery due: 2024-04-19", "Roe"
    ),
}


@pytest.fixture(scope="module")
def jobs(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return collection("jobs", JOBS, tmp_path_factory.mktemp("jobs"))


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("How many jobs are there?", 3),
        ("How many jobs mention Dr. Webb?", 2),
        ("How many jobs mention Dr Webb?", 2),
        ("How many jobs have only Dr. Roe as client?", 1),
        ("How many jobs have no hours?", 1),
    ],
)
def test_serial_numbers_name_things_and_titles_keep_their_full_stops(
    question: str, value: int, jobs: Corpus, tmp_path: Path
) -> None:
    answer = asked(question, jobs, tmp_path)
    assert (answer.value, answer.bounds) == (value, (value, value))


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("How many jobs have not been paid?", "where it says '2024-03-04', 'no'"),
        ("How many jobs had harm?", "where it says 'no harm'"),
        ("Which crew has the most hours?", "'Crew' has several values of 'Hours'"),
        ("How many jobs does Dr. Roe not have?", "what it denies is not said"),
        ("How many jobs have terms of 30 days?", "'30 days net' beside it"),
        ("How many jobs were delivered in March 2024?", "“delivered”"),
        ("Which crews have only Dr. Roe as client?", "“only”"),
    ],
)
def test_what_fields_tell_but_in_part_is_declined(
    question: str, words: str, jobs: Corpus, tmp_path: Path
) -> None:
    with pytest.raises(QuestionError) as raised:
        asked(question, jobs, tmp_path)
    assert words in str(raised.value)


DRILL = (
    "---\ntype: drill record\nparish: {parish}\ndepth_m: {depth}\nrest_m: 9\nby: {by}\n---\nClay\n"
)
TEST = (
    "---\ntype: pumping test report\ndrill: {at}\nfall_m: {fall}\nduration_h: {hours}\n---\nDry\n"
)
DRILLS = {
    "D-1.md": DRILL.format(parish="Skelby", depth=50, by="R. Amadi"),
    "D-2.md": DRILL.format(parish="Skelby", depth=90, by="H. Quist"),
    "D-3.md": DRILL.format(parish="Skelbey", depth=70, by="R. Amadi"),
    "D-4.md": DRILL.format(parish="see remarks", depth=20, by="H. Quist"),
    "P-1.md": TEST.format(at="D-1", fall=6, hours=24),
    "P-2.md": TEST.format(at="D-2", fall=2, hours=72),
    "stock.csv": "part,maker,units,text\n"
    + "".join(
        f"{part},{maker},{units},{'It is held in the shed behind the yard. ' * 6}\n"
        for part, maker, units in (("pipe", "Acme", 4), ("plug", "Bolt", 9), ("cap", "Acme", 7))
    ),
}


@pytest.fixture(scope="module")
def drills(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return collection("drills", DRILLS, tmp_path_factory.mktemp("drills"))


@pytest.mark.parametrize(
    ("question", "value", "bounds"),
    [
        ("How many drills are there?", 4, (4, 7)),
        ("How many drills are in Skelby?", 2, (2, 4)),
        ("How many drills are deeper than 60 m?", 2, (2, 2)),
        ("average depth of the drills", 57.5, None),
        ("Could I have the number of rows?", 3, (3, 3)),
        ("rows with maker Acme", 2, (2, 2)),
        ("How many rows mention a shed?", 3, (3, 3)),
    ],
)
def test_types_name_what_they_are_about_and_open_values_widen_the_bounds(
    question: str, value: float, bounds: tuple[float, float], drills: Corpus, tmp_path: Path
) -> None:
    answer = asked(question, drills, tmp_path)
    assert (answer.value, answer.bounds) == (value, bounds)


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Which pumping test was the longest?", "P-2"),
        ("Which drill is the deepest?", "D-2"),
        ("Which maker had the most units?", None),
        ("Which maker had the highest units?", "Bolt"),
    ],
)
def test_a_superlative_names_what_has_it_and_a_unit_is_no_thing(
    question: str, name: str | None, drills: Corpus, tmp_path: Path
) -> None:
    if name is None:
        with pytest.raises(QuestionError):
            asked(question, drills, tmp_path)
    else:
        assert [each.name for each in asked(question, drills, tmp_path).entities] == [name]


EPISODE = "Episode: {no}\nHost: {host}\nDuration (min): {time}\nGuests: {guests}\n{fee}\nMusic.\n"
COMPLAINT = "Complaint: {no}\nChannel: {channel}\nReader: {reader}\n\n{told}\n"
SHOWS = {
    f"episodes/{no}.txt": EPISODE.format(no=no, host=host, time=time, guests=guests, fee=fee)
    for no, host, time, guests, fee in (
        ("E-1", "Ann Roe", 45, 0, "Fee: 10\n"),
        ("E-2", "Ann Roe", 60, 2, "Fee: 20\n"),
        ("E-3", "Bo Lee", 30, 3, ""),
    )
} | {
    f"complaints/{no}.txt": COMPLAINT.format(no=no, channel=channel, reader=reader, told=told)
    for no, channel, reader, told in (
        ("C-1", "email", "Cy Poe", "The phone-in was cut short by the self-service kiosk."),
        ("C-2", "letter", "Cy Poe", "The phone rang."),
        ("C-3", "phone", "Di Orr", "Too loud."),
    )
}


@pytest.fixture(scope="module")
def shows(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return collection("shows", SHOWS, tmp_path_factory.mktemp("shows"))


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("complaints that came by letter or by e-mail", {"C-1", "C-2"}),
        ("Which complaints mention a phone-in?", {"C-1"}),
        ("complaints that mention the self-service kiosk", {"C-1"}),
        ("phone mentioned anywhere?", {"C-1", "C-2", "C-3"}),
        ("episodes with 2 or more guests", {"E-2", "E-3"}),
        ("shortest episode in mins?", {"E-3"}),
        ("top 2 longest episodes", {"E-1", "E-2"}),
        ("Which episodes did Ann Roe make?", {"E-1", "E-2"}),
        ("Episodes for which the fee has not been entered", {"E-3"}),
    ],
)
def test_what_is_hyphenated_short_or_left_out_is_read(
    question: str, names: set[str], shows: Corpus, tmp_path: Path
) -> None:
    found = asked(question, shows, tmp_path).entities
    assert {each.name.rpartition("/")[2] for each in found} == names


def test_who_did_the_most_is_counted_by_who_does_it(shows: Corpus, tmp_path: Path) -> None:
    answer = asked("Who hosted the most episodes?", shows, tmp_path)
    assert answer.value == {"Ann Roe": 2}


def test_a_column_without_a_word_for_its_name_harms_no_question(tmp_path: Path) -> None:
    rows = {"t.csv": "#,—,city\n1,a,Oslo\n2,b,Bergen\n3,c,Oslo\n", "a.json": '{"": "Oslo"}'}
    corpus = collection("rows", rows, tmp_path)
    assert asked("How many documents have city Oslo?", corpus, tmp_path).value == 2


TICKET = "Status: {status}\nOpened: {opened}\n{closed}Customer: {customer}\n\nNoted.\n"
TICKETS = {
    f"ticket-{no}.txt": TICKET.format(status=status, opened=opened, closed=closed, customer=by)
    for no, status, opened, closed, by in (
        (1, "open", "2024-01-03", "", "Bo Chen"),
        (2, "closed", "2024-01-09", "Closed: 2024-02-02\n", "Bo Chen"),
        (3, "wontfix", "2024-01-20", "Closed: 2024-03-02\n", "Al Ray"),
    )
} | {
    "bills.csv": "bill,supplier,amount,currency\nB-1,Lumo,10,EUR\nB-2,Lumo,20,USD\n",
    "stock.csv": "item,supplier,kind\nlamp,Lumo,supplies\nchair,Sitwell,seats\n",
}


@pytest.fixture(scope="module")
def tickets(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return collection("tickets", TICKETS, tmp_path_factory.mktemp("tickets"))


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("How many tickets are not closed?", "'Status' says now"),
        ("How many tickets have been closed?", "'Status' says now"),
        ("How many tickets were open in January 2024?", "what was so at a time"),
        ("total amount of the bills", "several units (EUR, USD)"),
        ("documents that mention “-”", "no word to look for"),
    ],
)
def test_states_events_and_what_is_beside_are_told_apart(
    question: str, words: str, tickets: Corpus, tmp_path: Path
) -> None:
    with pytest.raises(QuestionError) as raised:
        asked(question, tickets, tmp_path)
    assert words in str(raised.value)


@pytest.mark.parametrize(
    "question", ["How many items does Lumo supply?", "items that mention Lumo"]
)
def test_items_are_what_a_table_has_an_item_of(
    question: str, tickets: Corpus, tmp_path: Path
) -> None:
    assert [each.name for each in asked(question, tickets, tmp_path).entities] == ["stock#1"]


def test_documents_that_may_match_and_state_no_thing_widen_the_number_of_things(
    tmp_path: Path,
) -> None:
    line = "{}: conductor\nStation: {}\nClerk: Al\nDay: Monday\n{}\nLost.\n"
    told = {
        "slip-1.txt": line.format("Found by", "York", "Item: bag\n"),
        "slip-2.txt": line.format("Brought by", "York", "Article: hat\n"),
    }
    slips = collection("slips", told, tmp_path / "slips")
    answer = asked("Which items were found by a conductor?", slips, tmp_path)
    assert (answer.value, answer.bounds) == (1, (1, 2))


def _report(kind: str, number: int, school: str, day: str, told: str) -> str:
    return f"Report: {kind}\nNo: {number}\nSchool: {school}\nDate: {day}\n{told}\n\nSeen by us.\n"


SCHOOLS = {
    "v-1.txt": _report("Visit", 1, "Ash", "2024-03-04", "Score: 91\nFound by: Ann Lee\nPests: no"),
    "v-2.txt": _report("Visit", 2, "Ash", "2024-05-04", "Score: 80\nFound by: Bo Roe\nPests: yes"),
    "v-3.txt": _report("Visit", 3, "Elm", "2023-05-04", "Score: 60\nFound by: Bo Roe\nPests: no"),
    "c-1.txt": _report("Complaint", 4, "Elm", "2024-05-09", "Topic: noise\nClosed: 2024-06-01"),
}
POST = {
    "post.jsonl": '{"kind": "email", "to": "All players", "about": "The harp", "text": "No."}\n'
    '{"kind": "e-mail", "to": "Us", "box": "Players", "about": "Rent", "text": "Yes, a harp."}\n'
    '{"kind": "letter", "to": "Us", "box": "Money", "about": "Rent", "text": "No more."}\n',
    "how.md": "---\nkept: Ann\n---\n\nWe file it.\n",
}


@pytest.mark.parametrize(
    ("name", "question", "told"),
    [
        ("schools", "How many reports of each kind?", {"Visit": 3, "Complaint": 1}),
        ("schools", "Average score per visit", 77),
        ("schools", "Top 1 schools by number of visits", {"Ash": 2}),
        ("schools", "visits found by someone other than Bo Roe", 1),
        ("schools", "How many complaints were about noise?", 1),
        ("schools", "Which schools were found by Ann Lee and Bo Roe?", "of each by itself"),
        ("schools", "Which schools did Bo Roe close?", "close"),
        ("schools", "lowest score and where was it", "and where"),
        ("post", "How many emails are there?", 2),
        ("post", "Which papers mention a harp?", 2),
        ("post", "letters to players", "it may be 'to' or 'box'"),
        ("post", "Which papers mention rent, notes included?", "included"),
    ],
)
def test_offices_keep_kinds_rows_and_notes_in_their_own_ways(
    name: str, question: str, told: object, tmp_path: Path
) -> None:
    corpus = collection("desk", SCHOOLS if name == "schools" else POST, tmp_path)
    if not isinstance(told, str):
        assert asked(question, corpus, tmp_path).value == told
        return
    with pytest.raises(QuestionError) as raised:
        asked(question, corpus, tmp_path)
    assert told in str(raised.value)
