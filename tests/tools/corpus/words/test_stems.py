from snowballstemmer.english_stemmer import EnglishStemmer

from tools.corpus.words.tokenizer import stems

FORMS = [
    "generously",
    "conditional",
    "relational",
    "skies",
    "dying",
    "news",
    "innings",
    "agreed",
    "hopping",
    "hoped",
    "falling",
    "ties",
    "gas",
    "exceed",
    "proceeding",
    "communism",
    "arsenal",
    "vileness",
    "controlling",
    "y",
    "étés",
    "straße",
    "ﬁnancing",
    "naïvely",
    "истории",
]


def test_compiled_stems_are_those_of_the_python_implementation() -> None:
    assert stems(FORMS) == [
        EnglishStemmer().stemWord(form) if form.isalpha() else form for form in FORMS
    ]


def test_what_is_no_plain_word_stems_to_itself() -> None:
    odd = ["x9ings", "snake_cased", "a" * 41 + "ings", ""]

    assert stems([*odd, "rings"]) == [*odd, "ring"]
