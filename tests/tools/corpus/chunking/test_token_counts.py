from hypothesis import given, settings
from hypothesis import strategies as st

from tools.corpus.chunking.token_counts import count_each, count_tokens, token_starts


def test_long_words_are_pieces_digits_go_in_threes_and_cjk_by_the_character() -> None:
    counts = map(count_tokens, ("", "responsibilities", "1234567", "日本語"))
    assert list(counts) == [0, 2, 3, 3]


@given(st.text())
def test_every_character_but_single_spaces_is_in_a_token(text: str) -> None:
    starts = list(token_starts(text, 0, len(text)))
    assert len(starts) == count_tokens(text)
    assert starts == sorted(set(starts))
    assert bool(starts) or not text.strip()


ODD = "aB9_-=*. \n\t\x1c\x1f\x85\u00a0\u2028éΩ‰中🙂\u0300\u200b"
SIGNS = st.characters(codec="utf-8") | st.sampled_from(ODD)


@given(st.lists(st.text(SIGNS, max_size=30), min_size=16, max_size=20))
@settings(deadline=None, max_examples=60)
def test_many_texts_are_counted_as_one_by_one(texts: list[str]) -> None:
    assert count_each(texts) == [count_tokens(text) for text in texts]
