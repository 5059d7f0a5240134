import io
from typing import Any

import pytest
from rich.console import Console

from agent.answer import Answer, AnswerReading, Completeness
from agent.coverage import Coverage
from agent.question import AllOf, Condition, Node, Not, Predicate
from graphs.answering.headline import headline
from graphs.apps.answer_view import coverage_line, show
from tests.graphs.apps.answers import answer, entity

LONG = "The tenant may keep one dog or one cat in the flat if the landlord has been told. " * 4


def _shown(told: Answer, *, width: int = 80, terminal: bool = True, rows: int | None = None) -> str:
    file = io.StringIO()
    console = Console(
        file=file, width=width, force_terminal=terminal, color_system=None, highlight=False
    )
    show(told, console, rows=rows)
    return file.getvalue()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "1 (between 1 and 3)"),
        ({"likely": (1, 2)}, "1 (between 1 and 3, likely 1 to 2)"),
        ({"bounds": (1, 1), "likely": (1, 1)}, "1"),
        ({"value": None, "bounds": None}, "no value"),
        ({"value": 1234567.5, "unit": "GBP", "bounds": None}, "1234567.5 GBP"),
        ({"value": {"York": 2, "Hull": 1.25}, "bounds": None}, "York: 2, Hull: 1.25"),
        ({"status": "partial"}, "1 (between 1 and 3, partial)"),
        ({"status": "partial", "bounds": None}, "1, partial"),
    ],
    ids=["bounds", "likely", "exact", "nothing", "unit", "groups", "partial", "without bounds"],
)
def test_the_headline_says_the_number(given: dict[str, object], said: str):
    assert headline(answer(**given)) == said


def test_the_headline_of_a_ranking_names_the_first_with_their_numbers():
    reading = AnswerReading(
        text="Rank by bill.", entity_type="patient", operation="top_k", conditions=None
    )
    bills = zip("abcd", (90.5, 80, 70, 60), strict=True)
    ranked = [
        entity(name, LONG).model_copy(update={"value": bill, "unit": "EUR"}) for name, bill in bills
    ]
    told = answer(interpretation=reading, value=4, bounds=None, entities=ranked[:1])
    assert headline(told) == "a: 90.5 EUR"
    told = told.model_copy(update={"entities": tuple(ranked), "status": "partial"})
    assert headline(told) == "a: 90.5 EUR, b: 80 EUR, c: 70 EUR, and 1 more, partial"


@pytest.mark.parametrize("width", [80, 120])
def test_no_line_is_wider_than_the_terminal(width: int):
    told = answer(entities=tuple(entity(f"folder/lease-{n}", LONG) for n in range(12)))
    lines = _shown(told, width=width).splitlines()
    assert max(map(len, lines)) <= width
    assert any(line.startswith("12 │") for line in lines)


def test_a_pipe_gets_one_line_an_item_and_no_escapes():
    told = answer(entities=(entity("a", LONG, value=2.0), entity("b", "x\ny\t[bold]z[/bold]")))
    lines = _shown(told, terminal=False).splitlines()
    assert [line.split("\t")[:2] for line in lines if "\t" in line] == [["a", "2"], ["b", ""]]
    assert "b\t\tx y [bold]z[/bold]" in lines
    assert "\x1b" not in "".join(lines)


TEXT = Condition(id="c1", text="allows a pet")
FIELD = Condition(
    id="c2", text="City is given", predicate=Predicate(field="City", comparison="exists")
)


@pytest.mark.parametrize("terminal", [False, True], ids=["pipe", "terminal"])
@pytest.mark.parametrize(
    ("conditions", "proof"),
    [
        (Not(part=TEXT), "no passage says so"),
        (AllOf(parts=(FIELD, Not(part=TEXT))), "no passage says so"),
        (Not(part=FIELD), "no field says so"),
        (Not(part=Not(part=TEXT)), ""),
        (None, ""),
    ],
    ids=["denied", "denied beside a field", "denied field", "denied twice", "no condition"],
)
def test_an_item_without_a_quote_says_why(conditions: Node | None, proof: str, terminal: bool):
    reading = AnswerReading(
        text="Count.", entity_type="lease", operation="count", conditions=conditions
    )
    bare = entity().model_copy(update={"evidence": ()})
    text = _shown(answer(interpretation=reading, entities=(bare,)), terminal=terminal, width=120)
    (line,) = [line for line in text.splitlines() if "lease-00" in line]
    assert line.rstrip().endswith(proof or ("lease-00" if not terminal else "│"))
    assert ("says so" in line) == bool(proof)


MENTION = Condition(id="c3", text="mentions a pet", terms=("pet",), literal=True)


@pytest.mark.parametrize(
    ("conditions", "given", "said"),
    [
        (FIELD, {}, "10 chunks: decided by fields · no bound: 2 lack it"),
        (AllOf(parts=(FIELD, MENTION)), {}, "10 chunks: decided by fields and words · no bound"),
        (FIELD, {"operation": "avg"}, "10 chunks: decided by fields · no bound"),
        (FIELD, {"operation": "avg", "told": "measure"}, "10 chunks: 4 ruled out, 6 judged; "),
        (FIELD, {"operation": "avg", "entities": ()}, "10 chunks: 4 ruled out, 6 judged; "),
        (AllOf(parts=(FIELD, TEXT)), {}, "10 chunks: 4 ruled out, 6 judged; "),
        (FIELD, {"method": "metadata fields of every document"}, "10 chunks: decided by metadata"),
    ],
)
def test_what_code_decided_is_not_told_as_judged_or_ruled_out(
    conditions: Node, given: dict[str, Any], said: str
):
    given = {"operation": "count", "told": "City", "method": "no bound: 2 lack it"} | given
    operation, told, method = (given.pop(each) for each in ("operation", "told", "method"))
    reading = AnswerReading(
        text="Tell.", entity_type="lease", operation=operation, conditions=conditions
    )
    shown = entity().evidence[0].model_copy(update={"condition": told})
    told = {
        "interpretation": reading,
        "entities": (entity().model_copy(update={"evidence": (shown,)}),),
        "coverage": Coverage(chunks=10, pruned=4, judged=6, matched=3),
        "completeness": Completeness(method=method),
    } | given
    assert coverage_line(answer(**told)).startswith(said)


def _candidates(count: int) -> Answer:
    found = tuple(
        entity(f"lease-{n}", shown={"words": ("pet", "animal")}) for n in range(1, count + 1)
    )
    return answer(status="candidates", value=None, bounds=None, entities=found)


@pytest.mark.parametrize("terminal", [False, True], ids=["pipe", "terminal"])
def test_candidates_have_passages_and_words_but_no_number(terminal: bool):
    lines = _shown(_candidates(2), terminal=terminal, width=120).splitlines()
    text = " ".join(" ".join(lines).split())
    assert text.startswith(
        "Nobody has read these: 2 candidate passages in 2 documents. Ask with --model NAME to "
        "have them read, or read them: headcount review. interpreted as: "
    )
    assert "lease-1" in text
    assert "may keep one dog" in text
    assert "words: pet, animal" in text
    assert "matched" not in text
    assert "no value" not in text
    assert "between" not in text
    assert headline(_candidates(1)) == "1 candidate passage in 1 document"
