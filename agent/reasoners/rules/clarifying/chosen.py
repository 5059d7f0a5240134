"""Which option a reply chooses, by number, by name, or because the person does not know."""

import re
from typing import Final

from agent.ambiguity import Exchange, Option, left_open, option_mentioned, option_named, unsure
from agent.reasoners.rules.language.words import tokenize

__all__ = ("chosen_option",)

_YES: Final = re.compile(
    r"^\W*(?:yes|yeah|yep|sure|right|correct|exactly|ok(?:ay)?)\b", re.IGNORECASE
)
_NO: Final = re.compile(r"^\W*(?:no|nope|not? really)\W*$", re.IGNORECASE)
_ORDINALS: Final = {
    "first": 1, "1st": 1, "former": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4,
    "last": -1, "latter": -1,
}  # fmt: skip
_PLACE: Final = re.compile(
    r"\b(?:option|number|no\.?|choice|answer|nr\.?)\s*#?(?P<number>\d)\b|"
    r"\bthe (?P<ordinal>first|1st|second|2nd|third|3rd|fourth|last|former|latter)\b"
    r"(?: one| option)?(?=\W*$|,)|"
    r"(?:^|[,;.]\s*)(?:no,? |rather |then |sorry,? |actually,? )*(?P<bare>[1-9])\W*$",
    re.IGNORECASE,
)


def chosen_option(exchange: Exchange) -> tuple[Option | None, str]:
    """Return the option that a reply chooses, and what had to be assumed for it."""
    options, reply = exchange.asked.options, exchange.reply
    if reply.choice is not None and 1 <= reply.choice <= len(options):
        return options[reply.choice - 1], ""
    text = reply.text.strip()
    if not options:
        return None, ""
    told = None if left_open(text) else _told(text, exchange)
    if told is None and unsure(text):
        return options[0], f"“{exchange.asked.span}” was left open; taken as: {options[0].label}."
    return told, ""


def _told(text: str, exchange: Exchange) -> Option | None:
    """Return the option that words name: its number, yes or no, or its label."""
    options = exchange.asked.options
    if (place := _place(text, exchange)) is not None:
        return place
    if _YES.match(text) and len(tokenize(text)) <= 2:
        return options[0]
    if len(options) > 1 and _NO.match(text):
        return options[1]
    return _named(text, options)


def _place(text: str, exchange: Exchange) -> Option | None:
    """Return the option whose number was said last; a bare number may be an amount or a year."""
    options = exchange.asked.options
    for found in reversed(list(_PLACE.finditer(text))):
        if found["bare"] and exchange.asked.code in {"A1", "A2"} and text.strip().isdigit():
            continue
        said = found["number"] or found["bare"]
        number = int(said) if said else _ORDINALS[found["ordinal"].casefold()]
        number = len(options) if number < 0 else number
        if 1 <= number <= len(options):
            return options[number - 1]
    return None


def _named(text: str, options: tuple[Option, ...]) -> Option | None:
    """Return the option whose label or meaning was said, the last one where several were."""
    number = option_named(text, options) or option_mentioned(text, options)
    if number is not None and 1 <= number <= len(options):
        return options[number - 1]
    low = text.casefold()
    placed = [
        (found.start(), option)
        for option in options
        if option.label
        for found in re.finditer(rf"(?<!\w){re.escape(option.label.casefold())}(?!\w)", low)
    ]
    if placed:
        return max(placed, key=lambda each: each[0])[1]
    named = [option for option in options if low and low in option.label.casefold()]
    return named[0] if len(named) == 1 else None
