"""Begins a line that never ends."""

import sys
from stub import serve


def go(moves):
    while True:
        sys.stdout.write("x" * 65536)


serve(go)
