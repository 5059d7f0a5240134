"""What the reading of one question works with: its words, the corpus's labels, the assumptions."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from agent.corpus_view import CorpusView
from agent.predicates import NAME_FIELD, name_value
from agent.reasoners.rules.language.words import Token, akin, stretch
from agent.reasoners.rules.reading.facts import Facts
from agent.reasoners.rules.reading.labels import Labels

__all__ = ("Scene",)


@dataclass(slots=True)
class Scene:
    """One question, read against one corpus."""

    text: str
    """The question."""
    corpus: CorpusView
    labels: Labels
    nouns: tuple[str, ...] = ()
    """Words for the entity, in the singular."""
    entity_field: Facts | None = None
    """The field whose items are the entities."""
    stated: bool = False
    """Whether the question has a main verb of its own: `how many … are`, not `find all …`."""
    assumptions: list[str] = field(default_factory=list)

    def words(self, tokens: Sequence[Token]) -> str:
        """Return the stretch of the question that the tokens span."""
        runs: list[list[Token]] = []
        for token in tokens:
            if runs and self._adjoin(runs[-1][-1], token):
                runs[-1].append(token)
            else:
                runs.append([token])
        return " ".join(stretch(self.text, run) for run in runs)

    def _adjoin(self, one: Token, other: Token) -> bool:
        return not re.search(r"\w", self.text[one.end : other.start])

    def assume(self, sentence: str) -> None:
        """Record what was taken for granted, once."""
        if sentence not in self.assumptions:
            self.assumptions.append(sentence)

    def number_field(self) -> str:
        """Return the field that numbers the documents, or else the pseudo-field of their names."""
        for each in self.labels.fields:
            if each.unique and each.field.type == "number" and self._numbers_names(each):
                return each.name
        return NAME_FIELD

    def _numbers_names(self, facts: Facts) -> bool:
        values = list(self.corpus.field_values(facts.name).items())[:50]
        same = sum(
            name_value(self.corpus.documents[index]).number == value.number
            for index, value in values
        )
        return same >= 0.9 * len(values) > 0

    def names_documents(self, noun: str) -> bool:
        """Tell whether most documents bear the noun in their names: `pep-0484` is a PEP."""
        names = self.corpus.documents[:200]
        bearing = sum(
            any(akin(part, noun) for part in re.findall(r"[^\W\d_]+", name.rpartition("/")[2]))
            for name in names
        )
        return bearing >= 0.8 * len(names) > 0

    def dated_names(self, year: str) -> bool:
        """Tell whether years stand in the documents' names, this one among them."""
        named = [re.findall(r"(?<!\d)[12]\d{3}(?!\d)", name) for name in self.corpus.documents]
        bearing = sum(bool(years) for years in named)
        return bearing >= 0.8 * len(named) > 0 and any(year in years for years in named)
