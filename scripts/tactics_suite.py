"""The file of the tactical suite: its rows, its order, and what makes two positions alike.

`tactics.py` makes it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Dict, List, Tuple

from konakis import HOUSE

SUITE = HOUSE / "tests" / "data" / "tactics.tsv"

HEADER = "# variant\tfen\tkind\tbest move\tplies\tbudget (nodes)\tgame"

SHARES = {
    "tablut": 9,
    "tablut-pijanowski": 7,
    "sea-battle": 4,
    "tablut-saami": 4,
    "historical": 7,
    "tawlbwrdd": 5,
    "ard-ri-rook": 6,
    "tablut-corner": 7,
    "skalk": 6,
    "copenhagen": 8,
    "fetlar": 6,
    "brandubh": 7,
    "brandub-walker": 5,
    "magpie": 6,
    "tablut-ashton": 8,
    "tablut-foteviken": 5,
}
"""How many positions of each rule set."""


@dataclass(frozen=True)
class Row:
    """A position of the suite."""

    variant: str
    fen: str
    kind: str
    best: str
    plies: int
    budget: int
    game: int

    @property
    def side(self) -> str:
        """The side to move, `a` or `d`."""
        return self.fen[-1]

    def line(self) -> str:
        """The row as it stands in the file."""
        numbers = map(str, (self.plies, self.budget, self.game))
        return "\t".join((self.variant, self.fen, self.kind, self.best, *numbers))


def read(path: Path) -> List[Row]:
    """The rows of a suite; none if there is no such file."""
    if not path.exists():
        return []
    rows = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("#") or not line:
            continue
        try:
            variant, fen, kind, best, plies, budget, game = line.split("\t")
            rows.append(Row(variant, fen, kind, best, int(plies), int(budget), int(game)))
        except ValueError as error:
            wrong = f"{path}, line {number}: {error}; expected {HEADER}"
            raise SystemExit(f"tactics: {wrong}") from None
    return rows


def write(path: Path, rows: List[Row]) -> None:
    """Writes a suite, ordered by rule set."""
    order = list(SHARES)
    rows = sorted(
        rows,
        key=lambda row: (order.index(row.variant), row.kind, row.side, row.plies, row.game),
    )
    path.write_text("\n".join([HEADER, *(row.line() for row in rows), ""]), encoding="utf-8")


def canonical(fen: str) -> str:
    """The same text for all images of a position under the symmetries of the board."""
    placement, side = fen.split()
    board = []
    for rank in placement.split("/"):
        squares, count = "", ""
        for letter in rank:
            if letter.isdigit():
                count += letter
                continue
            squares += "." * int(count or 0) + letter
            count = ""
        board.append(squares + "." * int(count or 0))
    images = []
    for _ in range(4):
        board = ["".join(column) for column in zip(*board[::-1])]
        images += ["/".join(board), "/".join(board[::-1])]
    return f"{min(images)} {side}"


def report(rows: List[Row]) -> int:
    """Prints how many positions of which sort there are; returns how many are missing."""
    missing = 0
    for variant, share in SHARES.items():
        own = [row for row in rows if row.variant == variant]
        missing += max(0, share - len(own))
        print(f"{variant:18} {len(own):2} of {share}")
    counts: Dict[Tuple[str, str, int], int] = {}
    for row in rows:
        key = (row.kind, row.side, row.plies)
        counts[key] = counts.get(key, 0) + 1
    for (kind, side, distance), count in sorted(counts.items()):
        print(f"{kind} for {side}, {distance} plies: {count}")
    print(f"{len(rows)} positions, {missing} missing")
    return missing
