"""Plays what is no move at all."""

from stub import say, serve

serve(lambda moves: say("bestmove hello"))
