"""Faults of a question by itself, and against the documents that its evidence quotes."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from evals.questions import GoldEvidence, Record

__all__ = ("duplicates", "faults_of", "is_satisfied")

Check = Callable[[Record, Mapping[str, str]], Iterator[str]]
_SHOWN: Final = 60


def faults_of(record: Record, texts: Mapping[str, str]) -> Iterator[str]:
    """Yield what is wrong with a question.

    Args:
        record: the question with its answer.
        texts: the documents it is asked over, by name.
    """
    for check in _CHECKS:
        yield from check(record, texts)


def is_satisfied(record: Record, groups: object) -> bool:
    """Tell whether there is an answer: a number above nothing, a value, or numbers by group."""
    return bool(record.gold) or record.answer_value is not None or bool(groups)


def duplicates(records: Sequence[Record]) -> Iterator[tuple[str, str]]:
    """Yield the id of each question that asks over the same documents in the same words."""
    first: dict[tuple[object, ...], str] = {}
    for each in records:
        words = " ".join(each.question.casefold().split())
        key = (words, each.corpus, each.db_id, each.documents, each.corpus_filter)
        before = first.setdefault(key, each.id)
        if before != each.id:
            yield each.id, f"asks what {before} asks"


def _offsets(record: Record, texts: Mapping[str, str]) -> Iterator[str]:
    for each in record.gold_evidence:
        text = texts.get(each.document)
        if text is not None and each.start is not None and each.end is not None:
            yield from _place(each, text, each.start, each.end)


def _place(each: GoldEvidence, text: str, start: int, end: int) -> Iterator[str]:
    where = f"evidence at {each.document!r} {start} to {end}"
    if not 0 <= start < end <= len(text):
        yield f"{where} lies outside the document's {len(text)} characters"
    elif text[start:end] != each.text:
        yield f"{where} is {text[start:end][:_SHOWN]!r}, not {each.text[:_SHOWN]!r}"


def _documents(record: Record, texts: Mapping[str, str]) -> Iterator[str]:
    named = {*record.gold_documents, *(each.document for each in record.gold_evidence)}
    yield from (f"document {name!r} is not there" for name in sorted(named - set(texts)))
    both = set(record.gold_documents) & set(record.borderline_documents)
    yield from (f"document {name!r} is both gold and borderline" for name in sorted(both))


def _counts(record: Record, _texts: Mapping[str, str]) -> Iterator[str]:
    answer = record.answer or ()
    repeated = sorted(name for name, times in Counter(answer).items() if times > 1)
    yield from (f"the answer names {name!r} twice" for name in repeated)
    if record.answer is not None and record.answer_count not in (None, len(answer)):
        yield f"answer_count is {record.answer_count}, the answer has {len(answer)} names"


def _grounded(record: Record, _texts: Mapping[str, str]) -> Iterator[str]:
    """Yield documents of the answer without evidence, and evidence for what is not asked."""
    proving = {each.document for each in record.gold_evidence}
    answer = record.gold_documents if record.target == "documents" else ()
    without = sorted(set(answer) - proving)
    yield from (f"gold document {name!r} has no evidence" for name in without)
    if not record.gold_evidence:
        yield "it has no evidence"
    labels = {each.label for each in record.conditions if each.label}
    named = {each.condition for each in record.gold_evidence if each.condition}
    if labels:
        unknown = sorted(named - labels)
        yield from (f"evidence for {name!r}, which is no condition" for name in unknown)


def _joined(record: Record, _texts: Mapping[str, str]) -> Iterator[str]:
    """Yield gold documents of an AND that lack evidence for a condition, where they are labelled.

    Only where documents are the answer: another entity may have its evidence in several.
    """
    labels = {each.label for each in record.conditions if each.label and not each.negated}
    if record.logic != "AND" or record.target != "documents":
        return
    proven: dict[str, set[str | None]] = {}
    for each in record.gold_evidence:
        proven.setdefault(each.document, set()).add(each.condition)
    for name in sorted(set(record.gold_documents) & set(proven)):
        lacking = sorted(each for each in labels if each and each not in proven[name])
        yield from (f"gold document {name!r} has no evidence for {each!r}" for each in lacking)


_CHECKS: Final[tuple[Check, ...]] = (
    _documents,
    _offsets,
    _counts,
    _grounded,
    _joined,
)
