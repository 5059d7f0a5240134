"""A verdict is what a reply says of a passage and the text bears out; nothing else is one."""

from collections.abc import Callable

import pytest

from agent.errors import (
    LimitReached,
    MalformedReply,
    ProviderForbade,
    ProviderRejected,
    ProviderUnavailable,
    RefusedReply,
    TruncatedReply,
)
from agent.question import Condition, Grain, Interpretation
from agent.reasoner import Prompt
from graphs.search.judging_batches import Bench, Verdicts
from tests.graphs.conftest import QUOTE, judged
from tests.graphs.replies import proof
from tests.graphs.searching import holding
from tests.scripted import Scripted, ScriptedReasoner
from tools.corpus.corpus import Corpus

KEEPS_PETS = Condition(id="c1", text="allows the tenant to keep a pet")
Judge = Callable[[Prompt], Scripted]


def bench(corpus: Corpus, judge: Judge, grain: Grain = "document") -> Bench:
    reading = Interpretation(text="?", entity_type="lease", grain=grain, conditions=KEEPS_PETS)
    reasoner = ScriptedReasoner({"judge": judge})
    return Bench(corpus=corpus, reasoner=reasoner, reading=reading, conditions=(KEEPS_PETS,))


def about(evidence: list[dict[str, object]], none: list[int]) -> Judge:
    """Report the first passage with this evidence and these passages without any."""
    said = [{"passage": 1, "reason": "r", "evidence": evidence}] if evidence else []
    return lambda prompt: {"passages": said, "none": none}


def bearing(corpus: Corpus) -> int:
    """Return the first chunk that holds the proof."""
    return min(holding(corpus, QUOTE))


def prompts_of(judging: Bench) -> list[Prompt]:
    assert isinstance(judging.reasoner, ScriptedReasoner)
    return judging.reasoner.prompts


def in_turn(*replies: Scripted | None) -> Judge:
    """Give these replies one after another; a careful reader gives those of None, and the rest."""
    left = list(replies)
    return lambda prompt: (left.pop(0) if left else None) or judged(prompt)


def everything(verdicts: Verdicts) -> list[int]:
    return [*verdicts.read, *verdicts.unparsable, *verdicts.failed, *verdicts.unseen]


def test_a_passage_in_the_list_of_those_without_evidence_is_a_no(corpus: Corpus) -> None:
    verdicts = bench(corpus, about([], [1, 2])).judge([[0, 1]])
    assert list(verdicts.read) == [0, 1]
    assert not verdicts.findings


@pytest.mark.parametrize(
    ("evidence", "none"),
    [([], []), ([], [2]), ([proof(QUOTE)], [1])],
    ids=["in neither list", "another number", "in both lists"],
)
def test_a_passage_without_one_verdict_is_tried_again_then_listed(
    evidence: list[dict[str, object]], none: list[int], corpus: Corpus
) -> None:
    judging = bench(corpus, about(evidence, none))
    verdicts = judging.judge([[bearing(corpus)]])
    assert list(verdicts.unparsable) == [bearing(corpus)]
    assert not verdicts.read
    first, second = prompts_of(judging)
    assert first.text != second.text


@pytest.mark.parametrize(
    ("error", "listed"),
    [
        (MalformedReply("no JSON"), "unparsable"),
        (RefusedReply("no"), "unparsable"),
        (TruncatedReply("cut"), "unparsable"),
        (ProviderUnavailable("down"), "failed"),
        ({"passages": [], "none": []}, "unparsable"),
        (LimitReached("calls"), "unseen"),
    ],
    ids=["malformed", "refused", "truncated", "unavailable", "left out", "limit"],
)
def test_what_never_brings_a_verdict_is_listed_and_what_did_not_once_may_the_second_time(
    error: Scripted, listed: str, corpus: Corpus
) -> None:
    verdicts = bench(corpus, lambda _: error).judge([[0, 1, 2]])
    assert list(getattr(verdicts, listed)) == everything(verdicts) == [0, 1, 2]
    chunk = bearing(corpus)
    verdicts = bench(corpus, in_turn(error)).judge([[chunk]])
    assert list(verdicts.chunks_with("c1")) == [chunk][: listed != "unseen"]
    assert everything(verdicts) == [chunk]


@pytest.mark.parametrize(
    ("evidence", "told"),
    [
        ([proof("Horses may be kept.")], "or not in this order: 'Horses may be kept.'"),
        ([proof(QUOTE, condition="c7")], "there is no condition 'c7', only c1"),
    ],
    ids=["quote", "condition"],
)
def test_the_second_request_says_what_was_wrong_with_the_first_reply(
    evidence: list[dict[str, object]], told: str, corpus: Corpus
) -> None:
    said = {"passages": [{"passage": 1, "reason": "r", "evidence": evidence}], "none": []}
    judging = bench(corpus, in_turn(said))
    judging.judge([[bearing(corpus)]])
    first, second = prompts_of(judging)
    assert "An earlier reply" not in first.text
    assert second.text.splitlines()[-1].endswith(told)


def test_an_entity_without_a_name_is_told(corpus: Corpus) -> None:
    judging = bench(corpus, about([proof(QUOTE)], []), grain="entity")
    verdicts = judging.judge([[bearing(corpus)]])
    assert list(verdicts.unclear["c1"]) == [bearing(corpus)]
    assert "evidence for c1 names no entity" in prompts_of(judging)[1].text


def test_a_quote_may_run_over_a_border(corpus: Corpus) -> None:
    chunk = bearing(corpus)
    text = corpus.document_text(int(corpus.chunk_document[chunk]))
    border = int(corpus.chunk_end[chunk - 1])
    quote = text[border - 30 : border + 30]
    (finding,) = bench(corpus, about([proof(quote)], [])).judge([[chunk - 1]]).findings
    assert (finding.chunk, finding.quote) == (chunk - 1, quote.strip())


def test_an_invented_quote_leaves_only_its_own_condition_open(corpus: Corpus) -> None:
    cheap = Condition(id="c2", text="asks for no money for a pet")
    invented = proof("A pet costs the tenant nothing at all.", condition="c2")
    judging = bench(corpus, about([proof(QUOTE), invented], []))
    judging.conditions = (KEEPS_PETS, cheap)
    chunk = bearing(corpus)
    verdicts = judging.judge([[chunk]])
    assert list(verdicts.chunks_with("c1")) == list(verdicts.unclear["c2"]) == [chunk]


@pytest.mark.parametrize("before", [0, 1, 2])
def test_a_key_that_is_refused_stops_the_wave_wherever_it_is(before: int, corpus: Corpus) -> None:
    judge = in_turn(*[None] * before, ProviderRejected("no such key"))
    with pytest.raises(ProviderRejected, match="no such key"):
        bench(corpus, judge).judge([[0], [1], [2]])


def test_two_halves_that_are_forbidden_tell_only_of_themselves(corpus: Corpus) -> None:
    forbidden = ProviderForbade("moderated")
    judge = in_turn(None, forbidden, forbidden, forbidden)
    verdicts = bench(corpus, judge).judge([[0], [1, 2]])
    assert (list(verdicts.read), list(verdicts.failed)) == ([0], [1, 2])


def test_a_server_that_forbids_everything_stops_the_wave(corpus: Corpus) -> None:
    judge = in_turn(*[ProviderForbade("not for you")] * 2)
    with pytest.raises(ProviderForbade):
        bench(corpus, judge).judge([[0], [1]])
