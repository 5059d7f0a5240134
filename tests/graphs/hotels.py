"""Fourteen hotels, each a page of its own, and a reader that copies what the pages say."""

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from agent.prompt_values import ExtractValues
from agent.reasoner import Prompt
from agent.records.record_schema import Attribute, Kind, Schema
from tests.built import write
from tests.scripted import Scripted, ScriptedReasoner
from tools.corpus.build import build
from tools.corpus.corpus import Corpus, open_corpus

CITIES = ("Leeds", "York", "Hull", "Bath")

ROOMS = Attribute(name="rooms", type="integer", description="How many rooms.", labels=("rooms",))
CITY = Attribute(name="city", type="text", description="The city without its county.")
OPENED = Attribute(name="opened", type="date", description="When it opened.")
PRICE = Attribute(name="price", type="number", unit="GBP", description="A night's price.")
HOTEL = Kind(name="hotel", description="A hotel.", attributes=(ROOMS, CITY, OPENED, PRICE))
SCHEMA = Schema(kinds=(HOTEL,))

WORDS = {
    "rooms": r"has ([\w,]+) rooms",
    "city": r"stands in (\w+)",
    "opened": r"opened on ([\w ]+?)\.",
    "price": r"A night costs ([^.]+)\.",
}


def page(number: int, rooms: object = None) -> str:
    return (
        f"The Inn No {number} stands in {CITIES[number % 4]}. It has {rooms or 20 + number} rooms "
        f"and a garden. It opened on {number % 28 + 1} May 19{60 + number % 39}. "
        f"A night costs £{50 + number}.\n"
    )


def build_hotels(folder: Path, count: int = 14) -> Corpus:
    write(folder / "pages", {f"inn-{number:02}.txt": page(number) for number in range(count)})
    return index(folder)


def index(folder: Path) -> Corpus:
    place = folder / "hotels.corpus"
    build([folder / "pages"], place)
    return open_corpus(place)


def schema_reply(schema: Schema) -> dict[str, Any]:
    told = [kind.model_dump(mode="json", exclude={"documents"}) for kind in schema.kinds]
    return {"why": "", "kinds": told}


def cells(text: str, names: set[str]) -> list[dict[str, Any]]:
    found = ((name, re.search(words, text)) for name, words in WORDS.items() if name in names)
    return [
        {"attribute": name, "value": match[1], "unit": None, "quote": match[0]}
        for name, match in found
        if match
    ]


def copied(prompt: Prompt) -> Scripted:
    """Copy what each text states."""
    values = prompt.values_as(ExtractValues)
    kind = values.kinds[0]
    names = {each.name for each in kind.attributes}
    return each_by_itself(prompt, lambda text: [] if values.refused else cells(text, names))


def each_by_itself(prompt: Prompt, read: Callable[[str], list[dict[str, Any]]]) -> dict[str, Any]:
    """Return a record of what is read of each document, under its number where they are several."""
    values = prompt.values_as(ExtractValues)
    kind = values.kinds[0].name
    told = [
        {"records": [{"kind": kind, "label": "", "cells": read(each.text)}]}
        for each in values.documents
    ]
    numbered = [{"document": number, **each} for number, each in enumerate(told, start=1)]
    return {"documents": numbered} if len(told) > 1 else told[0]


def shown(prompts: Iterable[Prompt]) -> list[str]:
    """Return the documents that were shown, in order."""
    every = [each.values_as(ExtractValues) for each in prompts if each.name == "extract"]
    return [each.name for values in every for each in values.documents]


def reader(
    induce: list[Scripted] | None = None,
    extract: Callable[[Prompt], Scripted] = copied,
    **limits: Any,
) -> ScriptedReasoner:
    drawn = induce or (lambda prompt: schema_reply(SCHEMA))
    return ScriptedReasoner({"induce": drawn, "extract": extract}, **limits)
