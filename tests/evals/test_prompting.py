import pytest

from agent.reasoner import PromptValues
from evals.prompting import render

VALUES = PromptValues()
TABLE = {"table": "Ship", "columns": "ID", "relations": "none", "rows": "$5, {x}"}


def test_a_prompt_is_named_for_its_file_and_filled() -> None:
    prompt = render("spiderqa/template", TABLE, VALUES)
    assert prompt.name == "template"
    assert "The table: Ship\n" in prompt.text
    assert "$5, {x}" in prompt.text
    assert prompt.values is VALUES
    assert (
        prompt.digest == render("spiderqa/template", {**TABLE, "rows": ""}, PromptValues()).digest
    )


@pytest.mark.parametrize(
    ("placeholders", "told"),
    [({"table": "Ship"}, r"missing \['columns'"), ({**TABLE, "more": ""}, r"unknown \['more'\]")],
)
def test_missing_and_unknown_placeholders_are_refused(
    placeholders: dict[str, str], told: str
) -> None:
    with pytest.raises(ValueError, match=told):
        render("spiderqa/template", placeholders, PromptValues())
