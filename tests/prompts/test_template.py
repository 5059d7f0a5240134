import hashlib
import inspect
from importlib.resources import files
from string import Template

import pytest
from hypothesis import given
from hypothesis import strategies as st

import prompts
from agent.reasoner import PromptValues
from prompts.template import TEMPLATES, render

FILES = {
    path.name.removesuffix(".md")
    for path in files("prompts").iterdir()
    if path.name.endswith(".md")
}
ALIGN = {
    "entity_type": "bridge",
    "question": "How many?",
    "names": "- 'a': 'an a'",
    "pairs": "1. 'a' and 'b'",
}


def test_every_file_has_its_function_and_every_function_its_file() -> None:
    assert set(TEMPLATES) == FILES
    assert set(prompts.__all__) == {name.partition("-")[0] for name in TEMPLATES}


@pytest.mark.parametrize("name", prompts.__all__)
def test_a_prompt_takes_keywords_only(name: str) -> None:
    parameters = inspect.signature(getattr(prompts, name)).parameters.values()
    assert {each.kind for each in parameters} == {inspect.Parameter.KEYWORD_ONLY}


@pytest.mark.parametrize("name", TEMPLATES)
def test_a_template_is_well_formed(name: str) -> None:
    template = Template((files("prompts") / f"{name}.md").read_text(encoding="utf-8"))
    assert template.is_valid()
    assert template.get_identifiers()


@pytest.mark.parametrize(
    ("placeholders", "complaint"),
    [
        (
            {name: ALIGN[name] for name in ("entity_type", "names", "question")},
            r"'align': missing \['pairs'\], unknown \[\]",
        ),
        ({**ALIGN, "pair": "1"}, r"'align': missing \[\], unknown \['pair'\]"),
        ({}, r"missing \['entity_type', 'names', 'pairs', 'question'\]"),
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
