"""Stems, and currencies by code, symbol and name."""

import pytest

from agent.english import currency_of, names_money, stem
from agent.languages import stems


@pytest.mark.parametrize(
    ("written", "code"),
    [("US dollars", "USD"), ("US$", "USD"), ("C$", "CAD"), ("HK$", "HKD"), ("£", "GBP"),
     ("yen", "JPY"), ("Swiss francs", "CHF"), ("zloty", "PLN"), ("usd", "USD"), ("Rs.", "INR"),
     ("francs", None), ("pesos", None), ("kr", None), ("all", None), ("cup", None), ("top", None),
     ("rooms", None), ("", None)],
)  # fmt: skip
def test_a_currency_is_named_or_left_open(written: str, code: str | None) -> None:
    assert currency_of(written) == code


def test_a_shared_name_is_the_wanted_one() -> None:
    assert currency_of("kr", "SEK") == "SEK"
    assert currency_of("pounds", "EGP") == "EGP"
    assert currency_of("pesos", "MXN") == "MXN"
    assert names_money("kr")
    assert not names_money("kg")


def test_stems_are_snowballs_and_what_is_no_plain_word_stems_to_itself() -> None:
    odd = ["x9ings", "snake_cased", "a" * 41 + "ings", "", "étés", "истории"]
    assert stems([*odd, "generously", "skies", "naïvely"]) == [*odd, "generous", "sky", "naïv"]
    assert [stem(each) for each in ("generously", "skies", "news")] == ["generous", "sky", "news"]
