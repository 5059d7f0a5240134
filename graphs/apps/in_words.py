"""Costs, conditions and tool calls in words, as the trace, the answer and the page show them."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from agent.cost import Cost
from agent.question import Condition
from agent.records.record import Filled
from agent.value import counted

_VALUE = 100
_NAMES = 8
_LONG = 120
"""Seconds from which on minutes are told."""
_PLAIN: Final = {"chunks": "passages", "settled": "certain without reading"}
"""Arguments of steps that code took, as they are told."""
_NUMERIC = re.compile(r"[-+]?\d[\d,.]*(?:-\d\d){0,2}")
_DATE = re.compile(r"\d{4}-\d\d(?:-\d\d)?")
_OF_DATES: Final = {
    "at_least": "on or after",
    "at_most": "on or before",
    "more_than": "after",
    "less_than": "before",
}


def cost_text(cost: Cost, prices_of: str = "") -> str:
    """Format calls, and tokens and money if there are any, and whose prices are counted by."""
    cached = f" and {cost.cached_calls} from the cache" if cost.cached_calls else ""
    tokens = ""
    if cost.input_tokens or cost.output_tokens:
        tokens = f", {cost.input_tokens} + {cost.output_tokens} tokens"
    money = "" if cost.usd is None else f", ${cost.usd:.4f}"
    money += f" (prices of {prices_of})" if cost.usd and prices_of else ""
    return f"{counted(cost.model_calls, 'call')}{cached}{tokens}{money}"


def bill_text(cost: Cost, prices_of: str = "") -> str:
    """Format a cost with its time.

    >>> bill_text(Cost(model_calls=1, seconds=1756.0)), bill_text(Cost(cached_calls=2, seconds=1))
    ('nothing, 29 min', '0 calls and 2 from the cache, 1.0 s')
    """
    asked = cost.input_tokens or cost.output_tokens or cost.cached_calls  # else by no model
    time = f"{cost.seconds:.1f} s" if cost.seconds < _LONG else f"{cost.seconds / 60:.0f} min"
    return f"{cost_text(cost, prices_of) if asked else 'nothing'}, {time}"


def filled_text(filled: Filled) -> str:
    """Say how much was read into records, and how much had been."""
    read = f"{counted(filled.read, 'document')} read, {counted(filled.records, 'record')}"
    return f"{read}; {filled.current} had not changed" if filled.current else read


def criteria(condition: Condition) -> str:
    """Format what counts as a condition and what does not, or which field decides it."""
    if condition.predicate is not None:
        test = predicate_text(condition.predicate.model_dump())
        same = test.replace("'", "").casefold() == condition.text.casefold()
        return "" if same else f" [field: {test}]"
    parts = (
        ("mention of", condition.terms),
        ("counts", condition.counts),
        ("borderline", condition.borderline),
        ("does not count", condition.excludes),
    )
    shown = [f"{name}: {', '.join(words)}" for name, words in parts if words]
    return f" [{'; '.join(shown)}]" if shown else ""


def predicate_text(predicate: Mapping[str, object]) -> str:
    """Format a test of a metadata field, whatever a model wrote into it.

    >>> predicate_text({"field": "Signed", "comparison": "between", "values": ["2021-01", "2022"]})
    'Signed between 2021-01 and 2022'
    >>> predicate_text({"field": "Rooms", "comparison": "between", "values": ["85", "85"]})
    'Rooms is 85'
    >>> predicate_text({"field": "Signed", "comparison": "more_than", "values": ["2021-01-01"]})
    'Signed after 2021-01-01'
    >>> predicate_text({"field": "Site", "comparison": "is", "values": ["Hall 2", "Yard"]})
    "Site is 'Hall 2' or 'Yard'"
    >>> predicate_text({"field": "Author", "comparison": "exists", "values": ["false"]})
    'Author does not exist'
    """
    values = predicate.get("values") or ()
    alternatives = (
        [str(each) for each in values] if isinstance(values, list | tuple) else [str(values)]
    )
    what = "number of " if predicate.get("of") == "length" else ""
    field, comparison = f"{what}{predicate.get('field', '')}", str(predicate.get("comparison", ""))
    if comparison == "exists":
        return f"{field} {'does not exist' if 'false' in alternatives else 'exists'}"
    if comparison == "between" and len(set(alternatives)) == 1:
        comparison, alternatives = "is", alternatives[:1]
    joined = " and " if comparison in {"between", "has_all"} else " or "
    dated = all(_DATE.fullmatch(each) for each in alternatives)
    told = _OF_DATES.get(comparison, comparison) if dated else comparison.removesuffix("_all")
    quoted = [each if _NUMERIC.fullmatch(each) else repr(each) for each in alternatives]
    return f"{field} {told.replace('_', ' ')} {joined.join(quoted)}".rstrip()


def call_text(tool: str, arguments: Mapping[str, object]) -> str:
    """Format a tool call in words, with the arguments that are set, long ones cut.

    >>> call_text("keywords", {"words": ["net", "days"], "at_least": None, "stem": True})
    "keywords: words 'net', 'days'; stem yes"
    """
    told = {name: value for name, value in arguments.items() if value is not None}
    parts, tests = [], told.get("predicates")
    if isinstance(tests, list) and tests and all(isinstance(each, dict) for each in tests):
        match = str(told.pop("match", "all"))
        joined = {"all": " and ", "any": " or "}.get(match)
        parts = [
            _cut((joined or ", ").join(map(predicate_text, tests))),
            *([] if joined else [match]),
        ]
        del told["predicates"]
    named = {_PLAIN.get(name, name.replace("_", " ")): value for name, value in told.items()}
    parts += [f"{name} {_short(value)}" for name, value in named.items()]
    return f"{tool}: {'; '.join(parts)}" if parts else tool


def _short(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return _cut(", ".join(map(repr, value)) if isinstance(value, list) else repr(value))


def _cut(text: str) -> str:
    return text if len(text) <= _VALUE else text[: _VALUE - 1] + "…"


def some_names(names: Sequence[str]) -> str:
    """List the first few names and how many more there are."""
    more = f" and {len(names) - _NAMES} more" if len(names) > _NAMES else ""
    return ", ".join(names[:_NAMES]) + more
