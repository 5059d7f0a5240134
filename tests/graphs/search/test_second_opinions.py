"""A second opinion compares two readers of the same passages and changes nothing."""

from pyroaring import BitMap

from agent.coverage import SecondOpinion
from agent.errors import LimitReached
from agent.prompt_values import JudgeValues
from agent.question import Condition, Interpretation
from agent.reasoner import Prompt
from graphs.context import Context
from graphs.scope import ledger
from graphs.search.judging_batches import Bench
from graphs.search.second_opinions import rejudged
from tests.graphs.conftest import judged
from tests.graphs.searching import begun
from tests.scripted import Scripted, ScriptedReasoner
from tools.corpus.corpus import Corpus

PETS = Condition(id="c1", text="allows the tenant to keep a pet")
READING = Interpretation(text="?", entity_type="lease", conditions=PETS)
DOG = "may keep one dog"


def asked(corpus: Corpus, second: ScriptedReasoner, size: int) -> SecondOpinion:
    """Book every chunk as a careful reader would, then ask for the second opinion."""
    context = Context(corpus=corpus, reasoner=ScriptedReasoner({}))
    state = begun(context, READING)
    book = ledger(state, context)
    yes = BitMap(chunk for chunk in range(len(corpus)) if DOG in corpus.chunk_text(chunk))
    book.judge("c1", yes=yes, no=BitMap(range(len(corpus))) - yes)
    bench = Bench(corpus=corpus, reasoner=second, reading=READING, conditions=(PETS,))
    opinion = rejudged(state, context, bench, size)
    assert book.ids("c1", "yes") == yes
    assert not context.store.findings(state.run)
    return opinion


def refusing(prompt: Prompt) -> Scripted:
    """Find no evidence anywhere."""
    shown = range(1, len(prompt.values_as(JudgeValues).passages) + 1)
    return {"passages": [], "none": list(shown)}


def exhausted(prompt: Prompt) -> Scripted:
    raise LimitReached("calls (limit 0, spent 0)")


def test_readers_who_agree_agree_on_both_sides(corpus: Corpus) -> None:
    opinion = asked(corpus, ScriptedReasoner({"judge": judged}, name="second"), 4)
    kept, dropped = opinion.of("c1")
    assert opinion.by == "second"
    assert (kept.first, len(kept.yes), kept.drawn) == (True, 4, 4)
    assert (dropped.first, len(dropped.no), dropped.drawn) == (False, 4, 4)
    assert kept.size + dropped.size == len(corpus)


def test_a_reader_who_finds_nothing_disagrees_where_the_first_said_yes(corpus: Corpus) -> None:
    kept, dropped = asked(corpus, ScriptedReasoner({"judge": refusing}), 3).strata
    assert (kept.yes, len(kept.no), len(dropped.no)) == ((), 3, 3)


def test_what_a_limit_cuts_off_is_undecided_and_said(corpus: Corpus) -> None:
    opinion = asked(corpus, ScriptedReasoner({"judge": exhausted}), 3)
    assert "limit 0" in opinion.stopped
    assert not any(each.drawn for each in opinion.strata)
    assert [len(each.undecided) for each in opinion.strata] == [3, 3]
