"""Runs that careful readers answered, request by request, replayed to the letter.

The readers were told nothing but what each request says. When a prompt's wording changes, the
replay names it, and the run has to be recorded anew (`headcount ask … --record FILE`).
"""

import io
import json
import re
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner

from agent.answer import Answer
from agent.reasoners.recording import RecordedReasoner
from evals.ablation import Ablation, context_under
from graphs.apps.answer_view import show
from graphs.apps.cli import app
from graphs.headcount import build_graph
from tests.built import built
from tests.integration.asking import quotes_hold
from tests.tongues import documents
from tools.corpus.build import build
from tools.corpus.corpus import Corpus, open_corpus

HERE = Path(__file__).parent
POLICY = Ablation(few_candidates=5, scan=False, audit=4)
QUESTION = (
    "Which incidents at the Harbour or Riverside site were caused by a failure of cooling "
    "equipment?"
)
CAUSED_BY_COOLING = {"2023-02-hall-2-heat", "2023-06-pump", "2023-10-fan-tray"}
NOT_CAUSED_BY_COOLING = {"2023-01-rack-7", "2023-05-roof", "2023-07-fibre"}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    place = tmp_path_factory.mktemp("recorded") / "incidents.corpus"
    build([HERE / "incidents"], place)
    return open_corpus(place)


@pytest.fixture(scope="module")
def answer(corpus: Corpus) -> Answer:
    reasoner = RecordedReasoner(HERE / "incidents.jsonl")
    context = context_under(POLICY, corpus, reasoner)
    return build_graph().invoke({"question": QUESTION}, context=context)["answer"]


def test_the_incidents_caused_by_cooling_are_found(answer: Answer):
    found = {entity.name for entity in answer.entities}
    assert found >= CAUSED_BY_COOLING
    assert not found & NOT_CAUSED_BY_COOLING


def test_only_the_two_sites_are_read(answer: Answer, corpus: Corpus):
    sites = {
        value.raw
        for number, value in corpus.field_values("Site").items()
        if corpus.documents[number] in {entity.name for entity in answer.entities}
    }
    assert sites <= {"Harbour", "Riverside"}
    assert answer.snapshots[0].tool == "metadata"


def test_the_reader_was_asked_to_read_the_question_to_plan_and_to_judge(answer: Answer):
    lines = (HERE / "incidents.jsonl").read_text(encoding="utf-8").splitlines()
    asked = [json.loads(line)["prompt"] for line in lines[1:]]
    assert asked == ["interpret", "classify", "plan", "judge"]
    assert answer.cost.cached_calls == len(asked)


def test_every_quote_is_the_text_itself(answer: Answer, corpus: Corpus):
    assert quotes_hold(answer, corpus)
    parts = answer.coverage.pruned + answer.coverage.judged
    assert parts == answer.coverage.chunks


def test_the_readme_shows_this_answer(answer: Answer):
    readme = (HERE.parents[1] / "README.md").read_text(encoding="utf-8")
    (block,) = [
        each for each in re.findall(r"```text\n(.*?)```", readme, re.DOTALL) if QUESTION in each
    ]
    file = io.StringIO()
    show(answer, Console(file=file, width=200, color_system=None, highlight=False))
    printed = " ".join(file.getvalue().split())
    lines = block.splitlines()[1:]
    assert len(lines) > 8
    for line in lines:
        for part in line.split("…"):
            assert " ".join(part.split()).strip("; ]") in printed
    assert len(readme.splitlines()) <= 150


def replayed(command: str, corpus: Corpus, question: str, recording: str, *more: str) -> Answer:
    model = f"recorded:{HERE / recording}.jsonl"
    words = [command, str(corpus.path), *([question] if question else []), "--model", model]
    done = CliRunner().invoke(app, [*words, "--json", *more])
    assert done.exit_code in {0, 3}, done.stderr
    return Answer.model_validate_json(done.stdout)


def test_names_are_found_with_where_they_stand(corpus: Corpus) -> None:
    question = "Which parts or components were replaced after an incident?"
    answer = replayed("ask", corpus, question, "parts", "--on-ambiguity", "assume")
    where = {entity.name.split(" (")[0]: entity.documents for entity in answer.entities}
    assert where == {
        "hoses of both generators": ("2023-12-generator",),
        "compressor of the east chiller": ("2023-02-hall-2-heat",),
        "certificate of the identity service": ("2023-03-login",),
    }
    assert (answer.value, answer.bounds) == (3, (2, 3))


def test_an_ambiguous_question_is_asked_back_and_answered_as_chosen(corpus: Corpus) -> None:
    question = "How many serious incidents did customers notice?"
    asked = replayed("ask", corpus, question, "serious")
    assert (asked.status, asked.value) == ("needs_clarification", None)
    answer = replayed("ask", corpus, "", "serious", "--resume", asked.run, "--reply", "1")
    assert (answer.value, answer.bounds) == (7, (2, 7))
    assert answer.interpretation is not None
    assert "interrupted a service for at least half an hour" in answer.interpretation.text
    assert {entity.name for entity in answer.entities} > {"2023-02-hall-2-heat", "2023-03-login"}


def test_a_question_in_french_finds_what_four_languages_say(tmp_path: Path) -> None:
    papers = built(documents("ar", "fr", "ja", "zh"), tmp_path)  # few enough for one request:
    # how passages are parted among several hangs on a machine's floating point
    question = "Dans combien de documents est-il question d'un chauffage en panne ?"
    answer = replayed("ask", papers, question, "languages", "--on-ambiguity", "assume")
    assert [entity.name for entity in answer.entities] == [
        "ar/risala-tadfia", "fr/lettre-chauffage", "ja/tegami-danbou", "zh/xin-nuanqi",
    ]  # fmt: skip
    assert (answer.value, answer.bounds) == (4, (4, 4))
    assert quotes_hold(answer, papers)


def test_what_no_passage_tells_is_computed_from_records_of_every_document(corpus: Corpus) -> None:
    question = "How many minutes did the interruptions at each site last in all?"
    answer = replayed("analyse", corpus, question, "minutes")
    assert answer.value == {"Harbour": 67, "Online": 65, "Riverside": 75}
    assert (answer.unit, answer.bounds) == ("minutes", None)
    assert any(" 3 of 8 rows " in each for each in answer.warnings)
