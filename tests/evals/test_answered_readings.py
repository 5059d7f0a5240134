import json
from functools import partial
from pathlib import Path

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

NAMES = ("Crow", "Gull", "Hawk", "Swan")
TEXTS = {f"{n}.txt": f"The {n} pilot.\n\nThe mast of the {n} is high.\n" for n in NAMES}
masts = built_once(partial(built, TEXTS))
TRUE = {"Swan": "30 metres", "Crow": "45 metres tall"}
ASKED = record_of(
    question="How high is the mast?",
    readings=[{"rewritten": f"The {name}?", "answer": [said]} for name, said in TRUE.items()],
    gold_evidence=[
        stated(name, TEXTS[f"{name}.txt"], f"The mast of the {name}", str(number))
        for number, name in enumerate(TRUE, start=1)
    ],
)


def reading(corpus: Corpus, record: Record = ASKED) -> Context:
    return Context(corpus=corpus, reasoner=ReadingsReasoner(record, corpus))


def test_a_reading_is_answered_only_from_its_passage_and_once(masts: Corpus) -> None:
    found = [[0, 1], [0], [1, 3]]
    senses = [Intent(label="", question="?", chunks=(), why="") for _ in found]
    shown = passages(masts, [0, 1, 3])
    values = SynthesiseValues(
        question="?", readings=senses, passages=shown, found=found, form="short"
    )
    told = reading(masts).reasoner.ask(prompts.synthesise(values), SynthesiseReply)
    assert [each.answer for each in told.readings] == [TRUE["Crow"], None, TRUE["Swan"]]
    (quoted,) = told.readings[2].evidence
    assert (quoted.passage, quoted.quote) == (3, "The mast of the Swan")


def test_what_is_searched_for_does_not_depend_on_the_annotation(masts: Corpus) -> None:
    near, far = passages(masts, [0]), passages(masts, [1])
    asked = prompts.decompose(DecomposeValues(question=ASKED.question, passages=near, others=[far]))
    bare = ASKED.model_copy(update={"readings": (), "gold_evidence": ()})
    one, other = (
        reading(masts, each).reasoner.ask(asked, DecomposeReply) for each in (ASKED, bare)
    )
    assert one == other
    assert one.question == "How high is the mast with regard to crow?"


def test_an_answer_is_scored_by_the_readings_that_it_covers(masts: Corpus) -> None:
    said = "30 metres; a fathom"
    told = scored(ASKED, Replied(answers=[said], text=said, ranking=[1, 3]), masts)
    halves = ("d_f1", "d_f1_one", "precision", "recall_at_5", "rouge_l")
    assert [told[name] for name in halves] == [0.5] * 5
    assert told["ndcg_at_5"] == pytest.approx(0.6309 / 1.6309, abs=1e-3)


@pytest.mark.parametrize("arm", ["vanilla", "no gate, pooled", "adf, no gate", "diva", "iterative"])
def test_every_system_answers_what_it_retrieved_the_passages_of(arm: str, masts: Corpus) -> None:
    context = reading(masts)
    with context.store:
        replied = ARMS[arm](ASKED.question, context, AdfOptions(retrieval="bm25", k=2))
    shown = {masts.documents[masts.chunk_document[chunk]] for chunk in replied.ranking}
    assert {name for name, true in TRUE.items() if true in replied.text} == shown & {*TRUE}
    assert shown & {*TRUE}


def test_a_model_judges_meaning(masts: Corpus) -> None:
    said = {"reason": "", "similarity": 1.5, "covered": [2, 7]}
    reasoner = ScriptedReasoner({"meaning": [said]})
    replied = Replied(answers=["45 m"], text="45 m", ranking=())
    told = judged(ASKED, replied, Context(corpus=masts, reasoner=reasoner))
    assert told == {"similarity": 1.0, "disambiguation": 0.5}
    assert "2. The Crow? 45 metres tall" in reasoner.prompts[0].text


def test_what_other_collections_teach_gates_a_collection() -> None:
    arms = {arm: {"d_f1": 1.0, "tokens": 1.0, "seconds": 1.0} for arm in ("vanilla", "adf")}

    def asked(name: str, separability: float, several: bool) -> Asked:
        first = Coherence(dispersion=0.1, separability=separability, state="clear")
        told = {"id": "", "collection": name, "mode": "bm25", "several": several, "first": first}
        return Asked.model_validate(told | {"arms": arms})

    agreeing = [asked(name, 0.3 * own, own) for name in "aabb" for own in (True, False)]
    opposed = [asked("c", 0.3 * (not own), own) for own in (True, False)]
    rows = tables([*agreeing, *opposed]).splitlines()
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
    asked = json.loads((tmp_path / "told.json").read_text(encoding="utf-8"))["questions"]
    assert len(asked) == 3 * 3
    assert "hybrid: gate by" in done.stdout
