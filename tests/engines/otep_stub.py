"""An OTEP engine with one fault, which the first argument names."""

import sys


def say(text):
    print(text, flush=True)


fault = sys.argv[1]
if fault != "silent":
    print("a line of somebody's log")
    say("hello")
for line in sys.stdin:
    words = line.split()
    word = words[0] if words else ""
    if word == "rules" and fault == "rules":
        say("error 0 tfr: that is not played here")
    if word == "play":
        if fault == "illegal":
            say("move a1-g7")
        elif fault == "malformed":
            say("move sideways")
        elif fault == "fatal":
            say("error -1 out of ideas")
        elif fault == "asks":
            say("rules")
            say("position")
            say("side")
            say("clock")
        elif fault == "crash":
            sys.exit(3)
    if word == "position" and fault == "asks":
        board = words[1]
    if word == "goodbye":
        break
