import json
import os
import select
import sys
from pathlib import Path
from typing import Any

import pytest

from agent.errors import (
    HeadcountError,
    MalformedReply,
    ProviderError,
    ProviderUnavailable,
    SettingsError,
)
from evals.annotated import GoldReasoner
from evals.asking import observed
from evals.outcome import Outcome
from evals.outside import Command
from graphs.context import Context
from tests.evals.bridges import built, record
from tools.corpus.corpus import Corpus

QUESTION = "How many reports describe rust?"
SPAN = "found rust on the girders"


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return built(tmp_path_factory.mktemp("outside"))


def _command(source: str, timeout: float = 60.0) -> Command:
    return Command((sys.executable, "-c", source), timeout)


def _printing(answer: Any) -> Command:
    return _command(f"print({json.dumps(answer)!r})")


def _asked(command: Command, corpus: Corpus) -> Outcome:
    return observed(
        command, QUESTION, Context(corpus=corpus, reasoner=GoldReasoner(record(), corpus))
    )


def _rust(document: str, **more: Any) -> dict[str, Any]:
    return {"document": document, "quote": SPAN} | more


def test_its_answer_is_measured_like_any_other(corpus: Corpus) -> None:
    entity = {
        "name": "Report 1",
        "documents": ["report-1"],
        "evidence": [_rust("report-1"), _rust("report-3"), _rust("nowhere")],
    }
    cost = {"model_calls": 3, "input_tokens": 70, "cached_calls": 0, "output_tokens": 1}
    printed = {"value": 5, "entities": [entity], "cost": cost, "status": "whatever", "more": 1}
    outcome = _asked(_printing(printed), corpus)
    answer = outcome.answer
    assert answer is not None
    assert (answer.value, answer.cost.model_calls, answer.cost.input_tokens) == (5, 3, 70)
    (found,) = answer.entities
    assert found.documents == ("report-1",)
    assert [(each.document, each.quote) for each in found.evidence] == [("report-1", SPAN)]
    assert answer.warnings == ("2 quotes do not stand in the documents they name",)
    assert outcome.matched == outcome.kept == frozenset(_holding(corpus, "report-1"))
    assert answer.coverage.judged + answer.coverage.pruned == len(corpus)


def _holding(corpus: Corpus, document: str) -> list[int]:
    own = corpus.chunks_of(corpus.document_index(document))
    return [chunk for chunk in own if SPAN in corpus.chunk_text(chunk)]


def test_what_it_says_that_it_read_counts_as_judged(corpus: Corpus) -> None:
    text = corpus.document_text(corpus.document_index("report-2"))
    read = [{"document": "report-2", "start": 0, "end": len(text)}]
    outcome = _asked(_printing({"entities": [], "read": read}), corpus)
    assert outcome.kept == frozenset(corpus.chunks_of(corpus.document_index("report-2")))
    assert outcome.answer is not None
    assert outcome.answer.value == 0


@pytest.mark.parametrize("shift", [0, 7], ids=["right", "wrong"])
def test_offsets_count_where_the_words_stand_there(shift: int, corpus: Corpus) -> None:
    text = corpus.document_text(corpus.document_index("report-5"))
    start = text.index(SPAN)
    span = _rust("report-5", start=start + shift, end=start + shift + len(SPAN))
    printed = {"entities": [{"name": "x", "evidence": [span]}]}
    answer = _asked(_printing(printed), corpus).answer
    assert answer is not None
    ((evidence,),) = [each.evidence for each in answer.entities]
    assert (evidence.start, evidence.quote) == (start, SPAN)


def test_it_reads_the_question_and_where_the_documents_are(corpus: Corpus) -> None:
    source = (
        "import json, pathlib, sys; asked = json.load(sys.stdin);"
        "texts = sorted(pathlib.Path(asked['folders'][0]).glob('*.txt'));"
        "assert pathlib.Path(asked['corpus']).is_dir();"
        f"assert asked['question'] == {QUESTION!r};"
        "print(json.dumps({'value': sum('found rust' in each.read_text() for each in texts)}))"
    )
    answer = _asked(_command(source), corpus).answer
    assert answer is not None
    assert answer.value == 5


@pytest.mark.parametrize(
    ("command", "error", "told"),
    [
        pytest.param(
            _command("import signal; signal.pause()", timeout=0.2),
            ProviderUnavailable,
            r"took more than 0\.2 s",
            id="too long",
        ),
        pytest.param(
            _command("import sys; sys.exit('no licence')"),
            ProviderError,
            "exit code 1: no licence",
            id="exit code",
        ),
        pytest.param(_command("print('I think 5')"), MalformedReply, "no answer", id="no JSON"),
        pytest.param(_command(""), MalformedReply, "no answer", id="nothing"),
        pytest.param(_printing([1]), MalformedReply, "no answer", id="a list"),
        pytest.param(_printing({"value": "many"}), MalformedReply, "value", id="no number"),
        pytest.param(_printing({"count": 5}), MalformedReply, "neither", id="no member"),
        pytest.param(Command(("/no/such/program",)), SettingsError, "cannot be started", id="none"),
    ],
)
def test_a_failure_is_named(
    command: Command, error: type[HeadcountError], told: str, corpus: Corpus
) -> None:
    with pytest.raises(error, match=told):
        _asked(command, corpus)


def test_a_program_that_takes_too_long_takes_its_children_along(
    corpus: Corpus, tmp_path: Path
) -> None:
    script = 'sleep 1000 & echo $! > "$0"; wait'
    command = Command(("sh", "-c", script, str(tmp_path / "pid")), timeout=1.0)
    with pytest.raises(ProviderUnavailable):
        _asked(command, corpus)
    assert _ends(int((tmp_path / "pid").read_text()))


def _ends(process: int) -> bool:
    """Wait until a process that was killed is no more: that takes its turn on a processor."""
    try:
        opened = os.pidfd_open(process)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([opened], [], [], 60)[0])
    finally:
        os.close(opened)


@pytest.mark.parametrize(
    ("name", "words"),
    [("command:peer --k 5", ("peer", "--k", "5")), ("command:'my peer' ''", ("my peer", ""))],
)
def test_a_command_line_is_parted_into_words(name: str, words: tuple[str, ...]) -> None:
    assert Command.of(name).words == words


@pytest.mark.parametrize("name", ["command:", "command: ", "command:'open"])
def test_no_command_line_is_refused(name: str) -> None:
    with pytest.raises(SettingsError):
        Command.of(name)
