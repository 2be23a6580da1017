"""Ignores quit, the end of input and every polite signal; writes its process id to a file."""

import os
import signal
import sys
import time
from stub import serve

for polite in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(polite, signal.SIG_IGN)
with open(sys.argv[1], "a") as file:
    file.write(f"{os.getpid()}\n")
serve(lambda moves: None)
time.sleep(600)
