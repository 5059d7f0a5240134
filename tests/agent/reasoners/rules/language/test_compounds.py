from agent.reasoners.rules.judging.matching import spans_of_terms
from agent.reasoners.rules.language.compounds import HARD_HYPHEN, parted, with_partings, worded
from tests.agent.reasoners.rules.small_corpus import SmallLexicon


def test_a_prefix_with_a_hyphen_is_one_with_its_word() -> None:
    text = "no sub-letting or pre-payment, non-exclusive"
    found = [(word, text[start:end]) for word, start, end in worded(text)]
    assert ("subletting", "sub-letting") in found
    assert ("prepayment", "pre-payment") in found
    assert ("exclusive", "exclusive") in found


def test_a_word_the_corpus_lacks_is_parted_where_it_has_the_parts() -> None:
    assert parted("chickpeas", SmallLexicon(["chick peas"])) == "chick peas"
    assert parted("together", SmallLexicon(["to get her"])) is None


def test_a_word_the_corpus_has_may_only_be_hyphenated() -> None:
    lexicon = SmallLexicon(["Heatwell", "heat well the pan", "Heat-well"])
    terms = with_partings(["Heatwell"], lexicon)
    assert terms == ("Heatwell", f"Heat{HARD_HYPHEN}well")
    text = "Heat-well came. Heat well the pan."
    assert [text[a:b] for a, b in spans_of_terms(text, terms)] == ["Heat-well"]
