"""Says that it has no move where it has many."""

from stub import say, serve

serve(lambda moves: say("bestmove (none)"))
