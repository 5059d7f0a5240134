"""Costs, conditions and tool calls in words, as the trace, the answer and the page show them."""

from collections.abc import Mapping, Sequence

from agent.cost import Cost
from agent.question import Condition
from agent.records.record import Filled
from agent.value import counted

_VALUE = 100
_NAMES = 8


def cost_text(cost: Cost) -> str:
    """Format calls, and tokens and money if there are any."""
    cached = f" and {cost.cached_calls} from the cache" if cost.cached_calls else ""
    tokens = ""
    if cost.input_tokens or cost.output_tokens:
        tokens = f", {cost.input_tokens} + {cost.output_tokens} tokens"
    money = "" if cost.usd is None else f", ${cost.usd:.4f}"
    return f"{counted(cost.model_calls, 'call')}{cached}{tokens}{money}"


def bill_text(cost: Cost) -> str:
    """Format a cost with its seconds."""
    return f"{cost_text(cost)}, {cost.seconds:.1f} s"


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

    >>> predicate_text({"field": "Signed", "comparison": "on_or_after", "values": ["2021-01-01"]})
    "Signed on or after '2021-01-01'"
    """
    values = predicate.get("values") or ()
    alternatives = values if isinstance(values, list | tuple) else [values]
    wanted = " or ".join(repr(value) for value in alternatives)
    comparison = str(predicate.get("comparison", "")).replace("_", " ")
    what = "the length of " if predicate.get("of") == "length" else ""
    return f"{what}{predicate.get('field', '')} {comparison} {wanted}".rstrip()


def call_text(tool: str, arguments: Mapping[str, object]) -> str:
    """Format a tool call with the arguments that are set, long ones cut."""
    given = ", ".join(
        f"{name}={_short(value)}" for name, value in arguments.items() if value is not None
    )
    return f"{tool}({given})"


def _short(value: object) -> str:
    """Format an argument as Python would, predicates in words; cut what is long."""
    text = repr(value)
    if isinstance(value, list) and value and all(isinstance(each, dict) for each in value):
        text = "[" + "; ".join(predicate_text(each) for each in value) + "]"
    return text if len(text) <= _VALUE else text[: _VALUE - 1] + "…"


def number(value: float | str) -> str:
    """Format a number without a needless fraction or exponent.

    >>> number(12.0), number(1234567.5), number(1 / 3)
    ('12', '1234567.5', '0.3333')
    """
    if isinstance(value, str):
        return value
    return str(int(value)) if float(value).is_integer() else f"{value:.4f}".rstrip("0")


def some_names(names: Sequence[str]) -> str:
    """List the first few names and how many more there are."""
    more = f" and {len(names) - _NAMES} more" if len(names) > _NAMES else ""
    return ", ".join(names[:_NAMES]) + more
