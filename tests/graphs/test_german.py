"""A whole run over papers in German, read by a script as a model would read them."""

from agent.prompt_values import JudgeValues, PlanValues
from agent.reasoner import Prompt
from evals.ablation import Ablation
from graphs.headcount import build_graph
from tests.built import built, built_once
from tests.graphs.replies import KEEP, atom, interpreted, proof, verdicts
from tests.graphs.searching import context_of
from tests.integration.asking import quotes_hold
from tests.scripted import Scripted, ScriptedReasoner
from tests.tongues import documents
from tools.corpus.corpus import Corpus

corpus = built_once(lambda place: built(documents("de"), place))

QUESTION = "In how many papers is it said that a notice period holds?"
QUOTES = (
    "Die Kündigungsfrist beträgt drei Monate zum Monatsende",
    "Für Gewerberäume gelten die gesetzlichen Kündigungsfristen.",
)
"""As a model writes them: on one line."""
ORDER = interpreted(
    "c1",
    atom(
        text="a notice period holds",
        counts=["eine Kündigungsfrist gilt oder wird genannt"],
        excludes=["eine Frist, die nie vereinbart wurde"],
    ),
)
FILTERED = Ablation(few_candidates=0, scan=False, feedback=False, audit=0)
CALL = {"tool": "keywords", "arguments": {"words": ["Kündigungsfrist"], "match": "any"}}


def judged(prompt: Prompt) -> Scripted:
    shown = enumerate(prompt.values_as(JudgeValues).passages, start=1)
    flat = {at: " ".join(each.text.split()) for at, each in shown}
    return verdicts({at: [proof(q) for q in QUOTES if q in text] for at, text in flat.items()})


def planned(prompt: Prompt) -> Scripted:
    finish = {"tool": "finish", "arguments": {}}
    return finish if prompt.values_as(PlanValues).history else CALL


def test_an_inflected_word_filters_and_quotes_are_the_texts_own(corpus: Corpus) -> None:
    reasoner = ScriptedReasoner(
        {
            "interpret": lambda prompt: ORDER,
            "classify": lambda prompt: {"ambiguities": []},
            "plan": planned,
            "observe": lambda prompt: KEEP,
            "judge": judged,
        }
    )
    context = context_of(corpus, reasoner, FILTERED)
    answer = build_graph().invoke({"question": QUESTION}, context=context)["answer"]
    assert [each.name for each in answer.entities] == ["de/vertrag-ahorn", "de/vertrag-birke"]
    assert [shot.kept for shot in answer.snapshots] == [3]
    assert answer.coverage.judged == 3
    assert quotes_hold(answer, corpus)
    asked = {prompt.name: prompt.text for prompt in reasoner.prompts}
    for name in ("interpret", "plan"):
        assert "languages, most documents first: German. Where terms" in asked[name]
