from hypothesis import given
from hypothesis import strategies as st

from graphs.apps.in_words import call_text


@given(st.dictionaries(st.text(), st.recursive(st.none() | st.text() | st.integers(), st.lists)))
def test_any_arguments_that_a_model_invents_can_be_told(arguments: dict[str, object]):
    assert call_text("tool", arguments).startswith("tool")
