"""FinanceBench and MuSiQue as they are published, as questions of an evaluation."""

import hashlib
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import JsonValue

from agent.errors import QuestionError
from evals.question_sets.source_documents import OutputFolder


def build_published(path: Path, into: Path) -> tuple[int, int]:
    """Read a published file, a question a line; return how many documents and questions there are.

    FinanceBench (`financebench_id`, `evidence`) asks over filings, which are not in the file: its
    documents bear the filings' names. MuSiQue (`paragraphs`) brings its documents, each different
    paragraph one; unanswerable questions are left out. The right answers are in free words.

    Raises:
        QuestionError: the file cannot be read, or is neither.
        SettingsError: the folder is not empty.
    """
    texts: dict[str, str] = {}
    try:
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]
        asked = [
            _financebench(row) if "financebench_id" in row else _musique(row, texts)
            for row in rows
            if row.get("answerable", True)
        ]
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise QuestionError(
            f"{str(path)!r} is neither FinanceBench's nor MuSiQue's JSON lines: {error!r}"
        ) from error
    folder = OutputFolder(into)
    folder.write_documents("docs", texts)
    folder.write_questions("questions.jsonl", asked)
    return len(texts), len(asked)


def _financebench(row: Mapping[str, Any]) -> dict[str, JsonValue]:
    evidence = [
        {"document": each.get("doc_name") or row["doc_name"], "text": each["evidence_text"]}
        for each in row["evidence"]
    ]
    return {
        "id": row["financebench_id"],
        "question": row["question"],
        "decided_by": f"FinanceBench, {row['question_type']}",
        "final_answer": row["answer"],
        "gold_documents": sorted({row["doc_name"], *(each["document"] for each in evidence)}),
        "gold_evidence": evidence,
    }


def _musique(row: Mapping[str, Any], texts: dict[str, str]) -> dict[str, JsonValue]:
    """Return a question, and add its paragraphs to the documents by name."""
    gold = []
    for each in row["paragraphs"]:
        text = f"{each['title']}\n\n{each['paragraph_text']}\n"
        slug = re.sub(r"\W+", "-", each["title"].casefold()).strip("-")[:60]
        name = f"{slug}-{hashlib.sha256(text.encode()).hexdigest()[:8]}"
        texts[name] = text
        gold += [name] if each["is_supporting"] else []
    return {
        "id": row["id"],
        "question": row["question"],
        "decided_by": "MuSiQue",
        "difficulty": f"{len(row['question_decomposition'])} hops",
        "final_answer": " or ".join([row["answer"], *row["answer_aliases"]]),
        "gold_documents": gold,
        "gold_evidence": [{"document": name, "text": texts[name]} for name in gold],
    }
