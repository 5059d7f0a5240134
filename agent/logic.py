"""The Boolean expression over condition ids that a reasoner replies: `c1 and (c2 or not c3)`."""

import re
from collections.abc import Mapping

from agent.errors import MalformedReply
from agent.question import AllOf, AnyOf, Condition, Node, Not

__all__ = ("parse_logic",)

_TOKEN = re.compile(r"\s*(\(|\)|[A-Za-z][A-Za-z0-9_]*)")


def parse_logic(expression: str, conditions: Mapping[str, Condition]) -> Node | None:
    """Parse the expression; `not` binds tighter than `and`, `and` tighter than `or`.

    An empty expression joins all conditions by and.

    Raises:
        MalformedReply: unknown id, unused condition or bad syntax.

    >>> parse_logic("", {}) is None
    True
    >>> parse_logic("not a", {"a": Condition(id="a", text="")}).kind
    'not'
    """
    if not expression.strip():
        expression = " and ".join(conditions)
    if not expression:
        return None
    parser = _Parser(_tokens(expression), conditions)
    node = parser.disjunction()
    parser.finish()
    return node


def _tokens(expression: str) -> list[str]:
    tokens: list[str] = []
    position = 0
    expression = expression.strip()
    while position < len(expression):
        match = _TOKEN.match(expression, position)
        if match is None:
            raise MalformedReply(f"logic {expression!r} has an unexpected character")
        tokens.append(match.group(1))
        position = match.end()
    return tokens


class _Parser:
    """Recursive descent over the tokens."""

    def __init__(self, tokens: list[str], conditions: Mapping[str, Condition]) -> None:
        self._tokens = tokens
        self._conditions = conditions
        self._used: set[str] = set()

    def disjunction(self) -> Node:
        """Parse parts joined by or."""
        parts = [self._conjunction()]
        while self._next_is("or"):
            parts.append(self._conjunction())
        return parts[0] if len(parts) == 1 else AnyOf(parts=tuple(parts))

    def finish(self) -> None:
        """Check that everything was read and every condition used."""
        if self._tokens:
            raise MalformedReply(f"logic has {self._tokens[0]!r} where it should end")
        unused = [name for name in self._conditions if name not in self._used]
        if unused:
            raise MalformedReply(f"logic leaves out the conditions {unused}")

    def _conjunction(self) -> Node:
        parts = [self._negation()]
        while self._next_is("and"):
            parts.append(self._negation())
        return parts[0] if len(parts) == 1 else AllOf(parts=tuple(parts))

    def _negation(self) -> Node:
        if self._next_is("not"):
            return Not(part=self._negation())
        return self._operand()

    def _operand(self) -> Node:
        if self._next_is("("):
            node = self.disjunction()
            if not self._next_is(")"):
                raise MalformedReply("logic lacks a closing parenthesis")
            return node
        name = self._tokens.pop(0) if self._tokens else "the end"
        if name not in self._conditions:
            raise MalformedReply(f"logic names {name!r}, known are {list(self._conditions)}")
        self._used.add(name)
        return self._conditions[name]

    def _next_is(self, token: str) -> bool:
        found = bool(self._tokens) and self._tokens[0].lower() == token
        if found:
            self._tokens.pop(0)
        return found
