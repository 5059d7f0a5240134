"""What a find-all question sends: calls and tokens, against a call for every document."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from agent.policy import Policy
from agent.reasoners import ResponseCache, chat_reasoner
from evals.annotated.gold import GoldReasoner
from evals.benchmarks.chat_server import KeyedReasoner, serving, tokens_in
from evals.benchmarks.real_text import drawn_words
from evals.benchmarks.rows import Figure, Row, Unequal
from evals.names import DocumentNames
from evals.questions import GoldCondition, GoldEvidence, Record, load
from evals.scores import Score, score
from evals.spans import gold_chunks
from evals.systems import ask
from tools.corpus.build import build
from tools.corpus.corpus import Corpus, open_corpus

__all__ = ("Labelled", "contracts", "drawn_questions", "finding")

_MODEL = "instant"
_WORDS = 3
_SHARE = 0.01
_PEER = "a call a document, sent whole"


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelled:
    """A corpus with find-all questions whose evidence is known."""

    name: str
    corpus: Corpus
    records: Sequence[Record]


def contracts(data: Path, place: Path) -> Labelled | None:
    """Return the contracts of the development data, indexed below `place`; None without them.

    Raises:
        HeadcountError: the data is there and cannot be read.
    """
    documents, questions = data / "cuad" / "dev" / "docs", data / "questions" / "cuad_dev.jsonl"
    if not documents.is_dir() or not questions.is_file():
        return None
    build([documents], place)
    listed = [record for record in load(questions) if record.aggregation == "list"]
    return Labelled(name="cuad_dev", corpus=open_corpus(place), records=listed)


def drawn_questions(corpus: Corpus) -> Labelled:
    """Return questions for the documents with a word, for words of one in a hundred chunks."""
    words = drawn_words(corpus.lexical, _WORDS, share=_SHARE)
    return Labelled(name="drawn text", corpus=corpus, records=[_asked(corpus, w) for w in words])


def _asked(corpus: Corpus, word: str) -> Record:
    texts = ((name, corpus.document_text(at)) for at, name in enumerate(corpus.documents))
    places = [
        GoldEvidence(document=name, start=at, end=at + len(word), text=text[at : at + len(word)])
        for name, text in texts
        for at in _places(text.lower(), word)
    ]
    found = tuple(dict.fromkeys(place.document for place in places))
    return Record(
        id=word,
        question=f"Which documents mention {word!r}?",
        aggregation="list",
        conditions=(GoldCondition(text=f"mention {word}"),),
        answer=found,
        gold_documents=found,
        gold_evidence=tuple(places),
    )


def _places(text: str, word: str) -> list[int]:
    at, found = text.find(word), []
    while at >= 0:
        found.append(at)
        at = text.find(word, at + 1)
    return found


def finding(labelled: Labelled, place: Path) -> list[Row]:
    """Ask every question once; a server answers as the labels say, everything else as the rules.

    `place` is an empty folder for the response cache. Tokens are four characters each, of
    prompts, tools and schemas alike, and of the corpus.

    Raises:
        Unequal: a question has no answer.
    """
    with serving() as url, ResponseCache(place / "responses.sqlite") as cache:
        scores = [_score(labelled.corpus, record, url, cache) for record in labelled.records]
    documents = len(labelled.corpus.documents)
    whole = tokens_in([labelled.corpus.document_text(each) for each in range(documents)])
    calls = median(each.calls for each in scores) / documents
    sent = median(each.input_tokens for each in scores) / whole
    found = sum(each.recall or 0.0 for each in scores) / len(scores)
    right = sum(each.precision or 0.0 for each in scores) / len(scores)
    note = f"median of {len(scores)} questions, {documents} documents, {whole:,} tokens; "
    what = f"a find-all question, {labelled.name}"
    return [
        Row(
            what=f"calls for {what}",
            unit="calls/document",
            ours=Figure("headcount, judged by labels", calls),
            peer=Figure(_PEER, 1.0),
            note=note + "planning, filtering and audit included",
        ),
        Row(
            what=f"tokens for {what}",
            unit="of the corpus",
            ours=Figure("headcount, judged by labels", sent),
            peer=Figure(_PEER, 1.0),
            note=f"mean recall of the documents {found:.3f}, precision {right:.3f}; the peer's "
            "prompts are not counted, its texts are",
        ),
    ]


def _score(corpus: Corpus, record: Record, url: str, cache: ResponseCache) -> Score:
    chat = chat_reasoner(_MODEL, base_url=url, max_retries=0, cache=cache)
    limits = {"context_tokens": chat.context_tokens, "reply_tokens": chat.reply_tokens}
    oracle = GoldReasoner(record, corpus, **limits)
    outcome = ask(record.question, corpus, KeyedReasoner(chat, oracle), Policy())
    if outcome.answered is None or chat.warnings:
        raise Unequal(f"question {record.id!r} ended {outcome.status!r}; {chat.warnings}")
    return score(record, outcome, DocumentNames(corpus.documents), gold_chunks(record, corpus))
