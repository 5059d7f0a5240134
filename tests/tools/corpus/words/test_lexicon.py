from pathlib import Path

import pytest

from agent.english import stems
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


def test_frequency_counts_chunks_whatever_the_case(lexicon: CorpusLexicon) -> None:
    assert lexicon.frequency("Rent") == 12
    assert lexicon.frequency("zebra") == 0


def test_inflections_share_a_stem_most_frequent_first(lexicon: CorpusLexicon) -> None:
    assert lexicon.inflections("insured")[0] in {"insurer", "insures"}
    assert lexicon.inflections("payments") == ("payment", "payments")
    assert lexicon.inflections("zebra") == ()


def test_the_forms_of_a_word_are_looked_for_once(
    lexicon: CorpusLexicon, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = lexicon.inflections("Rent"), lexicon.spellings("Rent")
    monkeypatch.setattr("tools.corpus.words.lexicon.stems", None)
    monkeypatch.setattr(lexicon, "_by_length", None)

    assert (lexicon.inflections("rent"), lexicon.spellings("rENT")) == first


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


def test_related_is_limited_and_without_the_words_themselves(lexicon: CorpusLexicon) -> None:
    assert len(lexicon.related(["cargo"], 1)) == 1
    assert "payments" not in dict(lexicon.related(["payment"], 20))


@pytest.mark.parametrize("words", [[], ["zebra"], ["paymnet"]], ids=["none", "unknown", "rare"])
def test_too_few_chunks_say_nothing_about_company(lexicon: CorpusLexicon, words: list[str]) -> None:
    assert lexicon.related(words, 5) == ()


def test_words_never_met_together_fall_back_to_either(lexicon: CorpusLexicon) -> None:
    assert lexicon.related(["cargo", "rent"], 3)


def test_only_plain_words_are_stemmed() -> None:
    assert stems(["licenses", "3a", "x" * 41]) == ["licens", "3a", "x" * 41]
