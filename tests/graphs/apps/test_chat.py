import io
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from rich.console import Console

from agent.policy import Policy
from agent.prompt_values import InterpretValues, JudgeValues, RewriteValues
from agent.reasoners.lexical.reader import LexicalReasoner
from evals.ablation import Ablation
from graphs.apps import chat
from graphs.apps.chat import Chat
from graphs.sessions import Session
from tests.graphs.apps.conftest import Q, run
from tests.graphs.conftest import INTERPRETED, NARROWED, PETS, Script, changeable, whole
from tests.graphs.searching import context_of
from tests.integration.reader import AMBIGUITY
from tools.corpus.corpus import Corpus

Line = str | BaseException


@dataclass
class Talk:
    """A chat whose lines are given beforehand, and what it prints."""

    session: Session
    file: io.StringIO = field(default_factory=io.StringIO)
    prompts: list[str] = field(default_factory=list)

    def __call__(self, *lines: Line) -> str:
        given = iter(lines)

        def read(prompt: str) -> str:
            self.prompts.append(prompt)
            line = next(given, EOFError())
            if isinstance(line, BaseException):
                raise line
            return line

        console = Console(file=self.file, width=100, color_system=None, highlight=False)
        self.chat = Chat(self.session, console, read, lambda run: f"headcount ask X --resume {run}")
        self.chat.run()
        return self.file.getvalue()


@pytest.fixture
def talk(corpus: Corpus, script: Script) -> Iterator[Callable[..., str]]:
    reasoner = changeable(script)
    context = context_of(corpus, reasoner, Ablation(on_ambiguity="ask", scan=False))
    with Session(context) as session:
        yield Talk(session)


def test_a_question_is_answered_with_its_trace(talk: Talk):
    told = talk(Q)
    assert "12 documents" in told
    assert "apply: keywords: words 'dog', 'cat', 'animal'" in told
    assert told.index("judge: ") < told.index(f"\n{len(PETS)}\n")


def test_a_clarification_is_asked_inline_until_it_is_understood(talk: Talk, script: Script):
    script["classify"] = lambda prompt: {"ambiguities": [AMBIGUITY]}
    script["clarify"] = lambda prompt: {"question": "Which animals?"}
    script["rewrite"] = lambda prompt: whole(
        INTERPRETED if prompt.values_as(RewriteValues).exchange.reply.choice == 1 else NARROWED
    )
    told = talk(Q, "7", "", "2")
    assert "Which animals?\n  1. dogs and cats: How many leases allow a dog or a cat?" in told
    assert "there is no option 7: choose 1 to 2" in told
    assert "interpreted as: How many leases in York allow the tenant to keep a pet?" in told
    assert talk.prompts.count("number or words> ") == 3


def test_a_follow_up_knows_what_was_asked_before(talk: Talk):
    talk(Q, "And in York?", "And in Hull?")
    prompts = talk.session.context.reasoner.prompts
    asked = (each.values_as(InterpretValues) for each in prompts if each.name == "interpret")
    seen = [[turn.question for turn in each.conversation] for each in asked]
    assert seen == [[], [Q], [Q, "And in York?"]]


IN_LEEDS = "How many leases in Leeds were signed after 2012?"
FIRST = "City is Leeds and Signed more than 2012"


@pytest.mark.parametrize(
    ("before", "asked", "told"),
    [
        (IN_LEEDS, "Of those, how many mention a dog?", f"{FIRST} and a passage mentions dog"),
        (IN_LEEDS, "and of those leases which are signed before 2017?", f"{FIRST} and"),
        (IN_LEEDS, "How many of them are in Leeds?", f"{FIRST}."),
        ("Leases in York?", "Of those, which is the newest?", "City is York and Signed at"),
        (IN_LEEDS, "What about York?", "City is York and Signed more than 2012."),
        ("How many leases were signed in 2012?", "and in 2013?", "Signed is 2013."),
        (f"{IN_LEEDS}|What about York?", "And Hull?", "City is Hull and Signed more than 2012."),
        (
            "How many leases are in York?|Of those, how many were signed in 2012?",
            "What about 2013?",
            "City is York and Signed is 2013.",
        ),
        ("How many leases are in York?|Of those, how many were signed in 2012?", "and Hull?", None),
        (IN_LEEDS, "and in 2013?", None),
        (IN_LEEDS, "what about Paris?", None),
        (IN_LEEDS, "what about a dog?", None),
        ("How many leases are in Leeds or York?", "and in Hull?", None),
        ("How many leases per city?", "of those, how many mention a dog?", None),
        ("Which leases allow a boat?", "of those, how many mention a dog?", None),
        (IN_LEEDS, "of those rooms, how many mention a dog?", None),
        (IN_LEEDS, "of those, which are recent?", None),
    ],
)
def test_without_a_model_a_follow_up_is_taken_up_where_it_is_sure(
    corpus: Corpus, before: str, asked: str, told: str | None
):
    with Session(context_of(corpus, LexicalReasoner())) as session:
        shown = " ".join(Talk(session)(*before.split("|"), asked).split())
    _, how, last = re.split("(interpret|error): ", shown.replace("(", ""))[-3:]
    assert how == ("error" if told is None else "interpret")
    assert (f"documents for which {told}" if told else "what was said before") in last


def test_a_reply_that_names_nothing_here_is_told_why_and_asked_again(corpus: Corpus):
    with Session(context_of(corpus, LexicalReasoner(), Policy(on_ambiguity="ask"))) as session:
        told = Talk(session)("How many recent leases are in Leeds?", "blue moon", "1")
    assert "cannot place “blue”, “moon”" in " ".join(told.split())
    assert told.count("About “recent”") == 2


def test_what_was_declined_since_is_not_passed_over(corpus: Corpus):
    with Session(context_of(corpus, LexicalReasoner())) as session:
        told = Talk(session)(IN_LEEDS, "Which leases are cosy?", "Of those, how many are in Hull?")
    assert "“those” refers to what was said before" in " ".join(told.split())


def test_the_evidence_of_an_item_is_shown_in_full(talk: Talk):
    told = talk("/evidence 1", Q, "/evidence 1", "/evidence 99", "/evidence x")
    assert "no items yet" in told
    assert "lease-00, characters " in told
    assert "“The tenant may keep one dog or one cat in the flat.”" in told
    assert told.count(f"N from 1 to {len(PETS)}") == 2


def test_an_answer_without_items_has_no_evidence_and_says_so(talk: Talk, script: Script):
    script["judge"] = lambda prompt: {
        "passages": [],
        "none": list(range(1, len(prompt.values_as(JudgeValues).passages) + 1)),
    }
    assert "the last answer has no items" in talk(Q, "/evidence 1")


def test_a_pasted_block_is_one_question_and_a_terminal_keeps_the_prompt(
    talk: Talk, script: Script, monkeypatch: pytest.MonkeyPatch
):
    readline = pytest.importorskip("readline")
    bound: list[str] = []
    monkeypatch.setattr(readline, "parse_and_bind", bound.append)
    assert chat._reader(Console(force_terminal=True)) is input
    assert bound == ["set enable-bracketed-paste on"]
    told = talk(Q.replace(" ", "\n"))
    assert told.count("interpret: ") == 1
    assert talk.chat.turns[0][0].question == Q


def test_ctrl_c_ends_the_question_and_not_the_chat(talk: Talk, script: Script):
    judge = script["judge"]

    def stopped(prompt):
        script["judge"] = judge
        raise KeyboardInterrupt

    script["judge"] = stopped
    told = talk(Q, KeyboardInterrupt(), Q)
    assert "stopped; resume with: headcount ask X --resume" in told
    assert "/quit or Ctrl-D ends" in told
    assert f"\n{len(PETS)}\n" in told


def test_unknown_commands_are_not_questions(talk: Talk):
    told = talk("/nonsense", "/help", "", "/quit", "never read")
    assert "unknown command /nonsense" in told
    assert "/evidence N" in told
    assert talk.prompts == ["> "] * 4


def test_the_command_talks_through_a_pipe(place: Path):
    done = run("chat", place, input=f"{Q}\n/quit\n")
    assert done.exit_code == 0
    assert "interpreted as:" in done.stdout
