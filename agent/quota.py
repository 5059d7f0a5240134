"""In how many of the documents an item must be: `at least three`, `every one of them`."""

from agent.value import Value

__all__ = ("Quota",)


class Quota(Value):
    """How many of the matching documents must have an item or name.

    `Which tools does every keeper use?` is the items of the keepers' tools with `every`; `which
    authors wrote at least three reports?` those of the reports' authors with `at_least` 3; `which
    owners have no cutter?` those of all owners with `at_least` 0 and `at_most` 0 cutters.
    """

    at_least: int = 1
    at_most: int | None = None
    """None without such a limit."""
    every: bool = False
    """Whether all matching documents must have it."""

    @property
    def idle(self) -> bool:
        """Whether it asks for no more than that one document has the item."""
        return self.at_least <= 1 and self.at_most is None and not self.every

    @property
    def none(self) -> bool:
        """Whether no matching document may have it: then what stands in others only counts too."""
        return self.at_least <= 0 and self.at_most is not None

    def met(self, sure: int, open_: int, lacking: int, unsure: int) -> bool | None:
        """Tell whether an item meets it; None where documents still open could change that.

        Args:
            sure: documents that match and have the item.
            open_: documents that may, and have it if they do.
            lacking: documents that match and have it not.
            unsure: documents that may match, and have it not if they do.

        >>> Quota(at_least=3).met(2, 1, 0, 0) is None, Quota(at_least=3).met(3, 0, 9, 9)
        (True, True)
        >>> Quota(every=True).met(2, 0, 0, 1) is None, Quota(every=True).met(2, 0, 1, 0)
        (True, False)
        """
        missed = sure + open_ < self.at_least or (self.every and lacking > 0)
        if missed or (self.at_most is not None and sure > self.at_most):
            return False
        held = sure >= self.at_least and not (self.every and unsure)
        return True if held and (self.at_most is None or sure + open_ <= self.at_most) else None
