"""Reading the JSON object out of a reply."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.errors import MalformedReply
from agent.reasoners.json_text import object_in

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)
PLAIN = st.text(st.characters(exclude_characters="{[<"), max_size=20)


@given(st.dictionaries(st.text(), JSON, max_size=4), PLAIN, PLAIN)
def test_an_object_is_found_among_words(value: dict[str, object], before: str, after: str) -> None:
    assert object_in(f"{before}{json.dumps(value)}{after}") == value


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1}',
        '```json\n{"a": 1}\n```',
        '<think>perhaps {"a": 2}?</think>\n{"a": 1}',
    ],
    ids=["bare", "fenced", "thinking"],
)
def test_wrappings_are_taken_off(text: str) -> None:
    assert object_in(text) == {"a": 1}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "is empty"),
        ("none", "no JSON object"),
        ("[1, 2]", "no JSON object"),
        ('[{"a": 1}]', "array"),
        ('{"a": 1} {"a": 2}', "more than one"),
        ('{"a": {"b": 1}', "not valid JSON"),
        ('{"a": x, "b": {"c": 1}}', "not valid JSON"),
        ('{"a": NaN}', "NaN"),
        ('{"a": 1e999}', "too large"),
        ('{"a": ' + "[" * 100_000, "not valid JSON"),
        ('{"a": ' + "9" * 5000 + "}", "not valid JSON"),
    ],
    ids=[
        "empty",
        "words",
        "list",
        "array",
        "two",
        "cut",
        "inner",
        "nan",
        "infinite",
        "deep",
        "long",
    ],
)
def test_anything_else_is_malformed(text: str, told: str) -> None:
    with pytest.raises(MalformedReply, match=told):
        object_in(text)


@given(st.text(max_size=60))
def test_no_text_is_read_by_accident(text: str) -> None:
    try:
        found = object_in(text)
    except MalformedReply:
        return
    assert isinstance(found, dict)
