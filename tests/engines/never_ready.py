"""Never says readyok."""

from stub import serve

serve(lambda moves: None, ready=False)
