"""Closes its input and lives on without a word."""

import os
import time
from stub import serve


def go(moves):
    os.close(0)
    time.sleep(60)


serve(go)
