"""What a find-all question sends: calls and tokens, against a call for every document."""

import math
from pathlib import Path
from statistics import median

from agent.policy import Policy
from evals.annotated.gold import GoldReasoner
from evals.benchmarks.figures import Aim, Figure, Row, Unequal
from evals.names import DocumentNames
from evals.questions import Record, load
from evals.scores import Score, score
from evals.spans import gold_chunks
from evals.systems import ask
from tools.corpus.build import build
from tools.corpus.corpus import Corpus, open_corpus

_CHARACTERS_PER_TOKEN = 4


def finding(data: Path, place: Path) -> list[Row]:
    """Ask the development data's contracts every find-all question once, judged by its labels.

    Tokens are four characters each, of prompts and of the corpus alike. `place` is where the
    contracts' corpus is made; without the data there are no rows.

    Raises:
        Unequal: a question has no answer.
    """
    documents, questions = data / "cuad" / "dev" / "docs", data / "questions" / "cuad_dev.jsonl"
    if not documents.is_dir() or not questions.is_file():
        return []
    build([documents], place)
    corpus, peer = open_corpus(place), Figure("a call a document, sent whole", 1.0)
    records = [record for record in load(questions) if record.aggregation == "list"]
    scores = [_score(corpus, record) for record in records]
    count = len(corpus.documents)
    characters = sum(len(corpus.document_text(each)) for each in range(count))
    whole = math.ceil(characters / _CHARACTERS_PER_TOKEN)
    found = sum(each.recall or 0.0 for each in scores) / len(scores)
    right = sum(each.precision or 0.0 for each in scores) / len(scores)
    note = f"median of {len(scores)} questions, {count} documents, {whole:,} tokens; "
    what = "a find-all question, cuad_dev"
    ours = "headcount, judged by labels"
    calls = median(each.calls for each in scores) / count
    tokens = median(each.input_tokens for each in scores) / whole
    return [
        Row(
            what=f"calls for {what}",
            unit="calls/document",
            ours=Figure(ours, calls),
            peer=peer,
            aim=Aim("at most", 0.15),
            note=note + "planning, filtering and audit included",
        ),
        Row(
            what=f"tokens for {what}",
            unit="of the corpus",
            ours=Figure(ours, tokens),
            peer=peer,
            aim=Aim("at most", 0.35),
            note=f"mean recall of the documents {found:.3f}, precision {right:.3f}; the peer's "
            "prompts are not counted, its texts are",
        ),
    ]


def _score(corpus: Corpus, record: Record) -> Score:
    outcome = ask(record.question, corpus, GoldReasoner(record, corpus), Policy())
    if outcome.answered is None:
        raise Unequal(f"question {record.id!r} ended {outcome.status!r}")
    return score(record, outcome, DocumentNames(corpus.documents), gold_chunks(record, corpus))
