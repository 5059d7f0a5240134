import pytest

from agent.question import Condition
from agent.reasoners.rules.judging.status import read_status, status_proofs
from agent.reasoners.rules.language.roots import roots
from tests.agent.reasoners.rules.small_corpus import passage

ITSELF = Condition(id="c1", text="the text states that this recipe itself was withdrawn")


def declared(text: str, condition: Condition = ITSELF, **about: object) -> bool:
    status = read_status(condition, "recipe")
    assert status is not None
    headings = about.get("headings", ())
    assert isinstance(headings, tuple)
    shown = passage(text, document=str(about.get("document", "doc")), headings=headings)
    return any(True for _ in status_proofs(shown, status))


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("This recipe was withdrawn in May.", id="passive"),
        pytest.param("The recipe has been formally withdrawn.", id="perfect"),
        pytest.param("I am withdrawing this recipe.", id="active"),
        pytest.param("Withdrawal notice", id="notice"),
        pytest.param(".. withdrawn::", id="directive"),
        pytest.param("This note has been withdrawn.", id="general noun"),
    ],
)
def test_a_document_may_declare_its_state(text: str) -> None:
    assert declared(text)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("The sauce was withdrawn.", id="another subject"),
        pytest.param("If this recipe is withdrawn, cook another.", id="hypothetical"),
        pytest.param("This recipe will be withdrawn.", id="future"),
        pytest.param("This recipe was not withdrawn.", id="denied"),
        pytest.param("Withdrawn ideas", id="a heading about other things"),
        pytest.param("That step is withdrawn in this recipe.", id="inside the document"),
    ],
)
def test_other_statements_are_no_declaration(text: str) -> None:
    assert not declared(text)


def test_below_a_heading_about_such_things_a_general_noun_is_one_of_them() -> None:
    text = "This proposal was withdrawn because it burnt."
    assert declared(text)
    assert not declared(text, headings=("Withdrawn ideas",))


def test_a_document_may_call_itself_by_its_number() -> None:
    assert declared("Recipe 12 was withdrawn.", document="recipe-0012")
    assert not declared("Recipe 13 was withdrawn.", document="recipe-0012")


def test_names_in_the_condition_are_demanded() -> None:
    asked = Condition(id="c1", text="this recipe was withdrawn in favour of Recipe 7")
    assert declared("This recipe was withdrawn for Recipe 7.", asked)
    assert not declared("This recipe was withdrawn.", asked)


@pytest.mark.parametrize(
    "text", ["are governed by the law of Utah", "contain an onion", "limit the salt"]
)
def test_a_condition_about_something_else_is_no_status(text: str) -> None:
    assert read_status(Condition(id="c1", text=text), "recipe") is None


def test_what_a_banner_says_of_the_document_is_its_status() -> None:
    text = "carry a banner, notice or statement in their text saying that this very memo was closed"
    status = read_status(Condition(id="c1", text=text), "memo")
    assert status is not None
    assert status.root == roots("closed")[1]
