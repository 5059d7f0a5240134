"""Three small collections: permits with front matter, papers in folders, assets with key lines."""

from pathlib import Path

from agent.answer import Answer
from graphs.context import Context
from graphs.headcount import build_graph
from tests.built import write
from tools.corpus.build import BuildSettings, build
from tools.corpus.corpus import Corpus, open_corpus


def _permit(told: str, text: str) -> str:
    district, decision, fee, attendance, decided, tags, *rest = told.split(" | ")
    sponsor = f"sponsor: {rest[0]}\n" if rest else ""
    return (
        f"---\ndistrict: {district}\ndecision: {decision}\nfee_eur: {fee}\n"
        f"attendance: {attendance}\ndecided: {decided}\ntags: [{tags}]\n{sponsor}---\n\n{text}\n"
    )


PERMITS = {
    "carnival.md": _permit(
        "Old Town | granted | 900 | 5000 | 2022-02-10 | music, parade | Sparbank",
        "The permit is for a parade. Stewards walk beside the floats. Fireworks are not allowed.",
    ),
    "dog-show.md": _permit(
        "Westpark | granted | 60 | 300 | 2022-06-30 | animals",
        "The permit is for a show of dogs. Every dog is on a lead, and a vet is on call.",
    ),
    "jazz-night.md": _permit(
        "Saint-Rémy | granted | 250 | 1000 | 2023-03-04 | music, food | Café Zoé",
        "The permit is for a concert. Rockets may not be lit. A dog-owner complained in 2021.",
    ),
    "lantern-walk.md": _permit(
        "Westpark | refused | 0 | 1200 | 2023-11-20 | parade",
        "The permit was asked for too late. The police advised against it.",
    ),
    "market.md": _permit(
        "Old Town | granted | 400 | 2500 | 2024-01-15 | food, market",
        "The permit is for stalls of food. Toilets stand behind the church.",
    ),
    "regatta.md": _permit(
        "Harbour | withdrawn | 120 | 800 | 2024-05-02 | sport",
        "The permit was given back because a storm was forecast.",
    ),
    "swim.md": _permit(
        "Harbour | Refused | 30 | 150 | 2021-08-09 | sport",
        "The permit was refused: the currents are strong and no lifeguard was named.",
    ),
}
PAPERS = {
    "letters/gift.txt": "A gift\n\nDear sirs, I offer the museum a sextant. Lena Østergaard.\n",
    "letters/lift.txt": "The lift\n\nThe lift was out of order and my mother had to turn back.\n",
    "letters/thanks.txt": "Thanks\n\nThe pupils liked the re-opened café and its caf\u00e9-bar.\n",
    "minutes/spring.txt": "Spring\n\nThe trustees approved a new lift. Lena Ostergaard chaired.\n",
    "minutes/autumn.txt": "Autumn\n\nThe trustees met. Mould was not discussed.\n",
    "inspections/cellar.txt": "Cellar\n\nThere are moulds on the wall. The pump works.\n",
    "inspections/loft.txt": "Loft\n\nNo mould was found. Insurance papers lie there.\n",
}
_ASSET = (
    "Asset: {}\nCategory: {}\nPurchased: {}\nCost: {} EUR\nSite: {}\nStatus: {}\nOwners: {}\n{}\n"
    "{}\n"
)
ASSETS = {
    "register/AS-101.txt": _ASSET.format(
        "Work barge", "Vessel", "2012-05-01", "88,100", "Rotterdam Yard", "in service",
        "Gwen Pritchard; Joost Bakker", "", "The hull was painted. It leaked in 2019.",
    ),
    "register/AS-102.txt": _ASSET.format(
        "Goods lift", "Lift", "2019-03-12", "55,750", "Leeds", "under repair", "Gwen Pritchard",
        "Warranty until: 2027-03-12\n", "An inspector found oil below the cabin.",
    ),
    "register/AS-103.txt": _ASSET.format(
        "Forklift", "Forklift", "2018-09-30", "19,200", "Leeds", "in service", "Ada Lund", "",
        "The battery was changed by an apprentice.",
    ),
    "register/AS-104.txt": _ASSET.format(
        "Water pump", "Pump", "2020-01-07", "3,480", "Málaga", "retired", "Ada Lund; Joost Bakker",
        "Warranty until: 2024-01-07\n", "Water drips from the seal.",
    ),
    "register/AS-105.txt": _ASSET.format(
        "Overhead crane", "Crane", "2018-02-02", "53,300", "Rotterdam Yard", "in service",
        "Joost Bakker", "", "Holmgren Hydraulics changed the brake.",
    ),
}  # fmt: skip

_TRAIL = (
    "Trail: {}\nRegion: {}\nLength: {} km\nAscent: {} m\nSurveyed: {}\nSurveyor: {}\nStatus: {}\n"
    "\n{}\n"
)
TRAILS = {
    "trails/mill.txt": _TRAIL.format(
        "Mill path",
        "North",
        12,
        311,
        "2022-11-17",
        "Ann Poole",
        "Open",
        "The bridge was re-opened.",
    ),
    "trails/ridge.txt": _TRAIL.format(
        "Ridge walk", "South", 30, 862, "2022-02-16", "Cy Reed", "Under repair", "Loose stones."
    ),
    "trails/lake.txt": _TRAIL.format(
        "Lake round", "South", 3, 90, "2021-05-13", "Cy Reed", "Open", "It was reopened in May."
    ),
    "huts/alp.txt": "Hut: Alp\nBeds: 24\nWarden: Ann Poole\nFixed in: 2.2\n\nA hut of stone.\n",
    "huts/fell.txt": "Hut: Fell\nBeds: 8\nWarden: Di Moss\nFixed in: 2.1\n\nA hut of wood.\n",
}


def _standard(told: str, text: str) -> str:
    number, kind, status, editors, topic, issued, *more = map(str.strip, told.split("|"))
    names = ("Max-Speed", "Replaces", "Withdrawn")
    added = "".join(f"{name}: {each}\n" for name, each in zip(names, more, strict=True) if each)
    return (
        f"STD: {number}\nTitle: On {topic} {number}\nType: {kind}\nStatus: {status}\n"
        f"Editors: {editors}\nTopic: {topic}\nIssued: {issued}\n{added}\n{text}\n"
    )


STANDARDS = {
    f"std-{number}.txt": _standard(f"{number} | {told}", text)
    for number, told, text in (
        (11, "Core | Final | Ida Rask, Olu Bede | Signalling | 1998-04-02 | 80 km/h |  | ",
         "A station uses the Line Access Protocol (LAP)."),
        (12, "Core | Withdrawn | Ida Rask | Signalling | 2003-09-19 | 160 km/h |  | 2015-06-11",
         "It uses LAP at night."),
        (13, "Guide | Final | Pia Thorn | Bridges | 2009-01-30 |  |  | ", "How a span is weighed."),
        (14, "Core | Final | Pia Thorn, Olu Bede, Ida Rask | Bridges | 2015-06-11 | 60 km/h | 12 |",
         "Corroded plates are noted; corrosion below 1 mm is let be."),
        (15, "Guide | Withdrawn | Sam Eke | Signalling | 2016-02-24 |  |  | ", "To drivers."),
        (16, "Core | Draft | Sam Eke, Pia Thorn | Signalling | 2021-10-05 | 200 km/h | 11, 12 | ",
         "The Line Access Protocol goes."),
        (17, "Guide | Draft | Olu Bede | Bridges | 2022-12-01 |  | 13 | ", "Corrodes are painted."),
    )
}  # fmt: skip

_ROWS = """visit no,date,species,breed,vet,minutes,paid,treatments
B1,2024-01-08,dog,Labrador,Dr Keane,20,yes,x-ray; booster
B2,2024-02-11,cat,Siamese,Dr Osei,35,no,anaesthetic
B3,2024-02-19,dog,Labrador,Dr Keane,15,yes,booster
B4,2024-05-02,dog,Beagle,Dr Keane,50,no,anaesthetic; x-ray
B5,2024-06-30,cat,Siamese,,10,yes,
"""
VISITS = {
    "visits.csv": _ROWS,
    "case-note-bran.txt": "Bran\n\nThe dog limps. The owner saw it fall from a wall.\n",
    "case-note-mog.txt": "Mog\n\nA cat with a drip, kept over night. It purrs.\n",
    "feedback-casey.txt": "Thank you\n\nThe nurses were kind to our dog.\n",
    "feedback-walsh.txt": "The bill\n\nThe bill for the anaesthetic was too high for us.\n",
}


def collection(name: str, texts: dict[str, str], place: Path) -> Corpus:
    """Build a corpus of the texts, by the paths of their files below a folder of that name."""
    build([write(place / name, texts)], place / "corpus", settings=BuildSettings(chunk_tokens=120))
    return open_corpus(place / "corpus")


def asked(question: str, corpus: Corpus, place: Path) -> Answer:
    """Ask the graph with the lexical reader."""
    context = Context(corpus=corpus, runs=place)
    with context.store:
        answer = build_graph().invoke({"question": question}, context=context)["answer"]
    assert isinstance(answer, Answer)
    return answer
