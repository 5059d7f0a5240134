import pytest

from agent.question import Condition
from agent.reasoners.rules.judging.judge import judge
from agent.reasoners.rules.judging.sections import headed_proofs, read_headings
from tests.agent.reasoners.rules.small_corpus import SmallCorpus, passage


def asked(text: str) -> frozenset[str]:
    return read_headings(Condition(id="c1", text=text))


@pytest.mark.parametrize(
    ("text", "titles"),
    [
        ("have a section headed “Late Fees”", {"late fees"}),
        ('contain a heading "Fees"', {"fees"}),
        ("has a section called 'Fees'", {"fees"}),
        ("a chapter titled “Fees” or “Costs”", {"fees", "costs"}),
        ("have sections with the heading “Fees”", {"fees"}),
        ("have a section on “Fees”", set()),
        ("have a section headed “Fees” that mentions tax", set()),
        ("mention “Fees”", set()),
    ],
)
def test_only_the_words_of_a_heading_are_read(text: str, titles: set[str]) -> None:
    assert asked(text) == titles


@pytest.mark.parametrize(
    ("text", "headings", "proved"),
    [
        pytest.param("## 3.1 Fees:\n\nTen a day.", (), ["## 3.1 Fees:"], id="marked, numbered"),
        pytest.param("Rent.\n\nFEES\n\nTen a day.", (), ["FEES"], id="alone"),
        pytest.param("Rent.\nFees\n====\nTen.", (), ["Fees"], id="underlined"),
        pytest.param("Ten a day. More.", ("Rent", "FEES"), ["Ten a day."], id="below it"),
        pytest.param("# Late fees\n\nFees are ten.", ("Late fees",), [], id="a longer heading"),
        pytest.param("Owed are\nfees\nand rent.", (), [], id="a line of a sentence"),
    ],
)
def test_a_heading_counts_as_a_whole(
    text: str, headings: tuple[str, ...], proved: list[str]
) -> None:
    found = headed_proofs(passage(text, headings=headings), frozenset({"fees"}))
    assert [text[each.start : each.end].strip() for each in found] == proved


def test_the_words_of_a_heading_in_a_sentence_are_no_section() -> None:
    texts = ["A section headed fees is missing.", "Ten a day."]
    passages = (passage(texts[0]), passage(texts[1], headings=("Fees",)))
    reply = judge(
        {
            "conditions": (Condition(id="c1", text="have a section headed “Fees”"),),
            "entity_type": "lease",
            "grain": "document",
            "measure": None,
            "passages": passages,
            "corpus": SmallCorpus(texts),
        }
    )
    assert [each.passage for each in reply.passages] == [2]
