"""The prompt that compares names: align."""

from collections.abc import Mapping, Sequence

from agent.prompt_values import AlignValues
from agent.reasoner import Prompt
from prompts.plain_text import one_line
from prompts.template import render

__all__ = ("align",)

_AROUND = 160
"""Characters of a quote around a name at most."""


def align(
    *,
    entity_type: str,
    question: str,
    pairs: Sequence[tuple[str, str]],
    quotes: Mapping[str, str],
) -> Prompt:
    """Ask which pairs of names are one entity; replied with `AlignReply`.

    Args:
        entity_type: what the names name.
        question: the question as it is read, so that its rule of counting is known.
        pairs: the names to compare.
        quotes: by name, words of a document where it stands; names without one may be missing.
    """
    names = dict.fromkeys(name for pair in pairs for name in pair)
    context = [
        f"- {_shown(name)}: {_around(quotes[name], name)!r}" for name in names if name in quotes
    ]
    lines = [
        f"{number}. {_shown(left)} and {_shown(right)}"
        for number, (left, right) in enumerate(pairs, start=1)
    ]
    return render(
        "align",
        {
            "entity_type": entity_type,
            "question": one_line(question),
            "names": "\n".join(context) or "(no words were kept)",
            "pairs": "\n".join(lines),
        },
        AlignValues(
            entity_type=entity_type,
            question=question,
            pairs=tuple(pairs),
            quotes=dict(quotes),
        ),
    )


def _shown(name: str) -> str:
    return repr(one_line(name))


def _around(quote: str, name: str) -> str:
    """Return the words of a quote around a name; its beginning where the name is not in it."""
    text = one_line(quote)
    at = max(0, text.casefold().find(one_line(name).casefold()))
    start = max(0, min(at - _AROUND // 3, len(text) - _AROUND))
    cut = text[start : start + _AROUND]
    return f"{'… ' if start else ''}{cut}{' …' if start + _AROUND < len(text) else ''}"
