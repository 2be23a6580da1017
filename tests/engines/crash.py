"""Ends in the middle of its thoughts."""

import sys
from stub import say, serve


def go(moves):
    say("info string something went wrong")
    print("a message on standard error", file=sys.stderr, flush=True)
    sys.exit(3)


serve(go)
