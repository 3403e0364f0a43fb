"""A USI engine for the tests: it plays, or fails in the way that its argument names."""

import os
import sys
import time

fault = sys.argv[1] if len(sys.argv) > 1 else ""
lines = 1
game = []


def say(text):
    print(text, flush=True)


def best():
    if "2g2f" in game:
        return "bestmove " + ("9g9f" if "7g7f" in game else "7g7f ponder 3c3d")
    return "bestmove 2g2f ponder 8c8d"


def answer(command):
    global lines, game
    words = command.split()
    if words[0] == "usi":
        say("id name Tester " + fault)
        say("id author the tests")
        say("option name MultiPV type spin default 1 min 1 max 9")
        say("option name Style type combo default calm var calm var wild")
        say("option name Loud type check default false")
        say("option name Clear type button")
        say("usiok")
    elif words[0] == "setoption":
        if words[2] == "MultiPV":
            lines = int(words[4])
        print("got", command, file=sys.stderr, flush=True)
    elif words[0] == "isready":
        say("readyok")
    elif words[0] == "position":
        game = words[3:]
    elif words[0] in ("go", "ponderhit"):
        go(words)
    elif words[0] == "stop" and fault in ("waits", ""):
        say(best())


def go(words):
    if fault == "illegal":
        say("bestmove 7g7e")
    elif fault == "nonsense":
        say("bestmove banana")
    elif fault == "dies":
        print("out of luck", file=sys.stderr, flush=True)
        os._exit(3)
    elif fault == "resigns":
        say("bestmove resign")
    elif fault in ("", "waits"):
        for rank, (m, cp) in enumerate([("2g2f", 30), ("7g7f", 20), ("5g5f", 10)][:lines], 1):
            say(f"info depth 2 seldepth 3 multipv {rank} score cp {cp} nodes 99 time 1 pv {m} 8c8d")
        if fault == "" and "infinite" not in words and "ponder" not in words:
            say(best())


if fault == "mute":
    time.sleep(60)
for line in sys.stdin:
    if line.strip() == "quit":
        break
    answer(line.strip())
