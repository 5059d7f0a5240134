import pytest

from agent.reasoner import PromptValues
from evals.prompting import render

TOLD = {"question": "How many?", "meant": "How many of $5?", "asked": "?", "options": "{x}"}


def test_a_prompt_is_named_for_its_file_and_filled() -> None:
    values = PromptValues()
    prompt = render("user", TOLD, values)
    assert (prompt.name, prompt.values) == ("user", values)
    assert "How many of $5?" in prompt.text
    assert prompt.digest == render("user", {**TOLD, "options": ""}, values).digest


@pytest.mark.parametrize(
    ("placeholders", "told"),
    [({"asked": "?"}, r"missing \['meant'"), ({**TOLD, "more": ""}, r"unknown \['more'\]")],
)
def test_missing_and_unknown_placeholders_are_refused(
    placeholders: dict[str, str], told: str
) -> None:
    with pytest.raises(ValueError, match=told):
        render("user", placeholders, PromptValues())
