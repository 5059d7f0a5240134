from hypothesis import given
from hypothesis import strategies as st

from tools.corpus.chunking.token_counts import count_tokens, token_starts


def test_long_words_are_pieces_digits_go_in_threes_and_cjk_by_the_character() -> None:
    counts = map(count_tokens, ("", "responsibilities", "1234567", "日本語"))
    assert list(counts) == [0, 2, 3, 3]


@given(st.text())
def test_every_character_but_single_spaces_is_in_a_token(text: str) -> None:
    starts = list(token_starts(text, 0, len(text)))
    assert len(starts) == count_tokens(text)
    assert starts == sorted(set(starts))
    assert bool(starts) or not text.strip()
