"""Growth of a measure between two periods."""

import re
from dataclasses import dataclass
from typing import Final, Literal

from agent.reasoners.rules.language.words import word_set
from agent.reasoners.rules.records.querying.mentions import Mention
from agent.reasoners.rules.records.querying.moments import is_moment
from agent.reasoners.rules.records.querying.reading import Reading
from agent.records.query_plan import Change, Column

__all__ = ("Growth", "find_growth")

_GROWING: Final = word_set("growth grew grow grown")
_CHANGING: Final = word_set("change increase increased rise rose gain gained decline declined drop "
                            "dropped decrease decreased fall fell difference changed")  # fmt: skip
_RELATIVE: Final = word_set("percentage percentages percent rate rates relative")
_PERIOD: Final = re.compile(r"[12]\d{3}")


@dataclass(frozen=True, slots=True)
class Growth:
    """A measure compared between two periods that the question names."""

    measure: Mention
    start: str
    end: str
    form: Literal["difference", "growth"]

    def change(self, reading: Reading, measure: Column, names: tuple[Column, ...]) -> Change | None:
        """Return the change of a column; None where no column tells the periods apart."""
        period = _period(reading, measure.kind, (self.start, self.end))
        if period is None:
            reading.missing.append(f"a column that tells {self.start} from {self.end}")
            return None
        number = reading.type_of(period) == "integer"
        start, end = (float(each) if number else each for each in (self.start, self.end))
        keys = tuple(each for each in names if each.kind == measure.kind)
        return Change(key=keys, period=period, start=start, end=end, form=self.form)


def find_growth(reading: Reading) -> Growth | None:
    """Read `growth of X from 2021 to 2022`; its tokens are used, those of the measure are not."""
    at = next((n for n in range(len(reading.tokens)) if _grows(reading, n)), None)
    years = _years(reading)
    if at is None or years is None:
        return None
    first, second = years
    measure = _measured(reading, at)
    if measure is None:
        return None
    lows = {token.low for token in reading.tokens}
    relative = reading.low(at) in _GROWING or bool(lows & _RELATIVE)
    for step, token in enumerate(reading.tokens):
        if token.low in _GROWING | _CHANGING | _RELATIVE:
            reading.use(step, step + 1)
    reading.use(first - 1, second + 1)
    start, end = reading.tokens[first].text, reading.tokens[second].text
    return Growth(measure, start, end, "growth" if relative else "difference")


def _grows(reading: Reading, at: int) -> bool:
    return reading.low(at) in _GROWING | _CHANGING


def _years(reading: Reading) -> tuple[int, int] | None:
    """Return where the two periods stand in `from 2021 to 2022` or `between 2021 and 2022`."""
    for at in range(len(reading.tokens) - 3):
        opens, joins = reading.low(at), reading.low(at + 2)
        if (opens, joins) not in {("from", "to"), ("between", "and"), ("from", "until")}:
            continue
        if all(_PERIOD.fullmatch(reading.tokens[step].text) for step in (at + 1, at + 3)):
            return at + 1, at + 3
    return None


def _measured(reading: Reading, at: int) -> Mention | None:
    """Return the name of what grows: right before the word, behind `in` or `of`, or nearest."""
    numeric = [
        each
        for each in reading.mentions
        if reading.choose(each.columns, types=("integer", "number")) is not None
    ]
    before = [each for each in numeric if each.end == at]
    behind = [each for each in numeric if at < each.start <= at + 3]
    others = sorted(numeric, key=lambda each: abs(each.start - at))
    return next(iter(before + behind + others), None)


def _period(reading: Reading, kind: str, years: tuple[str, str]) -> Column | None:
    """Return the column of time that holds both periods."""
    schema = reading.tables.schema.kind(kind)
    for attribute in schema.attributes if schema is not None else ():
        column = Column(kind=kind, attribute=attribute.name)
        if is_moment(attribute) and _spans(reading, column, years):
            return column
    return None


def _spans(reading: Reading, column: Column, years: tuple[str, str]) -> bool:
    facts = reading.facts_of(column)
    if facts is None or facts.least is None or facts.most is None:
        return False
    return str(facts.least)[:4] <= min(years) and max(years) <= str(facts.most)[:4]
