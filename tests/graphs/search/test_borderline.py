"""What is borderline counts, is marked, and does not hold the lower bound."""

from agent.policy import Policy
from agent.prompt_values import JudgeValues
from agent.reasoner import Prompt
from agent.reasoners.scripted import Scripted, ScriptedReasoner
from graphs.context import Context
from graphs.headcount import build_graph
from tests.graphs.conftest import INTERPRETED, PETS, Script, judged
from tools.corpus.corpus import Corpus

DOUBTFUL = {"lease-00", "lease-03"}


def doubting(prompt: Prompt) -> Scripted:
    reply = judged(prompt)
    for said in reply["passages"]:
        if prompt.values_as(JudgeValues).passages[said["passage"] - 1].document in DOUBTFUL:
            said["evidence"] = [each | {"certainty": "borderline"} for each in said["evidence"]]
    return reply


def asked(corpus: Corpus, script: Script):
    script["judge"] = doubting
    context = Context(
        corpus=corpus, reasoner=ScriptedReasoner(script), policy=Policy(few_candidates=10_000)
    )
    return build_graph().invoke(
        {"question": "How many leases allow the tenant to keep a pet?"}, context=context
    )["answer"]


def test_a_borderline_finding_counts_but_not_for_the_lower_bound(corpus: Corpus, script: Script):
    answer = asked(corpus, script)
    assert answer.value == len(PETS)
    assert answer.bounds == (len(PETS) - len(DOUBTFUL), len(PETS))


def test_where_the_condition_is_denied_it_widens_the_upper_bound(corpus: Corpus, script: Script):
    script["interpret"] = lambda prompt: INTERPRETED | {"logic": "not c1"}
    answer = asked(corpus, script)
    rest = len(corpus.documents) - len(PETS)
    assert answer.value == rest
    assert answer.bounds == (rest, rest + len(DOUBTFUL))
