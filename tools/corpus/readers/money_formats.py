"""The currencies that an XLSX file's number formats show beside the numbers of its cells."""

import io
import posixpath
import re
import zipfile
from collections.abc import Iterator, Mapping
from functools import reduce

from agent.english import currency_of, names_money
from tools.corpus.fields.literals import parse_number
from tools.corpus.readers.archives import archive_of, xml_of

_FILES = ("xl/workbook.xml", "xl/_rels/workbook.xml.rels", "xl/styles.xml")
_DOLLARS = dict.fromkeys(("5", "6", "7", "8", "42", "44"), "$")
"""Formats that need not be defined in a file."""
_STATED = re.compile(r"\[\$([^\]-]+)")
_UNSHOWN = re.compile(r'\[[^\]]*\]|[_*].|["\\#0?,.]')
"""What a format says of a number's form, and its quotes."""
_PLACE = re.compile(rb"<(?:\w+:)?(row|c)\b([^>]*)>")
_ATTRIBUTE = re.compile(rb"\s([rs])=[\"'](\w+)")


def money_formats(data: bytes) -> dict[str, dict[tuple[int, int], str]]:
    """Return by sheet the currency of each cell, by row and column from 0, that shows one."""
    if not zipfile.is_zipfile(io.BytesIO(data)):
        return {}
    with archive_of(data) as archive:
        names = set(archive.namelist())
        if not names.issuperset(_FILES):
            return {}
        book, links, styles = (xml_of(archive.read(each)) for each in _FILES)
        own = {each.get("numFmtId"): each for each in styles.iterfind("{*}numFmts/{*}numFmt")}
        codes = _DOLLARS | {number: each.get("formatCode", "") for number, each in own.items()}
        formats = (each.get("numFmtId") for each in styles.iterfind("{*}cellXfs/{*}xf"))
        shown = {
            str(at).encode(): money
            for at, number in enumerate(formats)
            if (money := _money(codes.get(number, "")))
        }
        places = {each.get("Id"): posixpath.join("/xl", each.get("Target", "")) for each in links}
        found = dict[str, dict[tuple[int, int], str]]()
        for sheet in book.iter("{*}sheet") if shown else ():
            link = next((own for key, own in sheet.items() if key.endswith("}id")), None)
            place = posixpath.normpath(places.get(link, "")).lstrip("/")
            if place in names:
                found[sheet.get("name")] = dict(_cells(archive.read(place), shown))
    return found


def _money(code: str) -> str | None:
    """Return the currency that a number format shows, as a number can have it behind.

    >>> _money('#,##0.00 "EUR"'), _money("[$US$-409]#,##0.00"), _money('0.0,"k"'), _money("0%")
    ('EUR', 'USD', None, None)
    """
    shown = code.partition(";")[0]
    stated = _STATED.search(shown)
    words = [stated[1].strip()] if stated else _UNSHOWN.sub("", shown).split()
    word = next((each for each in words if stated or names_money(each)), "")
    return word if word and parse_number(f"1 {word}") is not None else currency_of(word)


def _cells(sheet: bytes, shown: Mapping[bytes, str]) -> Iterator[tuple[tuple[int, int], str]]:
    """Yield the places and currencies of cells; one that tells no place follows the last."""
    row = column = -1
    for kind, attributes in _PLACE.findall(sheet):
        told = dict(_ATTRIBUTE.findall(attributes))
        place = told.get(b"r", b"")
        digits = place.lstrip(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ")
        if kind == b"row":
            row, column = int(digits) - 1 if digits else row + 1, -1
            continue
        row = int(digits) - 1 if digits else row
        letters = place.removesuffix(digits)
        at = reduce(lambda number, letter: 26 * number + letter - 64, letters, 0)
        column = at - 1 if letters else column + 1
        if told.get(b"s") in shown:
            yield (row, column), shown[told[b"s"]]
