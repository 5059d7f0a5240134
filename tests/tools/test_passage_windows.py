"""Passages show every word of their chunks once, at true offsets, with what surrounds them."""

import re
from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.cut_corpus import CutCorpus
from tools.passage_windows import passages

CLAUSES = [f"Clause {n} binds party {n % 3} for {n} long years of this deal." for n in range(60)]
FIRST = "\n".join(CLAUSES)
SECOND = "  A list of things: one, two; three and the rest of them.\n\n A new part begins here.  "


def cut(texts: list[str], overlap: int = 10, size: int = 40) -> Any:
    """Cut every `size` words, `overlap` words early."""

    def spans(text: str) -> list[tuple[int, int]]:
        starts = [match.start() for match in re.finditer(r"\S+\s*|^\s+", text)] + [len(text)]
        last = len(starts) - 1
        firsts = range(0, last, size)
        return [(starts[max(0, at - overlap)], starts[min(at + size, last)]) for at in firsts]

    return CutCorpus({f"d{at}": text for at, text in enumerate(texts)}, map(spans, texts))


CORPUS = cut([FIRST, SECOND])
ALL = range(len(CORPUS))


def test_overlap_is_shown_once() -> None:
    together = passages(CORPUS, ALL)
    for left, right in pairwise(together):
        if left.document == right.document:
            gap = FIRST[left.start + len(left.text) : right.start]
            assert gap.isspace()
    assert sum(len(each.text) for each in together) < sum(len(CORPUS.chunk_text(n)) for n in ALL)


def test_a_lone_chunk_keeps_its_overlap_and_gets_its_neighbours_words() -> None:
    (passage,) = passages(CORPUS, [2])
    assert passage.text == CORPUS.chunk_text(2).strip()
    text = " ".join(FIRST.split())
    assert passage.before
    assert f"{passage.before} {' '.join(passage.text.split())}" in text


def test_what_follows_is_shown_only_where_a_sentence_runs_on() -> None:
    whole, halved = (cut([FIRST], overlap=0, size=size) for size in (12, 8))
    assert passages(whole, [4])[0].after == ""
    assert passages(halved, [4])[0].after.startswith(halved.chunk_text(5).split()[0])


def test_order_title_and_headings_are_kept() -> None:
    shown = passages(CORPUS, [3, 0])
    assert [passage.chunk for passage in shown] == [3, 0]
    assert (shown[1].title, shown[1].headings) == ("D0", ("part 0",))


@given(
    st.lists(st.sampled_from(["ab", "Cd. ", "\n\n", " ", "e, ", "12. ", "# H\n"]), min_size=1),
    st.integers(0, 4),
    st.data(),
)
def test_no_ink_of_the_shown_chunks_is_lost_and_offsets_are_true(
    pieces: list[str], overlap: int, data: st.DataObject
) -> None:
    text = "".join(pieces)
    corpus = cut([text], overlap=overlap, size=5)
    shown = data.draw(st.sets(st.sampled_from(range(len(corpus)))))
    covered: set[int] = set()
    for passage in passages(corpus, sorted(shown)):
        span = range(passage.start, passage.start + len(passage.text))
        assert text[span.start : span.stop] == passage.text == passage.text.strip()
        covered.update(span)
    for chunk in shown:
        for place in range(int(corpus.chunk_start[chunk]), int(corpus.chunk_end[chunk])):
            assert place in covered or text[place].isspace()
