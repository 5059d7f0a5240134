"""What a question is taken for, word for word; what cannot be placed is named."""

from collections.abc import Mapping

import pytest

import prompts
from agent.cost import Budget
from agent.errors import LimitReached, QuestionError
from agent.prompt_values import InterpretValues
from agent.reasoner import Prompt, PromptValues, ToolSpec
from agent.reasoners.lexical import LexicalReasoner
from agent.replies import InterpretReply, JudgeReply
from tools.corpus.corpus import Corpus


def read(question: str, corpus: Corpus) -> InterpretReply:
    prompt = Prompt(
        name="interpret",
        digest="",
        text="",
        values=InterpretValues(question=question, conversation=(), corpus=corpus),
    )
    return LexicalReasoner().ask(prompt, InterpretReply)


PERMITS = {
    "which permits in saint remy were grantd?":
        "List … district is Saint-Rémy and decision is granted",
    "Which permits were decided before 2023?": "List … decided less than 2023",
    "Which permits were refused after 2022?":
        "List … decision is refused or Refused and decided more than 2022",
    "count of permits with more than 1000 people attending": "Count … attendance more than 1000",
    "Is there a permit with 3 tags?": "List … number of tags is 3",
    "number of permits tagged food or market": "Count … tags is food or tags is market",
    "Which permits are tagged music and food?": "List … tags is music and tags is food",
    "How many permits have no sponsor?": "Count … not (sponsor exists)",
    "permits that are not in the Old Town or Westpark and cost less than 100 euros":
        "List … not (district is Old Town or district is Westpark) and fee_eur less than 100",
    "Which permits are neither granted nor refused?":
        "List … not (decision is granted or decision is refused or Refused)",
    "Which permits are in the Harbour or granted?":
        "List … district is Harbour or decision is granted",
    "list permits in the Harbour and granted or refused":
        "List … district is Harbour and (decision is granted or decision is refused or Refused)",
    "total fees per district": "The sum of fee_eur over … by district",
    "give me the top 2 permits by attendance": "Rank … by attendance",
    "Which permit is the most recent?": "List … decided at least 2024-05-02",
    "How many permits do not mention the police?": "Count … no passage mentions police",
    "Who has sponsored the most permits?": "Count … sponsor exists by sponsor",
    "How many permits were decided in Januray 2022, in the table?": "Count … decided is 2022-01",
    "When was the first permit?": "List … decided at most 2021-08-09",
    "What kind of tags have the most permits?": "Count … by tags",
    "permits by district, how many of each?": "Count … by district",
    "total fees of the granted permits, whatever their district":
        "The sum of fee_eur over … decision is granted",
}  # fmt: skip
PAPERS = {
    "Which letters offer an object as a gift?":
        "List … file folder is letters and a passage shows “offer an object as a gift”",
}  # fmt: skip
ASSETS = {
    "avarage cost per catagory": "The avg of Cost over … by Category",
    "The two most expensive assets?": "Rank … by Cost",
    "any cheap assets?": "List … Cost at most 19200",
    "Which warranties run beyond 2026?": "List … Warranty until more than 2026",
    "assets that cost between 10,000 and 60,000 euros": "List … Cost between 10000 and 60000",
    "which cranes and lifts do not mention an inspector?": (
        "List … (Category is Crane or Category is Lift) and no passage mentions inspector"
    ),
}
TRAILS = {
    "trails surveyed from November 2021 to February 2022": (
        "List … file folder is trails and Surveyed between 2021-11 and 2022-02"
    ),
    "On which walks did Cy Reed survey?": "List … Surveyor is Cy Reed",
}
VISITS = {
    "Which visits have not been paid yet?": "List … visit no exists and not (paid is yes)",
    "What is the total of the minutes over all visits?":
        "The sum of minutes over … visit no exists",
    "Does a drip come up anywhere?": "List … mentions drip",
    "Which case notes or rows mention a booster?":
        "List … (file name contains case-note or breed exists) and mentions booster",
    "visits between January and May": "List … visit no exists and date between 2024-01 and 2024-05",
    "which case notes contain the word “drip”":
        "List … file name contains case-note and mentions drip",
    "is a wall mentioned anywhere but in the case notes?":
        "List … not (file name contains case-note) and mentions wall",
    "wich vet has done the most dog visits?": ("Count … visit no exists and species is dog by vet"),
}  # fmt: skip
ASKED = {"permits": PERMITS, "papers": PAPERS, "assets": ASSETS, "trails": TRAILS, "visits": VISITS}
INTERPRETED = [(name, *each) for name, told in ASKED.items() for each in told.items()]


@pytest.mark.parametrize(
    ("name", "question", "told"), INTERPRETED, ids=[each[1] for each in INTERPRETED]
)
def test_a_question_is_taken_for_what_it_says(
    name: str, question: str, told: str, corpora: Mapping[str, Corpus]
) -> None:
    restated = read(question, corpora[name]).restated
    shortened = restated.replace("the documents for which", "…").replace("the documents", "…")
    shortened = shortened.replace("a passage mentions", "mentions")
    assert shortened == f"{told}."


DECLINED = [
    ("trails", "who surveyed the most trails?", "most"),
    ("trails", "How many huts were fixed in 2022?", "fixed in 2022"),
    ("visits", "visits by labradors or siamese cats", ["labradors or siamese cats"]),
    ("papers", "How many letters mention a lift and how many mention mould?", ["how many"]),
    ("papers", "How many pages do the letters have?", ["pages"]),
    (
        "assets",
        "Which assets do not have a warranty until after 2025?",
        ["3 documents", "Warranty"],
    ),
    ("papers", "How many times is the lift mentioned?", ["How many times"]),
    ("visits", "Which letters came from the council?", ["letters"]),
    ("permits", "Which zebras sing?", ["zebras", "sing"]),
    ("permits", "average deposit", ["deposit"]),
    ("permits", "What percentage of the permits was refused?", ["percentage"]),
    ("permits", "Do all permits have a sponsor?", ["do all"]),
    ("permits", "Which permit had the best attendance?", ["best", "highest or lowest"]),
    ("papers", "What types of letter are there?", ["types", "one kind"]),
    ("permits", "What is the average fee of permits that forbid fireworks?", ["forbid fireworks"]),
    ("permits", "How many permits do not forbid fireworks?", ["not forbid fireworks"]),
    ("permits", "Which permits are not in Westpark or granted?", ["or"]),
    ("permits", "Which permits mention fierworks?", ["fierworks", "fireworks"]),
    ("papers", "Which letters do not offer a gift?", ["not offer a gift"]),
    ("papers", "Which of the letters is the longest?", ["longest"]),
    ("assets", "How much did we spend on repairs?", ["how much"]),
    ("assets", "assets costing more than 20000 dollars", ["20000 dollars", "EUR"]),
]


@pytest.mark.parametrize(
    ("name", "question", "words"), DECLINED, ids=[each[1] for each in DECLINED]
)
def test_a_question_is_declined_with_the_words_that_cannot_be_placed(
    name: str, question: str, words: list[str], corpora: Mapping[str, Corpus]
) -> None:
    with pytest.raises(QuestionError) as declined:
        read(question, corpora[name])
    told = str(declined.value)
    assert [each for each in words if each not in told] == []
    assert "\n" not in told


@pytest.mark.parametrize(
    "question",
    [
        "Wie viele Genehmigungen wurden erteilt?",
        "Quels permis ont été refusés?",
        "¿Qué permisos fueron rechazados?",
        "Welche Permits sind in Westpark?",
        "permits qui mentionnent dogs",
    ],
)
def test_a_language_that_is_not_read_is_declined(
    question: str, corpora: Mapping[str, Corpus]
) -> None:
    with pytest.raises(QuestionError):
        read(question, corpora["permits"])


POLITE = [
    "how many permits were refused",
    "Could you please tell me how many permits were refused? Thank you very much!",
    "Hello! I would like to know how many permits were refused, thanks",
    "How many permts were refused??",
    "number of refused permits",
]


@pytest.mark.parametrize("question", POLITE)
def test_how_politely_it_is_asked_makes_no_difference(
    question: str, corpora: Mapping[str, Corpus]
) -> None:
    plain = read("How many permits were refused?", corpora["permits"])
    assert read(question, corpora["permits"]).restated == plain.restated


@pytest.mark.parametrize(
    ("name", "question", "told"),
    [
        ("permits", "which permits were grantd?", "“grantd” is read as “granted”"),
        ("permits", "permits after 2022", "“after 2022” is compared with 'decided'"),
        ("permits", "The most expensive permit?", "“most expensive” is taken by 'fee_eur'"),
        ("assets", "any cheap assets?", "“cheap” is read as with Cost of at most 19200"),
    ],
)
def test_what_is_taken_for_granted_is_stated(
    name: str, question: str, told: str, corpora: Mapping[str, Corpus]
) -> None:
    assert told in read(question, corpora[name]).assumptions


def test_it_declines_whatever_needs_a_judge_a_writer_or_a_choice(
    corpora: Mapping[str, Corpus],
) -> None:
    reader = LexicalReasoner()
    judge = Prompt(name="judge", digest="", text="", values=PromptValues())
    plan = Prompt(name="plan", digest="", text="", values=PromptValues())
    with pytest.raises(QuestionError, match="cannot judge: name a model"):
        reader.ask(judge, JudgeReply)
    no_tools: list[ToolSpec] = []
    with pytest.raises(QuestionError, match="cannot plan: name a model"):
        reader.choose(plan, no_tools)
    assert reader.abilities == frozenset()
    assert not reader.paid


def test_a_limit_of_calls_holds_and_one_of_money_does_not(corpora: Mapping[str, Corpus]) -> None:
    prompt = prompts.interpret(
        InterpretValues(question="permits by decision", conversation=(), corpus=corpora["permits"])
    )
    free = LexicalReasoner(Budget(usd=0.0))
    assert free.ask(prompt, InterpretReply).group_by == "decision"
    assert free.spent().usd in {None, 0}
    spent = LexicalReasoner(Budget(calls=1))
    spent.ask(prompt, InterpretReply)
    with pytest.raises(LimitReached):
        spent.ask(prompt, InterpretReply)
