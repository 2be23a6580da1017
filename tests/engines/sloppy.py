"""Plays the same move whatever it is asked, and greets before it is spoken to."""

from stub import say, serve

say("id name eager")
serve(lambda moves: say(" bestmove e4b4"))
