"""The section on the chunks: nothing of others becomes markup, and no corpus makes it a giant."""

from collections import Counter
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import numpy as np
import pytest
from pyroaring import BitMap

from agent.coverage import Cause, CoverageState, Standing
from graphs.apps.happened import happened
from tools.runs.chunk_story import Account
from tools.runs.coverage_ledger import Part

if TYPE_CHECKING:
    from tools.corpus.corpus import Corpus

BAD = "<script>alert(1)</script>"


def corpus(chunks: int, name: str = "a document") -> "Corpus":
    zeros = np.zeros(chunks, dtype=np.int32)
    places = SimpleNamespace(
        documents=(name,), chunk_document=zeros, chunk_start=zeros, chunk_end=zeros + 9
    )
    return cast("Corpus", places)


def account(chunks: int, *parts: Part, steps: int = 1) -> Account:
    numbers = range(1, steps + 1)
    moved: Counter[CoverageState] = Counter({"pruned": chunks})
    return Account(
        run="r",
        chunks=chunks,
        parts=parts,
        effects={"c1": dict.fromkeys(numbers, moved)},
        causes={n: Cause(step=n, tool="keywords", arguments={"words": [BAD]}) for n in numbers},
    )


def failed(reason: str, first: int, stop: int) -> Part:
    return Part("c1", Standing(state="failed", reason=reason), BitMap(range(first, stop)))


def test_states_steps_and_reasons_have_their_counts() -> None:
    ruled_out = Part("c1", Standing(state="pruned", step=1), BitMap(range(7)))
    judged = Part("c1", Standing(state="no", by="reader"), BitMap([7]))
    told = account(10, judged, ruled_out, failed("time-out", 8, 10))
    text = happened(told, {"c1": "allows pets"}, corpus(10))
    assert "c1: allows pets" in text
    assert text.index("ruled out") < text.index("failed request") < text.index("judged, no match")
    assert "<td>failed request</td><td class=n>2</td><td>time-out" in text
    assert "chunk 9: a document, characters 0 to 9" in text
    assert "step 1, keywords(words=[" in text


def test_names_reasons_and_arguments_are_escaped() -> None:
    part = Part(BAD, Standing(state="unparsable", reason=BAD), BitMap([0]))
    pruned = Part(BAD, Standing(state="pruned", step=1), BitMap([1]))
    text = happened(account(2, part, pruned), {BAD: BAD}, corpus(2, BAD))
    assert "<script" not in text
    assert text.count("alert(1)") == 5


@pytest.mark.parametrize("reasons", [1, 500, 15_000])
def test_a_section_stays_small_and_says_what_it_leaves_out(reasons: int) -> None:
    chunks = 15_000
    size = chunks // reasons
    parts = [failed(f"reason {n}", n * size, (n + 1) * size) for n in range(reasons)]
    text = happened(account(chunks, *parts, steps=200), {}, corpus(chunks))
    assert len(text) < 60_000
    assert "… and 160 more steps" in text
    assert ("more, all in" if reasons < chunks else "14960 more rows") in text


def test_a_decision_by_fields_needs_no_step() -> None:
    part = Part("c1", Standing(state="pruned", step=0), BitMap([0]))
    assert "a field of the document decides" in happened(account(1, part), {}, corpus(1))
