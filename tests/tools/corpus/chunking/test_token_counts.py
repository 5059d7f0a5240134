import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.corpus.chunking.token_counts import count_each, count_tokens, token_starts


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        pytest.param("", 0, id="empty"),
        pytest.param("responsibilities", 2, id="long-word-in-pieces"),
        pytest.param("1234567", 3, id="digits-in-threes"),
        pytest.param("日本語", 3, id="cjk-a-character-a-token"),
    ],
)
def test_counts(text: str, tokens: int) -> None:
    assert count_tokens(text) == tokens


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
