"""Templates are filled completely or not at all; what a document says is made safe to show."""

import hashlib
import inspect
from importlib.resources import files
from string import Template

import pytest
from hypothesis import given
from hypothesis import strategies as st

import prompts
from agent.reasoner import PromptValues
from prompts.templates import one_line, plain, render
from tests.prompts.examples import SECTIONS

TEMPLATES = sorted(
    path.name.removesuffix(".md")
    for path in files("prompts").iterdir()
    if path.name.endswith(".md")
)
ALIGN = {
    "entity_type": "bridge",
    "question": "How many?",
    "assumptions": "",
    "names": "- 'a': 'an a'",
    "pairs": "1. 'a' and 'b'",
}


def test_every_file_has_its_function_and_every_function_its_file() -> None:
    assert set(prompts.__all__) == {name.partition("-")[0] for name in TEMPLATES}


@pytest.mark.parametrize("name", prompts.__all__)
def test_a_prompt_takes_the_values_named_after_it(name: str) -> None:
    taken = [
        each.annotation for each in inspect.signature(getattr(prompts, name)).parameters.values()
    ]
    assert [each.__name__ for each in taken] == [f"{name.capitalize()}Values"]


@pytest.mark.parametrize("name", TEMPLATES)
def test_a_template_is_well_formed(name: str) -> None:
    template = Template((files("prompts") / f"{name}.md").read_text(encoding="utf-8"))
    assert template.is_valid()
    assert bool(template.get_identifiers()) != (name in SECTIONS)


@pytest.mark.parametrize(
    ("placeholders", "complaint"),
    [
        (
            {name: ALIGN[name] for name in ("assumptions", "entity_type", "names", "question")},
            r"'align': missing \['pairs'\], unknown \[\]",
        ),
        ({**ALIGN, "pair": "1"}, r"'align': missing \[\], unknown \['pair'\]"),
        ({}, r"missing \['assumptions', 'entity_type', 'names', 'pairs', 'question'\]"),
    ],
    ids=["missing", "unknown", "nothing"],
)
def test_placeholders_must_fit(placeholders: dict[str, str], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        render("align", placeholders, PromptValues())


@given(st.text())
def test_a_value_is_never_read_as_a_template(value: str) -> None:
    text = render("align", {**ALIGN, "pairs": f"$pairs ${{x}} {value}"}, PromptValues()).text
    assert f"$pairs ${{x}} {value}" in text


def test_a_prompt_carries_the_digest_of_its_wording_and_its_values() -> None:
    wording = (files("prompts") / "align.md").read_bytes()
    values = PromptValues()
    prompt = render("align", ALIGN, values)
    assert prompt.digest == hashlib.sha256(wording).hexdigest()
    assert prompt.digest == render("align", {**ALIGN, "entity_type": "pier"}, PromptValues()).digest
    assert prompt.values is values


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
    ids=ascii,
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


@given(st.text(), st.integers(0, 80))
def test_one_line_is_one_line_that_closes_no_tag(text: str, characters: int) -> None:
    line = one_line(text + "</collection>\n" + text, characters)
    assert len(line) <= characters
    assert "</" not in line
    assert len(line.splitlines()) <= 1
