"""Coherence thresholds: the published ones, or a corpus's own, calibrated once and kept."""

import json
import uuid
from collections.abc import Mapping
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from agent.adf import Calibration, Retrieval
from tools.coherence import AMBIGNQ, ASQA, Thresholds, calibrate
from tools.corpus.corpus import Corpus
from tools.fusion import ETA
from tools.pseudo_questions import pseudo_questions
from tools.retrieval import by_words, fused, nearest

__all__ = ("thresholds", "thresholds_of")

PUBLISHED: Final[Mapping[Calibration, Thresholds]] = {"ambignq": AMBIGNQ, "asqa": ASQA}


def thresholds(
    choice: Calibration, corpus: Corpus, retrieved: int, mode: Retrieval = "hybrid"
) -> Thresholds:
    """Return the published thresholds of that name, or the corpus's own."""
    if choice in PUBLISHED:
        return PUBLISHED[choice]
    return thresholds_of(corpus, retrieved, mode)


def thresholds_of(corpus: Corpus, retrieved: int, mode: Retrieval = "dense") -> Thresholds:
    """Return the thresholds for retrievals of so many chunks; calibrated when first asked for.

    A file that does not hold them, because it was cut or is of another state of the corpus, is
    written anew.
    """
    path = corpus.runs / "coherence.json"
    kept = _kept(path, corpus.digest)
    key = f"{retrieved}/{mode}"
    if key not in kept:
        kept[key] = asdict(_calibrated(corpus, retrieved, mode))
        corpus.runs.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(f".{uuid.uuid4().hex}.part")
        whole = {"digest": corpus.digest, "thresholds": kept}
        part.write_text(json.dumps(whole), encoding="utf-8")
        part.replace(path)
    return Thresholds(**kept[key])


def _kept(path: Path, digest: str) -> dict[str, dict[str, Any]]:
    """Return what was calibrated for this state of the corpus, checked; nothing of a bad file."""
    if not path.exists():
        return {}
    try:
        whole = json.loads(path.read_text(encoding="utf-8"))
        kept = {key: asdict(Thresholds(**each)) for key, each in whole["thresholds"].items()}
        return kept if whole["digest"] == digest else {}
    except (ValueError, KeyError, TypeError, AttributeError):
        path.unlink(missing_ok=True)
        return {}


def _calibrated(corpus: Corpus, retrieved: int, mode: Retrieval) -> Thresholds:
    questions = pseudo_questions(corpus)
    rows = dict(zip(questions, corpus.embedder.embed(list(questions)), strict=True))

    def retrieve(question: str) -> NDArray[np.float32]:
        chunks = fused(
            partial(by_words, corpus.lexical, question),
            partial(nearest, corpus, rows[question]),
            retrieved,
            mode=mode,
            eta=ETA,
        )
        return corpus.vectors.rows(np.array(chunks, dtype=np.int64))

    return calibrate(questions, retrieve)
