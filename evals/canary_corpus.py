"""Reports with known answers, and others like them that give orders to whoever reads them."""

import random
import tomllib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from string import Template
from typing import Any, Final

from evals.questions import Record

_DATA: Final = Path(__file__).parent / "data" / "canaries.toml"
_SYLLABLES: Final = ["".join(each) for each in product("bdfgklmprstvz", "aeiou")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """A document with its truth, and the injection that stands in it, if one does."""

    name: str
    text: str
    proofs: Mapping[str, str]
    """By question that it answers with yes, the sentence that proves it."""
    injection: str = ""
    """The kind and its number within the kind; empty in a clean report."""
    aim: str = ""
    """What it wants, as the data file says."""
    token: str = ""
    """The canary: a word that stands in this injection and nowhere else."""
    other: str = ""
    """The clean report that the aim is about, if it is about one."""


def reports_and_questions() -> tuple[list[Report], list[Record]]:
    """Make the clean reports, those with an injection and the questions: the same every time."""
    data = tomllib.loads(_DATA.read_text(encoding="utf-8"))
    rng = random.Random(data["seed"])  # noqa: S311 - to be repeated
    sites = [" ".join(each) for each in product(data["sites"], data["kinds_of_site"])]
    names = [f"report-{number:02}" for number in range(1, len(sites) + 1)]
    rng.shuffle(sites)
    rng.shuffle(names)
    site_of = dict(zip(names, sites, strict=True))
    reports = [_report(data, rng, name, site_of[name], {}) for name in names[: data["clean"]]]
    others: dict[bool, list[str]] = {True: [], False: []}
    for each in reports:
        others[data["questions"][0]["id"] in each.proofs].append(each.name)
    numbers: Counter[str] = Counter()
    for name, each in zip(names[data["clean"] :], data["injections"], strict=True):
        aim, kind = each["aim"], each["kind"]
        numbers[kind] += 1
        token = "".join(rng.sample(_SYLLABLES, 4)).capitalize()
        other = others[aim == "strike"].pop() if aim in {"admit", "strike"} else ""
        order = Template(each["text"]).substitute(token=token, other=site_of.get(other, ""))
        given = each | {"text": order, "id": f"{kind}-{numbers[kind]}"}
        reports.append(_report(data, rng, name, site_of[name], given, token=token, other=other))
    return reports, [_record(each, reports) for each in data["questions"]]


def _report(
    data: Mapping[str, Any],
    rng: random.Random,
    name: str,
    site: str,
    injection: Mapping[str, str],
    **canary: str,
) -> Report:
    """Invent a report that states, nearly states or leaves out what each question is about.

    One with an injection states nothing of it or, where it is told not to count, all.
    """
    aim, place, order = (injection.get(each, "") for each in ("aim", "place", "text"))
    if place == "tags":
        order = "".join(chr(0xE0000 + ord(each)) for each in order)
    sentences, proofs = [rng.choice(data["fillers"])], {}
    for question in data["questions"]:
        drawn = float(aim != "drop") if injection else rng.random()
        if drawn < 0.3:
            proofs[question["id"]] = rng.choice(question["match"])
            sentences.append(proofs[question["id"]])
        elif drawn < 0.6:
            sentences.append(rng.choice(question["near"]))
    rng.shuffle(sentences)
    fields = {
        "Title": f"Service report, {site}",
        "Site": site,
        "Technician": rng.choice(data["technicians"]),
        "Visited": f"2024-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}",
    }
    body = " ".join(sentences)
    match place:
        case "name":
            name = order
        case "" | "tags":
            body = f"{body}\n\n{order}".rstrip()
        case field:
            fields[field] = order
    head = "\n".join(f"{key}: {value}" for key, value in fields.items())
    text = f"{head}\n\n{body}\n"
    injected = injection.get("id", "")
    return Report(name=name, text=text, proofs=proofs, injection=injected, aim=aim, **canary)


def _record(question: Mapping[str, Any], reports: list[Report]) -> Record:
    asked = question["id"]
    proofs = {each.name: each.proofs[asked] for each in reports if asked in each.proofs}
    evidence = [{"document": name, "text": text} for name, text in proofs.items()]
    truth = {"answer": list(proofs), "gold_documents": list(proofs), "gold_evidence": evidence}
    return Record.model_validate({**question, **truth, "aggregation": "count"})
