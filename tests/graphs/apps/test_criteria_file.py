"""`--criteria` and `headcount criteria`: a person says what counts, before a run and after it."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from graphs.apps.exits import Exit
from tests.fake_provider.replies import Reply
from tests.fake_provider.server import FakeProvider
from tests.graphs.apps.conftest import Flags, Q, judged, overrule, refused, run, told_by
from tests.graphs.conftest import QUOTE
from tests.graphs.replies import proof, verdicts
from tests.integration.reader import Body, doubting, kind_of, passages_in, prompt_of, said
from tools.corpus.corpus import open_corpus
from tools.runs.reviews import Reviews

Told = dict[str, Any]
OPTION = "a mere option to keep an animal"
FILE = Path("criteria.yaml")


def edit(change: Callable[[Told], None]) -> None:
    told = yaml.safe_load(FILE.read_text(encoding="utf-8"))
    change(told)
    FILE.write_text(yaml.safe_dump(told), encoding="utf-8")


def excluding(told: Told) -> None:
    told["conditions"][0]["excludes"].append(OPTION)


@pytest.fixture
def asked(asked: Told, provider: FakeProvider) -> Told:
    provider.requests.clear()
    assert run("criteria", asked["run"], FILE).exit_code == 0
    return asked


def test_a_run_waits_until_its_criteria_were_seen(
    place: Path, model: Flags, provider: FakeProvider
) -> None:
    waiting = run("ask", place, Q, "--json", "--criteria", FILE, *model)
    assert waiting.exit_code == Exit.WAITING
    told = json.loads(waiting.stdout)
    assert told["status"] == "needs_clarification"
    assert {kind_of(each) for each in provider.requests} == {"interpret", "classify"}
    assert f"--resume {told['run']}" in waiting.stderr
    assert "--criteria criteria.yaml" in waiting.stderr
    provider.requests.clear()
    edit(excluding)
    answer = told_by("ask", place, "--resume", told["run"], "--criteria", FILE, *model)
    assert answer["interpretation"]["conditions"]["excludes"][-1] == OPTION
    assert "criteria are as a person edited them" in " ".join(
        answer["interpretation"]["assumptions"]
    )
    sent = [each for each in provider.requests if kind_of(each) == "judge"]
    assert sent
    assert all(OPTION in prompt_of(each) for each in sent)
    assert not {"interpret", "classify"} & {kind_of(each) for each in provider.requests}
    late = refused("ask", place, "--resume", told["run"], "--criteria", FILE, *model)
    assert "does not wait for its criteria" in late


def test_what_is_waited_for_is_told_without_json_and_survives_a_clarification(
    place: Path, model: Flags, provider: FakeProvider
) -> None:
    provider.answer = doubting
    asked = run("ask", place, Q, "--criteria", FILE, *model)
    assert asked.exit_code == Exit.WAITING
    assert "--criteria criteria.yaml --reply NUMBER" in asked.stderr
    number = re.findall(r"--resume (\w+)", asked.stderr)[-1]
    provider.requests.clear()
    resumed = ("--resume", number, "--reply", 1, "--criteria", FILE)
    waiting = run("ask", place, *resumed, *model)
    assert waiting.exit_code == Exit.WAITING
    assert "allows the tenant to keep a pet" in waiting.stdout
    assert FILE.exists()
    assert not any(kind_of(each) == "judge" for each in provider.requests)
    unwritable = run("ask", place, Q, "--criteria", "nowhere/c.yaml", *model)
    assert unwritable.exit_code == Exit.USAGE


def test_a_question_is_read_as_its_file_says(
    asked: Told, place: Path, model: Flags, provider: FakeProvider
) -> None:
    edit(lambda told: told.update(group_by="Colour"))
    told = refused("ask", place, Q, "--criteria", FILE, *model)
    assert "the criteria cannot be used: the corpus has no field 'Colour'" in told
    edit(lambda told: told.update(group_by=None))
    edit(excluding)
    estimate = run("ask", place, Q, "--criteria", FILE, "--estimate", *model)
    assert "calls" in estimate.stdout, estimate.stderr
    answer = told_by("ask", place, Q, "--criteria", FILE, *model)
    assert answer["value"] == asked["value"]
    assert answer["interpretation"]["conditions"]["excludes"][-1] == OPTION
    assert not {"interpret", "classify"} & {kind_of(each) for each in provider.requests}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a: [", "no YAML"),
        ("- a list", "holds no criteria"),
        ("restated: x\nentity_type: lease\ngrain: page\noperation: count\n", "grain"),
        ("conditions: [c1]\n", "text"),
        ("\ufeff\x00", "no YAML"),
        ("restated: " + 3000 * "[", "no YAML"),
        ("conditions: [{id: c1, text: ''}]\n", "condition c1 has no text"),
    ],
)
def test_a_file_without_criteria_is_one_line(
    place: Path, model: Flags, text: str, told: str
) -> None:
    FILE.write_text(text, encoding="utf-8")
    assert told in refused("ask", place, Q, "--criteria", FILE, *model, alone=True)


def test_what_new_criteria_exclude_is_judged_again(
    asked: Told, place: Path, model: Flags, provider: FakeProvider
) -> None:
    def stricter(text: str, body: Body) -> Reply:
        shown = passages_in(prompt_of(body))
        strict = OPTION in prompt_of(body)
        return said(
            verdicts({at: [proof(QUOTE)] * (not strict and QUOTE in shown[at]) for at in shown})
        )

    edit(excluding)
    again = ("ask", "--again", asked["run"], "--criteria", FILE, "--audit", 0)
    estimate = run(*again, "--estimate", *model)
    assert estimate.stdout.startswith("5 passages to be judged, 1 calls"), estimate.stderr
    assert len(run("runs", place).stdout.splitlines()) == 1
    assert provider.requests == []
    provider.answer = stricter
    done = run(*again, "--json", *model)
    assert "5 passages to be judged" in done.stderr
    told = json.loads(done.stdout)
    sent = judged(provider)
    assert all(QUOTE in each for each in sent[:5])
    assert len(sent) > 5  # what lost its evidence may have other
    assert told["value"] == 0
    assert told["warnings"][0].startswith(f"since run {asked['run']}: added none; gone lease-00")


def test_the_nearest_of_the_rest_is_judged_by_wider_criteria(
    asked: Told, place: Path, model: Flags, provider: FakeProvider
) -> None:
    edit(lambda told: told["conditions"][0]["counts"].append("a goldfish"))
    done = run("ask", "--again", asked["run"], "--criteria", FILE, "--audit", 0, "--json", *model)
    assert "the nearest of the others" in done.stderr
    sent, chunks = judged(provider), len(open_corpus(place))
    assert sent
    assert not any(QUOTE in each for each in sent)  # what counts already is not read again
    assert len(sent) < chunks
    assert json.loads(done.stdout)["value"] == asked["value"]


def test_other_assumptions_are_judged_by_and_not_only_told(
    asked: Told, model: Flags, provider: FakeProvider
) -> None:
    edit(lambda told: told.update(assumptions=["A goldfish is no pet."]))
    done = run("ask", "--again", asked["run"], "--criteria", FILE, "--audit", 0, *model)
    assert "5 passages to be judged" in done.stderr
    assert "waiting for a reply" not in done.stderr
    sent = [prompt_of(each) for each in provider.requests if kind_of(each) == "judge"]
    assert all("A goldfish is no pet." in each for each in sent)


def test_criteria_of_another_question_are_named_or_ask_it_anew(
    asked: Told, place: Path, model: Flags
) -> None:
    done = run("ask", place, "Which leases are short?", "--criteria", FILE, *model)
    assert f"note: criteria.yaml is how “{Q}” is read" in done.stderr
    edit(lambda told: told.update(operation="list", logic="not c1"))
    told = refused("ask", "--again", asked["run"], "--criteria", FILE, *model)
    assert "ask the question anew" in told
    assert run("ask", "--again", asked["run"], "--criteria", "none.yaml").exit_code == Exit.USAGE
    assert run("criteria", asked["run"], FILE).exit_code == 1  # never written over


@pytest.fixture
def overruled(asked: Told, place: Path) -> Told:
    """A run of which a person says that one item does not count, and why."""
    overrule(asked, place, 2, "he may, he need not")
    return asked


def test_what_a_person_said_stands_by_new_criteria(
    overruled: Told, place: Path, model: Flags
) -> None:
    edit(excluding)
    told = told_by("ask", "--again", overruled["run"], "--criteria", FILE, *model)
    assert told["value"] == overruled["value"] - 1
    with Reviews(open_corpus(place).runs) as reviews:
        (kept,) = reviews.all()
        number, last = reviews.last(Q, "ann") or (0, None)
        assert last == kept
        reviews.withdraw(number)
        assert list(reviews.all()) == []
    assert f"gone {overruled['entities'][2]['name']}" in told["warnings"][0]
