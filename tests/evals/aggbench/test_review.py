from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agent.errors import SettingsError
from evals.aggbench.agreement import Verdict, agreement
from evals.aggbench.annotation import Annotation, annotate_by_rule, truths_of
from evals.aggbench.condition import Mined, Noun, by_rule
from evals.aggbench.review import Row, read_rows, review_rows, write_rows
from evals.aggbench.revision import agreements, revise
from evals.aggbench.rule import MentionRule
from evals.aggbench.source import Source

SOURCES = [
    Source("a", "Kestrel was used.\n\nTwice, in fact."),
    Source("b", "See kestrel.example for more."),
    Source("c", "The bird of prey that hovers was used."),
    Source("d", "Nothing was used."),
]
CONDITION = by_rule(MentionRule(term="kestrel"), Noun())
FOUND = annotate_by_rule(CONDITION, SOURCES)


def rows(**person: tuple[Verdict, str]) -> list[Row]:
    """The file as drawn up, filled in for some documents with a verdict and words."""
    drawn = review_rows([CONDITION], FOUND, SOURCES, np.random.default_rng(1))
    return [
        row.model_copy(update={"person": person[row.document][0], "quote": person[row.document][1]})
        if row.document in person
        else row
        for row in drawn
    ]


def satisfied(annotations: tuple[Annotation, ...]) -> tuple[set[str], set[str]]:
    truths = truths_of([CONDITION], annotations)[CONDITION.id]
    return set(truths.satisfied), set(truths.doubted)


def test_proofs_doubts_and_as_many_silent_documents_are_for_people() -> None:
    told = [(row.document, row.machine, row.quote) for row in rows()]
    assert told == [
        ("a", "yes", "Kestrel"), ("b", "unsure", ""), ("c", "no", ""), ("d", "no", ""),
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["review.csv", "review.jsonl"])
def test_a_file_is_read_as_it_was_written(tmp_path: Path, name: str) -> None:
    odd = Row(condition="x", phrase="say “a, b”", document="a", chunk=2, entity="a",
              quote="two\nlines; \"quoted\"", machine="yes", person="no")  # fmt: skip
    written = [*rows(), odd]
    write_rows(written, tmp_path / name)
    assert read_rows(tmp_path / name) == written


@pytest.mark.parametrize(
    ("person", "yes", "doubted", "corrected"),
    [
        ({}, {"a"}, {"b"}, False),
        ({"a": ("yes", "")}, {"a"}, {"b"}, False),
        ({"a": ("no", "")}, set(), {"b"}, True),
        ({"b": ("no", "")}, {"a"}, set(), True),
        ({"b": ("yes", "kestrel.example")}, {"a", "b"}, set(), True),
        ({"c": ("yes", "bird of prey")}, {"a", "c"}, {"b"}, True),
        ({"c": ("unsure", "")}, {"a"}, {"b", "c"}, True),
        ({"d": ("no", "")}, {"a"}, {"b"}, False),
    ],
)
def test_a_persons_verdict_counts(
    person: dict[str, Any], yes: set[str], doubted: set[str], corrected: bool
) -> None:
    revised = revise(FOUND, [rows(**person)], SOURCES)
    assert satisfied(revised.annotations) == (yes, doubted)
    assert bool(revised.corrected) is corrected
    again = revise(revised.annotations, [rows(**person)], SOURCES)
    assert satisfied(again.annotations) == (yes, doubted)


def test_what_a_person_found_is_grounded_in_the_document() -> None:
    revised = revise(FOUND, [rows(c=("yes", "Bird  of\nprey"))], SOURCES)
    (found,) = (each for each in revised.annotations if each.document == "c")
    assert SOURCES[2].text[found.start : found.end] == found.quote == "bird of prey"
    assert found.by == "person"


def test_a_yes_without_the_documents_words_is_refused() -> None:
    with pytest.raises(SettingsError, match="put the document's own words"):
        revise(FOUND, [rows(c=("yes", "a falcon, surely"))], SOURCES)


@pytest.mark.parametrize(
    ("verdicts", "yes", "doubted"),
    [
        (("no", "no", "yes"), set(), {"b"}),
        (("no", "yes"), set(), {"a", "b"}),
        (("yes", "yes", "no"), {"a"}, {"b"}),
    ],
)
def test_of_several_people_the_majority_counts_and_a_tie_is_a_doubt(
    verdicts: tuple[Verdict, ...], yes: set[str], doubted: set[str]
) -> None:
    reviews = [rows(a=(verdict, "")) for verdict in verdicts]
    assert satisfied(revise(FOUND, reviews, SOURCES).annotations) == (yes, doubted)


def test_agreement_is_told_of_what_was_filled_in() -> None:
    first = rows(a=("yes", ""), b=("no", ""), d=("no", ""))
    told: Any = agreements([first, rows(a=("yes", ""), b=("unsure", ""))])
    whole = told["machine_and_person"]
    assert (whole["rows"], whole["items"], whole["revised"]) == (8, 5, 1)
    assert whole["raw"] == 0.8
    assert told["by_condition"][CONDITION.id]["items"] == 5
    assert told["between_people"] == [
        {"first": 0, "second": 1, "items": 2, "raw": 0.5, "kappa": pytest.approx(1 / 3)}
    ]


@pytest.mark.parametrize(
    ("pairs", "raw", "kappa"),
    [
        ([], None, None),
        ([("yes", "yes")] * 3, 1.0, None),
        ([("yes", "yes"), ("no", "no")], 1.0, 1.0),
        ([("yes", "no"), ("no", "yes")], 0.0, -1.0),
    ],
)
def test_kappa_is_none_where_chance_agrees_on_everything(
    pairs: list[tuple[Verdict, Verdict]], raw: float | None, kappa: float | None
) -> None:
    found = agreement(pairs)
    assert (found.raw, found.kappa) == (raw, kappa)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("condition,phrase\nx,y\n", "row 1: document"),
        ("{header}\nx,y,a,0,a,,,yes,perhaps,,\n", "row 1: person"),
        ("{header}\nx,y,a,0,a,,,yes,,,\nx,y,a,0,a,,,yes,no,,\n", "row 2: the same judgement"),
    ],
)
def test_what_is_no_row_is_named(tmp_path: Path, text: str, told: str) -> None:
    file = tmp_path / "review.csv"
    file.write_text(text.format(header=",".join(Row.model_fields)), encoding="utf-8")
    with pytest.raises(SettingsError, match=told):
        read_rows(file)


def test_a_name_of_an_entity_is_changed_everywhere() -> None:
    claim = Mined(id="k", entity_type="bird", plural="birds", kind="claim", phrase="hover",
                  decided_by="a model")  # fmt: skip
    found = [
        Annotation(condition="k", document=name, entity="bird of prey", start=0, end=3,
                   quote=quote, by="m")
        for name, quote in (("c", "The"), ("d", "Not"))
    ]  # fmt: skip
    drawn = list(review_rows([claim], found, SOURCES, np.random.default_rng(0)))
    named = [drawn[0].model_copy(update={"name": "kestrel"}), *drawn[1:]]
    assert {each.entity for each in revise(found, [named], SOURCES).annotations} == {"kestrel"}
