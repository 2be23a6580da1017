"""Never says uciok."""

from stub import serve

serve(lambda moves: None, handshake=False)
