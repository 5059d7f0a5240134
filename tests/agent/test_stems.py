from agent.english import stem, stems

STEMS = {
    "generously": "generous",
    "conditional": "condit",
    "relational": "relat",
    "skies": "sky",
    "dying": "die",
    "news": "news",
    "innings": "inning",
    "agreed": "agre",
    "hopping": "hop",
    "hoped": "hope",
    "falling": "fall",
    "ties": "tie",
    "gas": "gas",
    "exceed": "exceed",
    "proceeding": "proceed",
    "communism": "communism",
    "arsenal": "arsenal",
    "vileness": "vile",
    "controlling": "control",
    "y": "y",
    "étés": "étés",
    "straße": "straße",
    "ﬁnancing": "ﬁnanc",
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
