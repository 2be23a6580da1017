"""Never answers go."""

from stub import serve

serve(lambda moves: None)
