"""Tests of the client: `python3 scripts/test_konakis.py`.

Most of them talk to a fake engine that misbehaves on order; those of `RealEngine` need the path of
a built engine in the environment variable KONAKIS and are skipped without it.
"""

from __future__ import annotations

import os
import sys
import time
import unittest

from konakis import (
    Engine,
    EngineDied,
    EngineError,
    EngineRefused,
    EngineTimeout,
    Score,
    parse_info,
)

FAKE = r"""
import sys, time
def say(*lines):
    for line in lines:
        print(line, flush=True)
for order in sys.stdin:
    word = order.split()[0]
    if word == "uci":
        say("banner", "id name Fake 1", "uciok")
    elif word == "isready":
        say("readyok")
    elif word == "quit":
        break
    elif order.startswith("setoption name Refused"):
        say("info string error bad-value: Refused: no; the old value stays")
    elif order.startswith("setoption name Deaf"):
        time.sleep(60)
    elif order.startswith("setoption name Dead"):
        sys.exit(3)
    elif order.startswith("setoption name Chatty"):
        say(*["info string chatter"] * 20000)
    elif order.startswith("query echo"):
        say("response " + order[11:].strip())
    elif order.startswith("query legalmoves"):
        say("response none")
    elif order.startswith("query"):
        say("info string error syntax: no such word")
    elif order.startswith("go depth 9"):
        pass
    elif order.startswith("go depth 8"):
        say("info string error bad-value: depth", "info depth 1 score cp 1 pv a1a2", "bestmove a1a2")
    elif order.startswith("go depth 7"):
        say("info string error busy: a search is running")
    elif word == "go":
        say(
            "info depth 1 seldepth 2 multipv 1 score cp 5 nodes 7 nps 8 hashfull 9 time 10 pv a1a2 b1b2",
            "info depth 1 multipv 2 score mate -2 pv c1c2",
            "info string by the way",
            "info depth 2 multipv 1 score cp 25 lowerbound wdl 500 300 200 pv a1a3 b1b3",
            "bestmove a1a3 ponder b1b3",
        )
"""


def fake(**arguments: float) -> Engine:
    return Engine([sys.executable, "-c", FAKE], **arguments)


class FakeEngine(unittest.TestCase):
    def test_a_search(self) -> None:
        with fake() as engine:
            self.assertEqual(engine.name, "Fake 1")
            best = engine.go(depth=2)
            self.assertEqual((best.move, best.ponder), ("a1a3", "b1b3"))
            self.assertEqual(best.info.score, Score(cp=25, bound="lowerbound"))
            self.assertEqual(best.info.wdl, (500, 300, 200))
            first, second = engine.analyse(multipv=2, movetime=1)
            self.assertEqual((first.depth, first.pv), (2, ["a1a3", "b1b3"]))
            self.assertEqual((second.score, second.pv), (Score(mate=-2), ["c1c2"]))
            self.assertEqual(engine.query("echo one two"), "one two")
            self.assertEqual(engine.legal_moves(), [])

    def test_refusals(self) -> None:
        with fake() as engine:
            with self.assertRaisesRegex(EngineRefused, "bad-value: Refused: no") as caught:
                engine.set_option("Refused", 1)
            self.assertEqual(caught.exception.word, "bad-value")
            with self.assertRaises(EngineRefused):
                engine.query("nonsense")
            for depth in (8, 7):
                with self.assertRaises(EngineRefused):
                    engine.go(depth=depth)
            # The conversation goes on in step.
            self.assertEqual(engine.query("echo still here"), "still here")
            self.assertEqual(engine.go(depth=1).move, "a1a3")

    def test_misuse(self) -> None:
        with fake() as engine:
            with self.assertRaises(ValueError):
                engine.go()
            with self.assertRaises(ValueError):
                engine.position(fen="9/9\nquit")
            self.assertEqual(engine.query("echo here"), "here")

    def test_death(self) -> None:
        with fake() as engine:
            with self.assertRaisesRegex(EngineDied, "exit code 3"):
                engine.set_option("Dead")
            for _ in range(2):
                with self.assertRaises(EngineDied):
                    engine.legal_moves()

    def test_no_engine(self) -> None:
        with self.assertRaisesRegex(EngineDied, "cannot start"):
            Engine("/no/such/engine")
        with self.assertRaises(EngineDied):
            Engine([sys.executable, "-c", "pass"])

    def test_timeouts(self) -> None:
        start = time.monotonic()
        with self.assertRaises(EngineTimeout):
            Engine([sys.executable, "-c", "import time; time.sleep(60)"], start_timeout=0.5)
        with fake(timeout=0.5) as engine:
            with self.assertRaises(EngineTimeout):
                engine.set_option("Deaf")
            with self.assertRaises(EngineDied):
                engine.legal_moves()
        with fake() as engine, self.assertRaises(EngineTimeout):
            engine.go(depth=9, timeout=0.5)
        self.assertLess(time.monotonic() - start, 25)

    def test_an_engine_that_hears_nothing_and_one_that_never_stops_talking(self) -> None:
        deaf = "import time; print('uciok', flush=True); time.sleep(60)"
        start = time.monotonic()
        with Engine([sys.executable, "-c", deaf], timeout=0.5) as engine:
            with self.assertRaises(EngineTimeout):
                engine.position(moves=["e5e8"] * 100000)
        self.assertLess(time.monotonic() - start, 20)
        with fake() as engine:
            engine.set_option("Chatty")
            self.assertEqual(engine.query("echo here"), "here")

    def test_info_lines(self) -> None:
        self.assertIsNone(parse_info("info string depth 3"))
        self.assertIsNone(parse_info("bestmove e5e8"))
        info = parse_info("info depth 3 speed x score mate 2 wdl 1 2 3 nodes 12 pv e5e8")
        self.assertEqual((info.depth, info.score, info.nodes, info.pv), (3, Score(mate=2), 12, ["e5e8"]))
        for cut in ("info", "info score", "info score cp", "info depth", "info score cp x"):
            self.assertIsNone(parse_info(cut), cut)


@unittest.skipUnless("KONAKIS" in os.environ, "no engine in KONAKIS")
class RealEngine(unittest.TestCase):
    def setUp(self) -> None:
        self.engine = Engine(os.environ["KONAKIS"])
        self.addCleanup(self.engine.close)

    def test_setting_up_and_asking(self) -> None:
        engine = self.engine
        self.assertIn("Konakis", engine.name)
        engine.new_game(variant="brandubh")
        self.assertEqual(engine.query("variant"), "brandubh")
        self.assertEqual(len(engine.legal_moves()), 40)
        engine.position(moves=["d6f6"])
        self.assertEqual(engine.query("side"), "defenders")
        with self.assertRaisesRegex(EngineRefused, "bad-move.*ply 2"):
            engine.position(moves=["d6f6", "a1a1"])
        self.assertEqual(engine.query("side"), "defenders")
        with self.assertRaisesRegex(EngineRefused, "bad-fen"):
            engine.position(fen="7/7")
        with self.assertRaises(EngineError):
            engine.new_game(variant="chess")
        engine.position(fen="7/7/7/7/7/7/1a4k a")
        self.assertEqual(engine.query("reason"), "king-escaped")
        self.assertEqual(engine.legal_moves(), [])

    def test_searching(self) -> None:
        engine = self.engine
        engine.new_game(variant="tablut")
        legal = engine.legal_moves()
        self.assertIn(engine.go(movetime=50).move, legal)
        self.assertIn(engine.go(atime=1000, dtime=1000, ainc=10, dinc=10).move, legal)
        self.assertEqual(engine.go(depth=1, searchmoves=[legal[-1]]).move, legal[-1])
        infos = engine.analyse(multipv=3, depth=2)
        self.assertEqual([info.multipv for info in infos], list(range(1, len(infos) + 1)))
        self.assertEqual(len({info.pv[0] for info in infos}), len(infos))
        engine.position(fen="9/9/9/9/9/9/9/9/a7a d")
        self.assertIsNone(engine.go(depth=1).move)


if __name__ == "__main__":
    unittest.main()
