#!/bin/bash
# Starts Konakis as a player of the Tablut Challenge:
#   runmyplayer.sh white|black TIMEOUT SERVER-IP
# The program is taken from this folder or, if it is not there, from PATH.
set -euo pipefail
if [ $# -ne 3 ]; then
    echo "usage: $0 white|black TIMEOUT SERVER-IP" >&2
    exit 2
fi
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
program="$here/konakis"
[ -x "$program" ] || program=konakis
exec "$program" challenge "$1" "$2" "$3" --name "${KONAKIS_NAME:-Konakis}" \
    --hash "${KONAKIS_HASH:-256}" --threads "${KONAKIS_THREADS:-1}"
