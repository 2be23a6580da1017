"""Drowns its answer in lines."""

import sys
from stub import serve


def go(moves):
    lines = "info depth 1 score cp 0 nodes 1 nps 1 time 1 pv e4b4\n" * 1000
    while True:
        sys.stdout.write(lines)


serve(go)
