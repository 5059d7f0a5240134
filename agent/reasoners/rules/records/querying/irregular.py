"""Irregular verbs of English: past forms brought to the present."""

from typing import Final

__all__ = ("is_past", "present")

_VERBS: Final = """
begin began begun|bind bound|break broke broken|bring brought|build built|buy bought|
catch caught|choose chose chosen|come came|cost|do did done|draw drew drawn|drive drove driven|
eat ate eaten|fall fell fallen|feed fed|feel felt|fight fought|find found|fly flew flown|
forget forgot forgotten|get got gotten|give gave given|go went gone|grow grew grown|have had|
hear heard|hide hid hidden|hold held|keep kept|know knew known|lead led|leave left|lend lent|
lose lost|make made|mean meant|meet met|pay paid|ride rode ridden|rise rose risen|run ran|
say said|see saw seen|seek sought|sell sold|send sent|shoot shot|show shown|sing sang sung|
sink sank sunk|sit sat|sleep slept|speak spoke spoken|spend spent|stand stood|steal stole stolen|
swim swam swum|take took taken|teach taught|tell told|think thought|throw threw thrown|
understand understood|wear wore worn|win won|write wrote written
"""
_PRESENT: Final = {
    form: forms[0]
    for verb in _VERBS.replace("\n", "").split("|")
    for forms in [verb.split()]
    for form in forms[1:]
}


def present(word: str) -> str:
    """Return the present of an irregular past form; any other word as it is.

    >>> present("spent"), present("taught"), present("tree")
    ('spend', 'teach', 'tree')
    """
    return _PRESENT.get(word, word)


def is_past(word: str) -> bool:
    """Tell whether a word is an irregular past form."""
    return word in _PRESENT
