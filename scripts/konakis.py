"""A small client for the tafl engine Konakis, or any engine that speaks its protocol.

Needs nothing but Python 3.9 or newer. A session:

    from konakis import Engine

    with Engine() as engine:
        engine.new_game(variant="brandubh")
        engine.position(moves=["d6f6"])
        print(engine.legal_moves())
        print(engine.go(movetime=500).move)
        for info in engine.analyse(multipv=3, depth=6):
            print(info.score, info.pv)
        print(engine.query("result"))

The engine's answers are described in `protocol.md`. Everything that goes wrong is an `EngineError`.
"""

from __future__ import annotations

import queue
import subprocess
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Dict, Iterable, List, Optional, Sequence, Tuple, Union

HOUSE = Path(__file__).resolve().parent.parent
"""The folder of the project, where the default command is run."""

DEFAULT_COMMAND = ("cargo", "run", "--release", "--quiet")

ERROR_PREFIX = "info string error "


class EngineError(Exception):
    """Something went wrong between this program and the engine."""


class EngineDied(EngineError):
    """The engine's process could not be started, or has ended."""


class EngineTimeout(EngineError):
    """The engine did not answer in time. Its process has been ended: what it would still say could
    not be told from the answer to the next question."""


class EngineRefused(EngineError):
    """The engine answered with an error line; its state is as before the command.

    `word` is the kind of error, such as `bad-move`; `text` says what was wrong.
    """

    def __init__(self, word: str, text: str) -> None:
        super().__init__(f"{word}: {text}")
        self.word = word
        self.text = text


@dataclass(frozen=True)
class Score:
    """A score for the side to move: centipawns (`cp`) or the distance of a win (`mate`, in moves of
    the winner, negative for a loss). One of the two is None."""

    cp: Optional[int] = None
    mate: Optional[int] = None
    bound: Optional[str] = None
    """`lowerbound` or `upperbound` if the score is not exact."""

    def __str__(self) -> str:
        text = f"mate {self.mate}" if self.cp is None else f"{self.cp / 100:+.2f}"
        return f"{text} ({self.bound})" if self.bound else text


@dataclass(frozen=True)
class Info:
    """One report of a search. What the engine did not say is None, or an empty line of moves."""

    depth: Optional[int] = None
    seldepth: Optional[int] = None
    multipv: int = 1
    score: Optional[Score] = None
    nodes: Optional[int] = None
    nps: Optional[int] = None
    hashfull: Optional[int] = None
    time: Optional[int] = None
    """Milliseconds since the search began."""
    wdl: Optional[Tuple[int, int, int]] = None
    """The chances to win, draw and lose, in thousandths, with the option `UCI_ShowWDL`."""
    pv: List[str] = field(default_factory=list)


@dataclass(frozen=True)
class BestMove:
    """The answer to `go`. `move` is None in a finished game; `info` is the last report of the best
    line."""

    move: Optional[str]
    ponder: Optional[str]
    info: Optional[Info]


def parse_info(line: str) -> Optional[Info]:
    """Reads an `info` line; None if it carries no report of a search."""
    words = line.split()
    if words[:1] != ["info"] or words[1:2] == ["string"]:
        return None
    numbers: Dict[str, int] = {}
    score: Optional[Score] = None
    wdl: Optional[Tuple[int, int, int]] = None
    pv: List[str] = []
    at = 1
    while at < len(words):
        word = words[at]
        if word == "pv":
            pv = words[at + 1 :]
            break
        if word == "score" and at + 2 < len(words):
            value = _number(words[at + 2])
            bound = words[at + 3] if at + 3 < len(words) else ""
            bounded = bound in ("lowerbound", "upperbound")
            if words[at + 1] in ("cp", "mate") and value is not None:
                named = {words[at + 1]: value}
                score = Score(**named, bound=bound if bounded else None)
            at += 4 if bounded else 3
            continue
        if word == "wdl":
            chances = [_number(number) for number in words[at + 1 : at + 4]]
            known = [chance for chance in chances if chance is not None]
            if len(known) == 3:
                wdl = (known[0], known[1], known[2])
            at += 4
            continue
        value = _number(words[at + 1]) if at + 1 < len(words) else None
        if word in ("depth", "seldepth", "multipv", "nodes", "nps", "hashfull", "time") and (
            value is not None
        ):
            numbers[word] = value
            at += 1
        at += 1
    if not numbers and score is None and not pv:
        return None
    return Info(score=score, wdl=wdl, pv=pv, **numbers)


def _number(text: str) -> Optional[int]:
    try:
        return int(text)
    except ValueError:
        return None


class Engine:
    """A running engine. Use it in a `with` block, or call `close()` when done.

    `command` is a path, or a list of program and arguments; without it the engine of this project
    is built, if need be, and run by `cargo`. `timeout` is how long, in seconds, an answer may take
    on top of the time that a search was given; `start_timeout` the same for the first one.

    One thread at a time may use an engine. What it writes to its standard error goes where this
    program's goes.
    """

    def __init__(
        self,
        command: Union[str, Path, Sequence[str], None] = None,
        *,
        timeout: float = 10.0,
        start_timeout: float = 600.0,
    ) -> None:
        folder: Optional[Path] = None
        if command is None:
            arguments, folder = list(DEFAULT_COMMAND), HOUSE
        elif isinstance(command, (str, Path)):
            arguments = [str(command)]
        else:
            arguments = [str(argument) for argument in command]
        self.timeout = timeout
        self.name = ""
        self._multipv = 1
        self._last = ""
        self._lines: queue.Queue[Optional[str]] = queue.Queue()
        self._orders: queue.Queue[Optional[str]] = queue.Queue()
        try:
            self._process = subprocess.Popen(
                arguments,
                cwd=folder,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                encoding="utf-8",
                errors="replace",
            )
        except OSError as error:
            raise EngineDied(f"cannot start {arguments[0]!r}: {error}") from error
        # Threads of their own for both pipes: neither side ever waits for the other to read.
        for work, pipe in (
            (self._read_all, self._process.stdout),
            (self._write_all, self._process.stdin),
        ):
            threading.Thread(target=work, args=(pipe,), daemon=True).start()
        try:
            self._send("uci")
            for line in self._answer_until("uciok", start_timeout):
                if line.startswith("id name "):
                    self.name = line[len("id name ") :]
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # What one asks an engine for.

    def set_option(self, name: str, value: Union[str, int, bool, None] = None) -> None:
        """Sets an option, or presses a button (without a value)."""
        if isinstance(value, bool):
            value = str(value).lower()
        self._send(f"setoption name {name}" + ("" if value is None else f" value {value}"))
        self._settle()
        if name.lower() == "multipv" and value is not None:
            self._multipv = int(value)

    def new_game(self, variant: Optional[str] = None) -> None:
        """Forgets the game before and sets up the start position, under another rule set if one is
        named."""
        if variant is not None:
            self.set_option("UCI_Variant", variant)
        self._send("ucinewgame")
        self._settle()

    def position(self, fen: Optional[str] = None, moves: Iterable[str] = ()) -> None:
        """Sets up the start position, or a FEN, and plays moves.

        Raises `EngineRefused` if the FEN or a move is wrong; the position is then the old one.
        """
        words = ["position", "startpos" if fen is None else f"fen {fen}"]
        played = list(moves)
        if played:
            words += ["moves", *played]
        self._send(" ".join(words))
        self._settle()

    def query(self, word: str) -> str:
        """Asks for what the engine knows of the position: `fen`, `result`, `reason`, `captures e5e8`
        and so on."""
        self._send(f"query {word}")
        for line in self._answer_until("response", self.timeout):
            self._complain(line)
        return self._last.partition(" ")[2].strip()

    def legal_moves(self) -> List[str]:
        """The legal moves of the position; none in a finished game."""
        answer = self.query("legalmoves")
        return [] if answer == "none" else answer.split()

    def go(
        self,
        *,
        movetime: Optional[int] = None,
        depth: Optional[int] = None,
        nodes: Optional[int] = None,
        mate: Optional[int] = None,
        atime: Optional[int] = None,
        dtime: Optional[int] = None,
        ainc: Optional[int] = None,
        dinc: Optional[int] = None,
        movestogo: Optional[int] = None,
        searchmoves: Iterable[str] = (),
        timeout: Optional[float] = None,
    ) -> BestMove:
        """Searches and returns the best move with the last report.

        Times are in milliseconds: `movetime` for this move, `atime`, `dtime`, `ainc`, `dinc` the
        clocks and increments of attackers and defenders. At least one limit must be given.
        `timeout`, in seconds, is when to give up on the engine; without it a search that has only
        `depth`, `nodes` or `mate` may take as long as it likes.
        """
        limits = {
            "movetime": movetime,
            "depth": depth,
            "nodes": nodes,
            "mate": mate,
            "atime": atime,
            "dtime": dtime,
        }
        extras = {"ainc": ainc, "dinc": dinc, "movestogo": movestogo}
        best, infos = self._search(limits, extras, list(searchmoves), timeout)
        words = best.split()
        move = words[1] if len(words) > 1 and words[1] != "(none)" else None
        ponder = words[3] if words[2:3] == ["ponder"] and len(words) > 3 else None
        return BestMove(move, ponder, infos.get(1))

    def analyse(
        self,
        *,
        multipv: int = 1,
        movetime: Optional[int] = None,
        depth: Optional[int] = None,
        nodes: Optional[int] = None,
        searchmoves: Iterable[str] = (),
        timeout: Optional[float] = None,
    ) -> List[Info]:
        """Searches and returns the last report of each of the best `multipv` moves, best first.

        The limits are those of `go`.
        """
        limits = {"movetime": movetime, "depth": depth, "nodes": nodes}
        before = self._multipv
        if multipv != before:
            self.set_option("MultiPV", multipv)
        try:
            _, infos = self._search(limits, {}, list(searchmoves), timeout)
        finally:
            if multipv != before and self._process.poll() is None:
                self.set_option("MultiPV", before)
        return [infos[number] for number in sorted(infos)]

    def close(self) -> None:
        """Ends the engine. May be called more than once."""
        self._orders.put("quit")
        self._orders.put(None)
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    # How it is done.

    def _search(
        self,
        limits: Dict[str, Optional[int]],
        extras: Dict[str, Optional[int]],
        searchmoves: List[str],
        timeout: Optional[float],
    ) -> tuple[str, Dict[int, Info]]:
        """The `bestmove` line and the last report of each line of moves."""
        given = {word: value for word, value in limits.items() if value is not None}
        if not given:
            raise ValueError(f"a search needs a limit, one of {', '.join(limits)}")
        times = [given[word] for word in ("movetime", "atime", "dtime") if word in given]
        if timeout is None and times:
            timeout = max(0, *times) / 1000 + self.timeout
        given.update((word, value) for word, value in extras.items() if value is not None)
        words = ["go", *(f"{word} {value}" for word, value in given.items())]
        if searchmoves:
            words += ["searchmoves", *searchmoves]
        self._send(" ".join(words))
        infos: Dict[int, Info] = {}
        refusal: Optional[EngineRefused] = None
        for line in self._answer_until("bestmove", timeout):
            info = parse_info(line)
            if info is not None and info.score is not None:
                infos[info.multipv] = info
            try:
                self._complain(line)
            except EngineRefused as error:
                if error.word in ("busy", "syntax"):
                    raise  # nothing is searched
                refusal = refusal or error
        if refusal is not None:
            raise refusal
        return self._last, infos

    def _send(self, line: str) -> None:
        if "\n" in line or "\r" in line:
            raise ValueError(f"a command is one line, this is more: {line!r}")
        if self._process.poll() is not None:
            raise EngineDied(f"the engine has ended (exit code {self._process.returncode})")
        self._orders.put(line)

    def _settle(self) -> None:
        """Waits until everything sent before is done; complains of what was refused."""
        self._send("isready")
        refusal: Optional[EngineRefused] = None
        for line in self._answer_until("readyok", self.timeout):
            try:
                self._complain(line)
            except EngineRefused as error:
                refusal = refusal or error
        if refusal is not None:
            raise refusal

    @staticmethod
    def _complain(line: str) -> None:
        """Raises what an error line says."""
        if line.startswith(ERROR_PREFIX):
            word, _, text = line[len(ERROR_PREFIX) :].partition(": ")
            raise EngineRefused(word, text)

    def _answer_until(self, word: str, timeout: Optional[float]) -> Iterable[str]:
        """The lines up to the one that begins with `word`, which is kept in `self._last`."""
        end = None if timeout is None else time.monotonic() + timeout
        while True:
            try:
                left = None if end is None else max(0.0, end - time.monotonic())
                line = self._lines.get(timeout=left)
            except queue.Empty:
                self._process.kill()
                raise EngineTimeout(f"no {word!r} from the engine within {timeout} s") from None
            if line is None:
                self._lines.put(None)  # whoever asks again is told again
                code = self._process.wait()
                raise EngineDied(f"the engine ended (exit code {code}) instead of {word!r}")
            if line.split(" ", 1)[0] == word:
                self._last = line
                return
            yield line

    def _read_all(self, pipe: IO[str]) -> None:
        with pipe:
            for line in pipe:
                self._lines.put(line.strip())
        self._lines.put(None)

    def _write_all(self, pipe: IO[str]) -> None:
        try:
            with pipe:
                for line in iter(self._orders.get, None):
                    pipe.write(line + "\n")
                    pipe.flush()
        except (OSError, ValueError):
            pass  # a dead engine is noticed by whoever waits for its answer
