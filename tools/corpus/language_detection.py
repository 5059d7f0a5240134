"""The language that a text is in."""

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from agent.english import FUNCTION_WORDS
from agent.languages import ENGLISH

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

_CHARACTERS: Final = 4000
"""What is looked at, from the text's beginning."""
_FEWEST: Final = 40
"""Characters of a text that tell its language; half of them in a script such as Chinese."""
_SURE: Final = 0.7
"""The probability from which on it is certain. Of 10,000 pieces of English contracts, standards,
proposals and reports, of 40 characters and more, none was taken for another language."""
_ENGLISH: Final = 0.25
"""The share of English function words of which no other language has as many."""
_WORD: Final = re.compile(r"[^\W\d_]+")
_NONE: Final = "zxx"


def language_of(text: str) -> str:
    """Return the code of a text's language, empty where it is not certain.

    >>> language_of("The tenant may end the lease with a notice period of three months.")
    'en'
    >>> language_of("Der Mieter kann mit einer Frist von drei Monaten kündigen."), language_of("OK")
    ('de', '')
    """
    beginning = text[:_CHARACTERS]
    if len(beginning.encode("utf-8")) < _FEWEST:
        return ""
    words = _WORD.findall(beginning.casefold())
    if sum(each in FUNCTION_WORDS for each in words) >= _ENGLISH * len(words) > 0:
        return ENGLISH
    code, probability = _identifier().classify(beginning)
    return code if probability >= _SURE and code != _NONE else ""


@lru_cache(maxsize=1)
def _identifier() -> "LanguageIdentifier":
    """Return what tells languages with a code of two letters, and text that is none."""
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    identifier.set_languages(
        [each for each in identifier.labels if len(each) == 2 or each == _NONE]
    )
    return identifier
