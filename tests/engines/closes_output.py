"""Closes its output and lives on."""

import os
import time
from stub import serve


def go(moves):
    os.close(1)
    time.sleep(60)


serve(go)
