from pathlib import Path

import pytest

from tools.corpus.words.lexical import build_lexical
from tools.corpus.words.lexicon import Vocabulary

TEXTS = [
    *["The insurer insures the cargo against fire and theft"] * 6,
    *["Insurance covers the cargo: fire, theft"] * 2,
    *["Rent is due on the first of 2014"] * 6,
    *["Payment of the rent; payments in 2015"] * 6,
    "A paymnet was made",
    *["Nothing of note here"] * 20,
    "An agreement on termination",
]


@pytest.fixture
def lexicon(tmp_path: Path) -> Vocabulary:
    return build_lexical(TEXTS, tmp_path / "lexical")


def test_inflections_share_a_stem_most_frequent_first(lexicon: Vocabulary) -> None:
    assert lexicon.inflections("insured")[0] in {"insurer", "insures"}
    assert lexicon.inflections("payments") == ("payment", "payments")
    assert lexicon.inflections("zebra") == ()


SPELLINGS = {
    "typo itself first": ("paymnet", ("paymnet", "payment")),
    "frequent first": ("payment", ("payment", "payments", "paymnet")),
    "four letters": ("rant", ("rent",)),
    "digits": ("2016", ()),
    "too short": ("du", ()),
    "far from all": ("xylophone", ()),
    "two edits in eight letters": ("termnaton", ("termination",)),
    "two edits in fewer": ("agrmnt", ()),
}


@pytest.mark.parametrize(("word", "found"), SPELLINGS.values(), ids=SPELLINGS)
def test_spellings_lie_within_a_small_distance_nearest_first(
    lexicon: Vocabulary, word: str, found: tuple[str, ...]
) -> None:
    assert lexicon.spellings(word) == found
