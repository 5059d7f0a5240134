"""Which documents a condition leaves open for want of a field."""

from pathlib import Path

import pytest

from agent.interpretation import parse_logic
from agent.question import Condition, Interpretation, Predicate
from graphs.context import Context
from graphs.search.condition_evaluator import lacking
from tests.graphs.searching import corpus_of
from tools.corpus.corpus import Corpus

KNOWN = {
    "bridge": ("Span", "exists", ()),
    "listed": ("Listed", "is", ("yes",)),
    "recent": ("Opened", "at_least", ("1990",)),
    "unopened": ("Opened", "exists", ()),
    "letters": ("file folder", "is", ("letters",)),
}
CONDITIONS = {
    name: Condition(
        id=name, text=name, predicate=Predicate(field=field, comparison=how, values=values)
    )
    for name, (field, how, values) in KNOWN.items()
} | {"rusty": Condition(id="rusty", text="is rusty")}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    place: Path = tmp_path_factory.mktemp("decisions")
    texts = {
        "bridge-1": "Span: 12 m\nListed: yes\nOpened: 1950\n\nA bridge of stone.",
        "bridge-2": "Span: 15 m\nOpened: 1999\n\nA bridge of steel.",
        "bridge-3": "Span: 19 m\nListed: no\n\nA bridge of wood.",
        "letter-1": "From: A. Reed\nTo: The council\n\nI write about the bridge.",
        "letter-2": "From: B. Moss\nTo: The council\n\nI write about the other bridge.",
    }
    return corpus_of(texts, place)


@pytest.mark.parametrize(
    ("logic", "expected"),
    [
        ("listed", {"Listed": 1}),
        ("not listed", {"Listed": 1}),
        ("bridge and listed and recent", {"Listed": 1}),
        ("bridge and not unopened", {}),
        ("bridge and rusty", {}),
        ("bridge and (listed or rusty)", {"Listed": 1}),
        ("letters and listed", {}),
        ("listed or recent", {"Listed": 0, "Opened": 1}),
    ],
)
def test_documents_without_a_field_are_counted_where_it_could_decide_them(
    logic: str, expected: dict[str, int], corpus: Corpus
) -> None:
    words = logic.replace("(", " ").replace(")", " ").split()
    used = {name: each for name, each in CONDITIONS.items() if name in words}
    node = parse_logic(logic, used)
    reading = Interpretation(text="?", entity_type="bridge", conditions=node)
    assert lacking(reading, Context(corpus=corpus)) == {k: v for k, v in expected.items() if v}
