"""Forms that the rules leave to a reader although they find no ambiguity in them."""

import pytest

from agent.reasoners.rules.ambiguity.doubt import Doubt
from agent.reasoners.rules.ambiguity.loose_ends import loose_ends
from agent.reasoners.rules.ambiguity.screen import screen
from tests.agent.reasoners.rules.papers import Papers, Words

FINDS = Papers(
    {
        "jar-1": {"Kind": "jar", "Deposit Day": "2001-01-02", "Deposit Place": "store"},
        "bowl-2": {"Kind": "bowl", "Deposit Day": "2001-01-03", "Deposit Place": "hall"},
        "lid-3": {"Kind": "lid", "Deposit Day": "2001-01-04", "Deposit Place": "hall"},
    }
)
FINDS.lexicon = Words(
    dict.fromkeys(("jars", "bowls", "lid", "damaged", "glazed", "open", "day", "deposit"), 1)
)
FINDS.chunk_count = len(FINDS.documents)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        pytest.param("List jars and bowls.", False, id="nothing more said"),
        pytest.param("List jars and bowls with a lid.", True, id="a phrase behind"),
        pytest.param("List damaged jars and bowls.", True, id="a word before"),
        pytest.param("List both jars and bowls with a lid.", False, id="settled by a word"),
        pytest.param("List jars that are glazed and are open.", False, id="a clause of its own"),
        pytest.param("List jars with kintsugi.", True, id="a word the collection lacks"),
        pytest.param("List jars in descending order of day.", False, id="words of the form"),
        pytest.param("List the deposit of jars.", True, id="a part of two fields' names"),
        pytest.param("List the deposit day of jars.", False, id="a field named in full"),
    ],
)
def test_what_often_hides_an_ambiguity_is_a_loose_end(question: str, *, expected: bool) -> None:
    assert loose_ends(Doubt.of(question, FINDS.read(question), FINDS)) is expected


@pytest.mark.parametrize(
    ("question", "seen"), [("List jars.", ()), ("List jars with kintsugi.", None)]
)
def test_the_screen_cannot_tell_where_ends_are_loose(
    question: str, seen: tuple[str, ...] | None
) -> None:
    assert screen(question, FINDS.read(question), FINDS) == seen


def test_a_word_that_longer_texts_lack_may_be_stated_in_others() -> None:
    longer = Papers({"note-1": {"Kind": "jar", "Day": "2001"}, "note-2": {"Kind": "bowl"}})
    question = "List jars with kintsugi."
    assert not loose_ends(Doubt.of(question, longer.read(question), longer))
