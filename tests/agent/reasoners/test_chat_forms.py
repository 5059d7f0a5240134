"""What a server does not take is left out, remembered and said."""

import pytest

from agent.errors import ProviderRejected
from agent.reasoners.dialect import Dialect, Form, weaker
from tests.fake_provider.asking import ACME, PROMPT, Firm, chat
from tests.fake_provider.replies import GOOD
from tests.fake_provider.server import FakeProvider


@pytest.mark.parametrize(
    ("refuses", "calls", "left"),
    [
        ("response_format=json_schema", 2, {"type": "json_object"}),
        ("response_format", 3, None),
    ],
)
def test_the_reply_form_falls_back_and_stays(
    provider: FakeProvider, refuses: str, calls: int, left: object
) -> None:
    provider.refuses = (refuses,)
    reasoner = chat(provider)
    assert reasoner.ask(PROMPT, Firm) == ACME
    assert provider.calls == calls
    assert provider.requests[-1].get("response_format") == left
    reasoner.ask(PROMPT, Firm)
    assert provider.calls == calls + 1
    assert len(reasoner.warnings) == calls - 1
    assert reasoner.spent().model_calls == 2


@pytest.mark.parametrize("refuses", ["response_format=json_schema", "response_format"])
def test_a_schema_that_the_request_cannot_carry_is_said_in_words(
    provider: FakeProvider, refuses: str
) -> None:
    provider.refuses = (refuses,)
    chat(provider).ask(PROMPT, Firm)
    said = ["The firm's name." in each["messages"][0]["content"] for each in provider.requests]
    assert said == [False] + [True] * (provider.calls - 1)


def test_a_schema_that_is_not_enforced_is_said_in_words_from_then_on(
    provider: FakeProvider,
) -> None:
    provider.script = ["wrong-type", GOOD]
    reasoner = chat(provider)
    reasoner.ask(PROMPT, Firm)
    reasoner.ask(PROMPT, Firm)
    said = ["The firm's name." in each["messages"][0]["content"] for each in provider.requests]
    assert said == [False, True, True]
    assert all("response_format" in each for each in provider.requests)
    assert "does not enforce" in reasoner.warnings[0]


@pytest.mark.parametrize("member", ["temperature", "max_tokens"])
def test_parameters_that_are_refused_are_left_out(provider: FakeProvider, member: str) -> None:
    provider.refuses = (member,)
    reasoner = chat(provider)
    assert reasoner.ask(PROMPT, Firm) == ACME
    assert member not in provider.requests[-1]
    assert member in reasoner.warnings[0]


def test_a_refusal_of_something_else_is_raised(provider: FakeProvider) -> None:
    provider.refuses = ("messages",)
    with pytest.raises(ProviderRejected, match="messages"):
        chat(provider).ask(PROMPT, Firm)
    assert provider.calls == 1


@pytest.mark.parametrize("choosing", [True, False])
def test_forms_only_get_weaker_and_end(choosing: bool) -> None:
    everything = "response_format tool_choice tools temperature max_tokens max_completion_tokens"
    form: Form | None = Form(length="max_tokens", temperature=True)
    seen = []
    while form is not None:
        assert form not in seen
        seen.append(form)
        form = weaker(form, everything, choosing=choosing)
    assert len(seen) == 6


def test_a_refusal_of_an_outdated_form_only_asks_again() -> None:
    dialect = Dialect(Form())
    old = dialect.form
    assert dialect.concede(old, "response_format", choosing=False)
    assert dialect.concede(old, "response_format", choosing=False)
    assert dialect.form.reply == "json_object"
    assert len(dialect.warnings) == 1
