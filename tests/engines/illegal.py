"""Plays what is a move but not a legal one."""

from stub import say, serve

serve(lambda moves: say("bestmove a1i1"))
