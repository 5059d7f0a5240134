"""What a wave of judging brought, chunk by chunk."""

from dataclasses import dataclass, field

from pyroaring import BitMap

from agent.evidence import Finding

__all__ = ("Verdicts",)


@dataclass(slots=True)
class Verdicts:
    """What a wave of judging brought; every chunk sent is in exactly one of the four sets."""

    findings: list[Finding] = field(default_factory=list)
    read: BitMap = field(default_factory=BitMap)
    """Chunks with a usable reply; see `unclear`."""
    unparsable: BitMap = field(default_factory=BitMap)
    failed: BitMap = field(default_factory=BitMap)
    unseen: BitMap = field(default_factory=BitMap)
    """Chunks whose request the budget did not allow."""
    unclear: dict[str, BitMap] = field(default_factory=dict)
    """By condition, chunks that were read but whose evidence for it could not be verified."""
    reasons: dict[int, str] = field(default_factory=dict)
    """Why a chunk is unparsable, failed or unclear, the same words for the same fault."""
    remarks: dict[int, str] = field(default_factory=dict)
    """What the reasoner should know before it reads a chunk again."""
    stopped: str = ""
    """The limit that was reached, if one was."""

    def chunks_with(self, condition: str) -> BitMap:
        """Return the chunks with a finding for the condition and nothing unclear about it."""
        found = BitMap(each.chunk for each in self.findings if each.condition == condition)
        return (found & self.read) - self.unclear_about(condition)

    def unclear_about(self, condition: str) -> BitMap:
        """Return the chunks that are neither a yes nor a no for the condition."""
        return self.unclear.get(condition, BitMap())

    def forget(self, chunks: BitMap) -> None:
        """Take chunks out that are about to be tried again; verified findings stay."""
        self.read -= chunks
        self.unparsable -= chunks
        self.failed -= chunks
        for condition in self.unclear:
            self.unclear[condition] -= chunks
