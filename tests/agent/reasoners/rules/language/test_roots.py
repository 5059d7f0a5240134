import pytest

from agent.reasoners.rules.language.roots import roots


@pytest.mark.parametrize("word", ["competing", "competition", "competes", "noncompete"])
def test_words_derived_alike_share_a_root(word: str) -> None:
    assert roots(word)[1] == roots("compete")[1]


def test_an_adjective_in_ent_is_a_word_of_its_own() -> None:
    assert roots("competent")[1] != roots("compete")[1]
