"""Things that some documents name in a field, and another one in its rows."""

from pathlib import Path

from agent.policy import Policy
from agent.reasoners.rules import RulesReasoner
from agent.state import Question
from graphs.context import Context
from graphs.headcount import RunState, build_graph
from tests.graphs.searching import corpus_of

REGISTER = (
    "# Register\n\n| Ship | Built | Flag |\n|---|---|---|\n"
    "| Aurora | 1998 | Panama |\n| Birka | 2003 | Norway |\n| Cora | 2010 | France |\n"
    "| Dagny | 2011 | Panama |\n| Edda | 2015 | Liberia |\n| Freja | 2016 | Panama |\n"
)
SAILORS = (
    ("Ann", "Aurora"),
    ("Bo", "Aurora"),
    ("Cara", "Birka"),
    ("Dan", "Cora"),
    ("Eva", "Dagny"),
)


def test_a_field_that_some_documents_have_does_not_count_what_others_name(tmp_path: Path) -> None:
    sheets = {
        f"sailor-{at}": f"Sailor: {name}\nShip: {ship}\nSalary: {3000 + at}\n"
        for at, (name, ship) in enumerate(SAILORS)
    }
    corpus = corpus_of(sheets | {"register": REGISTER}, tmp_path)
    context = Context(corpus=corpus, reasoner=RulesReasoner(), policy=Policy(trial=0))
    asked = Question(question="How many ships are there?")
    state = RunState(**build_graph().invoke(asked, context=context))
    context.store.close()
    assert state.route is not None
    assert state.answer is not None
    assert (state.route.path, state.answer.value) == ("records", 6)
