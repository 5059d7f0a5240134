import pytest

from agent.ambiguity import Reply


@pytest.mark.parametrize(
    ("text", "choice", "words"),
    [
        ("1", 1, ""),
        (" 12\n", 12, ""),
        ("0", 0, ""),
        ("-1", -1, ""),
        ("²", None, "²"),
        ("9" * 5000, None, "9" * 5000),
        ("at least 3", None, "at least 3"),
        ("", None, ""),
        ("2.", 2, ""),
        ("(2)", 2, ""),
        ("\uff12", 2, ""),
        ("no. 2", 2, "no. 2"),
        ("the second one", 2, "the second one"),
        ("the latter", None, "the latter"),
    ],
    ids=[
        "1",
        "spaces",
        "zero",
        "negative",
        "superscript",
        "too long",
        "words",
        "empty",
        "full stop",
        "brackets",
        "full width",
        "no.",
        "ordinal",
        "from the end",
    ],
)
def test_a_reply_is_an_options_number_or_words(text: str, choice: int | None, words: str) -> None:
    assert Reply.of(text) == Reply(choice=choice, text=words)
