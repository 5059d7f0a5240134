from pathlib import Path

import pytest

from tools.corpus.words.lexical_build import build_lexical
from tools.corpus.words.lexicon import CorpusLexicon

TEXTS = [
    *["The insurer insures the cargo against fire and theft"] * 6,
    *["Insurance covers the cargo: fire, theft"] * 2,
    *["Rent is due on the first of 2014"] * 6,
    *["Payment of the rent; payments in 2015"] * 6,
    "A paymnet was made",
    *["Nothing of note here"] * 20,
]


@pytest.fixture
def lexicon(tmp_path: Path) -> CorpusLexicon:
    return CorpusLexicon(build_lexical(TEXTS, tmp_path / "lexical"))


def test_inflections_share_a_stem_most_frequent_first(lexicon: CorpusLexicon) -> None:
    assert lexicon.inflections("insured")[0] in {"insurer", "insures"}
    assert lexicon.inflections("payments") == ("payment", "payments")
    assert lexicon.inflections("zebra") == ()


@pytest.mark.parametrize(
    ("word", "found"),
    [
        ("paymnet", ("paymnet", "payment")),
        ("payment", ("payment", "payments", "paymnet")),
        ("rant", ("rent",)),
        ("2016", ()),
        ("du", ()),
        ("xylophone", ()),
    ],
    ids=[
        "typo itself first",
        "frequent first",
        "four letters",
        "digits",
        "too short",
        "far from all",
    ],
)
def test_spellings_lie_within_a_small_distance_nearest_first(
    lexicon: CorpusLexicon, word: str, found: tuple[str, ...]
) -> None:
    assert lexicon.spellings(word) == found


def test_words_of_eight_letters_may_differ_by_two_edits(tmp_path: Path) -> None:
    index = build_lexical(["agreement termination"], tmp_path / "lexical")

    assert CorpusLexicon(index).spellings("termnaton") == ("termination",)
    assert CorpusLexicon(index).spellings("agrmnt") == ()


def test_related_words_keep_company(lexicon: CorpusLexicon) -> None:
    found = dict(lexicon.related(["cargo"], 5))

    assert {"fire", "theft"} <= found.keys()
    assert "rent" not in found
    assert all(0 < weight <= 1 for weight in found.values())


@pytest.mark.parametrize("words", [[], ["zebra"], ["paymnet"]], ids=["none", "unknown", "rare"])
def test_too_few_chunks_say_nothing_about_company(lexicon: CorpusLexicon, words: list[str]) -> None:
    assert lexicon.related(words, 5) == ()
