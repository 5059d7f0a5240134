"""Prompt templates: a Markdown file each, `$name` placeholders; missing and unknown ones raise."""

import hashlib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from string import Template

from agent.reasoner import Prompt, PromptValues

__all__ = ("TEMPLATES", "render")

TEMPLATES = (
    "align", "analyse", "clarify", "classify-boundary", "classify-granularity",
    "classify-structure", "decompose", "extract", "extract-repair", "gate", "hypothesise",
    "induce", "induce-mend", "induce-refine", "interpret", "judge", "observe", "plan", "query",
    "rewrite", "synthesise",
)  # fmt: skip
"""The files; those with one word before the hyphen are forms of one prompt, replied to alike."""


def render(
    name: str,
    placeholders: Mapping[str, str],
    values: PromptValues,
    *,
    package: str = "prompts",
) -> Prompt:
    """Fill a template of a package; the prompt's name is the part before a hyphen.

    Raises:
        ValueError: a placeholder of the template has no text, or a text has no placeholder.
    """
    template, digest = _load(package, name)
    wanted = set(template.get_identifiers())
    if wanted != set(placeholders):
        missing, unknown = wanted - set(placeholders), set(placeholders) - wanted
        raise ValueError(f"prompt {name!r}: missing {sorted(missing)}, unknown {sorted(unknown)}")
    text = template.substitute(placeholders)
    return Prompt(name=name.partition("-")[0], digest=digest, text=text, values=values)


@cache
def _load(package: str, name: str) -> tuple[Template, str]:
    text = files(package).joinpath(f"{name}.md").read_text(encoding="utf-8")
    return Template(text), hashlib.sha256(text.encode()).hexdigest()
