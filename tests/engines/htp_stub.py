"""An HTP engine with one fault, which the first argument names."""

import sys


def say(text):
    print(text, flush=True)


fault = sys.argv[1]
for line in sys.stdin:
    words = line.split()
    word = words[0] if words else ""
    if fault == "silent":
        continue
    if word == "quit":
        break
    if word == "final_status":
        say("= attacker_wins" if fault == "over" else "= ongoing")
    elif word == "play" and fault == "refuses":
        say("? play: I do not like it\n")
    elif word == "generate_move":
        print("2 turn: attacker play: ?")
        if fault == "over":
            say("? the game is over\n")
        elif fault == "illegal":
            say("= play defender a1 g7, score: 1")
        elif fault == "malformed":
            say("= something else")
        elif fault == "resigns":
            say("= play defender resigns")
        elif fault == "crash":
            sys.exit(3)
        else:
            say("= play defender d3 c3, score: 1\n1 2 3\n4 5 6")
    else:
        say("= ")
