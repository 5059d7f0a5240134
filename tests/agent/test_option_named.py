"""Which option a reply in words names."""

import pytest

from agent.ambiguity import Option
from agent.option_named import left_open, option_mentioned, option_named


def _options(*labels: str) -> list[Option]:
    return [Option(label=each, meaning=f"How many, {each}?", estimate="4") for each in labels]


@pytest.mark.parametrize(
    ("labels", "text", "number"),
    [
        (("a1", "a2"), "a1", 1),
        (("a1", "a2"), "A2.", 2),
        (("a1", "a2"), "a1: How many, a1?", 1),
        (("a1", "a2"), "a2: How many, a2? (4)", 2),
        (("a1", "a2"), "how many, a2", 2),
        (("a1", "a2"), "only a1", None),
        (("Last", "First"), "first", 2),
        (("Last", "First"), "last", 1),
        (("Last", "First"), "the first", 1),
        (("2018", "2019"), "2019", 2),
        (("2", "1"), "2", 2),
        (("", ""), "", None),
        (("same", "same"), "same", None),
        ((), "2", 2),
        (("a", "b"), "7", 7),
        (("a", "b"), "two", 2),
        (("Two", "One"), "one", 2),
        (("a", "b"), "nine", None),
    ],
)
def test_a_whole_reply_names_an_option(
    labels: tuple[str, ...], text: str, number: int | None
) -> None:
    assert option_named(text, _options(*labels)) == number


@pytest.mark.parametrize(
    ("labels", "text", "number"),
    [
        (("Merged", "Unmerged"), "unmerged please", 2),
        (("Merged", "Unmerged"), "merged, please", 1),
        (("Merged", "Not merged"), "not merged, I think", 2),
        (("Spelling", "Each spelling"), "take each spelling", 2),
        (("Per document", "Overall"), "not per document", 2),
        (("Per document", "Overall"), "not per document but overall", 2),
        (("Per document", "Overall"), "overall, not per document", 2),
        (("Per document", "Overall"), "per document and overall", None),
        (("a", "b", "c"), "not b", None),
        (("a", "b"), "neither", None),
        (("", "b"), "anything", None),
    ],
)
def test_a_label_stands_in_a_reply(labels: tuple[str, ...], text: str, number: int | None) -> None:
    assert option_mentioned(text, _options(*labels)) == number


@pytest.mark.parametrize("text", ["idk", "No idea", "not sure", "don't know", "whatever", "dunno"])
def test_who_does_not_know_leaves_it_open(text: str) -> None:
    assert left_open(text)
