import pytest

from tests.built import built
from tools.corpus.corpus import Corpus

CLAUSES = (
    "The tenant shall keep an insurance policy for the benefit of the landlord.",
    "The carrier maintains cover against theft and names the shipper as loss payee.",
    "Payment falls due thirty days after the invoice.",
    "This letter is governed by the law of the northern province.",
    "Each party keeps the other's secrets for three years.",
    "The goods are delivered to the dock at the buyer's cost.",
)


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    """Forty documents of one chunk: 0 to 5 as above, then the last four clauses, renumbered."""
    clauses = [CLAUSES[each] if each < 6 else CLAUSES[2 + each % 4] for each in range(40)]
    texts = (f"Agreement number {at}. {clause}\n" for at, clause in enumerate(clauses))
    return built(
        {f"{at:02}.txt": text for at, text in enumerate(texts)}, tmp_path_factory.mktemp("few")
    )
