"""What happened to the chunks of a run as JSON: all of them, or single ones."""

import json
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from pyroaring import BitMap

from agent.coverage import ChunkStory
from graphs.apps.reported import Reported
from tools.corpus.corpus import Corpus
from tools.runs.chunk_story import Account
from tools.runs.coverage_ledger import Part

__all__ = ("print_account", "print_stories_json")


def print_account(told: Reported) -> None:
    """Print what happened to all chunks, as one JSON object on one line.

    Errors are those of `Reported.readings`.
    """
    readings = [
        _account_json(each, reading.texts, told.corpus)
        for each, reading in zip(told.accounts(), told.readings(), strict=True)
    ]
    _print({"schema_version": 1, "run": told.run, "readings": readings}, indent=None)


def print_stories_json(told: Reported, stories: Sequence[ChunkStory]) -> None:
    """Print what happened to single chunks, as one JSON object."""
    chunks = [_story_json(story, told.corpus) for story in stories]
    _print({"schema_version": 1, "run": told.run, "chunks": chunks}, indent=2)


def _story_json(story: ChunkStory, corpus: Corpus) -> dict[str, Any]:
    """Put a story into JSON, the quotes with their words."""
    told = story.model_dump(mode="json")
    text = corpus.document_text(corpus.document_index(story.document))
    for condition in told["conditions"]:
        for span in condition["quotes"]:
            span["quote"] = text[span["start"] : span["end"]]
    return told


def _account_json(account: Account, texts: Mapping[str, str], corpus: Corpus) -> dict[str, Any]:
    used = {part.standing.step for part in account.parts}
    used.update(step for effects in account.effects.values() for step in effects)
    causes = [each for number, each in sorted(account.causes.items()) if number in used]
    return {
        "run": account.run,
        "chunks": account.chunks,
        "causes": [each.model_dump(mode="json") for each in causes],
        "effects": [
            {"condition": condition, "step": step, "into": dict(moved)}
            for condition, effects in account.effects.items()
            for step, moved in effects.items()
        ],
        "parts": [_part_json(part, texts, corpus) for part in account.parts],
    }


def _part_json(part: Part, texts: Mapping[str, str], corpus: Corpus) -> dict[str, Any]:
    told: dict[str, Any] = {
        "condition": part.condition,
        "text": texts.get(part.condition, ""),
        **part.standing.model_dump(mode="json"),
        "count": len(part.ids),
        "ranges": _ranges(part.ids),
    }
    if part.standing.state in {"failed", "unparsable"}:
        told["places"] = [_place(chunk, corpus) for chunk in part.ids]
    return told


def _place(chunk: int, corpus: Corpus) -> dict[str, Any]:
    return {
        "chunk": chunk,
        "document": corpus.documents[corpus.chunk_document[chunk]],
        "start": int(corpus.chunk_start[chunk]),
        "end": int(corpus.chunk_end[chunk]),
    }


def _ranges(ids: BitMap) -> list[list[int]]:
    """Return the chunks as first and last of each run of neighbours.

    >>> _ranges(BitMap([1, 2, 3, 7]))
    [[1, 3], [7, 7]]
    """
    members = np.array(ids.to_array(), dtype=np.int64)
    parts = np.split(members, np.flatnonzero(np.diff(members) > 1) + 1)
    return [[int(part[0]), int(part[-1])] for part in parts if len(part)]


def _print(told: dict[str, Any], *, indent: int | None) -> None:
    narrow = "utf" not in (sys.stdout.encoding or "utf-8").lower()
    sys.stdout.write(json.dumps(told, ensure_ascii=narrow, indent=indent) + "\n")
