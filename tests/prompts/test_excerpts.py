"""A sample's passage is cut to the words that matter, not to its beginning."""

from hypothesis import given
from hypothesis import strategies as st

from agent.evidence import Passage
from prompts.excerpts import excerpts

FILLER = "The stairs are swept on every second day of the week. " * 20


def passage(text: str, **told: str) -> Passage:
    return Passage(chunk=0, document="d", title="t", start=0, text=text, **told)


def test_the_window_holds_the_wanted_words_in_any_inflection() -> None:
    (cut,) = excerpts(
        [passage(f"{FILLER}No competing goods are sold. {FILLER}")],
        ["restricts competition"],
        characters=200,
    )
    assert "No competing goods are sold." in cut.text
    assert cut.text.startswith("… ")
    assert cut.text.endswith(" …")


def test_a_word_that_all_passages_hold_draws_no_window() -> None:
    common, rare = "The stairs", "keep a dog"
    shown = [passage(f"{common}. {FILLER}{rare}. {FILLER}"), passage(FILLER)]
    cut, _ = excerpts(shown, [f"{common} {rare}"], characters=200)
    assert rare in cut.text


def test_without_a_wanted_word_the_beginning_is_shown() -> None:
    (cut,) = excerpts([passage(FILLER)], ["dogs"], characters=100)
    assert FILLER.startswith(cut.text.removesuffix(" …"))


def test_a_short_passage_is_shown_whole_without_its_neighbours() -> None:
    (cut,) = excerpts([passage("A dog.", before="x", after="y")], ["dog"], characters=100)
    assert (cut.text, cut.before, cut.after) == ("A dog.", "", "")


@given(st.text(), st.lists(st.text()), st.integers(20, 200))
def test_a_window_is_text_of_the_passage(text: str, wanted: list[str], characters: int) -> None:
    (cut,) = excerpts([passage(text)], wanted, characters=characters)
    assert cut.text.removeprefix("… ").removesuffix(" …") in text
    assert len(cut.text) <= characters + 4
