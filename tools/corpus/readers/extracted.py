"""What readers are chosen by and return, and how bytes become text: encodings, line ends."""

import codecs
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

from agent.errors import DocumentUnreadable, SettingsError

_SUFFIX = re.compile(r"(?<=.)\.(?=[A-Za-z0-9]*[A-Za-z])[A-Za-z0-9]{1,10}$")
_ODD_SHARE: Final = 0.1
_WORD = re.compile("\\S*[\u0080-\U0010ffff]\\S*")
_LETTER: Final = "[^\\W\\d_]"
_ODD = re.compile(
    f"(?<={_LETTER})[^\\x00-\\x7f\\w\u00ad\u00b7\u2010-\u2019\u2022\u2026™®](?={_LETTER})"
    "|\\w[ªº¹²³]\\w"
    "|[a-zß-öø-ÿšœž][À-ÖØ-ÞŠŒŽŸ]"
    "|[À-ÖØ-öø-ÿŠšŒœŽžŸƒ]{3,}"
    "|[ƒˆ˜¤¦¨¬¯´¸‡\x80-\x9f]"
)
"""A sign within a word, a capital behind a small letter, three accented letters in a row, or a
sign that hardly any text has: what other encodings look like in this one."""
_ALPHABETS: Final = {
    "ca": "àçèéíïòóúü", "cs": "áčďéěíňóřšťúůýž", "da": "æøåé", "de": "äöüß", "es": "áéíñóúü¿¡ªº",
    "et": "äöõüšž", "fi": "åäöé", "fr": "àâæçéèêëîïôœùûüÿ", "hr": "čćđšž", "hu": "áéíóöőúüű",
    "is": "áéíúóýþæöð", "it": "àèéìíîòóùú", "lt": "ąčęėįšųūž", "lv": "āčēģīķļņšūž", "nb": "æøåé",
    "nl": "áèéëïóöü", "no": "æøåé", "pl": "ąćęłńóśźż", "pt": "áâãàçéêíóôõúüªº", "ro": "ăâîşţ",
    "sk": "áäčďéíĺľňóôŕšťúýž", "sl": "čšž", "sv": "åäöé", "tr": "âçğıîöşü\u0307",
}  # fmt: skip
"""By language, its letters beyond ASCII."""
_PRINTED: Final = "„“”‚’«»–—…•·§°€©®™×\xa0"
"""Signs beyond ASCII of all of them."""
_OF_LANGUAGES: Final = ("cp1252", "cp1250", "iso8859_2", "cp1257", "cp1254")
_OFTEN: Final = {
    "оеаинтсрвлі": ("cp1251", "koi8_r", "iso8859_5", "cp866", "koi8_u"),
    "αοιετσνηυρςίάόέ": ("cp1253", "iso8859_7"),
    "יוהלאתרמשב": ("cp1255",),
    "الينمروتبةع": ("cp1256",),
}
"""The letters that are two in three of a text in Cyrillic, Greek and Hebrew, and its encodings."""
_MOSTLY: Final = 0.5
"""The share of a text's letters that they have at least, and letters beyond ASCII of all."""
_FITS: Final = 0.9
"""The share of the letters and signs that an alphabet has to have."""
_CLEARLY = 0.1
"""By how much another encoding must look more like a language than Windows-1252 to be taken."""
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SAMPLE = 65_536
_CONTROL_SHARE = 0.01
_CONTROLS = bytes(set(range(32)) - set(b"\t\n\v\f\r\x1b\b")) + b"\x7f"
_BEYOND = re.compile("[^\\W\\d_\\x00-\\x7f]"), re.compile("[^\\x00-\\x7f]")
"""Letters and signs beyond ASCII, at which a wrong guess shows."""
_AROUND = re.compile("(?:(?<!\\S)[^\\r\\n]{0,29})?[^\\x00-\\x7f](?:[^\\r\\n]{0,29}(?!\\S))?")
"""At most 59 characters around one, from the beginning of a word to the end of one if it can be."""
REVISED: Final = "tracked changes: what they delete is left out, what they insert is text"
_BROKEN, _LONE = re.compile("[\x00\ud800-\udfff]"), re.compile("[\ud800-\udfff]")


def suffix_of(name: str) -> str:
    """Return the suffix with its dot, or nothing: digits after a dot are part of the name.

    >>> suffix_of("pep-0484.txt"), suffix_of("Form 10.17")
    ('.txt', '')
    """
    match = _SUFFIX.search(name)
    return match[0] if match else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Extracted:
    """One document as a format's reader found it; a table gives one for each row."""

    text: str
    encoding: str | None = None
    """None for binary formats, which declare their own."""
    title: str | None = None
    """The title where the format has a place for it."""
    key: str | None = None
    """A row's name within its file; None where the file is one document."""
    source: str | None = None
    """A row as it stands in the file, for its digest."""
    properties: Mapping[str, str] = field(default_factory=dict)
    """What the format itself says of the document: author, date, a row's other columns."""
    row: Mapping[str, str] = field(default_factory=dict)
    """All columns of a table's row, also those that are its text."""
    warnings: tuple[str, ...] = ()
    broken: str | None = None
    """Why a row, or a file within the file, cannot be read; it has no text then."""
    within: str = ""
    """Of a file within the file, its path there; empty where the text is the file's own."""
    reader: str = ""
    """Of a file within the file, the name of its reader."""
    ocr: str = ""
    """The languages in which scans in it were read, or `-` where OCR was not there to read them."""

    @property
    def place(self) -> str:
        """Where it stands in its file: a path there, a row, both; empty where it is the file."""
        return "#".join(filter(None, (self.within, self.key)))


Reader = Callable[[bytes, str | None], list[Extracted]]
"""Reads a file's bytes; the second argument is the encoding to try after BOM and strict UTF-8.

Raises `DocumentUnreadable` with one reason.
"""


def is_western(data: bytes) -> bool:
    """Tell whether at most one in ten of the words with other than ASCII looks unlike a word.

    >>> is_western("Café: crème, €40".encode("cp1252")), is_western("Привет".encode("cp1251"))
    (True, False)
    """
    try:
        words = _WORD.findall(data.decode("cp1252"))
    except UnicodeDecodeError:
        return False
    return sum(_ODD.search(word) is not None for word in words) <= _ODD_SHARE * len(words)


def decode(data: bytes, encoding: str | None = None) -> tuple[str, str, tuple[str, ...]]:
    """Return the text, with line feeds as line ends, the encoding found, and what is to be noted.

    Raises DocumentUnreadable for what is no text, SettingsError for an unknown encoding.
    """
    text, found, guessed = _decoded(data, encoding)
    clean, notes = normalised(text)
    return clean, found, (*guessed, *notes)


def normalised(text: str) -> tuple[str, tuple[str, ...]]:
    """Return the text with line feeds, no NULs and no lone surrogates, and a note on those."""
    clean, broken = _BROKEN.subn("\ufffd", text.replace("\r\n", "\n").replace("\r", "\n"))
    notes = (f"{broken} NUL or broken characters were replaced by U+FFFD",) if broken else ()
    return clean, notes


def whole(text: str) -> str:
    """Return what a file says outside its text, such as a key, without lone surrogates."""
    return _BROKEN.sub("\ufffd", text) if _LONE.search(text) else text


def _decoded(data: bytes, encoding: str | None) -> tuple[str, str, tuple[str, ...]]:
    for mark, name in _MARKS:
        if data.startswith(mark):
            return _marked(data, name)
    sample = data[:_SAMPLE]
    controls = len(sample) - len(sample.translate(None, _CONTROLS))
    if controls > _CONTROL_SHARE * len(sample):
        raise DocumentUnreadable("binary data, not text; convert it or leave it out")
    try:
        return data.decode("utf-8"), "utf-8", ()
    except UnicodeDecodeError:
        pass
    if encoding is not None:
        return _given(data, encoding)
    return _guessed(data)


def _marked(data: bytes, name: str) -> tuple[str, str, tuple[str, ...]]:
    try:
        return data.decode(name), name, ()
    except UnicodeDecodeError:
        note = f"broken {name}: undecodable bytes were replaced by U+FFFD"
        return data.decode(name, errors="replace"), name, (note,)


def _given(data: bytes, encoding: str) -> tuple[str, str, tuple[str, ...]]:
    try:
        return data.decode(encoding), codecs.lookup(encoding).name, ()
    except LookupError as error:
        raise SettingsError(f"unknown encoding {encoding!r}; see Python's list") from error
    except UnicodeDecodeError:
        text, found, notes = _guessed(data)
        return text, found, (f"not {encoding} as given", *notes)


def _guessed(data: bytes) -> tuple[str, str, tuple[str, ...]]:
    likely = _by_letters(data) or _by_language(data)
    for name, text in _fitting(data, (likely, _by_its_look(data), "cp1252", "latin-1")):
        common = "cp1252" if data.decode("cp1252", "replace") == text else name
        return text, common, (f"encoding guessed as {common}{_as_read(text)}",)
    raise DocumentUnreadable("no encoding fits its bytes; pass the right one with --encoding")


def _fitting(data: bytes, names: Iterable[str | None]) -> Iterator[tuple[str, str]]:
    """Yield those of some encodings in which bytes are a text, with the text."""
    for name in filter(None, names):
        with suppress(UnicodeDecodeError):
            yield name, data.decode(name)


def _by_language(data: bytes) -> str | None:
    """Return the encoding in which a text has the letters of its language, if that is certain."""
    from tools.corpus.language_detection import language_of

    best, fits = None, _FITS
    for name, written in _fitting(data[: 4 * _SAMPLE], _OF_LANGUAGES):
        text = written.lower()
        beyond = [each for each in text if each > "\x7f"]
        if (alphabet := _ALPHABETS.get(language_of(text))) and beyond:
            share = sum(each in alphabet or each in _PRINTED for each in beyond) / len(beyond)
            best, fits = (name, share) if share > fits else (best, fits)
    return best


def _by_letters(data: bytes) -> str | None:
    """Return the encoding in which most letters are those that its alphabet has most often."""
    best, most = None, _MOSTLY
    often_in = {name: often for often, names in _OFTEN.items() for name in names}
    for name, written in _fitting(data[: 4 * _SAMPLE], often_in):
        text = written.lower() if written.isupper() else written  # capitals within words tell, too
        letters = [each for each in text if each.isalpha()]
        beyond = [each for each in text if each > "\x7f" and each not in _PRINTED]
        share = sum(each in often_in[name] for each in beyond) / max(1, len(beyond))
        if len(beyond) > _MOSTLY * len(letters) and share > most:
            best, most = name, share
    return best


def _by_its_look(data: bytes) -> str | None:
    """Return what charset-normalizer takes it for, but Windows-1252 before what is rare."""
    from charset_normalizer import from_bytes

    matches = from_bytes(data[: 4 * _SAMPLE])
    best = matches.best()
    guess = best.encoding if best else None
    coherence = {each.encoding: each.coherence for each in matches}
    clear = best is not None and best.coherence > coherence.get("cp1252", 0.0) + _CLEARLY
    if not clear and is_western(data):
        guess = "cp1252"
    return guess


def _as_read(text: str) -> str:
    r"""Return the words around the first letter beyond ASCII, or sign where there is no letter.

    >>> _as_read("Rent.\r\nThe café pays."), _as_read("It pays €40"), _as_read("It pays.")
    (", which reads 'The café pays.'", ", which reads 'It pays €40'", '')
    """
    first = _BEYOND[0].search(text) or _BEYOND[1].search(text)
    found = first and _AROUND.search(text, max(0, first.start() - 29), first.start() + 60)
    return f", which reads {found[0].strip()!r}" if found else ""
