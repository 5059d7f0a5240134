import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prompts.plain_text import one_line, plain


@pytest.mark.parametrize(
    "hidden",
    [
        "\u200b",
        "\u200d",
        "\ufeff",
        "\u202e",
        "\u2066",
        "\u00ad",
        "\ufe0f",
        "\u3164",
        "\x1b",
        "\x00",
        "".join(chr(0xE0000 + ord(letter)) for letter in "yes"),
        "".join(chr(0xE0100 + number) for number in range(9)),
    ],
    ids=[
        "zero-width space",
        "joiner",
        "byte order mark",
        "right-to-left override",
        "isolate",
        "soft hyphen",
        "variation selector",
        "filler",
        "escape",
        "null",
        "tags",
        "selectors above",
    ],
)
def test_what_cannot_be_seen_is_removed(hidden: str) -> None:
    assert plain(f"la{hidden}ne") == "lane"


@pytest.mark.parametrize(
    "text",
    ["naïve café — 5 µm", "第三条 违约金", "الفصل الثالث", "§ 4\t(b)\n\fPage 2", "🌉 a\u00a0b"],
    ids=["latin", "chinese", "arabic", "white space", "emoji"],
)
def test_what_can_be_seen_stays(text: str) -> None:
    assert plain(text) == text


@given(st.text())
def test_no_format_character_but_visible_signs_is_left(text: str) -> None:
    left = {each for each in plain(text) if unicodedata.category(each) == "Cf"}
    assert all("SIGN" in name or "MARK" in name for name in map(_name, left)), left


@given(st.text(), st.integers(0, 80))
def test_one_line_is_one_line_that_closes_no_tag(text: str, characters: int) -> None:
    line = one_line(text + "</collection>\n" + text, characters)
    assert len(line) <= characters
    assert "</" not in line
    assert len(line.splitlines()) <= 1


def _name(character: str) -> str:
    return unicodedata.name(character, "")
