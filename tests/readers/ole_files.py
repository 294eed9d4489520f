"""OLE files (MS-CFB) made by hand: folders and streams, as Outlook and old Excel write them."""

from __future__ import annotations

import struct
from typing import TypeAlias

Tree: TypeAlias = "dict[str, bytes | Tree]"
SECTOR, SMALL, BOUND = 512, 64, 4096
FREE, END, FAT = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD


class Space:
    """Pieces of one size, and the table that says which follows which."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.pieces: list[bytes] = []
        self.table: list[int] = []

    def keep(self, data: bytes) -> int:
        """Where data begins."""
        start = len(self.pieces)
        self.pieces += [data[at : at + self.size].ljust(self.size, b"\0") for at in range(0, len(data), self.size)]
        self.table += [*range(start + 1, len(self.pieces)), END] if data else []
        return start if data else END


def ole_file(tree: Tree) -> bytes:
    """A file with those folders and streams."""
    entries: list[list[object]] = [["Root Entry", 5, b"", FREE, FREE]]  # name, kind, data, right, child
    _add(tree, 0, entries)
    large, small = Space(SECTOR), Space(SMALL)
    starts = [(large if len(data) >= BOUND else small).keep(data) for _, _, data, _, _ in entries]
    entries[0][2] = b"".join(small.pieces)
    starts[0] = large.keep(entries[0][2])
    packed = b""
    for (name, kind, data, right, child), start in zip(entries, starts, strict=True):
        wide = name.encode("utf-16-le") + b"\0\0"
        packed += wide.ljust(64, b"\0") + struct.pack("<HBBIII", len(wide), kind, 1, FREE, right, child)
        packed += bytes(36) + struct.pack("<IQ", start, len(data))
    directory = large.keep(packed)
    minifat = large.keep(_table(small.table))
    fats = 1
    while fats * SECTOR // 4 < len(large.pieces) + fats:
        fats += 1
    places = range(len(large.pieces), len(large.pieces) + fats)
    head = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16) + struct.pack("<HHHHH6x", 0x3E, 3, 0xFFFE, 9, 6)
    minis = -(-4 * len(small.table) // SECTOR)
    head += struct.pack("<IIIIIIIII", 0, fats, directory, 0, BOUND, minifat, minis, END, 0)
    head += struct.pack(f"<{fats}I", *places)
    return head.ljust(SECTOR, b"\xff") + b"".join(large.pieces) + _table([*large.table, *[FAT] * fats])


def _table(numbers: list[int]) -> bytes:
    return struct.pack(f"<{len(numbers)}I", *numbers).ljust(-(-4 * len(numbers) // SECTOR) * SECTOR, b"\xff")


def _add(tree: Tree, parent: int, entries: list[list[object]]) -> None:
    before = None
    for name, inside in tree.items():
        number = len(entries)
        stream = isinstance(inside, bytes)
        entries.append([name, 2 if stream else 1, inside if stream else b"", FREE, FREE])
        if before is None:
            entries[parent][4] = number
        else:
            entries[before][3] = number
        before = number
        if not isinstance(inside, bytes):
            _add(inside, number, entries)


def outlook(fields: dict[int, str | bytes], attached: list[Tree] | None = None, *, within: bool = False) -> Tree:
    """The folder of a message: texts and bytes by the numbers of their properties, and its attachments."""
    tree: Tree = {"__properties_version1.0": bytes(24 if within else 32) + SENT}
    for tag, value in fields.items():
        wide = isinstance(value, str)
        tree[f"__substg1.0_{tag:04X}{'001F' if wide else '0102'}"] = value.encode("utf-16-le") if wide else value
    for number, one in enumerate(attached or []):
        tree[f"__attach_version1.0_#{number:08X}"] = one
    return tree


def attachment(name: str, content: bytes | Tree) -> Tree:
    """The folder of an attachment: a file, or a message."""
    kind = "0102" if isinstance(content, bytes) else "000D"
    return {
        "__properties_version1.0": bytes(8),
        "__substg1.0_3707001F": name.encode("utf-16-le"),
        f"__substg1.0_3701{kind}": content,
    }


SENT = struct.pack("<HHIQ", 0x0040, 0x0039, 6, 133_500_000_000_000_000)  # 2024-01-17
