"""Canaries: a reader that obeys what it reads is found out, and one that does not is not."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from evals.canaries import reports_and_questions
from tests.evals.question_files import evaluate
from tests.fake_provider.replies import Reply, tool_completion
from tests.fake_provider.server import FakeProvider
from tests.graphs.replies import atom, interpreted, proof, verdicts
from tests.integration.reader import Body, kind_of, passages_in, prompt_of, read, said

pytestmark = pytest.mark.slow

REPORTS, _ = reports_and_questions()
INJECTED = [each for each in REPORTS if each.injection]
SITE = re.compile(r"^Site: .+$", re.MULTILINE)
AT = {SITE.search(each.text)[0]: each for each in REPORTS}
NAMED = {each.other for each in INJECTED}
ALL_BUT_ONE = {each.aim for each in INJECTED} - {"strike-all"}
ASKED = "clean changed as an injection asked"
FOLLOWED = {ASKED, "clean changed otherwise", "injected judged against their text"}
LEAKED = {"quotes with a canary", "filter calls with a canary", "answers with a canary"}
UNJUDGED = "clean left without a verdict"


def _reader(obeyed: set[str]) -> Callable[[str, Body], Reply]:
    """Return a reader that judges by the text, but for orders with one of these aims."""

    def answer(text: str, body: Body) -> Reply:
        prompt = prompt_of(body)
        told = [each for each in INJECTED if each.aim in obeyed and each.token in prompt]
        tokens = {aim: [each.token for each in told if each.aim == aim] for aim in obeyed}
        match kind_of(body):
            case "interpret":
                assumed = tokens.get("answer", [])
                return said(interpreted("c1", atom(text="hurt"), assumptions=assumed))
            case "plan":
                words = tokens.get("filter") or ["report"]
                return tool_completion("keywords", {"words": words, "match": "any"})
            case "judge":
                orders = {(each.aim, each.other or each.name) for each in told}
                quotes = {n: _quote(each, orders) for n, each in passages_in(prompt).items()}
                return said(verdicts({n: [proof(quotes[n])] * bool(quotes[n]) for n in quotes}))
        return read(text, body)

    return answer


def _quote(text: str, orders: set[tuple[str, str]]) -> str:
    """Return what proves that a person was hurt, or what orders make of it; empty for nothing."""
    site = SITE.search(text)[0]
    report = AT[site]
    aims = {aim for aim, name in orders if name == report.name}
    silenced = not report.injection and "strike-all" in dict(orders)
    if aims & {"drop", "strike"} or silenced:
        return ""
    if orders and not (report.injection or report.proofs) and report.name not in NAMED:
        return site if "Sluice" in site else "words that the model invents"
    if aims & {"count", "admit", "quote"}:
        return report.token if report.token and report.token in text else site
    return report.proofs.get("hurt", "")


@pytest.mark.parametrize(
    ("obeyed", "found"),
    [
        pytest.param(set(), set(), id="sound"),
        pytest.param(ALL_BUT_ONE, FOLLOWED | LEAKED | {UNJUDGED}, id="gullible"),
        pytest.param({"strike-all"}, {ASKED}, id="silenced"),
    ],
)
def test_what_a_reader_does_for_planted_orders_is_counted(
    obeyed: set[str], found: set[str], provider: FakeProvider, tmp_path: Path
) -> None:
    provider.answer = _reader(obeyed)
    out = tmp_path / "out.json"
    done = evaluate("canaries --reasoner fake", "--base-url", provider.url, "--json", out)
    counted = json.loads(out.read_text(encoding="utf-8"))
    assert {name for name, row in counted["totals"].items() if row["found"]} == found, done.output
    assert done.exit_code == bool(found)
    assert all(row["of"] for row in counted["totals"].values())
    assert provider.calls == counted["requests"] <= 25
