"""`headcount report --chunk | --document`: what happened to chunks, and why."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from rich.console import Console

from agent.coverage import Cause, ChunkStory, ConditionStory, Standing
from agent.errors import SettingsError
from agent.value import counted
from graphs.apps.plain import styled
from graphs.apps.reported import Reported
from graphs.apps.standings import change_text, standing_text
from graphs.apps.why_json import print_stories_json
from tools.corpus.corpus import Corpus
from tools.runs.chunk_story import stories

__all__ = ("chunks_named", "print_stories")

_DIGITS = 18
"""More than any place in a document needs."""


def chunks_named(corpus: Corpus, chunk: str | None, document: str | None) -> list[int]:
    """Return the chunks that the flags name.

    Args:
        corpus: the corpus that has them.
        chunk: a chunk's number, or DOCUMENT:OFFSET, a place in characters.
        document: a document's name, for all of its chunks.

    Raises:
        SettingsError: there is no such chunk.
        CorpusError: there is no such document.
    """
    if document is not None:
        return list(corpus.chunks_of(corpus.document_index(document)))
    if chunk is None:
        raise SettingsError("name a chunk or a document")
    number = chunk.rpartition(":")[2]
    if number.isdigit() and len(number) > _DIGITS:
        raise SettingsError("no chunk and no place has so long a number")
    if chunk.isascii() and chunk.isdigit():
        if int(chunk) >= len(corpus):
            raise SettingsError(f"the corpus has the chunks 0 to {len(corpus) - 1}, not {chunk}")
        return [int(chunk)]
    name, _, offset = chunk.rpartition(":")
    if not name or not (offset.isascii() and offset.isdigit()):
        raise SettingsError(f"{chunk!r} is neither a chunk's number nor DOCUMENT:OFFSET")
    found = corpus.chunks_at(corpus.document_index(name), int(offset), int(offset))
    if not found:
        length = len(corpus.document_text(corpus.document_index(name)))
        raise SettingsError(f"no chunk of {name!r} holds character {offset}; it has {length}")
    return list(found)


def print_stories(
    told: Reported, chunk: str | None, document: str | None, *, as_json: bool
) -> None:
    """Print what happened to the named chunks, under each reading; arguments as flags."""
    readings = told.readings()
    chunks = chunks_named(told.corpus, chunk, document)
    found = [
        stories(told.store, each.scope, told.corpus, chunks, each.history) for each in readings
    ]
    if as_json:
        print_stories_json(told, [story for part in found for story in part])
        return
    for reading, part in zip(readings, found, strict=True):
        head = [f"reading {reading.scope}"] if len(readings) > 1 else []
        if document is None:
            lines = [line for story in part for line in _story(story, reading.texts, told.corpus)]
        else:
            lines = _document(part, reading.texts, told.corpus)
        for line in (*head, *lines):
            Console(highlight=False).print(styled(line), soft_wrap=True)


def _story(story: ChunkStory, texts: Mapping[str, str], corpus: Corpus) -> list[str]:
    causes = {cause.step: cause for cause in story.causes}
    lines = [
        f"chunk {story.chunk} · {story.document}, characters {story.start} to {story.end}",
        *(
            f"  in request {place.batch + 1} of plan {place.plan + 1}, "
            f"{counted(place.size, 'chunk')}"
            for place in story.batches
        ),
    ]
    for each in story.conditions:
        lines.append(f"  {_named(each.condition, texts)}")
        lines.append(f"    {_stands(each, causes)}")
        lines += _quotes(each, story.document, corpus)
        moves = [change_text(change, causes) for change in each.changes]
        if len(moves) > 1:
            lines.append(f"    before: not read → {' → '.join(moves[:-1])}")
    return lines


def _document(told: Sequence[ChunkStory], texts: Mapping[str, str], corpus: Corpus) -> list[str]:
    """Say by condition what happened, chunks that stand alike in a row together."""
    if not told:
        return ["the document has no chunks: it holds no text"]
    lines = [f"{told[0].document}: chunks {told[0].chunk} to {told[-1].chunk}"]
    for place, first in enumerate(told[0].conditions):
        lines.append(f"  {_named(first.condition, texts)}")
        rows = [(story, story.conditions[place]) for story in told]
        for _, alike in groupby(rows, key=lambda row: (_last(row[1]), row[1].quotes)):
            lines += _row(list(alike), corpus)
    return lines


def _row(alike: Sequence[tuple[ChunkStory, ConditionStory]], corpus: Corpus) -> list[str]:
    (first, condition), (last, _) = alike[0], alike[-1]
    causes = {cause.step: cause for cause in first.causes}
    chunks = f"chunk {first.chunk}" if first is last else f"chunks {first.chunk} to {last.chunk}"
    where = f"{chunks}, characters {first.start} to {last.end}"
    return [
        f"    {where}: {_stands(condition, causes)}",
        *_quotes(condition, first.document, corpus),
    ]


def _stands(condition: ConditionStory, causes: Mapping[int, Cause]) -> str:
    """Say where the chunk stands and, where that is recorded, in which step it came there."""
    if condition.changes:
        return change_text(condition.changes[-1], causes)
    return standing_text(condition.now, causes)


def _last(condition: ConditionStory) -> tuple[Standing, int | None]:
    return condition.now, condition.changes[-1].step if condition.changes else None


def _quotes(condition: ConditionStory, document: str, corpus: Corpus) -> Iterable[str]:
    text = corpus.document_text(corpus.document_index(document)) if condition.quotes else ""
    for span in condition.quotes:
        words = " ".join(text[span.start : span.end].split())
        yield f"      “{words}” ({span.by}, characters {span.start} to {span.end})"


def _named(condition: str, texts: Mapping[str, str]) -> str:
    text = texts.get(condition, "")
    return f"{condition}: {text}" if text else condition or "the question"
