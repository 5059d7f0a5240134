"""Outlook's messages as bytes: properties in the storages and streams of a compound file.

By [MS-CFB] and [MS-OXMSG]; a file of version 3, sectors of 512 bytes, mini streams of 64.
"""

import struct
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

Property = str | bytes | int | datetime
Tree = Mapping[str, "bytes | Tree"]
_END, _FREE, _FAT, _NONE = 0xFFFFFFFE, 0xFFFFFFFF, 0xFFFFFFFD, 0xFFFFFFFF
_CUTOFF = 4096
_RIGHT, _CHILD = 2, 3


def message(
    properties: Mapping[int, Property],
    *,
    recipients: Sequence[Mapping[int, Property]] = (),
    attached: Sequence[Mapping[int, "Property | Tree"]] = (),
    header: int = 32,
) -> Tree:
    """Return a message's storage, from its properties by their ids.

    An attached message has its own storage as its 0x3701, made with a `header` of 24 bytes.
    """
    tree: dict[str, bytes | Tree] = dict(_stored(properties, header))
    for number, each in enumerate(recipients):
        tree[f"__recip_version1.0_#{number:08X}"] = _stored(each, 8)
    for number, each in enumerate(attached):
        tree[f"__attach_version1.0_#{number:08X}"] = _stored(each, 8)
    return tree


def _stored(properties: Mapping[int, "Property | Tree"], header: int) -> Tree:
    tree: dict[str, bytes | Tree] = {}
    entries = bytearray(header)
    for tag, value in properties.items():
        kind, fixed, stored = _typed(value)
        entries += struct.pack("<HHI8s", kind, tag, 6, fixed)
        if stored is not None:
            tree[f"__substg1.0_{tag:04X}{kind:04X}"] = stored
    return {**tree, "__properties_version1.0": bytes(entries)}


def _typed(value: "Property | Tree") -> "tuple[int, bytes, bytes | Tree | None]":
    """Return a value's type, what its entry holds, and what lies in a stream or storage."""
    if isinstance(value, int):
        return 0x0003, struct.pack("<q", value), None
    if isinstance(value, datetime):
        since = value - datetime(1601, 1, 1, tzinfo=UTC)
        return 0x0040, struct.pack("<Q", int(since.total_seconds()) * 10**7), None
    if isinstance(value, str):
        written = value.encode("utf-16-le")
        return 0x001F, struct.pack("<II", len(written) + 2, 0), written
    if isinstance(value, bytes):
        return 0x0102, struct.pack("<II", len(value), 0), value
    return 0x000D, struct.pack("<II", 0xFFFFFFFF, 1), value


class _Chains:
    """Sectors of one size, and what follows each."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.held = bytearray()
        self.next: list[int] = []

    def store(self, data: bytes) -> int:
        """Return the sector in which the data begins."""
        start, count = len(self.next), -(-len(data) // self.size)
        self.held += data.ljust(count * self.size, b"\0")
        self.next += [*range(start + 1, start + count), _END][:count]
        return start if count else _END

    def table(self) -> bytes:
        """Return what follows each sector, in sectors of 512 bytes."""
        written = struct.pack(f"<{len(self.next)}I", *self.next)
        return written.ljust(-(-len(written) // 512) * 512, b"\xff")


def compound(root: Tree) -> bytes:
    """Return a compound file; its directory is a chain, which readers take for a tree."""
    entries: list[list[int | str]] = [["Root Entry", 5, _NONE, _NONE, _END, 0]]
    sectors, mini = _Chains(512), _Chains(64)

    def add(tree: Tree, parent: int) -> None:
        at, link = parent, _CHILD
        for name, held in sorted(tree.items(), key=lambda each: (len(each[0]), each[0].upper())):
            number = len(entries)
            entries[at][link] = number
            at, link = number, _RIGHT
            entries.append([name, 1, _NONE, _NONE, 0, 0])
            if isinstance(held, bytes):
                chains = sectors if len(held) >= _CUTOFF else mini
                entries[number] = [name, 2, _NONE, _NONE, chains.store(held), len(held)]
            else:
                add(held, number)

    add(root, 0)
    entries[0][4:] = [sectors.store(bytes(mini.held)), len(mini.held)]
    mini_table = mini.table()
    mini_at, directory_at = sectors.store(mini_table), sectors.store(b"".join(map(_entry, entries)))
    own = 1
    while own * 128 < len(sectors.next) + own:
        own += 1
    places = [*range(len(sectors.next), len(sectors.next) + own), *[_FREE] * (109 - own)]
    sectors.next += [_FAT] * own
    header = struct.pack(
        "<8s16xHHHHH6xIIIIIIIII",
        bytes.fromhex("D0CF11E0A1B11AE1"), 0x3E, 3, 0xFFFE, 9, 6, 0, own, directory_at, 0,
        _CUTOFF, mini_at, len(mini_table) // 512, _END, 0,
    )  # fmt: skip
    return header + struct.pack("<109I", *places) + bytes(sectors.held) + sectors.table()


def _entry(entry: Sequence[int | str]) -> bytes:
    name, kind, right, child, start, size = entry
    written = str(name).encode("utf-16-le") + b"\0\0"
    return struct.pack(
        "<64sHBBIII16s4xQQIQ",
        written, len(written), kind, 1, _NONE, right, child, b"", 0, 0, start, size,
    )  # fmt: skip
