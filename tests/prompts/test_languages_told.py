"""A model is told the languages of a collection, and of English alone nothing."""

from prompts.descriptions import collection, unknown_names
from tests.built import built, built_once
from tests.tongues import documents
from tools.corpus.corpus import Corpus
from tools.filters.registry import FILTERS, specs

german = built_once(lambda place: built(documents("de", "fr"), place))
chinese = built_once(lambda place: built(documents("zh"), place))
english = built_once(lambda place: built(documents("en"), place))


def test_the_languages_and_in_which_words_are_wanted_are_told(german: Corpus) -> None:
    told = collection(german, "How many?").splitlines()
    assert told[1].startswith("languages, most documents first: German, French. Where terms")
    assert "German, French, and not translated" in specs(german.languages)[1].description


def test_of_english_alone_nothing_is_told(english: Corpus) -> None:
    assert "language" not in collection(english, "How many?")
    assert specs(english.languages)[: len(FILTERS)] == list(FILTERS.values())


def test_words_of_a_question_are_looked_up_in_the_inflections_of_the_languages(
    german: Corpus, chinese: Corpus
) -> None:
    told = unknown_names("Welche Verträgen nennen résilier und Zeppeline?", german)
    assert told == ("Zeppeline",)
    assert unknown_names("哪些合同提到违约金？", chinese) == ()
