"""Documents of several domains, small enough to read, for tests of methods, not of words."""

from agent.reasoners.rules.records.extract import extract
from agent.reasoners.rules.records.induce import induce
from agent.reasoners.rules.records.refine import as_kind
from agent.records.induction import Extract, SampleDocument
from agent.records.record_replies import ExtractReply
from agent.records.record_schema import Kind

CITIES = ("Lisbon", "Oslo", "Porto Alegre", "Rome", "Kyoto", "Cairo", "Quito", "Lima")
PEOPLE = (
    "Ann Bell",
    "Bo Chen",
    "Cara Diaz",
    "Dan Egor",
    "Eva Falk",
    "Fay Gana",
    "Gil Hari",
    "Io Ba",
)


def sample(name: str, text: str) -> SampleDocument:
    return SampleDocument(name=name, extracts=(Extract(text=text),))


def kinds_in(documents: list[SampleDocument]) -> list[Kind]:
    values = {"documents": documents, "questions": (), "schema": None, "disagreements": ()}
    return [as_kind(each) for each in induce(values).kinds]


def read(document: SampleDocument, kinds: list[Kind]) -> ExtractReply:
    return extract({"kinds": kinds, "document": document.name, "text": document.text})


def cells_of(document: SampleDocument, kinds: list[Kind]) -> list[dict[str, str]]:
    return [
        {cell.attribute: cell.value for cell in record.cells}
        for record in read(document, kinds).records
    ]


def leases() -> list[SampleDocument]:
    return [
        sample(
            f"lease-{at}",
            f"LEASE AGREEMENT\n\nTenant: {PEOPLE[at]}\nCommencement Date: {at + 3} March 2021\n"
            f"Monthly Rent: ${900 + 70 * at:,}\nPets allowed: {'Yes' if at % 3 else 'No'}\n\n"
            f"1. DEPOSIT. The Tenant shall pay a security deposit of ${1500 + 90 * at:,} first.\n"
            f"2. NOTICE. Either party may end it by giving {30 + 30 * (at % 3)} days notice.\n",
        )
        for at in range(8)
    ]


def incidents() -> list[SampleDocument]:
    return [
        sample(
            f"inc{at}",
            f"# Incident report {100 + at}\n\n**Severity:** {('low', 'high')[at % 2]}\n\n"
            f"**Duration:** {20 + 3 * at} minutes\n\n## Timeline\n\n"
            f"| Time | Event | Owner |\n|---|---|---|\n| 10:{10 + at} | Alarm | {PEOPLE[at]} |\n"
            f"| 11:{10 + at} | Fixed | {PEOPLE[-at]} |\n\n## Summary\n\n"
            f"A pump failed. In total {50 + at} customers were affected for a while.\n",
        )
        for at in range(8)
    ]


def invoices() -> list[SampleDocument]:
    return [
        sample(
            f"bill{at}",
            f"INVOICE\nInvoice No: INV-{1000 + at}\nCustomer: {PEOPLE[at]}\n\n"
            f"Item           Qty    Price\nBolts          {at + 2}      1.20\n"
            f"Steel plate    {at + 1}      45.00\n\n"
            f"Total: EUR {100 + at}.50\nTax (19%): EUR {at + 5}.10\n",
        )
        for at in range(6)
    ]


def profiles() -> list[SampleDocument]:
    years = (2021, 2022, 2023)
    return [
        sample(
            f"profile-{at}",
            f"Company profile: {name} Ltd\n\n"
            + "\n".join(
                f"In {year}, {name} Ltd had revenue of {at + 3 * number + 4} million euros and "
                f"employed {100 * at + number + 7} people."
                for number, year in enumerate(years)
            ),
        )
        for at, name in enumerate(CITIES)
    ]


def villas() -> list[SampleDocument]:
    """Prose of differing words, as people write it, with a number that means something else."""
    located = ("It is located in {}.", "The house is located in {}, near the sea.")
    opened = ("It was opened in {}.", "The doors opened in {} after a long wait.")
    rooms = ("It has {} rooms.", "Guests choose from {} rooms.", "There are {} rooms.")
    return [
        sample(
            f"villa-{at}",
            " ".join(
                (
                    located[at % 2].format(CITIES[at]),
                    opened[at % 2].format(1950 + 3 * at),
                    rooms[at % 3].format(10 + at),
                    ("Breakfast ends at 10.", "A fair was held nearby.")[at % 2],
                )
            ),
        )
        for at in range(8)
    ]
