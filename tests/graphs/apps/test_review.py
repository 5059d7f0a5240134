"""A person reviews: passages best first, a key a verdict, an answer with the same proof."""

import io
import json
import random
import re
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from rich.console import Console

from agent.answer import Answer
from agent.errors import QuestionError
from agent.prompt_values import JudgeValues
from agent.question import AllOf, AnyOf, Condition, Interpretation, Not, Predicate, Quota
from agent.reasoners.person_reasoner import PersonReasoner
from agent.replies import JudgeReply
from agent.settings import Settings
from evals.ablation import Ablation
from evals.variants import VARIANTS
from graphs.apps.check import Said, _sampled, uncheckable
from graphs.apps.desk import ReviewDesk, reader_name
from graphs.apps.review import TerminalScreen, followed, review_context
from graphs.apps.trace import print_event
from graphs.context import Context, new_run_id
from graphs.sessions import Session
from tests.built import built
from tests.graphs.apps.answers import answer
from tests.graphs.apps.conftest import Flags, run, told_by
from tests.graphs.apps.conftest import Q as PETS_ASKED
from tests.graphs.conftest import INTERPRETED, PETS
from tests.graphs.replies import measured
from tests.scripted import ScriptedReasoner
from tools.corpus.corpus import Corpus
from tools.runs.reviews import Reviewed, Reviews

pytestmark = pytest.mark.slow

Q = "Which leases let the tenant keep one dog?"
Told = dict[str, Any]
ALLOWED = "may keep one dog"
LEASES = {f"lease-{number:02}" for number in PETS}


class Reader(TerminalScreen):
    """Judges by the words last shown; types `said` first, wherever a passage is open."""

    gives = ""
    """The text that is typed; else what it is asked for as."""

    def __init__(self, console: Console, file: io.StringIO, said: str, yes: str) -> None:
        super().__init__(console)
        self.file, self.said, self.yes, self.keys = file, list(said), yes, ""

    def key(self) -> str:
        seen = self.file.getvalue().rpartition("given:")[2]
        right = self.yes if ALLOWED in " ".join(seen.casefold().split()) else "n"
        key = self.said.pop(0) if self.said else right
        key = right if key == "." else key
        self.keys += key
        return key

    def text(self, asked: str) -> str:
        return self.gives or asked


@dataclass
class Review:
    """One sitting at the desk."""

    corpus: Corpus
    reviews: Reviews
    file: io.StringIO = field(default_factory=io.StringIO)
    gives: str = ""

    @property
    def told(self) -> str:
        return " ".join(self.file.getvalue().split())

    def __call__(self, question: str = Q, said: str = "", yes: str = "y") -> Answer:
        console = Console(file=self.file, width=100, color_system=None, highlight=False)
        self.reader = Reader(console, self.file, said, yes)
        self.reader.gives = self.gives
        self.desk = ReviewDesk(self.corpus, self.reviews, self.reader, "ann", lambda: "now")
        verbatim = question.startswith("Welche")
        context = review_context(Settings(), self.desk, verbatim=verbatim)
        with Session(context) as session:
            show = partial(print_event, console=console)
            answer = followed(session, self.desk, question, new_run_id(), show)
            reading = session.state(answer.run).interpretation
        assert reading is not None
        self.reading = reading
        return answer


@contextmanager
def reviewing(corpus: Corpus, gives: str = "") -> Iterator[Review]:
    corpus.runs.mkdir(exist_ok=True)
    with Reviews(corpus.runs) as reviews:
        yield Review(corpus, reviews, gives=gives)


@pytest.fixture
def review(corpus: Corpus) -> Iterator[Review]:
    with reviewing(corpus) as made:
        yield made


def documents(answer: Answer) -> set[str]:
    return {name for each in answer.entities for name in each.documents}


def test_a_person_reads_to_the_end_and_the_answer_is_proven(review: Review):
    answer = review()
    assert documents(answer) == LEASES
    assert answer.bounds == (len(PETS), len(PETS))
    assert answer.completeness.recall_lower_bound == 1
    quotes = [[said.quote for said in each.evidence] for each in answer.entities]
    assert all(any(ALLOWED in each for each in own) for own in quotes)
    assert set(review.reader.keys) == {"y", "n"}
    by_round = (
        r"read (\d+), (\d+) left in this round(?:, then more while they find, "
        r"then an audit of at most \d+)? · before this round (.*?) · given"
    )
    told = re.findall(by_round, review.told)
    assert told[0][::2] == ("0", f"0 (between 0 and {len(review.corpus.documents)})")
    assert all(int(left) > 0 for _, left, _ in told)
    assert int(told[0][1]) < answer.coverage.chunks
    samples = re.findall(r"audit (\d+) of (\d+)", review.told)
    assert len(told) + len(samples) == len(review.desk.given)


def test_undo_takes_back_the_last_verdict_of_an_earlier_sitting_too(review: Review):
    stopped = review(said="nq")
    assert stopped.bounds is not None
    assert stopped.bounds[1] >= len(PETS) - 1
    (wrong,) = review.reviews.all()
    answer = review(said="uu")
    assert f"undone: no, {wrong.document}" in review.told
    assert review.told.count("undone") == review.told.count("nothing to undo") == 1
    assert documents(answer) == LEASES
    skipped = review(said="suu", question=f"{Q} ")
    assert skipped.status == "answered"


def test_undo_goes_back_to_an_earlier_round(review: Review, monkeypatch: pytest.MonkeyPatch):
    sizes: list[int] = []
    judge = ReviewDesk.judge

    def counted(self: ReviewDesk, asked: Sequence[JudgeValues]) -> Sequence[JudgeReply | None]:
        sizes.append(sum(len(each.passages) for each in asked))
        return judge(self, asked)

    monkeypatch.setattr(ReviewDesk, "judge", counted)
    review()
    given = list(review.reviews.all())
    for number, _ in enumerate(given, start=1):
        review.reviews.withdraw(number)
    answer = review(said="." * sizes[0] + "u")
    assert documents(answer) == LEASES
    assert list(review.reviews.all()) == given
    review()
    assert review.reader.keys == "", "what was judged is not asked again"


def test_a_passage_that_is_skipped_widens_the_bounds(review: Review):
    answer = review(yes="s")
    assert answer.coverage.unparsable >= len(PETS)
    assert answer.value == 0
    assert answer.bounds is not None
    assert answer.bounds[1] >= len(PETS)
    skipped = answer.coverage.unparsable
    assert f"{skipped} chunks were skipped" in answer.warnings
    assert not [each for each in answer.warnings if "reply" in each or "request" in each]
    told = run("report", review.corpus.path, "--chunk", "lease-00").stdout
    assert "skipped (during" in told
    assert "unusable" not in told


@pytest.mark.parametrize("said", ["tyubq", "tsubq", "tubq", "tyuubq"])
def test_a_note_comes_back_with_its_passage_and_is_kept_with_what_is_borderline(
    review: Review, said: str
):
    assert review(said=said).value == 1
    kept = [(each.note, each.judgement) for each in review.reviews.all()]
    assert kept == [("note", "borderline")]
    assert "note: note" in review.told
    review(said="uyq")
    assert [each.note for each in review.reviews.all()] == ["note"], "of an earlier sitting"


@pytest.mark.parametrize(("said", "gives"), [("-yq", ""), ("wyq", "KEEP\n one dog")])
def test_the_marked_words_or_those_that_are_given_are_quoted(review: Review, said: str, gives: str):
    review(said=".wyq")
    assert "give words of the passage as they stand in it" in review.told
    _, likeliest = (each.quote for each in review.reviews.all())
    review.reviews.withdraw(2)
    review.gives = gives
    review(said=said)
    _, quote = (each.quote for each in review.reviews.all())
    assert quote in review.file.getvalue()
    assert quote != likeliest
    assert not gives or quote == "keep one dog"


@pytest.mark.parametrize(
    "text",
    [
        "The sun rose late that day. Nobody went out before noon.",
        "A contract came at noon. Another contract came on the day after.",
    ],
    ids=["no word", "two sentences with one"],
)
def test_where_no_sentence_is_told_the_whole_passage_is_the_proof(text: str, tmp_path: Path):
    corpus, asked = built({"xx.md": text}, tmp_path), "Welche? Which contracts name a pet?"
    with reviewing(corpus) as sitting:
        found = sitting(asked, said="y")
        assert "will be quoted: the whole passage" in sitting.told
        (quote,) = found.entities[0].evidence
        assert quote.quote == text == corpus.document_text(0)[quote.start : quote.end]
        sitting.reviews.withdraw(1)
        found = sitting(asked, said="+y")
        first = text.partition(".")[0] + "."
        assert f"will be quoted: “{first}”" in sitting.told
        assert found.entities[0].evidence[0].quote == first


def test_the_sentence_with_the_rare_words_of_a_condition_is_proposed(tmp_path: Path):
    common = "The tenant pays the rent to the landlord. "
    texts = {f"x{n}.md": common for n in range(9)}
    texts["pet.md"] = f"{common}A hamster is allowed. {common}"
    with reviewing(built(texts, tmp_path)) as sitting:
        sitting("Welche? Which contracts let the tenant keep a hamster?", said="q")
    assert "will be quoted: “A hamster is allowed.”" in sitting.told


def test_words_around_a_passage_are_shown(tmp_path: Path):
    parts = ["A pet is named here.", *[f"Clause {n} is of rent and repair." for n in range(120)]]
    with reviewing(built({"long.md": "\n\n".join(parts)}, tmp_path)) as sitting:
        sitting("Welche? Which contracts name a pet?", said="nq")
    first, second = sitting.told.split("will be quoted")[:2]
    assert "Clause 119" not in first
    assert "…" in first
    assert second.count("…") == 2


def test_a_number_in_the_texts_is_refused(corpus: Corpus, tmp_path: Path):
    summed = {"operation": "sum", "measure": measured("the deposit")}
    asked = ScriptedReasoner({"interpret": lambda _: INTERPRETED | summed})
    console = Console(file=io.StringIO())
    with Reviews(tmp_path) as reviews:
        desk = ReviewDesk(corpus, reviews, TerminalScreen(console), "ann", lambda: "now")
        context = Context(corpus=corpus, reasoner=PersonReasoner(desk, asked))
        with Session(context) as session, pytest.raises(QuestionError, match="'the deposit' would"):
            followed(session, desk, "What is the total deposit?", new_run_id(), lambda _: None)


def test_the_command_stops_goes_on_and_prints_what_was_judged(place: Path):
    done = run("review", place, Q, "--json", input="n\nn?q\n")
    assert done.exit_code == 4
    assert json.loads(done.stdout)["status"] == "partial"
    assert "q stop" in done.stderr
    assert "2 verdicts given" in done.stderr
    assert "stopped; the same command goes on" in done.stderr
    asked_again = run("ask", place, "--again", json.loads(done.stdout)["run"])
    assert "is a person's: ask its question with `headcount review`" in asked_again.stderr
    again = run("review", place, Q, input="n")
    assert "1 verdict given, 2 taken from earlier reviews" in again.stderr
    with Reviews(place / "runs") as reviews:
        assert [each.judgement for each in reviews.all()] == ["no", "no", "no"]


def test_the_evaluation_reviews_as_the_command_does(review: Review):
    ablation = Ablation.model_validate(VARIANTS["review"])
    command = review_context(Settings(), Mock(corpus=review.corpus), verbatim=False)
    product = command.policy.model_dump(exclude={"on_ambiguity"})
    assert ablation.model_dump(include=set(product)) == product
    assert ablation.components().way(None, None).way == "rank"


def test_a_person_corrects_what_a_run_found(place: Path, asked: Told, model: Flags):
    assert asked["value"] == len(PETS)
    done = run("review", asked["run"], "--json", input="n" * 11 + "yyyy")
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    (found,) = [each for each in told["parts"] if each["part"] == "found"]
    assert (found["size"], found["checked"], found["stand"]) == (len(PETS), len(PETS), 4)
    assert (told["value"], told["bounds"][0]) == (4, 4)
    (overruled,) = told["overruled"]
    assert done.stderr.count("passage show") > len(PETS)  # all of what is overruled was read

    told_again = run("review", asked["run"], input="").stdout
    assert "not found: none checked, of 7 in all, and what the model missed there" in told_again

    after = told_by("ask", place, PETS_ASKED, *model)
    names = {each["documents"][0] for each in after["entities"]}
    assert names == LEASES - {overruled}
    assert any("verdicts of people stand" in each for each in after["warnings"])


@pytest.mark.usefixtures("asked")
def test_a_sample_bounds_what_a_run_found(place: Path):
    told = told_by("review", place, "--check", 2, "--others", 2, input="y" * 99)
    sizes = {each["part"]: (each["size"], each["checked"], each["stand"]) for each in told["parts"]}
    assert sizes == {
        "borderline": (0, 0, 0),
        "found": (len(PETS), 2, 2),
        "not found": (12 - len(PETS), 2, 2),
    }
    assert told["value"] == 12
    assert told["bounds"][0] >= 4
    assert told["bounds"][1] == 12
    stopped = run("review", place, "--check", 9, input="q").stdout
    assert "found: 2 of 2 checked stand, of 5 in all" in stopped
    undone = run("review", place, "--check", 4, input="nuyy").stdout
    assert "found: 4 of 4 checked stand" in undone
    assert "does not stand" not in undone


def test_a_corrected_number_is_that_of_the_verdicts_kept(asked: Told):
    run_id = asked["run"]
    assert exported(run_id)["checked"] is None
    told = told_by("review", run_id, "--others", 3, input="n" * 11 + "y" * 99)
    assert exported(run_id)["checked"] == told
    assert (told["said"], told["told"]) == (len(PETS), len(PETS) + 3)
    assert (len(told["overruled"]), len(told["missed"])) == (1, 3)
    assert (told["by"], told["confidence"]) == ([reader_name()], 0.95)
    assert told["bounds"][0] <= told["value"] <= told["bounds"][1]
    corrected = f"about {told['value'] + 0.1:.0f} (between {told['bounds'][0]:g} and "
    agreed = f"{len(PETS) - 1} of {len(PETS) + 3} documents checked; overruled: 1, missed: 3"
    for form in ("md", "xlsx", "html"):
        assert run("export", run_id, f"a.{form}").exit_code == 0
        text = Path(f"a.{form}").read_bytes()
        if form == "xlsx":
            book = zipfile.ZipFile("a.xlsx")
            text = b"".join(map(book.read, book.namelist()))
        plain = text.replace(b"\\", b"").decode("utf-8", "replace")
        assert corrected in plain
        assert agreed in plain
        assert f"does not stand: {told['overruled'][0]}" in plain


def exported(run_id: str) -> Told:
    assert run("export", run_id, "out.json", "--force").exit_code == 0
    told: Told = json.loads(Path("out.json").read_text(encoding="utf-8"))
    return told


@pytest.mark.parametrize(
    ("said", "part"),
    [
        ("", (0, 0, 0)),
        ("yn", (2, 1, 0)),
        ("y b y", (1, 1, 0)),
        ("yb", (2, 1, 1)),
        ("y nnnnnnnnnn", (12, 1, 1)),
        (" " * 9 + "y" * 9, (0, 0, 0)),
    ],
    ids=str,
)
def test_a_sample_ends_where_no_more_is_told(said: str, part: tuple[int, int, int]):
    names: dict[str, Said] = {"y": "yes", "n": "no", "b": "borderline", " ": ""}
    found = _sampled("found", [names[each] for each in said])
    assert (found.checked, found.stand, found.open) == part
    assert found.size == len(said)


def test_what_a_person_sought_out_is_no_sample(asked: Told, corpus: Corpus):
    names = [each["documents"][0] for each in asked["entities"]]
    random.Random(f"{asked['run']} found").shuffle(names)
    condition = Condition.model_validate(asked["interpretation"]["conditions"])
    given = {"condition": condition.text, "judgement": "no", "who": "ann", "made": "now"}
    with Reviews(corpus.runs) as reviews:
        for chunk in corpus.chunks_of(corpus.document_index(names[2])):
            verdict = Reviewed(document=names[2], start=0, question=PETS_ASKED, **given)
            reviews.put(corpus, chunk, verdict)
    found = exported(asked["run"])["checked"]
    assert (found["overruled"], found["told"], found["value"]) == ([names[2]], 1, len(PETS) - 1)
    part = {"part": "found", "size": len(PETS), "checked": 0, "stand": 0, "open": 0}
    assert found["parts"][1] == part | {"yes": 0, "no": 1}
    assert found["bounds"] == [0, len(PETS) - 1]
    audited = asked["completeness"]["confidence"] or 1
    assert found["confidence"] == pytest.approx(0.95 - (1 - audited))


C1, C2 = Condition(id="c1", text="allows a pet"), Condition(id="c2", text="allows smoking")
CITY = Condition(
    id="c3",
    text="City is York",
    predicate=Predicate(field="City", comparison="is", values=("York",)),
)
READ = Interpretation(text="?", entity_type="lease", operation="count", conditions=C1)


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"conditions": AnyOf(parts=(C1, CITY))}, "joined by `or`, or denied"),
        ({"conditions": AllOf(parts=(C1, Not(part=CITY)))}, "joined by `or`, or denied"),
        ({"conditions": CITY}, "code decided all of it"),
        ({"conditions": None}, "joined by `or`, or denied"),
        ({"grain": "entity"}, "counts no documents but each lease"),
        ({"entity_field": "City"}, "counts no documents but each lease"),
        ({"quota": Quota(at_least=2)}, "counts no documents but each lease"),
        ({"operation": "group_by"}, "no count or list"),
        ({"conditions": AllOf(parts=(C1, C2, CITY))}, ""),
    ],
)
def test_only_what_verdicts_on_passages_correct_is_checked(changed: dict[str, Any], told: str):
    said = uncheckable(answer(), READ.model_copy(update=changed), "gpt")
    assert told in said
    assert bool(said) == bool(told)
    assert "partial" in uncheckable(answer(status="partial"), READ, "gpt")
    assert "a person read it" in uncheckable(answer(), READ, "person")


def test_a_copy_that_a_person_judged_is_not_given_another_verdict(tmp_path: Path):
    words = "The tenant may keep one dog in the flat, says the owner of the house"
    corpus = built({"xx.md": f"{words}.", "yy.md": f"{words.upper()}."}, tmp_path)
    with reviewing(corpus) as sitting:
        assert documents(sitting(yes="y")) == {"xx", "yy"}
        (one,) = sitting.reviews.all()  # the other is its copy
        other = {"xx": 1, "yy": 0}[one.document]
        no = replace(one, document=["xx", "yy"][other], judgement="no", quote="")
        sitting.reviews.put(corpus, other, no)
        assert documents(sitting(yes="y")) == {one.document}


def test_a_question_that_is_declined_is_taken_as_it_stands(place: Path):
    done = run("review", place, "Welche Verträge?", "--recall", 0.5, input="n\nq")
    assert done.exit_code == 4
    assert "question is searched by its words" in done.stderr
    assert "passage answer: Welche Verträge?" in done.stderr
    again = run("review", place, "Welche Verträge?", input="uq")
    assert "undone: no, " in again.stderr
