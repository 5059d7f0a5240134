"""The filter `regex`: chunks that a regular expression matches, in linear time."""

import polars as pl
from pyroaring import BitMap

from agent.errors import ToolArgumentError
from agent.reasoner import ToolSpec
from tools.filters.arguments import Engine, FilterArguments
from tools.filters.phrases import Pattern

LONGEST = 1000
"""The longest pattern allowed, in characters."""

_DESCRIPTION = (
    "Keep the chunks in which a regular expression matches somewhere. Use it for numbers, dates, "
    r'codes and forms of words: {"pattern": "\\b(?:thirty|30)\\s+(?:calendar\\s+)?days\\b"}; '
    r'{"pattern": "^Section \\d+", "case_sensitive": true}. ^ and $ match at line ends; write \\s+ '
    "between words, since lines break. Rust syntax: no look-around, no back-references."
)


class RegexArguments(FilterArguments):
    """A pattern."""

    pattern: str
    r"""A regular expression in Rust's syntax, e.g. `\bv?\d+\.\d+\b`, of at most 1000 characters."""
    case_sensitive: bool = False
    """Whether capitals matter."""

    def keep(self, engine: Engine, candidates: BitMap) -> BitMap:
        """Return the candidates that the pattern matches; raises as `_check`."""
        _check(self.pattern)
        flags = "(?m)" if self.case_sensitive else "(?im)"
        return engine.scan([(candidates, [Pattern(flags + self.pattern)])])[0]


def _check(pattern: str) -> None:
    """Raise ToolArgumentError for a pattern that is none, or too long.

    It is compiled alone, so that also an empty set of candidates tells an error.
    """
    if not pattern or len(pattern) > LONGEST:
        raise ToolArgumentError(
            f"the pattern has {len(pattern)} characters, allowed are 1 to {LONGEST}; "
            "for many words use keywords"
        )
    try:
        pl.Series([""]).str.contains(pattern)
    except pl.exceptions.ComputeError as error:
        reason = str(error).rpartition("error: ")[2].strip().splitlines()[0]
        raise ToolArgumentError(
            f"the pattern {pattern!r} cannot be used: {reason}; use exact for plain text"
        ) from error


FILTER = ToolSpec(name="regex", description=_DESCRIPTION, arguments=RegexArguments)
