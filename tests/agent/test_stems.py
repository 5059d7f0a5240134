from agent.english import stem, stems

STEMS = {
    "generously": "generous",
    "skies": "sky",
    "news": "news",
    "hoped": "hope",
    "y": "y",
    "étés": "étés",
    "straße": "straße",
    "naïvely": "naïv",
    "истории": "истории",
}


def test_stems_are_snowballs() -> None:
    assert stems(list(STEMS)) == list(STEMS.values())
    assert [stem(form) for form in STEMS if form.isascii()] == [
        each for form, each in STEMS.items() if form.isascii()
    ]


def test_what_is_no_plain_word_stems_to_itself() -> None:
    odd = ["x9ings", "snake_cased", "a" * 41 + "ings", ""]

    assert stems([*odd, "rings"]) == [*odd, "ring"]
