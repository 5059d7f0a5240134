import json
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import prompts
from agent.adf_state import AdfOptions, Intent
from agent.ambiguity import Coherence
from agent.prompt_values import DecomposeValues, SynthesiseValues
from agent.replies import DecomposeReply, SynthesiseReply
from evals.annotated.readings_reasoner import ReadingsReasoner
from evals.answered_readings import ARMS, Asked, Replied, judged, scored, tables
from evals.question_sets.several_readings import build_readings
from evals.questions import Record
from graphs.context import Context
from tests.built import built, built_once, write
from tests.evals.question_files import evaluate, record_of, stated
from tests.scripted import ScriptedReasoner
from tools.corpus.corpus import Corpus
from tools.passage_windows import passages

TEXTS = {
    f"{name}.txt": f"The {name} pilot.\n\nThe mast of the {name} is {high} metres high.\n"
    for name, high in {"Swan": "30", "Crow": "45", "Gull": "60", "Hawk": "75"}.items()
}
masts = built_once(partial(built, TEXTS))
TRUE = ["30 metres", "45 metres tall"]


@pytest.fixture
def masts_asked() -> Record:
    proofs = [
        stated(name, TEXTS[f"{name}.txt"], f"The mast of the {name}", str(number))
        for number, name in enumerate(("Swan", "Crow"), start=1)
    ]
    readings = [{"rewritten": f"The {n}?", "answer": [n]} for n in TRUE]
    return record_of(question="How high is the mast?", gold_evidence=proofs, readings=readings)


def _synthesised(reader: ReadingsReasoner, corpus: Corpus, *found: list[int]) -> SynthesiseReply:
    senses = [Intent(label="", question="?", chunks=(), why="") for _ in found]
    shown = passages(corpus, list(dict.fromkeys(chunk for each in found for chunk in each)))
    values = SynthesiseValues(
        question="?", readings=senses, passages=shown, found=found, form="short"
    )
    return reader.ask(prompts.synthesise(values), SynthesiseReply)


def test_a_reading_is_answered_only_from_its_passage_and_once(
    masts: Corpus, masts_asked: Record
) -> None:
    reader = ReadingsReasoner(masts_asked, masts)
    crow, gull, _, swan = range(4)
    told = _synthesised(reader, masts, [crow, gull], [crow], [gull, swan])
    assert [each.answer for each in told.readings] == [TRUE[1], None, TRUE[0]]
    (quoted,) = told.readings[2].evidence
    assert (quoted.passage, quoted.quote) == (3, "The mast of the Swan")


def test_what_is_searched_for_does_not_depend_on_the_annotation(
    masts: Corpus, masts_asked: Record
) -> None:
    near, far = passages(masts, [0]), passages(masts, [1])
    values = DecomposeValues(question=masts_asked.question, passages=near, others=[far])
    bare = masts_asked.model_copy(update={"readings": (), "gold_evidence": ()})
    readers = (ReadingsReasoner(each, masts) for each in (masts_asked, bare))
    one, other = (each.ask(prompts.decompose(values), DecomposeReply) for each in readers)
    assert one == other
    assert one.question == "How high is the mast with regard to crow?"


def test_an_answer_is_scored_by_the_readings_that_it_covers(
    masts: Corpus, masts_asked: Record
) -> None:
    _, gull, _, swan = range(4)
    replied = Replied(
        answers=["30 metres; a fathom"], text="30 metres; a fathom", ranking=[gull, swan]
    )
    told = scored(masts_asked, replied, masts)
    assert {name: told[name] for name in ("d_f1", "d_f1_one", "precision", "recall_at_5")} == (
        dict.fromkeys(("d_f1", "d_f1_one", "precision", "recall_at_5"), 0.5)
    )
    assert told["rouge_l"] == pytest.approx(2 * 2 / (3 + 5))
    assert told["ndcg_at_5"] == pytest.approx(0.6309 / 1.6309, abs=1e-3)
    assert scored(masts_asked, replace(replied, ranking=[]), masts)["ndcg_at_5"] == 0


@pytest.mark.parametrize(
    ("arm", "passages_shown"),
    [("vanilla", 2), ("no gate, pooled", 2), ("adf, no gate", 4), ("diva", 2), ("iterative", 4)],
)
def test_every_system_answers_from_what_it_retrieved(
    arm: str, passages_shown: int, masts: Corpus, masts_asked: Record
) -> None:
    context = Context(corpus=masts, reasoner=ReadingsReasoner(masts_asked, masts))
    options = AdfOptions(retrieval="bm25", k=2)
    with context.store:
        replied = ARMS[arm](masts_asked.question, context, options)
    shown = {masts.documents[masts.chunk_document[chunk]] for chunk in replied.ranking}
    known = {name for name, true in (("Swan", TRUE[0]), ("Crow", TRUE[1])) if true in replied.text}
    assert len(shown) <= passages_shown
    assert known == shown & {"Swan", "Crow"}


def test_a_model_judges_meaning(masts: Corpus, masts_asked: Record) -> None:
    said = {"reason": "", "similarity": 1.5, "covered": [2, 7]}
    reasoner = ScriptedReasoner({"meaning": [said]})
    replied = Replied(answers=["45 m"], text="45 m", ranking=())
    told = judged(masts_asked, replied, Context(corpus=masts, reasoner=reasoner))
    assert told == {"similarity": 1.0, "disambiguation": 0.5}
    assert "2. The 45 metres tall? 45 metres tall" in reasoner.prompts[0].text


def test_what_other_collections_teach_gates_a_collection() -> None:
    def asked(collection: str, separability: float, several: bool) -> Asked:
        first = Coherence(dispersion=0.1, separability=separability, state="clear")
        arms = {arm: {"d_f1": 1.0, "tokens": 1.0, "seconds": 1.0} for arm in ("vanilla", "adf")}
        return Asked(
            id="", collection=collection, mode="bm25", several=several, first=first, arms=arms
        )

    agreeing = [asked(name, 0.3 * own, own) for name in "ab" for own in (True, False)]
    opposed = [asked("c", 0.3 * (not own), own) for own in (True, False)]
    rows = tables([*agreeing, *agreeing, *opposed], ("bm25",)).splitlines()
    (held,) = [each for each in rows if each.startswith("| held out")]
    assert held.rstrip("| ").endswith("0.800")  # a and b right, c wrong


@pytest.mark.slow
def test_one_command_asks_what_another_built(tmp_path: Path) -> None:
    said = 'The tallest mast in this harbour is {} metres high.\n\n"Keel" means {}.\n'
    told = {"a.txt": said.format(14, "a beam of oak"), "b.txt": said.format(35, "lead below")}
    told["a.txt"] += "\nA lock was built here in 1873.\n"
    source = write(tmp_path / "box/docs", told)
    build_readings([source], tmp_path / "set", print, most=3, seed=0)
    done = evaluate("readings", tmp_path / "set", "--json", tmp_path / "told.json")
    assert done.exit_code == 0, done.output
    asked: dict[str, Any] = json.loads((tmp_path / "told.json").read_text(encoding="utf-8"))
    assert {each["mode"] for each in asked["questions"]} == {"bm25", "dense", "hybrid"}
    assert "hybrid: gate by" in done.stdout
    assert evaluate("readings", tmp_path).exit_code == 1
