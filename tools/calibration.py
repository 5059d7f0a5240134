"""Coherence thresholds of a corpus: calibrated once, kept beside its runs."""

import json
import uuid
from dataclasses import asdict

import numpy as np

from tools.coherence import Thresholds, calibrate
from tools.corpus.corpus import Corpus
from tools.pseudo_questions import pseudo_questions

__all__ = ("thresholds_of",)


def thresholds_of(corpus: Corpus, retrieved: int) -> Thresholds:
    """Return the thresholds for retrievals of so many chunks; calibrated when first asked for.

    A file that does not hold them, because it was cut or is of another state of the corpus, is
    written anew.
    """
    path = corpus.runs / "coherence.json"
    key = f"{corpus.digest}/{retrieved}"
    if path.exists():
        try:
            kept = json.loads(path.read_text(encoding="utf-8"))
            if kept["key"] == key:
                return Thresholds(**kept["thresholds"])
        except (ValueError, KeyError, TypeError):
            path.unlink(missing_ok=True)
    found = _calibrated(corpus, retrieved)
    corpus.runs.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(f".{uuid.uuid4().hex}.part")
    part.write_text(json.dumps({"key": key, "thresholds": asdict(found)}), encoding="utf-8")
    part.replace(path)
    return found


def _calibrated(corpus: Corpus, retrieved: int) -> Thresholds:
    questions = pseudo_questions(corpus)
    rows = dict(zip(questions, corpus.embedder.embed(list(questions)), strict=True))

    def retrieve(question: str) -> np.ndarray:
        nearest = np.argsort(-corpus.vectors.similarity(rows[question]), kind="stable")
        return corpus.vectors.rows(nearest[:retrieved])

    return calibrate(questions, retrieve)
