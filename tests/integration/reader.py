"""A careful reader of the leases: what a good model replies to each request, by its text alone."""

import json
import re
from collections.abc import Callable
from typing import Any

from tests.fake_provider.replies import Reply, completion, tool_completion
from tests.graphs.conftest import INTERPRETED, NARROWED, QUOTE, whole
from tests.graphs.replies import KEEP, ambiguity, proof, verdicts

Body = dict[str, Any]
Reader = Callable[[str, Body], Reply]

_KINDS = {
    "rollback_to": "observe",
    "changed": "rewrite",
    "restated": "interpret",
    "ambiguities": "classify",
    "passages": "judge",
    "restrictions": "induce",
    "answerable": "query",
    "records": "extract",
}
AMBIGUITY = ambiguity(
    "B1",
    "a pet",
    ("dogs and cats", "How many leases allow a dog or a cat?"),
    ("any animal", "How many leases allow any animal?"),
)
_PASSAGE = r"^=== {nonce} passage (\d+) \(from [^\n]*\) ===\n(.*?)\n=== {nonce} end \1 ===$"
_NEIGHBOURS = re.compile(r"^\[… before: .*\]$|^\[after: .* …\]$", re.MULTILINE)


def kind_of(body: Body) -> str:
    """Return which prompt a request carries, by the form of the reply that it asks for."""
    text = prompt_of(body)
    if body.get("tools") or '{"tool": name' in text:
        return "plan"
    schema = schema_of(body)
    if "A question to the person who asked." in schema:
        return "clarify"
    return next(kind for member, kind in _KINDS.items() if f'"{member}"' in schema)


def schema_of(body: Body) -> str:
    """Return the schema of the reply that a request asks for: its own member, or in words."""
    asked = body.get("response_format", {}).get("json_schema")
    return json.dumps(asked) if asked else prompt_of(body).partition("Its JSON Schema:")[2]


def by_document(text: str, found: Callable[[str], list[Any]]) -> dict[str, Any]:
    """Return the records found in a text, of several documents in each under its number."""
    _, *parts = re.split(r"=== \w+ document \d+: .*\n", text)
    if not parts:
        return {"records": found(text)}
    read = [found(each.partition("\n=== ")[0]) for each in parts]
    return {"documents": [{"document": n, "records": each} for n, each in enumerate(read, 1)]}


def prompt_of(body: Body) -> str:
    """Return the prompt, without the turns that ask for a better reply."""
    return str(body["messages"][0]["content"])


def passages_in(prompt: str) -> dict[int, str]:
    """Return the passages by number, as the marker lines with the prompt's code part them."""
    found = re.search(r"lines that carry the code (\w+)\.", prompt)
    pattern = _PASSAGE.format(nonce=found[1])
    parts = re.findall(pattern, prompt, re.MULTILINE | re.DOTALL)
    return {int(number): _NEIGHBOURS.sub("", text) for number, text in parts}


def read(text: str, body: Body) -> Reply:
    """Reply as a careful reader."""
    prompt = prompt_of(body)
    match kind_of(body):
        case "interpret":
            return said(INTERPRETED)
        case "classify":
            return said({"ambiguities": []})
        case "plan":
            return _planned(prompt, body)
        case "observe":
            return said(KEEP)
        case _:
            shown = passages_in(prompt)
            return said(verdicts({at: [proof(QUOTE)] * (QUOTE in shown[at]) for at in shown}))


def doubting(text: str, body: Body) -> Reply:
    """Reply as a careful reader to whom the question has two readings."""
    match kind_of(body):
        case "classify":
            return said({"ambiguities": [AMBIGUITY]})
        case "clarify":
            return said({"question": "Which animals?"})
        case "rewrite" if "<reply>\noption 2:" in prompt_of(body):
            return said(whole(NARROWED))
        case "rewrite":
            return said(whole(INTERPRETED))
        case _:
            return read(text, body)


def said(value: object) -> Reply:
    """Return the completion with a value as JSON."""
    return completion(json.dumps(value))


def _planned(prompt: str, body: Body) -> Reply:
    """Filter once by words, then finish."""
    again = "keywords(" in prompt.partition("What was done before:")[2]
    tool = "finish" if again else "keywords"
    arguments = {} if again else {"words": ["dog", "cat", "animal", "deposit"], "match": "any"}
    if not body.get("tools"):
        return said({"tool": tool, "arguments": arguments, "why": "animals"})
    return tool_completion(tool, arguments, "animals")
