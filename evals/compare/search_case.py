"""A question of the search comparison: what is sought, by condition, and what proves it."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from agent.question import Condition, atoms
from evals.annotated.proof import assign, labels_of, quoted
from evals.questions import Record, load
from evals.scopes import Corpora, folder_of, scope_of
from evals.spans import GoldChunk, gold_chunks, gold_spans

if TYPE_CHECKING:
    from tools.corpus.corpus import Corpus
    from tools.feedback.ranker import Sentences

__all__ = ("Case", "Sought", "cases")


@dataclass(frozen=True, slots=True)
class Sought:
    """One condition to be searched for."""

    text: str
    """Its words and its criteria, as the question was read."""
    quotes: Mapping[int, str]
    """For each chunk that overlaps evidence for it, the quote a gold judge gives."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One question over its corpus."""

    record: Record
    corpus: "Corpus"
    sentences: "Sentences"
    gold: tuple[GoldChunk, ...]
    """The chunks that overlap evidence, at least one in the corpus."""
    sought: tuple[Sought, ...]

    @property
    def present(self) -> frozenset[int]:
        """The gold chunks that the corpus has."""
        return frozenset(each.chunk for each in self.gold if each.chunk >= 0)


def cases(
    questions: Path, documents: Path, place: Path, say: Callable[[str], None], limit: int | None
) -> Iterator[Case]:
    """Yield the questions over this folder whose evidence is given, each over its scope.

    Args:
        questions: the file of questions; those over a folder beside `documents` are left out.
        documents: the folder they are asked over.
        place: where indexes are kept.
        say: told what is indexed.
        limit: how many questions at most.

    Raises:
        HeadcountError: the questions or documents cannot be read.
    """
    from tools.feedback.ranker import Sentences

    corpora = Corpora(place, say)
    rows: dict[Path, Sentences] = {}
    number = 0
    for record in load(questions):
        if not record.gold_evidence or folder_of(record, documents) != documents:
            continue
        corpus = corpora.over(scope_of(record, documents))
        gold = gold_chunks(record, corpus)
        if all(each.chunk < 0 for each in gold):
            continue
        if number == limit:
            return
        number += 1
        yield Case(
            record=record,
            corpus=corpus,
            sentences=rows.setdefault(corpus.path, Sentences(corpus)),
            gold=gold,
            sought=tuple(_sought(record, corpus)),
        )


def _sought(record: Record, corpus: "Corpus") -> Iterator[Sought]:
    """Yield the conditions that text decides; the whole question where there are none."""
    conditions = _conditions(record, corpus)
    meant = assign(conditions, record.conditions)
    for condition in conditions:
        words = (condition.text, *condition.counts, *condition.terms)
        yield Sought(" ".join(words), _quotes(record, corpus, meant[condition.id]))
    if not conditions:
        every = frozenset(range(len(record.conditions)))
        yield Sought(record.question, _quotes(record, corpus, every))


def _conditions(record: Record, corpus: "Corpus") -> list[Condition]:
    """Return the annotated conditions that no field decides."""
    from agent.interpretation import interpretation_from
    from evals.annotated.interpreting import interpreted

    fields = [field.name for field in corpus.fields]
    meant = interpretation_from(interpreted(record, corpus), fields)
    return [atom for atom in atoms(meant.conditions) if atom.predicate is None]


def _quotes(record: Record, corpus: "Corpus", labels: frozenset[int]) -> Mapping[int, str]:
    """Return for each chunk the first evidence for those labels, as far as it lies in the chunk."""
    quotes: dict[int, str] = {}
    for span in gold_spans(record, corpus)[0]:
        if record.conditions and not labels & labels_of(span.evidence, record.conditions):
            continue
        text = corpus.document_text(span.document)
        for chunk in corpus.chunks_at(span.document, span.start, span.end):
            start = max(span.start, int(corpus.chunk_start[chunk]))
            end = min(span.end, int(corpus.chunk_end[chunk]))
            quotes.setdefault(chunk, quoted(text, start, end))
    return quotes
