"""Every error of Headcount, grouped by who can fix it.

HeadcountError
├── CallerError            the person or program that called can fix it
│   ├── SettingsError          a setting or flag is wrong or missing
│   ├── SchemaError            the file that says what is recorded cannot be used
│   ├── QuestionError          the question cannot be used as it stands
│   │   ├── AmbiguousQuestion      it has several readings and the policy is to fail
│   │   └── NeedsRecords           no passage can tell it: documents have to be read into records
│   └── RunError               the named run is unknown, or was made by another graph
├── CorpusError            the corpus or its documents need repair
│   ├── CorpusMissing          there is no corpus at that place
│   ├── CorpusDamaged          a file of the corpus is broken or from another version
│   │   └── CorpusOfOtherFormat    it is whole, and an earlier or a later version made it
│   ├── CorpusLocked           another process is writing it
│   ├── CorpusUnreachable      a part of it cannot be read now: nothing is concluded from the rest
│   └── DocumentUnreadable     one file cannot be read: listed, never fatal
├── ModelError             the model's reply cannot be used
│   ├── MalformedReply         not in the asked form, after one repair
│   ├── TruncatedReply         cut at the token limit: ask for less
│   ├── RefusedReply           the model or its content filter refused
│   └── ToolArgumentError      a tool call's arguments are wrong: told to the model, with a hint
│       └── QueryError             a query over records is wrong, refused or too slow
├── ProviderError          the model's server failed
│   ├── ProviderUnavailable    time-out, connection, overload: may work later
│   │   └── ProviderUnreachable    nobody answers at its address: another request fares no better
│   └── ProviderRejected       key, unknown model: will not work as it is
│       └── ProviderForbade        permission, possibly only for what this request holds
├── LimitReached           a budget of calls, tokens, money or seconds is spent
└── ProgramFault           a fault of Headcount itself: only its developers can fix it
    └── LedgerError            the coverage ledger does not add up
"""


class HeadcountError(RuntimeError):
    """The root of the tree; its text says what happened and what to do.

    LangGraph's server shows its clients the text of Python's own errors, of no other `Exception`.
    """


class CallerError(HeadcountError):
    """The caller can fix it."""


class SettingsError(CallerError):
    """A setting or flag is wrong or missing."""


class SchemaError(CallerError):
    """The schema of the records is missing or cannot be used; its text names file and line."""


class QuestionError(CallerError):
    """The question cannot be used as it stands."""


class NeedsRecords(QuestionError):
    """No passage can tell the answer: each document has to be read into records for it."""


class AmbiguousQuestion(QuestionError):
    """The question has several readings and the policy is to fail."""


class RunError(CallerError):
    """The named run is unknown, or another version of the graph made it."""


class CorpusError(HeadcountError):
    """The corpus or its documents need repair."""


class CorpusMissing(CorpusError):
    """There is no corpus at that place."""


class CorpusDamaged(CorpusError):
    """A file of the corpus is broken or was written by another version."""


class CorpusOfOtherFormat(CorpusDamaged):
    """The corpus is whole, but an earlier or a later version of Headcount made it."""


class CorpusLocked(CorpusError):
    """Another process is writing the corpus."""


class CorpusUnreachable(CorpusError):
    """A part of the corpus cannot be read now: a node or a store does not answer."""


class DocumentUnreadable(CorpusError):
    """One file cannot be read; it is listed with this reason and the rest goes on."""


class ModelError(HeadcountError):
    """The model's reply cannot be used: it is neither a yes nor a no."""


class MalformedReply(ModelError):
    """The reply is not in the asked form, after one repair."""


class TruncatedReply(ModelError):
    """The reply was cut at the token limit."""


class RefusedReply(ModelError):
    """The model or its content filter refused."""


class ToolArgumentError(ModelError):
    """A tool call's arguments are wrong; the text, with its hint, is told to the model."""


class QueryError(ToolArgumentError):
    """A query over records names what is not there, mixes types, is forbidden, or is too slow."""


class ProviderError(HeadcountError):
    """The model's server failed."""


class ProviderUnavailable(ProviderError):
    """Time-out, connection failure or overload, after the client's own retries."""

    def __init__(self, told: str, pause: float | None = None) -> None:
        super().__init__(told)
        self.pause = pause
        """Seconds that the server asks to wait."""


class ProviderUnreachable(ProviderUnavailable):
    """No connection to the server can be made, after the client's own retries."""

    told = "The model's server cannot be reached"


class ProviderRejected(ProviderError):
    """The server will not serve this request as it is: key, permission, unknown model."""


class ProviderForbade(ProviderRejected):
    """The server forbids the request: the key may not, or what the request holds is moderated."""


class LimitReached(HeadcountError):
    """A budget of calls, tokens, money or seconds is spent."""


class ProgramFault(HeadcountError):
    """A fault of Headcount itself: please report it with the run's id."""


class LedgerError(ProgramFault):
    """The coverage ledger does not add up."""
