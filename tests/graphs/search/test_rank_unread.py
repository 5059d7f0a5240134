"""The next round is the best of everything unread, by what every condition was proven with."""

from collections.abc import Sequence

import pytest
from pyroaring import BitMap

from agent.coverage import ReadingRound
from agent.evidence import Finding
from agent.policy import Policy
from agent.question import AnyOf, Condition, Interpretation
from evals.ablation import Ablation
from graphs.scope import ledger
from graphs.search.rank_unread import NextRound, ended, next_round, requests
from graphs.search.search_progress import SearchProgress, news
from tests.graphs.searching import begun, context_of, corpus_of, finding, letters, own_words
from tools.corpus.corpus import Corpus

KETTLE = Condition(id="c1", text="speaks of a kettle")
MIRROR = Condition(id="c2", text="speaks of a mirror")
LOOP = Ablation(scan=False, few_candidates=0, batch_tokens=700)


def done(*rounds: tuple[int, int]) -> list[ReadingRound]:
    """Return rounds of so many chunks with so many hits."""
    return [
        ReadingRound(purpose="search", selection="", size=size, why="", hits=hits)
        for size, hits in rounds
    ]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    texts = letters(12)
    for name in texts:
        texts[name] = texts[name].replace("Item 17 of", "A parrot sings in its cage. Item 17 of")
    return corpus_of(texts, tmp_path_factory.mktemp("ranking"))


class Search:
    """A search under way."""

    def __init__(
        self, corpus: Corpus, policy: Policy = LOOP, *, conditions: Sequence[Condition] = (KETTLE,)
    ) -> None:
        self.corpus = corpus
        self.context = context_of(corpus, policy=policy)
        tree = AnyOf(parts=tuple(conditions)) if len(conditions) > 1 else conditions[0]
        reading = Interpretation(text="?", entity_type="letter", conditions=tree)
        whole = self.context.store.put_ids(BitMap(range(len(corpus))))
        self.state = begun(self.context, reading, snapshot=whole)
        self.rounds: list[ReadingRound] = []

    def read(self, chunks: BitMap, hits: BitMap, condition: Condition = KETTLE) -> None:
        """Judge chunks, as a round."""
        ledger(self.state, self.context).judge(condition.id, yes=hits, no=chunks - hits)
        self.context.store.add_findings(self.state.run, [self._found(h, condition) for h in hits])
        ids = self.context.store.put_ids(chunks)
        self.rounds.append(
            ReadingRound(purpose="search", selection=ids, size=len(chunks), why="", hits=len(hits))
        )

    def next(self) -> NextRound:
        """Choose the next round."""
        reading = SearchProgress.of(self.state, self.context)
        choose = self.context.components.next_round or next_round
        return choose(self.state, self.rounds, reading, self.context)

    def holding(self, word: str) -> BitMap:
        """Return the chunks with a word."""
        texts = enumerate(map(self.corpus.chunk_text, range(len(self.corpus))))
        return BitMap(number for number, text in texts if word in text)

    def _found(self, chunk: int, condition: Condition) -> Finding:
        parrot = "A parrot sings in its cage."
        told = parrot in self.corpus.chunk_text(chunk)
        quote = parrot if told else own_words(self.corpus, chunk)
        return finding(self.corpus, chunk, condition.id, quote)


def test_the_first_round_is_a_request_of_what_the_questions_words_find_one_passage_a_document(
    corpus: Corpus,
) -> None:
    search = Search(corpus)
    chosen = search.next()
    tokens = int(corpus.chunk_tokens[list(chosen.selection)].sum())
    assert 700 - int(corpus.chunk_tokens.max()) < tokens <= 700
    assert len(chosen.selection & search.holding("kettle")) > len(chosen.selection) / 2
    assert "by the question's words" in chosen.why
    owners = corpus.chunk_document[list(chosen.selection)]
    assert len(owners) == len(set(owners)) < len(corpus.documents)


def test_what_was_found_is_followed(corpus: Corpus) -> None:
    search = Search(corpus)
    parrots = search.holding("parrot")
    hits = BitMap(list(parrots)[:3])
    assert parrots - hits - search.next().selection
    search.read(hits, hits)
    assert parrots - hits <= search.next().selection
    assert "after 3 hits in 3" in search.next().why


def test_what_the_reader_would_search_by_takes_turns(corpus: Corpus) -> None:
    search = Search(corpus)
    parrots = search.holding("parrot")
    read = BitMap(list(search.holding("kettle") - parrots)[:9])
    search.read(read, read)
    before = search.next().selection & parrots
    search.rounds[-1] = search.rounds[-1].model_copy(update={"seek": ("A parrot in its cage",)})
    chosen = search.next().selection
    assert len(chosen & parrots) - len(before) >= len(chosen) // 3
    assert len(chosen & search.holding("kettle")) >= len(chosen) // 3


def test_conditions_take_turns(corpus: Corpus) -> None:
    search = Search(corpus, conditions=(KETTLE, MIRROR))
    chosen = search.next().selection
    assert chosen & (search.holding("kettle") - search.holding("mirror"))
    assert chosen & (search.holding("mirror") - search.holding("kettle"))


def test_few_candidates_come_first_and_whole(corpus: Corpus) -> None:
    search = Search(corpus, LOOP.model_copy(update={"few_candidates": len(corpus)}))
    assert search.next().selection == BitMap(range(len(corpus)))
    assert "few enough" in search.next().why


def test_without_feedback_every_candidate_is_read_once(corpus: Corpus) -> None:
    search = Search(corpus, LOOP.model_copy(update={"feedback": False}))
    everything = search.next().selection
    assert everything == BitMap(range(len(corpus)))
    search.read(everything, BitMap())
    assert not search.next().selection


@pytest.mark.parametrize(
    ("rounds", "unread", "little", "why"),
    [
        ([(5, 5)], 0, False, "every chunk was read"),
        (
            [(20, 3), (20, 0), (5, 0)],
            9,
            False,
            "the last 2 rounds read 25 chunks and found nothing",
        ),
        ([(30, 0)], 500, False, "the last 1 round read 30 chunks and found nothing"),
        ([(50, 0)] * 2, 500, True, "the last 2 rounds read 100 chunks and found nothing"),
        ([(33, 0)] * 3, 500, True, ""),
        ([], 500, True, ""),
        ([(8, 0)] * 3, 500, False, ""),
        ([*[(20, 0)] * 3, (20, 1)], 500, False, ""),
    ],
    ids=[
        "exhausted",
        "rounds together",
        "yield",
        "little in all",
        "little yet",
        "at first",
        "idle but few read",
        "a hit since",
    ],
)
def test_reading_ends_with_its_reason_or_goes_on(
    rounds: list[tuple[int, int]], unread: int, little: bool, why: str
) -> None:
    assert ended(done(*rounds), unread=unread, little=little) == why


def test_rich_rounds_grow_by_a_tenth_of_what_was_read() -> None:
    rounds = done((10, 9)) * 100
    sizes = [requests(rounds[:n], wave=8) for n in range(len(rounds))]
    assert sizes[:20] == [1, 2, 4, *[8] * 10, 8, 9, 10, 11, 12, 13, 15]
    assert all(size <= max(8, sum(sizes[:n]) // 10) for n, size in enumerate(sizes))


def test_more_of_the_same_from_a_document_is_no_news(corpus: Corpus) -> None:
    search = Search(corpus)
    first, second = corpus.chunks_of(0)[:2]
    chosen = BitMap([second, corpus.chunks_of(1)[0]])
    search.read(BitMap([first]), BitMap([first]))
    search.read(chosen, chosen)
    reading = SearchProgress.of(search.state, search.context)
    assert not news(BitMap([first]), reading, search.state, search.context)
    assert news(chosen, reading, search.state, search.context) == 1
