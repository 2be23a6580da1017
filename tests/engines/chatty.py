"""Plays well (by another engine, whose path is its argument) and talks far too much meanwhile."""

import subprocess
import sys
import threading

engine = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def listen():
    for line in sys.stdin:
        engine.stdin.write(line)
        engine.stdin.flush()
    engine.stdin.close()


threading.Thread(target=listen, daemon=True).start()
for line in engine.stdout:
    if line.startswith("bestmove"):
        sys.stdout.write("info string blah\n" * 20000 + "y" * 100000 + "\n")
        print("complaint " * 10000, file=sys.stderr)
    sys.stdout.write(line)
    sys.stdout.flush()
