"""One reading of a question, wanted by a simulated user: asked, replied to, compared."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from agent.ambiguity import Exchange
from agent.cost import Cost
from agent.errors import HeadcountError
from agent.policy import Policy
from evals.ambiguity.case import Case, Intended
from evals.ambiguity.sameness import same
from evals.conversation import Conversation, Opener, User, converse
from evals.intent import Intent
from evals.metrics import normalised_error
from evals.users import Unsure

if TYPE_CHECKING:
    from agent.answer import Answer
    from tools.corpus.corpus import Corpus

__all__ = ("MakeUser", "Trial", "Trier")

MakeUser = Callable[[Intent], User]


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """How one intended reading was answered."""

    meant: str
    expected: float
    value: float | None = None
    right: bool = False
    """Whether the answer is the reading's; see `evals.ambiguity.sameness`."""
    exchanges: tuple[Exchange, ...] = ()
    questions: int = 0
    """Different questions asked back."""
    cost: Cost = field(default_factory=Cost)
    seconds: float = 0.0
    error: str = ""

    @property
    def turns(self) -> int:
        """Replies that were given."""
        return len(self.exchanges)

    @property
    def offered(self) -> bool:
        """Whether the answer came from options alone, nothing being said in words."""
        chosen = [each.reply.choice is not None for each in self.exchanges]
        return self.right and bool(chosen) and all(chosen)

    @property
    def nace(self) -> float:
        """The normalised count error; see `evals.metrics.normalised_error`."""
        return normalised_error(self.value, self.expected)


@dataclass(frozen=True, slots=True)
class Trier:
    """Lets a user want each reading of a question; what was executed once is remembered."""

    opener: Opener
    make: MakeUser
    executed: dict[tuple[str, str], "Answer | None"] = field(default_factory=dict)

    def tries(self, case: Case, corpus: "Corpus", policy: Policy) -> list[Trial]:
        """Try every reading whose answer is known, in order."""
        return [
            self._try(case, meant, meant.number, corpus, policy)
            for meant in case.intended
            if meant.number is not None
        ]

    def _try(
        self, case: Case, meant: Intended, expected: float, corpus: "Corpus", policy: Policy
    ) -> Trial:
        """Try one; whatever goes wrong is its result, and the others are still tried."""
        trial = Trial(meant=meant.question, expected=expected)
        try:
            return self._tried(case, meant, trial, corpus, policy)
        except Exception as error:  # noqa: BLE001 - a fault of what is measured is a measurement
            return replace(trial, error=f"{type(error).__name__}: {error}")

    def _tried(
        self, case: Case, meant: Intended, trial: Trial, corpus: "Corpus", policy: Policy
    ) -> Trial:
        with self.opener.session(corpus, policy, case.record) as session:
            paid = session.context.reasoner.paid
            intent = Intent(
                asked=case.question,
                meant=meant.question,
                number=meant.number,
                comes=None if paid else lambda told: self._comes(told, meant, corpus, policy),
            )
            talk = converse(session, case.question, self.make(intent))
        return _told(trial, talk, meant, corpus)

    def _comes(
        self, question: str, meant: Intended, corpus: "Corpus", policy: Policy
    ) -> bool | None:
        """Say whether a question, taken as it stands, comes to what the reading does."""
        key = (corpus.digest, question)
        if key not in self.executed:
            self.executed[key] = self._executed(question, corpus, policy)
        answer = self.executed[key]
        return None if answer is None else same(answer, meant, corpus)

    def _executed(self, question: str, corpus: "Corpus", policy: Policy) -> "Answer | None":
        literal = policy.model_copy(update={"on_ambiguity": "assume", "disambiguation": "none"})
        try:
            with self.opener.session(corpus, literal) as session:
                return converse(session, question, Unsure()).answer
        except HeadcountError:
            return None


def _told(trial: Trial, talk: Conversation, meant: Intended, corpus: "Corpus") -> Trial:
    value = talk.answer.value
    return replace(
        trial,
        value=None if isinstance(value, dict) else value,
        right=same(talk.answer, meant, corpus),
        exchanges=talk.exchanges,
        questions=talk.questions,
        cost=talk.answer.cost,
        seconds=talk.seconds,
    )
