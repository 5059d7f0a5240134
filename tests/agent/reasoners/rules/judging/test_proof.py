from hypothesis import given
from hypothesis import strategies as st

from agent.reasoners.rules.judging.proof import Proof, quote, sentence_spans
from tests.agent.reasoners.rules.small_corpus import passage


def test_sentences_are_cut_at_stops_where_none_are_given() -> None:
    text = "One two. Three 3.5 four; five\nsix"
    spans = sentence_spans(passage(text))
    assert [text[start:end].strip() for start, end in spans] == [
        "One two.",
        "Three 3.5 four;",
        "five",
        "six",
    ]


@given(
    st.lists(st.sampled_from(["a", "bb", "\n", "  ", "c."]), min_size=1, max_size=150), st.data()
)
def test_a_quote_is_verbatim_short_and_holds_the_anchor(
    words: list[str], data: st.DataObject
) -> None:
    text = " ".join(words)
    start = data.draw(st.integers(0, len(text) - 1))
    anchor = (start, min(len(text), start + 3))
    found = quote(text, Proof(0, len(text), anchor))
    assert found in text
    assert len(found.split()) <= 60
    assert text[anchor[0] : anchor[1]].strip().split(" ")[0].split("\n")[0] in found
