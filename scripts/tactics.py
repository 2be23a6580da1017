#!/usr/bin/env python3
"""Makes and keeps the tactical suite, tests/data/tactics.tsv.

    python3 scripts/tactics.py generate        positions until every rule set has its share
    python3 scripts/tactics.py budgets         the node budgets anew, after a change of the search
    python3 scripts/tactics.py check           what is unique asked again, by a longer search

A row of the suite holds a rule set, a FEN, what is asked (`win`: the one move that wins by force;
`save`: the one move that does not lose by force), the move, the plies of the shortest win (or of
the longest loss of all other moves), the budget in nodes, and the number of the game it is from.

Where the positions come from: the engine plays itself, from a few random moves, with now and then a
random move on the way, the defenders often with fewer nodes, so that either side wins.
Everything thrown is thrown with --seed and the game's number: the same engine gives the same
games. Each game gives at most one position, and no position is the image of another under the
symmetries of the board.

How it was checked that the move is the only one: a search of --sure nodes over all other moves
must prove no win, nor stand better than --margin (for `save`: must prove their loss, each within
9 plies, while the move itself is not proven to lose by --sure nodes and stands no worse than
-margin). `check` asks that again.

The proofs are checked by tests/search/tactics.rs: `cargo test --release --test search tactics`. Up
to 5 plies all moves of both sides are tried, without any search: the move wins (or the others lose)
in exactly so many plies, and no other move wins as fast. Longer ones are played out against every
answer, with one move for the winner that a search names. A row that this test refuses is struck out
by hand, and `generate` finds another.

The budget is four times the nodes of the first depth at which the search has the move (for a win:
with its proof) and keeps it, with a table of 4 MiB and one thread, rounded up to two digits and
at least 1000.
"""

from __future__ import annotations

import argparse
import random
import sys
from dataclasses import replace
from pathlib import Path
from typing import Iterator, List, Optional, Tuple

from konakis import BestMove, Engine, EngineError, Info
from tactics_suite import SHARES, SUITE, Row, canonical, read, report, write

QUICK = 6_000
"""Nodes for a first look at a position."""
DEAREST = 40_000
"""Nodes that the search may need for a position, so that the suite is searched in seconds."""
LONGEST = 9
"""Plies of the longest win."""
PATIENCE = 15
"""Games without a find after which one more of a frequent sort will do, and so on."""
MOST_GAMES = 400
"""Games of a rule set after which it is left with what was found."""


def plies(info: Optional[Info]) -> Optional[int]:
    """The plies of a proven win, or of a proven loss as a negative number."""
    if info is None or info.score is None or info.score.mate is None:
        return None
    mate = info.score.mate
    return 2 * mate - 1 if mate > 0 else 2 * mate


def centipawns(info: Optional[Info]) -> int:
    """A score as a number; a proven one is far from all others."""
    if info is None or info.score is None:
        return 0
    if info.score.mate is not None:
        return 100_000 if info.score.mate > 0 else -100_000
    return info.score.cp or 0


class Asker:
    """The engine with the questions of this script."""

    def __init__(self, engine: Engine, sure: int, margin: int) -> None:
        self.engine = engine
        self.sure = sure
        self.margin = margin

    def go(self, fen: str, *, moves: Optional[List[str]] = None, **limits: int) -> BestMove:
        """Searches a position without a past, over some moves or all, with an empty table."""
        self.engine.new_game()
        self.engine.position(fen)
        return self.engine.go(searchmoves=moves or [], **limits)

    def others(self, fen: str, best: str) -> List[str]:
        """All moves but one."""
        self.engine.position(fen)
        return [move for move in self.engine.legal_moves() if move != best]

    def puzzle(self, fen: str, winner: str) -> Optional[Tuple[str, str, int]]:
        """What a position asks, the move and the plies, by a quick look; None if it asks nothing.
        The side that lost the game is asked for saving moves only."""
        self.engine.position(fen)
        found = self.engine.go(nodes=QUICK)
        distance = plies(found.info)
        if found.move is None or (distance is not None and not 3 <= distance <= LONGEST):
            return None
        if (distance is not None) != (fen[-1] == winner):
            return None
        rest = self.others(fen, found.move)
        if len(rest) < 3:
            return None
        second = self.engine.go(searchmoves=rest, nodes=QUICK)
        if distance is not None:
            return ("win", found.move, distance) if centipawns(second.info) < self.margin else None
        loss = plies(second.info)
        if loss is None or not -LONGEST <= loss <= -4 or centipawns(found.info) < -self.margin:
            return None
        return "save", found.move, -loss

    def is_sure(self, fen: str, kind: str, best: str) -> bool:
        """Is the move the only one, by a long search?"""
        rest = self.go(fen, moves=self.others(fen, best), nodes=self.sure)
        if kind == "win":
            return centipawns(rest.info) < self.margin
        this = self.go(fen, moves=[best], nodes=self.sure)
        loss = plies(rest.info)
        return loss is not None and -LONGEST <= loss < 0 and centipawns(this.info) > -self.margin

    def needed(self, fen: str, kind: str, best: str, most: int) -> Optional[int]:
        """The nodes that the search needs to find the move and to keep it; None if it does not, or
        needs more than `most`."""
        nodes: Optional[int] = None
        for depth in range(1, 40):
            found = self.go(fen, depth=depth)
            spent = (found.info.nodes if found.info else None) or 0
            proven = centipawns(found.info) > 50_000
            if found.move != best or (kind == "win" and not proven):
                nodes = None
            elif nodes is None:
                nodes = spent
            if (nodes or spent) > most:
                return None
            if nodes is not None and (proven or spent > 4 * nodes + 1_000):
                return nodes
        return nodes

    def budget(self, fen: str, kind: str, best: str, most: int) -> Optional[int]:
        """The node budget of a position, if the search finds the move within `most` nodes."""
        nodes = self.needed(fen, kind, best, most)
        if nodes is None:
            return None
        budget = max(1000, rounded(4 * nodes))
        found = self.go(fen, nodes=budget)
        if found.move != best or (kind == "win" and centipawns(found.info) < 50_000):
            return None
        return budget


def rounded(number: int) -> int:
    """Up to two digits."""
    unit = 10 ** max(0, len(str(number)) - 2)
    return -(-number // unit) * unit


def play(engine: Engine, dice: random.Random, most: int = 160) -> Tuple[str, List[str]]:
    """Plays a game and returns the winner, `a` or `d`, and the FENs of the last positions before
    the end, latest first; no positions if it is not decided."""
    engine.new_game()
    engine.position()
    side = engine.query("side")
    strength = {"attackers": dice.choice((400, 1500)), "defenders": dice.choice((100, 400, 1500))}
    random_plies, slip = dice.randint(2, 6), dice.choice((0.0, 0.04, 0.1))
    moves: List[str] = []
    while len(moves) < most:
        if len(moves) < random_plies or dice.random() < slip:
            legal = engine.legal_moves()
            move = dice.choice(legal) if legal else None
        else:
            move = engine.go(nodes=strength[side]).move
        if move is None:
            break
        moves.append(move)
        engine.position(moves=moves)
        side = "defenders" if side == "attackers" else "attackers"
        # The engine plays on after a repetition, and only then.
        if len(moves) % 8 == 0 and engine.query("gameover") == "true":
            break
    winner = engine.query("winner")
    if winner not in ("attackers", "defenders"):
        return "", []
    fens = []
    for end in range(len(moves) - 1, max(random_plies, len(moves) - 13), -1):
        engine.position(moves=moves[:end])
        fens.append(engine.query("fen"))
    return winner[0], fens


def quota(share: int, kind: str) -> int:
    """How many positions of a kind for either side, so that all are there."""
    return -(-share // 3) if kind == "win" else max(1, share // 7)


def wanted(rows: List[Row], share: int, kind: str, side: str, distance: int, more: int) -> bool:
    """Is there room for such a position among those of its rule set, or for so many `more`?"""
    alike = [row for row in rows if (row.kind, row.side) == (kind, side)]
    if len(alike) >= quota(share, kind) + more:
        return False
    # The short ones are many and teach little.
    short = sum(row.plies <= 4 for row in alike)
    return distance > 4 or short < max(1, quota(share, kind) // 3)


def search_games(
    asker: Asker, variant: str, seed: int, rows: List[Row], first: int
) -> Iterator[Row]:
    """Positions of a rule set, one from a game, until it has its share. `rows` are those it has."""
    share = SHARES[variant]
    rows = list(rows)
    seen = {canonical(row.fen) for row in rows}
    asker.engine.new_game(variant)
    last = first - 1
    for game in range(first, first + MOST_GAMES):
        if len(rows) >= share:
            return
        more = (game - last) // PATIENCE
        winner, fens = play(asker.engine, random.Random(f"{seed} {variant} {game}"))
        found: List[Tuple[int, Row]] = []
        for fen in fens:
            asked = asker.puzzle(fen, winner)
            if asked is None or canonical(fen) in seen:
                continue
            kind, best, distance = asked
            if wanted(rows, share, kind, fen[-1], distance, more):
                found.append((distance, Row(variant, fen, kind, best, distance, 0, game)))
        for _, row in sorted(found, key=lambda item: -item[0]):
            budget = asker.budget(row.fen, row.kind, row.best, DEAREST)
            if budget is None or budget <= 1000 and row.plies > 4:
                continue
            if not asker.is_sure(row.fen, row.kind, row.best):
                continue
            row = replace(row, budget=budget)
            rows.append(row)
            seen.add(canonical(row.fen))
            last = game
            yield row
            break


def generate(asker: Asker, path: Path, seed: int, variants: List[str]) -> int:
    """Adds positions to the suite until every rule set has its share."""
    rows = read(path)
    for variant in variants:
        own = [row for row in rows if row.variant == variant]
        first = max((row.game for row in own), default=0) + 1
        for row in search_games(asker, variant, seed, own, first):
            rows.append(row)
            write(path, rows)
            print(row.line(), flush=True)
    return int(report(rows) > 0)


def budgets(asker: Asker, path: Path, variants: List[str]) -> int:
    """States the node budgets anew."""
    rows, failed = [], 0
    for row in read(path):
        if row.variant in variants:
            asker.engine.new_game(row.variant)
            budget = asker.budget(row.fen, row.kind, row.best, 4 * asker.sure)
            if budget is None:
                failed += 1
                print(f"not found: {row.line()}", flush=True)
            elif budget != row.budget:
                print(f"{row.variant} {row.fen}: {row.budget} -> {budget}", flush=True)
                row = replace(row, budget=budget)
        rows.append(row)
    write(path, rows)
    print(f"{sum(row.budget for row in rows)} nodes for {len(rows)} positions, {failed} not found")
    return int(failed > 0)


def check(asker: Asker, path: Path, variants: List[str]) -> int:
    """Asks again whether each move is the only one."""
    failed = 0
    rows = [row for row in read(path) if row.variant in variants]
    for row in rows:
        asker.engine.new_game(row.variant)
        if not asker.is_sure(row.fen, row.kind, row.best):
            failed += 1
            print(f"not the only move: {row.line()}", flush=True)
    print(f"{len(rows)} positions, {failed} with more than one move")
    return int(failed > 0)


def main() -> int:
    """Reads the arguments and does what is asked."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("generate", "budgets", "check"))
    parser.add_argument("--engine", metavar="PATH", help="the engine (default: cargo run)")
    parser.add_argument(
        "--file", type=Path, default=SUITE, help="the suite (default: that of the tests)"
    )
    parser.add_argument("--seed", type=int, default=1, help="of the games (1)")
    parser.add_argument(
        "--variants", metavar="IDS", default=",".join(SHARES), help="some rule sets only, by commas"
    )
    parser.add_argument(
        "--sure", metavar="NODES", type=int, default=300_000,
        help="nodes of the long search (300000)",
    )  # fmt: skip
    parser.add_argument(
        "--margin", metavar="CP", type=int, default=400,
        help="how good the second move, or bad the saving one, may stand, in centipawns (400)",
    )  # fmt: skip
    arguments = parser.parse_args()
    variants = arguments.variants.split(",")
    if unknown := [variant for variant in variants if variant not in SHARES]:
        parser.error(f"no share for {', '.join(unknown)}; there are {', '.join(SHARES)}")
    try:
        with Engine(arguments.engine, timeout=60) as engine:
            engine.set_option("Hash", 4)
            asker = Asker(engine, arguments.sure, arguments.margin)
            if arguments.what == "generate":
                return generate(asker, arguments.file, arguments.seed, variants)
            if arguments.what == "budgets":
                return budgets(asker, arguments.file, variants)
            return check(asker, arguments.file, variants)
    except EngineError as error:
        print(f"tactics: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
