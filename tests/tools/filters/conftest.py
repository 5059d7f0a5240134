import pytest

from tests.tools.filters.small_corpus import SmallCorpus

DOCUMENTS = {
    "contracts/lease-12": (
        "Either party may terminate this lease upon thirty (30) days notice.",
        "The tenant shall not compete with the landlord: a non-\ncompete clause applies.",
        "Licensing fees are due monthly. The license covers C++ and ASP.NET code.",
    ),
    "contracts/supply-7": (
        "The supplier terminates for convenience, without cause.",
        "Non-competition: the supplier sells no competing goods.",
        "",
    ),
    "memos/2019": (
        "An outage of the cooling system; the temperature rose.",
        "Cooling failure again. § 5 of the IT policy was ignored, it seems.",
        "Kubernetes was down; Kubernets restarted. Costs: $5 (net 30).",
    ),
}
FIELDS = {
    "contracts/lease-12": {"Status": "Final", "Signed": "2015-03-01", "Party": "Acme, Bolt"},
    "contracts/supply-7": {"Status": "Draft", "Signed": "2019-11-20", "Party": "Acme"},
}


@pytest.fixture(scope="session")
def corpus() -> SmallCorpus:
    return SmallCorpus(DOCUMENTS, FIELDS)
