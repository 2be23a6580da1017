#!/usr/bin/env python3
"""Lets the engine play against itself, and prints the moves, the winner and the reason.

    python3 scripts/selfplay.py --variant copenhagen --movetime 100
"""

from __future__ import annotations

import argparse
import sys
from typing import List, Optional

from konakis import Engine, EngineError


def play(engine: Engine, variant: Optional[str], movetime: int, max_plies: int) -> None:
    """Plays one game and prints it, a ply a line."""
    engine.new_game(variant)
    print(f"{engine.name or 'the engine'} plays {engine.query('variant')}")
    moves: List[str] = []
    while engine.query("gameover") != "true" and len(moves) < max_plies:
        side = engine.query("side")
        best = engine.go(movetime=movetime)
        if best.move is None:
            break
        captures = engine.query(f"captures {best.move}")
        taken = "" if captures == "none" else f" takes {captures}"
        score = best.info.score if best.info else None
        moves.append(best.move)
        print(f"{len(moves):4} {side:9} {best.move}{taken}  [{score}]", flush=True)
        engine.position(moves=moves)
    winner, reason = engine.query("winner"), engine.query("reason")
    print(engine.query("fen"))
    if winner == "none":
        print(f"undecided after {len(moves)} plies")
    elif winner == "draw":
        print(f"drawn after {len(moves)} plies ({reason})")
    else:
        print(f"{winner} win after {len(moves)} plies ({reason})")


def main() -> int:
    """Reads the arguments and plays."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine", metavar="PATH", help="the engine (default: cargo run)")
    parser.add_argument("--variant", metavar="ID", help="the rule set (default: the engine's)")
    parser.add_argument("--movetime", metavar="MS", type=int, default=100, help="ms a move (100)")
    parser.add_argument(
        "--max-plies", metavar="N", type=int, default=500, help="stop after so many plies (500)"
    )
    arguments = parser.parse_args()
    try:
        with Engine(arguments.engine) as engine:
            play(engine, arguments.variant, arguments.movetime, arguments.max_plies)
    except EngineError as error:
        print(f"selfplay: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
