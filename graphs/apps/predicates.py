"""A test of a metadata field in words."""

from collections.abc import Mapping

__all__ = ("predicate_text",)


def predicate_text(predicate: Mapping[str, object]) -> str:
    """Say a test of a field in words, whatever a model wrote into it.

    >>> predicate_text({"field": "Signed", "comparison": "on_or_after", "values": ["2021-01-01"]})
    "Signed on or after '2021-01-01'"
    """
    values = predicate.get("values") or ()
    alternatives = values if isinstance(values, list | tuple) else [values]
    told = " or ".join(repr(value) for value in alternatives)
    comparison = str(predicate.get("comparison", "")).replace("_", " ")
    what = "the length of " if predicate.get("of") == "length" else ""
    return f"{what}{predicate.get('field', '')} {comparison} {told}".rstrip()
