from collections.abc import Callable

import pytest

from agent.ambiguity import Clarification, Option, Reply
from agent.errors import SettingsError
from agent.reasoners import ScriptedReasoner
from evals.simulated_users import (
    USERS,
    Articulate,
    Contradicting,
    Intent,
    Played,
    Scripted,
    Terse,
    Unsure,
    User,
    user_of,
)

INTENT = Intent(
    asked="How many reports have many authors?",
    meant="How many reports have at least 5 authors?",
)

OPEN = Clarification(code=None, span="", question="What do you want to know?", options=())


def asking(*limits: int) -> Clarification:
    options = tuple(
        Option(
            label=f"at least {limit}", meaning=f"How many reports have at least {limit} authors?"
        )
        for limit in limits
    )
    return Clarification(code="A1", span="many", question="From which value on?", options=options)


def reply(**members: object) -> dict[str, object]:
    return {"reason": "", "choice": None, "text": "", **members}


def test_the_scripted_user_chooses_what_it_means() -> None:
    assert Scripted(INTENT).reply(asking(3, 5)) == Reply(choice=2)


@pytest.mark.parametrize(
    ("user", "named", "open_"),
    [
        (Scripted, "at least 5", "at least 5 authors"),
        (Articulate, INTENT.meant, INTENT.meant),
        (Terse, "at least 5", "5"),
    ],
    ids=["a phrase", "the whole question", "a bare number, which no option could be"],
)
def test_where_no_option_means_it_users_say_more_or_less(
    user: Callable[[Intent], User], named: str, open_: str
) -> None:
    assert user(INTENT).reply(asking(3, 4)) == Reply(text=named)
    assert user(INTENT).reply(OPEN) == Reply(text=open_)
    assert user(INTENT).reply(asking(3, 5)) == Reply(choice=2)


def test_the_terse_user_says_more_when_the_same_is_asked_again() -> None:
    user = Terse(INTENT)
    assert [user.reply(OPEN).text for _ in range(2)] == ["5", "at least 5 authors"]


def test_the_contradicting_user_ends_with_what_it_means() -> None:
    said = Contradicting(INTENT).reply(asking(3, 5))
    assert said.choice is None
    assert said.text == "at least 3. No, wait, not that: at least 5"


def test_the_contradicting_user_contradicts_itself_in_words_too() -> None:
    assert Contradicting(INTENT).reply(asking()).text.endswith(INTENT.meant)


def test_the_unsure_user_never_knows() -> None:
    assert Unsure().reply(asking(3, 5)) == Reply(text="I don't know")


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        (reply(choice=2), Reply(choice=2)),
        (reply(choice=7, text="five or more"), Reply(text="five or more")),
        (reply(text=" five or more "), Reply(text="five or more")),
        (reply(), Reply(text="I don't know")),
    ],
    ids=["a choice", "no such option", "words", "nothing"],
)
def test_a_model_plays_the_user(told: dict[str, object], expected: Reply) -> None:
    player = ScriptedReasoner({"user": [told]})
    assert Played(INTENT, player).reply(asking(3, 5)) == expected


def test_the_model_sees_intent_question_and_options() -> None:
    player = ScriptedReasoner({"user": [reply(choice=1)]})
    Played(INTENT, player).reply(asking(3, 5))
    (prompt,) = player.prompts
    for told in (INTENT.asked, INTENT.meant, "From which value on?", "2. at least 5:"):
        assert told in prompt.text
    assert "$" not in prompt.text


def test_the_model_is_told_when_there_are_no_options() -> None:
    assert "(none: reply in words)" in Played(INTENT, ScriptedReasoner({})).prompt(asking()).text


@pytest.mark.parametrize("name", USERS)
def test_every_user_replies_to_every_question(name: str) -> None:
    player = ScriptedReasoner({"user": lambda _: reply(text="five or more")})
    user = user_of(name, INTENT, player)  # type: ignore[arg-type]  # a row of USERS
    for asked in (asking(3, 5), asking(3, 4), asking()):
        said = user.reply(asked)
        assert (said.choice is None) == bool(said.text)


def test_a_model_that_is_not_there_cannot_play() -> None:
    with pytest.raises(SettingsError, match="needs a model"):
        user_of("model", INTENT)
