"""A careful reader of the handbook on renewals: what a good model replies, by the text alone."""

import re
from typing import Any

from tests.fake_provider.replies import Reply
from tests.graphs.renewals import SENSES
from tests.integration.reader import Body, passages_in, prompt_of, said, schema_of

KINDS = {"label": "decompose", "contrast": "synthesise", "passage": "hypothesise"}
"""A member of the reply, and the prompt that asks for it; the last is in others too."""


def careful(text: str, body: Body) -> Reply:
    """Reply as a careful reader."""
    prompt, schema = prompt_of(body), schema_of(body)
    match next(kind for member, kind in KINDS.items() if f'"{member}"' in schema):
        case "decompose":
            return said(_decomposed(passages_in(prompt)))
        case "hypothesise":
            return said({"passage": "A renewal is asked for at the desk every year."})
        case _:
            return said(_synthesised(prompt))


def _decomposed(passages: dict[int, str]) -> dict[str, Any]:
    sense = next((each for each, rule in SENSES.items() if rule in passages[1]), None)
    if sense is None:
        return {"reason": "it tells of no renewal", "label": "", "question": None}
    question = f"What is the policy on {sense} renewal?"
    return {"reason": f"a {sense} is renewed", "label": f"{sense} renewal", "question": question}


def _synthesised(prompt: str) -> dict[str, Any]:
    passages = passages_in(prompt)
    readings = []
    for number, sense in re.findall(r"^(\d+)\. (\w+) renewal: ", prompt, re.MULTILINE):
        rule = SENSES[sense]
        proof = next(each for each, text in passages.items() if rule in text)
        evidence = [{"passage": proof, "quote": rule}]
        readings.append({"reading": int(number), "evidence": evidence, "answer": f"the {sense}'s"})
    return {"readings": readings, "contrast": "One is paid, whereas one is free.", "text": ""}
