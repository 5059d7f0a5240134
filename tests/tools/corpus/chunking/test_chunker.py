from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tools.corpus.chunking.chunker import Chunk, cut_text, sentences
from tools.corpus.chunking.token_counts import count_tokens

PARTS = (
    *("The pump failed.", " ", "\n", "\n\n", "# Head", "12.3 Term. ", "=====", "```", "a, b, c, d"),
    *("word", "(a) first; ", "J. Smith", "日本語。", "x" * 90, "\t", "| a | b |", "key: value"),
)
TEXTS = st.one_of(st.text(max_size=400), st.lists(st.sampled_from(PARTS), max_size=80).map("".join))


def _chunks(text: str, size: int = 400, overlap: int = 40) -> list[Chunk]:
    return cut_text(text, size=size, overlap=overlap).chunks


@settings(max_examples=300)
@given(TEXTS, st.integers(1, 60), st.integers(0, 59))
@example("0. A0. . ", 5, 0)
def test_chunks_cover_the_text_in_order(text: str, size: int, overlap: int) -> None:
    chunks = _chunks(text, size=size, overlap=min(overlap, size - 1))
    reached = 0
    for before, chunk in zip([None, *chunks], chunks, strict=False):
        assert chunk.start <= reached < chunk.end
        assert before is None or before.start < chunk.start
        reached = chunk.end
    assert reached == len(text)


@given(TEXTS, st.integers(20, 60))
def test_a_chunk_is_at_most_its_size_and_a_heading(text: str, size: int) -> None:
    for chunk in _chunks(text, size=size, overlap=0):
        assert chunk.tokens <= 2 * size


SENTENCES = {
    "full-stops": ("It ended. It began.", ["It ended.", "It began."]),
    "abbreviations-and-initials": (
        "Acme, Inc. paid Mr. J. W. Doe in the U.S. for No. 7, e.g. Rope. The end.",
        ["Acme, Inc. paid Mr. J. W. Doe in the U.S. for No. 7, e.g. Rope.", "The end."],
    ),
    "an-abbreviation-may-end-one": (
        "He works for Acme Inc. The firm is old.",
        ["He works for Acme Inc.", "The firm is old."],
    ),
    "no-is-a-word": ("He said no. Then he left.", ["He said no.", "Then he left."]),
    "clause-in-running-text": (
        "It is due hereunder. 12.3 Termination. Either party may end it.",
        ["It is due hereunder.", "12.3 Termination.", "Either party may end it."],
    ),
    "lettered-clauses": (
        "It must: (a) be new; (b) work; and (c) last.",
        ["It must:", "(a) be new;", "(b) work; and", "(c) last."],
    ),
    "a-reference-is-no-clause": (
        "As clause (a) of Section 5.2 says, it ends.",
        ["As clause (a) of Section 5.2 says, it ends."],
    ),
    "wide-gaps-before-numbers": (
        "the end   ARTICLE IV   TERMS   4.1 Term. It lasts.",
        ["the end", "ARTICLE IV TERMS", "4.1 Term.", "It lasts."],
    ),
    "hard-wrapped-prose": (
        "A sentence that is\nwrapped over lines. Another\none.",
        ["A sentence that is wrapped over lines.", "Another one."],
    ),
    "records": (
        "Row record 1: id is 1\nRow record 2: id is 2",
        ["Row record 1: id is 1", "Row record 2: id is 2"],
    ),
    "comma-rows": ("a,b,c,d\ne,f,g,h", ["a,b,c,d", "e,f,g,h"]),
    "list-items": ("- one\n- two\n  more", ["- one", "- two more"]),
    "underlined-title": ("Head\n====\n\nText.", ["Head ====", "Text."]),
    "full-width-stops": ("今天好。我们走！", ["今天好。", "我们走！"]),
    "closing-quotes": ('"Stop." He left.', ['"Stop."', "He left."]),
}


@pytest.mark.parametrize(("text", "parts"), SENTENCES.values(), ids=SENTENCES)
def test_sentences(text: str, parts: list[str]) -> None:
    assert [" ".join(text[start:end].split()) for start, end in sentences(text)] == parts


def _prose(words: int) -> str:
    return " ".join(f"This is sentence number {number}." for number in range(words // 5))


def test_the_overlap_is_whole_sentences_from_the_end_of_the_chunk_before() -> None:
    text = _prose(2000)
    chunks = _chunks(text, size=100, overlap=20)
    for before, chunk in pairwise(chunks):
        repeated = text[chunk.start : before.end]
        assert 0 < count_tokens(repeated) <= 20
        assert repeated.startswith("This is sentence")


def test_a_heading_stays_with_its_text_and_names_its_chunks() -> None:
    text = "".join(f"# Part {n}\n\n## Scope {n}\n\n{_prose(100)}\n\n" for n in range(5))
    chunks = _chunks(text, size=60, overlap=0)
    assert all(
        not text[chunk.start : chunk.end].strip().split("\n")[-1].startswith("#")
        for chunk in chunks
    )
    assert {chunk.headings for chunk in chunks} == {(f"Part {n}", f"Scope {n}") for n in range(5)}


def test_a_hash_in_a_code_block_is_no_heading() -> None:
    text = "# Install\n\n```\n# a comment\n\n# another\n```\n\nDone."
    assert [chunk.headings for chunk in _chunks(text)] == [("Install",)]


def test_records_are_cut_at_line_ends_without_overlap() -> None:
    text = "\n".join(
        f"Row record {n}: id is {n}, name is N{n} and size is {n}." for n in range(200)
    )
    chunks = _chunks(text, size=100)
    assert all(text[chunk.start :].startswith("Row record") for chunk in chunks)
    assert all(a.end == b.start for a, b in pairwise(chunks))
