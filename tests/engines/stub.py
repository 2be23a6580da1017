"""The half of a UCI engine that behaves; the programs beside this file add their faults."""

import sys


def say(text):
    print(text, flush=True)


def serve(go, handshake=True, ready=True):
    """Answers the front end; `go(moves)` is called with the moves made so far."""
    moves = []
    for line in sys.stdin:
        words = line.split()
        word = words[0] if words else ""
        if word == "uci" and handshake:
            say("id name stub")
            say("option name UCI_Variant type combo default tablut var tablut var brandubh")
            say("uciok")
        elif word == "isready" and ready:
            say("readyok")
        elif word == "position":
            moves = words[words.index("moves") + 1:] if "moves" in words else []
        elif word == "go":
            go(moves)
        elif word == "quit":
            return
