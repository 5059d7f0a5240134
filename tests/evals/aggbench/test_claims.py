import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from agent.errors import ModelError, ProviderUnavailable
from agent.reasoner import Prompt
from agent.reasoners import ScriptedReasoner
from evals.aggbench.building import Plan, build_benchmark
from evals.aggbench.claims import AnnotateValues, annotate_claims
from evals.aggbench.condition import Mined, Noun
from evals.aggbench.expansion import Band
from evals.aggbench.mining import Limits
from evals.aggbench.query import Wanted
from evals.aggbench.source import Source
from evals.cli import app
from evals.questions import load
from evals.validation.checking import faults_in
from tests.fake_provider.server import FakeProvider

FAILED = Mined(
    id="claim: tool failed", entity_type="tool", plural="tools", kind="claim", phrase="failed",
    documents=False, counts="broke down", excludes="were never run", decided_by="m",
)  # fmt: skip
SOURCES = [
    Source("a", "The Kestrel failed on Monday. The old Osprey failed too."),
    Source("b", "The KESTREL broke down twice. The Merlin may have failed."),
]


def finding(entity: str, quote: str, **more: Any) -> dict[str, Any]:
    return {
        "reason": "it says so", "condition": 1, "entity": entity, "quote": quote,
        "certainty": "certain", **more,
    }  # fmt: skip


FOUND = {
    "a": [finding("Kestrel", "Kestrel failed"), finding("Osprey", "Osprey  failed")],
    "b": [
        finding("KESTREL", "KESTREL broke down"),
        finding("Merlin", "Merlin may have failed", certainty="borderline"),
        finding("Gyrfalcon", "the Gyrfalcon failed"),
        finding("Merlin", "Merlin", condition=2),
        finding("", "broke down"),
    ],
}


def read(prompt: Prompt) -> dict[str, Any]:
    return {"findings": FOUND[str(prompt.values_as(AnnotateValues).document)]}


def test_findings_are_grounded_in_the_chunk_or_refused() -> None:
    said: list[str] = []
    found = annotate_claims(ScriptedReasoner({"annotate": read}), [FAILED], SOURCES, said.append)
    assert [(each.document, each.entity, each.doubted) for each in found] == [
        ("a", "KESTREL", False), ("a", "Osprey", False),
        ("b", "KESTREL", False), ("b", "Merlin", True),
    ]  # fmt: skip
    texts = {each.name: each.text for each in SOURCES}
    for each in found:
        assert texts[each.document][each.start : each.end] == each.quote
    assert "3 findings were refused" in said[0]


def test_a_prompt_shows_the_passage_and_what_counts() -> None:
    model = ScriptedReasoner({"annotate": lambda _: {"findings": []}})
    annotate_claims(model, [FAILED], SOURCES[:1], print)
    (prompt,) = model.prompts
    for told in (SOURCES[0].text, "1. failed", "counts: broke down", "does not count: were never"):
        assert told in prompt.text


def test_a_chunk_that_cannot_be_read_ends_it() -> None:
    model = ScriptedReasoner({"annotate": [read, ProviderUnavailable("overloaded")]})
    with pytest.raises(ModelError, match="1 of 2 chunks could not be read"):
        annotate_claims(model, [FAILED], [SOURCES[0], SOURCES[0]], print)


def proposed(_: Prompt) -> dict[str, Any]:
    condition = {"phrase": "failed at least once.", "counts": "", "excludes": ""}
    rare = {"phrase": "flew away", "counts": "", "excludes": ""}
    kind = {"one": "tool", "many": "tools", "documents": False, "conditions": [condition, rare]}
    return {"types": [kind]}


def failing(prompt: Prompt) -> dict[str, Any]:
    text = str(prompt.values_as(AnnotateValues).passage)
    tools = [each for each in ("Kestrel", "Osprey", "Merlin") if f"{each} failed" in text]
    return {"findings": [finding(each, f"{each} failed") for each in tools]}


def test_a_model_adds_questions_on_what_documents_name(
    core: Path, others: Path, tmp_path: Path
) -> None:
    model = ScriptedReasoner({"propose": proposed, "annotate": failing}, name="reader")
    plan = Plan(
        documents=core, noun=Noun(one="report", many="reports"), limits=Limits(),
        wanted=Wanted(singles=6, composites=4), expansion=others, band=Band(-99, 99),
        reasoner=model,
    )  # fmt: skip
    into = tmp_path / "made"
    build_benchmark(plan, into, lambda _: None)
    first, *rest = load(into / "expanded.jsonl")
    assert first.question == "How many tools failed at least once?"
    assert first.answer == ("Kestrel", "Merlin", "Osprey")
    assert first.entity_type == "tool"
    assert first.target == "names"
    assert first.decided_by == "reader per chunk, for people to review"
    assert not any("flew away" in each.question for each in rest)
    assert faults_in(into)[1] == []
    annotated = [each for each in model.prompts if each.name == "annotate"]
    assert len(annotated) == 20 + 24


def test_what_was_read_before_a_failure_is_paid_once(
    core: Path, tmp_path: Path, provider: FakeProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The whole command with a model over HTTP: one chunk fails, the next attempt reads it."""
    condition = {"phrase": "failed", "counts": "", "excludes": ""}
    kind = {"one": "tool", "many": "tools", "documents": False, "conditions": [condition]}
    broken = ["report-04"]

    def answer(_: str, body: dict[str, Any]) -> dict[str, Any] | str:
        text = str(body["messages"])
        if "Draw up conditions" in text:
            return {"types": [kind]}
        if any(f"(from {name})" in text for name in broken):
            return "no idea"
        names = ("Kestrel", "Osprey", "Merlin")
        tools = [each for each in names if f"{each} failed" in text]
        return {"findings": [finding(each, f"{each} failed") for each in tools]}

    provider.answer = answer
    monkeypatch.setenv("HEADCOUNT_BASE_URL", provider.url)
    monkeypatch.setenv("HEADCOUNT_API_KEY", "key")
    into = tmp_path / "made"
    asked = ["build", "aggbench", str(core), "--into", str(into), "--model", "reader"]
    first = CliRunner().invoke(app, [*asked, "--singles", "4", "--composites", "2"])
    assert first.exit_code == 1
    assert "1 of 20 chunks could not be read" in first.stderr
    assert not into.exists()
    before = provider.calls
    broken.clear()
    second = CliRunner().invoke(app, [*asked, "--singles", "4", "--composites", "2"])
    assert second.exit_code == 0, second.output
    assert provider.calls == before + 1
    assert load(into / "core.jsonl")[0].question == "How many tools failed?"
    assert json.loads((into / "recipe.json").read_text("utf-8"))["model"] == "reader"
