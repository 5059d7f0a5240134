"""Collections as people keep them: several currencies, variants of names, kinds half told."""

from collections.abc import Callable
from functools import cache
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


NOTE = "---\ntitle: {title}\nplace: {place}\nseen: {seen}\nwho: A. Ray\n---\n\nAll was quiet.\n"
NOTES = {
    f"notes/{place.casefold()}.md": NOTE.format(title=place, place=place, seen=seen)
    for place, seen in (("Alder", "2021-03-04"), ("Birch", "2022-05-06"), ("Cedar", "2022-07-08"))
} | {
    "notes/spring.md": "---\ntitle: The spring, in short\nauthor: A. Ray\n---\n\nThree visits.\n",
    "tolls.csv": "toll,at,by,fee\nT-1,Alder,A,£12.50\nT-2,Elm,B,0\nT-3,Elm,B,7.50\nTOTAL,,,£20\n",
    "memo.txt": "Toll: a memo\nFor: all\n\nTolls are due.\n",
}


def test_a_row_of_totals_is_no_row_and_a_number_without_a_unit_has_that_of_its_field(
    corpus_of: Callable[[str], Corpus], tmp_path: Path
) -> None:
    answer = asked("total fee of the rows", corpus_of("notes"), tmp_path)
    assert (answer.value, len(answer.entities)) == (20, 3)
    assert "numbers of 'fee' without a unit are in GBP" in answer.interpretation.assumptions


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
    ).replace("Site visit report – ", "Once more: ")
}
BILLS = {
    "bill-7.txt": "Bill No.: 7\nEst. cost: $40\nState: open\n\nFor quiet nights.\n",
    "bill-8.txt": "Bill Number: 8\nEstimated cost: $60\nState: open - disputed\n\nFor paint.\n",
}


def test_two_documents_of_one_place_are_not_two_places(
    corpus_of: Callable[[str], Corpus], tmp_path: Path
) -> None:
    assert (
        asked("Which huts were built before 1990?", corpus_of("visits"), tmp_path).status
        == "candidates"
    )


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


SLIP = "{}: conductor\nStation: York\nClerk: Al\nDay: Monday\n{}\nLost.\n"
SLIPS = {
    "slip-1.txt": SLIP.format("Found by", "Item: bag\n"),
    "slip-2.txt": SLIP.format("Brought by", "Article: hat\n"),
}
ROWS = {"t.csv": "#,—,city\n1,a,Oslo\n2,b,Bergen\n3,c,Oslo\n", "a.json": '{"": "Oslo"}'}
BUOY = "Form: {}\nPlace: {}\nDay: {}\n{}\n\nA gull sat there.\n"
BUOYS = {
    "b-1.txt": BUOY.format("Buoy check", "Holm", "2023-05-02", "State: poor\nCracks found: 3"),
    "b-2.txt": BUOY.format("Buoy check", "Ness", "2023-08-09", "State: good\nCracks found: 0"),
    "b-3.txt": BUOY.format("Repair", "Holm", "2023-06-01", "Cost: £40\nNext check: 2024-05-01"),
    "b-4.txt": BUOY.format("Repair", "Ness", "2024-02-01", "Cost: nil\nNext check: 2025-02-01"),
    "b-5.txt": BUOY.format("Fault report", "Ness", "2024-02-03", "Hours out: 4\nLamp: yes"),
    "b-6.txt": BUOY.format("Fault report", "Holm", "2024-03-05", "Hours out: 9\nLamp: no"),
}
GATES = {
    f"g-{number}.md": f"---\ntype: {kind}\nseen: 2024-0{number}-11\ngrade: {grade}\n---\n\nShut.\n"
    for number, (kind, grade) in enumerate(
        [("Blockage report", "A"), ("Blockage", "B"), ("Gate survey", "C"), ("Survey", "D"),
         ("Blockage report", "D"), ("Gate survey", "A")], 1,
    )
}  # fmt: skip
_CALLS = (
    ("Ann Roe", "Elm Hall", 9, "2024-03-04", 1990, "£30", "yes"),
    ("Bo Lee", "Ash Court", 3, "2024-07-09", 2003, "£45", "no"),
    ("Cy Poe", "Elm Hall", 9, "2023-07-19", 1990, "£20", "yes"),
)
CALLS = {
    "calls.csv": "call,customer,building,storeys,called,year_fitted,fee,repeat,remarks\n"
    + "".join(
        f"C-{at},{','.join(map(str, told))},A starling was heard.\n"
        for at, told in enumerate(_CALLS * 4, 1)
    ),
    "prices.txt": "Type: circular\nDate: 2024-03-15\n\nDear all, a starling costs nothing.\n",
}
WARD = "Patient: {}\nDiagnosis: {}\nSex: {}\nOutcome: {}\nHair: {}\nBy: {}\nManager: {}\n\nSeen.\n"
_WARD = (
    ("Diabetes", "female", "Recovered", "black", "J. Smith", "Ann Lee"),
    ("Type 2 diabetes", "F", "Fully recovered", "brown and black", "M. Lee and J. Smith",
     "Dr. Ann Lee"),
    ("Gestational diabetes", "male", "Died", "white", "H. Meyer", "Lee, Ann"),
    ("Asthma", "M", "Recovered", "grey", "H. Meyer", "Bob Ray"),
    ("Hives", "male", "Died", "grey", "H. Meyer", "Bob Ray"),
)  # fmt: skip
WARDS = {f"p-{at}.md": WARD.format(f"P{at}", *told) for at, told in enumerate(_WARD)}
DESKS = {
    f"d-{at}.md": f"Desk: {at}\nClerk: {clerk}\nRating: {rating}\nTopics: {topics}\n"
    f"Head: {head}\nKeeper: {keeper}\nRoom: {room}\n\nKept.\n"
    for at, (clerk, rating, topics, head, keeper, room) in enumerate(
        [
            ("Lee, Ann", "A", "Rent, Noise", "Lee, Ann", "Al Dee", "Attic"),
            ("Bob Ray", "AA", "Noise", "Ann Lee", "Mr. Al Dee", "Attic and Barn"),
            ("Lee, Ann", "AAA", "Rent", "Bob Ray", "Cy Poe", "Hall"),
        ]
    )
}
CARRIERS = {
    "invoice.txt": "The carrier is Hallam Fine Art. Each Eurobalise's frame is crated.\n",
    "mail.txt": "To: bookings@hallamfineart.example\n\nEurobalises are packed on Monday.\n",
    "quote.txt": "Carriage by another firm.\n",
}
LOOK = (
    "Appraiser: {}\nOwner: {}\nTechnique: {}\nFrames: {}\nTime spent: {} h\nSeal broken: {}\n"
    "Fee: £{}\nBond: £{}\nHanging labels: gilt; oak\n{}\n\nA frame of oak.\n"
)
LOOKS = {
    f"2024/appr-{at}.txt": LOOK.format(*told)
    for at, told in enumerate(
        [
            ("Nadia Brook", "St Anne's Hall", "oil sketch", 3, 2, "no", 40, 90,
             "Signed: 2024-03-04\nHanded in by: Ugo Lind"),
            ("N. Brook", "Saint Anne's Hall", "etching", 4, 1, "yes", 60, 10,
             "Signed: 2024-04-09\nHanded in by: Ugo Lind"),
            ("Pia Vogt", "Lund & Sons", "oil sketch", 2, 5, "no", 80, 20, "Handed in by: Bea Orr"),
            ("Nadia Brook", "The Mill", "etching", 6, 4, "no", 50, 30, "Signed: 2024-02-01"),
        ]
    )
}  # fmt: skip
CAST = (
    "Cast: C-{}\nBuyer: {}\nUse: {}\nCame in: {}\nSeen: {}\nPrice per kilo: {}\n"
    "Looked after by: {}\n\nA cast.\n"
)
CASTS = {
    f"cast-{at}.md": CAST.format(at, *row)
    for at, row in enumerate(
        [
            ("Holm Water Board", "disused pump", "2022-03-05", "2022-04-01", 3, "Ann Roe"),
            ("Holm Water Bd.", "bench", "2022-12-31", "2023-04-01", 5, "Ann Roe"),
            ("Holm Water Board", "pump (disused)", "2023-01-01", "2023-05-01", 9, "Bo Lee"),
            ("Brook Cncl", "bench", "2023-05-07", "2023-06-01", 7, "Ann Roe"),
        ]
    )
}  # fmt: skip
WREATHS = {
    "orders.csv": "order,sort,price,currency,pieces,fuel,damp,family,parent informed,note\n"
    "O-1,Wreath,85.00,GBP,1,10 L,4 %,Rose,yes,It rained.\n"
    "O-2,Wreaths,40.00,£,2,12 ltr,16 %,Rose (old),no,Rain was feared.\n"
    "O-3,Spray,60.00,EUR,9,8 litres,20 %,Lily,yes,Dry.\n"
    "O-4,Spray,20.00,EUR,4,,8 %,Lily,yes,Dry.\n",
    "letters/one.txt": "Dear florist, thank you for the wreath.\n",
    "letters/two.txt": "Dear florist, the spray came late.\n",
    "letters/three.txt": "Dear florist, where is the spray?\n",
}
CARD = "---\njob: J{0}\nstatus: {1}\nclient: {2}\nfee: {3}\nweight: {4}\n---\n\nA chair.\n"
CARDS = {
    f"J{row[0]}.md": CARD.format(*row)
    for row in [
        (1, "ready", "Ann Roe", "GBP 100", "20 kg"),
        (2, "ready", "Galerie", "EUR 300", "9 kg"),
        (3, "waiting", "Bo Lee", "GBP 150", "30 kg"),
        (4, "waiting", "Galerie", "EUR 500", "8 kg"),
    ]
} | {
    "materials.csv": "entry,material,job,quantity,unit,cost,currency\n"
    "M1,lock,J1,2,pcs,9.00,GBP\nM2,shellac,J1,1.5,kg,30.00,GBP\n"
    "M3,shellac,J2,800,g,25.00,EUR\nM4,lock,J3,1,pcs,4.00,GBP\n"
}
COLLECTIONS = {
    "cards": CARDS, "wreaths": WREATHS, "casts": CASTS, "carriers": CARRIERS, "looks": LOOKS,
    "wards": WARDS, "desks": DESKS,
    "loans": LOANS, "notes": NOTES, "visits": VISITS, "bills": BILLS, "samples": SAMPLES,
    "jobs": JOBS, "drills": DRILLS, "shows": SHOWS, "tickets": TICKETS, "slips": SLIPS,
    "rows": ROWS, "desk": SCHOOLS, "post": POST, "buoys": BUOYS, "gates": GATES, "calls": CALLS,
}  # fmt: skip


@pytest.fixture(scope="module")
def corpus_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Corpus]:
    return cache(lambda name: collection(name, COLLECTIONS[name], tmp_path_factory.mktemp(name)))


def test_a_number_has_the_unit_of_the_documents_asked_about(
    corpus_of: Callable[[str], Corpus], tmp_path: Path
) -> None:
    answer = asked("What do the fees for Galerie come to?", corpus_of("cards"), tmp_path)
    assert (answer.value, answer.unit) == (800, "EUR")


NUMBERS = [
    ("cards", "How many entries are there?", 4, (4, 4)),
    ("cards", "How many jobs per status?", {"ready": 2, "waiting": 2}, None),
    ("cards", "How many jobs weigh more than 40 lbs?", 2, (2, 2)),
    ("cards", "total quantity of locks", 3, (3, 3)),
    ("wreaths", "How many orders of each sort?", {"Wreath": 2, "Spray": 2}, None),
    ("wreaths", "total price in pounds", 125, (125, 125)),
    ("wreaths", "How many pieces altogether?", 16, None),
    ("wreaths", "average fuel of the orders", 10, None),
    ("wreaths", "And how many letters are there in this pile?", 3, (3, 3)),
    ("wreaths", "orders with a damp of at least 16 %", 2, (2, 2)),
    ("wreaths", "How many orders and letters are there all together?", 7, (7, 7)),
    ("carriers", "How many documents mention Hallam?", 1, (1, 2)),
    ("carriers", "How many documents mention Eurobalises?", 1, (1, 2)),
    ("carriers", "How many documents do not mention Hallam?", 2, (1, 2)),
    ("looks", "How many appraisals did Nadia make?", 3, (3, 3)),
    ("looks", "How many did Ugo hand in?", 2, (2, 3)),
    ("looks", "On how many sheets was the seal not broken?", 3, (3, 3)),
    (
        "looks",
        "How many appraisals per owner?",
        {"Saint Anne's Hall": 2, "Lund & Sons": 1, "The Mill": 1},
        None,
    ),
    ("looks", "Who has made the most appraisals?", {"Nadia Brook": 3}, None),
    ("looks", "Which technique do we see most often?", {"oil sketch": 2, "etching": 2}, None),
    ("looks", "Top two techniques by time spent", {"oil sketch": 7, "etching": 5}, None),
    ("looks", "top 1 owners by number of frames", {"Saint Anne's Hall": 7}, None),
    ("looks", "How much time have we spent altogther?", 12, (12, 12)),
    ("looks", "Average fee by technique of picture", {"oil sketch": 60, "etching": 55}, None),
    ("wards", "How many patients have asthma?", 1, (1, 1)),
    ("wards", 'How many patients with diagnosis "Diabetes"?', 1, (1, 1)),
    ("wards", "How many patients were seen by H. Meyer?", 3, (3, 3)),
    ("samples", "How many samples are active?", 2, (2, 2)),
    ("desks", "How many desks have rating A?", 1, (1, 1)),
    ("desks", "How many topics are there?", 2, (2, 2)),
    ("buoys", "How many checks are there whose state was poor?", 1, (1, 1)),
    ("buoys", "What did we spend in total on repairs?", 40, None),
    ("buoys", "How many fault reports had no lamp?", 1, (1, 1)),
    ("gates", "How many blockages were seen between 1 January and 31 May 2024?", 3, (3, 3)),
    ("calls", "How many calls in the log mention a starling?", 12, (12, 12)),
    ("calls", "calls to buildings of more than 8 storeys", 8, (8, 8)),
    (
        "calls",
        "Give me the total of the fees for each kind of building.",
        {"Elm Hall": 200, "Ash Court": 180},
        None,
    ),
    ("bills", "What is the average estimated cost of the bills?", 50, (50, 50)),
    ("shows", "Who hosted the most episodes?", {"Ann Roe": 2}, None),
    ("rows", "How many documents have city Oslo?", 2, (2, 2)),
    ("slips", "Which items were found by a conductor?", 1, (1, 2)),
    ("post", "How many emails are there?", 2, (2, 3)),
    ("desk", "visits found by someone other than Bo Roe", 1, (1, 1)),
    ("desk", "Top 1 schools by number of visits", {"Ash": 2}, None),
    ("desk", "Average score per visit", 77, (77, 77)),
    ("desk", "How many reports of each kind?", {"Visit": 3, "Complaint": 1}, None),
    ("loans", "Total value of the loan agreements in euro", 138_500, None),
    ("loans", "loan agreements with a value above £500", 1, (1, 2)),
    ("loans", "How many loan agreements did Miriam Okafor sign?", 3, (3, 4)),
    ("loans", "average damp of the condition reports", 52.5, None),
    ("visits", "How many documents have the school University of York?", 3, (3, 3)),
    ("visits", "Which titles contain the word Birch?", 2, (2, 2)),
    ("samples", "How many samples have a lead of 5?", 1, (1, 1)),
    ("samples", 'How many samples have grade "A"?', 1, (1, 1)),
    ("samples", "How many samples have grade A-?", 1, (1, 1)),
    ("samples", 'How many samples whose state is "not active"?', 1, (1, 1)),
    ("jobs", "How many jobs mention Dr. Webb?", 2, (2, 2)),
    ("jobs", "How many jobs have only Dr. Roe as client?", 1, (1, 1)),
    ("jobs", "How many jobs have no hours?", 1, (1, 1)),
    ("drills", "How many drills are there?", 4, (4, 7)),
    ("drills", "How many drills are in Skelby?", 2, (2, 4)),
    ("drills", "How many drills are deeper than 60 m?", 2, (2, 2)),
    ("drills", "Could I have the number of rows?", 3, (3, 3)),
    ("casts", "How many casts came from Holm Water Board?", 3, (3, 3)),
    ("casts", "How many casts went to Holm Water Board?", 3, (3, 3)),
    ("casts", "How many casts came in after the end of 2022?", 2, (2, 2)),
    ("casts", "How many casts came in before the start of 2023?", 2, (2, 2)),
    ("casts", "How many casts were seen in April, May or June 2023?", 3, (3, 3)),
    ("casts", "What is the average price per kilo of the casts seen, in kilos?", 6, (6, 6)),
    ("casts", "How many casts did Ann Roe look after?", 3, (3, 3)),
    ("casts", "casts per buyer", {"Holm Water Board": 3, "Brook Cncl": 1}, None),
    ("drills", "How many rows mention a shed?", 3, (3, 3)),
]


NAMES = [
    ("looks", "Which appraisals aren't signed yet?", {"appr-2"}),
    ("looks", "Which was the last sheet to be signed?", {"appr-1"}),
    ("looks", "Which sheets don't say who handed it in?", {"appr-3"}),
    ("looks", "Cheapest appraisal we've made?", {"appr-0"}),
    ("looks", "Which appraisal was signed last?", {"appr-1"}),
    ("looks", "appraisals over £45", {"appr-1", "appr-2", "appr-3"}),
    ("looks", "appraisals that cost more than £45", {"appr-1", "appr-2", "appr-3"}),
    ("looks", "Which appraisals included gilt but were not signed?", {"appr-2"}),
    ("looks", "Which appraisal is the biggest, by number of frames?", {"appr-3"}),
    ("buoys", "Which fault lasted the longest?", {"b-6"}),
    ("buoys", "Which fault reports name Holm?", {"b-6"}),
    ("drills", "Which maker had the highest units?", {"Bolt"}),
    ("casts", "the dearest cast per kilo", {"cast-2"}),
    ("shows", "complaints that came by letter or by e-mail", {"C-1", "C-2"}),
    ("shows", "Which complaints mention a phone-in?", {"C-1"}),
    ("shows", "episodes with 2 or more guests", {"E-2", "E-3"}),
    ("shows", "shortest episode in mins?", {"E-3"}),
    ("shows", "Which episodes did Ann Roe make?", {"E-1", "E-2"}),
    ("shows", "Episodes for which the fee has not been entered", {"E-3"}),
    ("tickets", "How many items does Lumo supply?", {"stock#1"}),
    ("tickets", "items that mention Lumo", {"stock#1"}),
]


DECLINED = [
    ("cards", "How many jobs weigh more than 40 pounds?", "'weight' is in kg"),
    ("cards", "What is the total quantity of shellac?", "in several units (g, kg)"),
    ("cards", "total quantity of shellac in kg", "in several units (g, kg)"),
    ("cards", "total quantity of shellac whose unit is kg", "'unit' has other units of it"),
    ("cards", "How many kg of shellac are there?", "counted by a quantity"),
    ("cards", "How many locks are there?", "counted by a quantity"),
    ("wreaths", "How many orders and letters are there?", "of each by itself"),
    ("wreaths", "How many orders of each family?", "'Rose (old)' may be 'Rose'"),
    ("wreaths", "How many orders from parents?", "what 'parent informed' says"),
    ("wreaths", "orders with more pieces than 5 percent", "needs two numbers"),
    ("wreaths", "What do all the orders come to?", "no field with that number"),
    ("wreaths", "What do the prices come to?", "in several units (EUR, GBP)"),
    ("looks", "What was the last sheet of each owner?", "of each, or of all"),
    ("looks", "How many German sheets are there?", "“German”"),
    ("looks", "How many etching refunds are there?", "“refunds”"),
    ("looks", "How many apprentices are there?", "“apprentices”"),
    ("looks", "How many techniques were signed in 2024?", "each sort that is counted"),
    ("wards", "How many patients have diabetes?", "'Type 2 diabetes', 'Gestational diabetes'"),
    ("wards", "How many patients recovered?", "'Fully recovered' beside it"),
    ("wards", "How many patients are black?", "'brown and black' beside it"),
    ("wards", "How many documents are by J. Smith?", "'M. Lee and J. Smith' beside it"),
    ("wards", "How many patients are female?", "'F' beside it"),
    ("wards", "How many patients of sex M?", "'male' beside it"),
    ("desks", "How many desks have Ann Lee as head?", "'Lee, Ann' beside it"),
    ("wards", "How many managers are there?", "'Ann Lee' may be 'Dr. Ann Lee'"),
    ("desks", "How many keepers are there?", "'Mr. Al Dee'"),
    ("desks", "How many rooms are there?", "'Attic and Barn' may be several"),
    ("desks", "How many clerks are there?", "'Lee, Ann' may be one"),
    ("buoys", "How many reports mention a gull?", "whether b-1, b-2, b-3 is one"),
    ("calls", "Is there a circular to customers among the papers?", "“customers”"),
    ("notes", "How many notes are there?", "whether notes/spring is one"),
    ("bills", "How many bills are open?", "'open - disputed' beside it"),
    ("post", "Which papers mention rent, notes included?", "included"),
    ("post", "letters to players", "it may be 'to' or 'box'"),
    ("desk", "lowest score and where was it", "and where"),
    ("desk", "Which schools were found by Ann Lee and Bo Roe?", "of each by itself"),
    ("loans", "loan agreements with a value above 500", "'Value' is in EUR and GBP"),
    ("visits", "How many visit reports are there?", "whether second-birch is one"),
    ("visits", "What did we give to York College in total?", "no number is named"),
    ("visits", "Which documents mention the York A?", "cannot place “A”"),
    ("visits", "How many documents mention quieted?", "quiet does"),
    ("samples", "How many samples are not active?", "or all but active is"),
    ("samples", "How many samples don't not mention the weir?", "two negations"),
    ("samples", "How many samples weigh at least 1 kg?", "several units (g, kg)"),
    ("samples", "How many samples were drawn on 31 February 2021?", "“31”"),
    ("jobs", "How many jobs have not been paid?", "where it says '2024-03-04', 'no'"),
    ("jobs", "How many jobs had harm?", "where it says 'no harm'"),
    ("jobs", "How many jobs does Dr. Roe not have?", "what it denies is not said"),
    ("jobs", "How many jobs have terms of 30 days?", "'30 days net' beside it"),
    ("casts", "How many casts are for a disused pump?", "'pump (disused)' beside it"),
    ("casts", "Who is the best buyer by price?", "several values"),
    ("jobs", "How many jobs were delivered in March 2024?", "“delivered”"),
    ("jobs", "Which crews have only Dr. Roe as client?", "“only”"),
    ("tickets", "How many tickets are not closed?", "'Status' says now"),
    ("tickets", "How many tickets have been closed?", "'Status' says now"),
    ("tickets", "How many tickets were open in January 2024?", "what was so at a time"),
    ("tickets", "total amount of the bills", "several units (EUR, USD)"),
    ("tickets", "documents that mention “-”", "no word to look for"),
]


@pytest.mark.parametrize(("name", "question", "value", "bounds"), NUMBERS)
def test_what_is_stated_untidily_is_computed_with_bounds_that_hold(
    name: str, question: str, value: object, bounds: object,
    corpus_of: Callable[[str], Corpus], tmp_path: Path,
) -> None:  # fmt: skip
    answer = asked(question, corpus_of(name), tmp_path)
    assert (answer.value, answer.bounds) == (value, bounds)


@pytest.mark.parametrize(("name", "question", "names"), NAMES)
def test_what_is_written_otherwise_is_found(
    name: str, question: str, names: set[str], corpus_of: Callable[[str], Corpus], tmp_path: Path
) -> None:
    found = asked(question, corpus_of(name), tmp_path).entities
    assert {each.name.rpartition("/")[2] for each in found} == names


@pytest.mark.parametrize(("name", "question", "words"), DECLINED)
def test_what_would_mix_guess_or_be_told_in_part_is_declined(
    name: str, question: str, words: str, corpus_of: Callable[[str], Corpus], tmp_path: Path
) -> None:
    with pytest.raises(QuestionError) as raised:
        asked(question, corpus_of(name), tmp_path)
    assert words in str(raised.value)
