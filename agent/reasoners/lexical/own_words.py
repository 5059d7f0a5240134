"""An interpretation as a question in the lexical reader's own words."""

from collections.abc import Iterator, Sequence
from typing import Final

from agent.english import currency_of
from agent.reasoners.lexical.condition_tree import Tree
from agent.replies import InterpretReply

_MEASURED: Final = {"avg": "average", "sum": "total", "median": "median"}
_COMPARED: Final = {
    "more_than": "more than ",
    "less_than": "less than ",
    "at_least": "at least ",
    "at_most": "at most ",
}
_NOUNS: Final = ("documents", "files", "texts")
"""What documents of all kinds are called: a field may be called like one of them."""


def in_own_words(
    reply: InterpretReply, tree: Tree | None, noun: str, kind: Tree | None
) -> Iterator[str]:
    """Yield questions that may be read as an interpretation, the plainest first.

    The noun stands for the condition that is the kind of document.
    """
    parts = [] if tree is None else list(tree.parts) if tree.kind == "and" else [tree]
    for every in (False, True):
        if noun:
            yield _question(reply, noun, [each for each in parts if each is not kind], every=every)
        for each in _NOUNS:
            yield _question(reply, each, parts, every=every)


def _question(reply: InterpretReply, noun: str, parts: list[Tree], *, every: bool) -> str:
    unit = [each for each in parts if _currency(each)]
    told = " and ".join(_condition(each, every=every) for each in parts if each not in unit)
    those = f"{noun} {told}".strip()
    if reply.entity_field:
        those = f"{reply.entity_field} of the {those}" if told else reply.entity_field
    of = reply.measure
    measure = "" if of is None else f"number of {of.field}" if of.of == "length" else of.field
    end = "lowest" if reply.ascending or reply.operation == "min" else "highest"
    match reply.operation:
        case "count" | "group_by":
            asked = f"how many {those}"
        case "list":
            asked = f"which {those}"
        case "top_k":
            asked = f"{'lowest' if reply.ascending else 'top'} {reply.k} {those} by {measure}"
        case "min" | "max":
            asked = f"the {end} {measure} of the {those}"
        case _:
            asked = f"the {_MEASURED.get(reply.operation, '')} {measure} of the {those}"
    money = "".join(f" in {_currency(each)}" for each in unit)
    return asked + money + (f" by {reply.group_by}" if reply.group_by else "")


def _currency(node: Tree) -> str:
    """Return the code of the currency that a condition is about; empty where it is about none."""
    atom = node.atom
    contained = atom is not None and atom.comparison == "contains"
    return (currency_of(atom.values[0]) or "") if atom is not None and contained else ""


def _condition(node: Tree, *, every: bool, denied: bool = False) -> str:
    if node.kind == "not":
        return _condition(node.parts[0], every=every, denied=not denied)
    if node.atom is None:
        *parts, last = [_condition(each, every=every, denied=denied) for each in node.parts]
        money = _currency(node.parts[-1]) if node.kind == "and" else ""
        return f"{parts[0]} {money}" if money else f" {node.kind} ".join((*parts, last))
    atom = node.atom
    values = list(dict.fromkeys(atom.values))
    if atom.field is None:
        terms = " or ".join(f"“{each}”" for each in atom.terms)
        return f"that {'do not ' if denied else ''}mention {terms}"
    name, being = atom.field.removeprefix("file "), "without" if denied else "with"
    if atom.comparison == "exists":
        return f"{being} {name}"
    if atom.comparison == "is":
        values = [" or ".join(values if every else values[:1])]
    told = compared(name, atom.comparison, values)
    if atom.of == "length":
        return f"{being} {told.partition(' is ')[2]} {name}"
    return told.replace(" is ", " is not ", 1) if denied else told


def compared(name: str, comparison: str | None, values: Sequence[str]) -> str:
    """Say what a field is compared with."""
    how = _COMPARED.get(comparison or "", "between " if len(values) > 1 else "")
    return f"whose {name} is {how}{' and '.join(values)}"
