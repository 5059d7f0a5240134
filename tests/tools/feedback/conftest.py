from pathlib import Path

import pytest

from tools.corpus.build import build
from tools.corpus.corpus import Corpus, open_corpus

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
    folder = tmp_path_factory.mktemp("documents")
    for number in range(40):
        clause = CLAUSES[number] if number < 6 else CLAUSES[2 + number % 4]
        name: Path = folder / f"{number:02}.txt"
        name.write_text(f"Agreement number {number}. {clause}\n", encoding="utf-8")
    into = tmp_path_factory.mktemp("corpora") / "small.corpus"
    build([folder], into)
    return open_corpus(into)
