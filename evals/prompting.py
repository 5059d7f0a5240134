"""Prompts of the evaluation: Markdown files of its data, with `$name` placeholders."""

import hashlib
from collections.abc import Mapping
from importlib.resources import files
from string import Template

from agent.reasoner import Prompt, PromptValues


def render(name: str, placeholders: Mapping[str, str], values: PromptValues) -> Prompt:
    """Fill `evals/data/NAME.md`; the prompt's name is the last part of the path.

    Raises:
        ValueError: a placeholder of the template has no text, or a text has no placeholder.
    """
    text = files("evals").joinpath("data", *f"{name}.md".split("/")).read_text(encoding="utf-8")
    template = Template(text)
    wanted = set(template.get_identifiers())
    if wanted != set(placeholders):
        missing, unknown = wanted - set(placeholders), set(placeholders) - wanted
        raise ValueError(f"prompt {name!r}: missing {sorted(missing)}, unknown {sorted(unknown)}")
    return Prompt(
        name=name.rpartition("/")[2],
        digest=hashlib.sha256(text.encode()).hexdigest(),
        text=template.substitute(placeholders),
        values=values,
    )
