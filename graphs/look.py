"""A look at a sample of documents: how much of them stands in a structure that rules read."""

import statistics
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from pydantic import ValidationError

import prompts
from agent.reasoners.rules import RulesReasoner
from agent.records.replies import ExtractReply, InduceReply
from agent.records.sample import SampleDocument
from agent.records.schema import Kind
from agent.value import Value
from graphs.asking_records import fields_of
from tools.corpus.corpus import Corpus
from tools.records.sampling import sample_document
from tools.records.uniting import schema_from

__all__ = ("Look", "look_at", "remember")

_DOCUMENTS = 12
_TOKENS = 1500
"""Shown of each document: a look must stay cheap where documents are long."""
_STRUCTURED = 0.1
"""The share of a sampled document's words above which most questions may be about its structure."""
_TABULAR = 0.5
"""The share above which little is left beside it: rows, sheets, forms."""


class Look(Value):
    """What is known of a corpus's structure and records; kept beside the records."""

    corpus: str
    """The digest of the corpus that was looked at."""
    share: float
    """Of the words of the middle one of the sampled documents, those that records would hold."""
    unasked: bool = False
    """Whether the records were drawn up without anybody asking for them."""
    filled: str = ""
    """The digest of the corpus when they were filled last; only of those that nobody asked for."""

    @property
    def structured(self) -> bool:
        """Whether records may be worth their while."""
        return self.share >= _STRUCTURED

    @property
    def tabular(self) -> bool:
        """Whether what code reads is most of what there is, whoever is asked about it."""
        return self.share >= _TABULAR


def look_at(corpus: Corpus) -> Look:
    """Return what is known of a corpus as it is; look at it where nothing is."""
    known = _known(corpus)
    if known is not None and known.corpus == corpus.digest:
        return known
    fresh = Look(corpus=corpus.digest, share=_share(corpus))
    if known is not None:
        fresh = fresh.model_copy(update={"unasked": known.unasked, "filled": known.filled})
    remember(fresh, corpus)
    return fresh


def remember(look: Look, corpus: Corpus) -> None:
    """Keep a look; one that cannot be written is taken again the next time."""
    path = _place(corpus)
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(look.model_dump_json(), encoding="utf-8")


def _known(corpus: Corpus) -> Look | None:
    try:
        return Look.model_validate_json(_place(corpus).read_text(encoding="utf-8"))
    except (OSError, ValidationError):
        return None


def _place(corpus: Corpus) -> Path:
    return corpus.path / "records" / "look.json"


def _share(corpus: Corpus) -> float:
    """Let the embedded rules read a sample: documents from all over the corpus, long ones cut."""
    count = len(corpus.documents)
    places = sorted({each * count // _DOCUMENTS for each in range(_DOCUMENTS)} if count else ())
    sample = [
        sample_document(
            corpus.documents[each], corpus.document_text(each), fields_of(corpus, each), _TOKENS
        )
        for each in places
    ]
    rules = RulesReasoner()
    kinds = schema_from(rules.ask(prompts.induce(documents=sample), InduceReply)).kinds
    if not kinds:
        return 0.0
    return statistics.median(_read(each, kinds, rules) for each in sample)


def _read(document: SampleDocument, kinds: Sequence[Kind], rules: RulesReasoner) -> float:
    """Return the share of a document's shown characters that cells would quote."""
    shown = sum(len(each.text) for each in document.extracts)
    quoted = 0
    for each in document.extracts:
        prompt = prompts.extract(
            kinds=kinds,
            document=document.name,
            text=each.text,
            start=each.start,
            fields=document.fields,
            whole=document.whole,
        )
        records = rules.ask(prompt, ExtractReply).records
        quoted += sum(len(cell.quote) for record in records for cell in record.cells)
    return min(1.0, quoted / shown) if shown else 0.0
