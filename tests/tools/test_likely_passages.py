"""Which passages may be about a phrase: ranked where words tell, declined where they do not."""

from functools import partial

import pytest
from pyroaring import BitMap

from agent.errors import QuestionError
from tests.built import built_once
from tests.graphs.searching import corpus_of
from tools.corpus.corpus import Corpus
from tools.likely_passages import likely_passages

SAID = {
    "barge": "The hull leaked in spring. It was painted again.",
    "crane": "The crane lifts ten tons. Oil is changed in autumn.",
    "lift": "An inspector found oil below the cabin. The door sticks.",
    "pump": "Water drips from the seal of the pump.",
}
OTHERS = {f"other-{n}": f"Machine {n} runs well and is kept in the shed.\n" for n in range(9)}
corpus = built_once(partial(corpus_of, SAID | OTHERS))


def likely(corpus: Corpus, phrase: str, documents: range | list[int]) -> list[str]:
    every = BitMap(range(len(corpus)))
    found = likely_passages(corpus, [phrase], documents, every)
    assert all(corpus.document_text(each.document)[each.start : each.end] == each.quote
               for each in found)  # fmt: skip
    return [corpus.documents[each.document] for each in found]


def test_the_passage_with_the_words_comes_first(corpus: Corpus) -> None:
    assert likely(corpus, "the hull leaks", range(13))[0] == "barge"


def test_what_no_passage_has_together_is_declined_by_its_words(corpus: Corpus) -> None:
    with pytest.raises(QuestionError, match="“insured”, “flooding”") as declined:
        likely(corpus, "insured against flooding", range(13))
    assert "--model NAME" in str(declined.value)


def test_so_few_that_may_count_are_all_shown_and_none_where_nothing_may(corpus: Corpus) -> None:
    few = [corpus.document_index(each) for each in SAID]
    assert sorted(likely(corpus, "insured against flooding", few)) == sorted(SAID)
    assert likely(corpus, "the hull leaks", []) == []
