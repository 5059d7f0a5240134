"""Questions over documents that were there: fields told by kind, answers counted by hand."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from evals.ambiguity.cases import load
from evals.commands import app

Facts = dict[str, str]
STATES = ("Open", "Closed", "Draft")
SORTS = ("Audit", "Survey", "Long Review")


def facts_of(at: int) -> Facts:
    """Return the fields of a report: every fifth has no sponsor, every third no cost."""
    people = [f"Person {(at + each) % 11}" for each in range(1 + at % 7)]
    facts = {
        "Report-Number": str(1000 + at),
        "State": STATES[at % 3],
        "Sort": SORTS[at // 3 % 3],
        "Author": ", ".join(people),
        "Released": f"{2000 + at % 20}-03-01",
        "Superseded-By": str(at % 4),
    }
    if at % 5:
        facts["Sponsor"] = f"Sponsor {at}"
    if at % 3:
        facts["Total_Cost"] = str(100 * (at % 10) + 5)
    return facts


@pytest.fixture
def reports(tmp_path: Path) -> Path:
    """Sixty reports: every other with front matter, the rest with key lines."""
    folder = tmp_path / "reports"
    folder.mkdir()
    for at in range(60):
        head = "".join(f"{name}: {value}\n" for name, value in facts_of(at).items())
        text = "The turbine ran. The turbine stood.\n" if at % 9 == 0 else "Nothing ran.\n"
        fenced = f"---\n{head}---\n" if at % 2 else head
        (folder / f"report-{at:02}.txt").write_text(f"{fenced}\n{text}", encoding="utf-8")
    return folder


def built(folder: Path, into: Path, *arguments: str) -> Result:
    told = ("build", "ambiguous", str(folder), "--into", str(into), *arguments)
    return CliRunner().invoke(app, told)


def asked(folder: Path, into: Path, *arguments: str) -> list[dict[str, str]]:
    result = built(folder, into, "--many", "reports", *arguments)
    assert result.exit_code == 0, result.output
    lines = (into / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def readings(folder: Path, into: Path, *arguments: str) -> Iterator[tuple[str, list[str]]]:
    for line in asked(folder, into, *arguments):
        for each in json.loads(json.dumps(line["readings"])):
            if "answer" in each:
                yield each["rewritten"], each["answer"]


def year(facts: Facts) -> int:
    return int(facts["Released"][:4])


BY_HAND: tuple[tuple[str, Callable[[Facts, re.Match[str]], bool]], ...] = (
    (
        r"How many reports were released in (\d+) or later\?",
        lambda facts, told: year(facts) >= int(told[1]),
    ),
    (
        r"How many reports(?: with the \w+ ([\w ]+))? have at least (\d) authors\?",
        lambda facts, told: (
            told[1] in {None, facts["State"], facts["Sort"]}
            and len(facts["Author"].split(", ")) >= int(told[2])
        ),
    ),
    (
        r"In how many reports(?: with the \w+ ([\w ]+))? is the total cost at least (\d+)\?",
        lambda facts, told: (
            told[1] in {None, facts["State"], facts["Sort"]}
            and int(facts.get("Total_Cost", "0")) >= int(told[2])
        ),
    ),
    (
        r"How many reports have neither the state (\w+) nor the sort ([\w ]+)\?",
        lambda facts, told: facts["State"] != told[1] and facts["Sort"] != told[2],
    ),
    (
        r"How many reports have the state (\w+) and have the sort ([\w ]+) or ([\w ]+)\?",
        lambda facts, told: facts["State"] == told[1] and facts["Sort"] in told.group(2, 3),
    ),
    (
        r"How many reports are either (\w+) (.+) reports, or (.+) reports of any state\?",
        lambda facts, told: (
            facts["Sort"] == told[3] or (facts["State"], facts["Sort"]) == told.group(1, 2)
        ),
    ),
)


def test_every_interpretation_has_the_documents_that_its_words_ask_for(
    reports: Path, tmp_path: Path
) -> None:
    seen = set()
    for question, answer in readings(reports, tmp_path / "q", "--draws", "12", "--natural"):
        for pattern, test in BY_HAND:
            told = re.fullmatch(pattern, question)
            if told is not None:
                counted = [f"report-{at:02}" for at in range(60) if test(facts_of(at), told)]
                assert answer == counted, question
                seen.add(pattern)
    assert seen == {pattern for pattern, _ in BY_HAND}


def test_names_of_documents_and_fields_that_are_no_nouns_are_not_asked_about(
    reports: Path, tmp_path: Path
) -> None:
    questions = " ".join(
        each["question"] for each in asked(reports, tmp_path / "q", "--draws", "6")
    )
    assert "total cost" in questions
    assert "turbine" in questions
    assert "report number" not in questions
    assert "superseded" not in questions


def test_only_of_every_third_kind_the_interpretations_have_the_same_answer(
    reports: Path, tmp_path: Path
) -> None:
    asked(reports, tmp_path / "q", "--seed", "1")
    cases = [each for each in load([tmp_path / "q" / "questions.jsonl"]).cases if each.codes]
    assert [number for number, each in enumerate(cases, start=1) if each.idle] == [3]


def test_documents_without_fields_are_refused(tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain" / "a.txt").write_text("Nothing is stated here.\n", encoding="utf-8")
    result = built(tmp_path / "plain", tmp_path / "q")
    assert result.exit_code == 1
    assert "state no field" in result.output
