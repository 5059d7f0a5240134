"""How text becomes words: the one tokenizer of the lexical index, the lexicon and the LSA embedder.

A word is a maximal run of letters, digits and underscores, lower-cased, so that `non-compete` is
two; of letters that no spaces part (Chinese, Japanese, Korean, Thai, Arabic) it is an n-gram.
"""

from itertools import chain

from agent.languages import grams, has_unspaced, is_unspaced, runs

_ASCII = "".join(
    mark.lower() if mark.isalnum() or mark == "_" else " " for mark in map(chr, range(128))
)
"""What stands for each character of ASCII: itself in a word, lower-cased, else a blank."""


def words(text: str) -> list[str]:
    """Split text into lower-cased words, in order, repeats kept.

    >>> words("A Non-Compete clause (§ 3.1)")
    ['a', 'non', 'compete', 'clause', '3', '1']
    >>> words("Straße ÉTÉ snake_case it's …")
    ['straße', 'été', 'snake_case', 'it', 's']
    >>> words("解除合同")
    ['解', '解除', '除', '除合', '合', '合同', '同']
    """
    if text.isascii():  # most texts: the same words in half of the time
        return text.translate(_ASCII).split()
    found = runs(text)
    if not has_unspaced(text):
        return found
    return list(chain.from_iterable(grams(w) if is_unspaced(w) else (w,) for w in found))
