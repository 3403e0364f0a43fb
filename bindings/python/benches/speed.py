"""Speed of komadai for Python beside cshogi and beside a native loop.

    python benches/speed.py [--rounds 41] [--only legal_moves,psv] [--native PATH] [--markdown]

Each measure is a pair of functions that do the same work. They run alternately in batches of about
20 ms, so that a change of the machine's speed affects both; times are processor time of the process
(`time.process_time`), so that other programs have less influence. A row holds the median time of
both, and the median of the ratios of neighbouring batches. What a pair counts (moves, positions) is
compared before it is timed.
"""

import argparse
import os
import random
import statistics
import subprocess
import tempfile
import time
from importlib.metadata import version

import cshogi
import komadai
import numpy as np
from komadai import training

#: The positions of `benches/peers`.
POSITIONS = {
    "startpos": "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "maxmoves": "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1",
    "matsuri": "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    "incheck": "1n1sg+N3/l8/pppg1p1kl/3P4p/Pn2P1pp1/1PPK+sP2P/B3S1PGN/2B4S1/L1RG4L b R2Pp 1",
    "handful": "3p+B1k1G/2p2lg2/1p2+Rp3/P5ppp/K1S6/2R5P/5NSP1/9/1N1P1P2g b BG2SN3Ln6p 1",
}


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--rounds", type=int, default=41)
    options.add_argument("--only", default="", help="measures, separated by commas")
    options.add_argument("--native", help="the program native_evaluation, for the last measure")
    options.add_argument("--markdown", action="store_true")
    options = options.parse_args()
    wanted = {name for name in options.only.split(",") if name}
    rows = []
    print(f"komadai {komadai.__version__}, cshogi {version('cshogi')}, numpy {np.__version__}, load {load()}")
    with tempfile.TemporaryDirectory() as folder:
        for name, unit, ours, theirs in measures(folder, options.native):
            if wanted and name.split(":")[0] not in wanted:
                continue
            rows.append((name, unit, *compare(ours, theirs, options.rounds)))
            if not options.markdown:
                name, unit, a, b, ratio, spread = rows[-1]
                print(
                    f"{name:28} {shown(a):>10} {shown(b):>10} a {unit:9} {ratio:6.2f}  [{spread}]", flush=True
                )
    if options.markdown:
        print("| measure | komadai | other | times as fast |\n|---|---|---|---|")
        for name, unit, a, b, ratio, _ in rows:
            print(f"| {name} | {shown(a)} a {unit} | {shown(b)} | {ratio:.2f} |")
    print(f"load {load()}")


def load():
    return "{:.1f} {:.1f} {:.1f}".format(*os.getloadavg())


def shown(seconds):
    for factor, unit in [(1e9, "ns"), (1e6, "µs"), (1e3, "ms")]:
        if seconds * factor < 1000:
            return f"{seconds * factor:.3g} {unit}"
    return f"{seconds:.3g} s"


class Native:
    """A process that does a batch of the work and measures its own processor time."""

    def __init__(self, program, *arguments):
        self.process = subprocess.Popen(
            [program, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def batch(self, count):
        self.process.stdin.write(f"{count}\n")
        self.process.stdin.flush()
        units, nanoseconds = self.process.stdout.readline().split()
        return int(units), int(nanoseconds) * 1e-9


def batch(work, count):
    """The units of a number of calls, and their processor time."""
    if isinstance(work, Native):
        return work.batch(count)
    start = time.process_time()
    for _ in range(count):
        units = work()
    return units * count, time.process_time() - start


def compare(ours, theirs, rounds):
    """Median times a unit, the median ratio, and its quartiles."""
    counts = []
    for work in (ours, theirs):
        count = 1
        while (spent := batch(work, count)[1]) < 0.01:
            count *= 2
        counts.append(max(1, round(count * 0.02 / spent)))
    times, ratios = ([], []), []
    for number in range(rounds):
        pair = [None, None]
        for side in (0, 1) if number % 2 else (1, 0):
            units, spent = batch((ours, theirs)[side], counts[side])
            pair[side] = spent / units
            times[side].append(pair[side])
        ratios.append(pair[1] / pair[0])
    low, middle, high = statistics.quantiles(ratios, n=4)
    return *map(statistics.median, times), middle, f"{low:.2f}–{high:.2f}"


def measures(folder, native):
    """Name, unit, our work, their work; work returns the number of its units."""
    for name, sfen in POSITIONS.items():
        board, other = komadai.Board(sfen), cshogi.Board(sfen)

        def ours(board=board):
            return len(list(board.legal_moves)) and 1

        def theirs(board=other):
            return len(list(board.legal_moves)) and 1

        yield f"legal_moves: {name}", "list", ours, theirs

    for name, sfen in POSITIONS.items():
        board, other = komadai.Board(sfen), cshogi.Board(sfen)

        def loop(board):
            count = 0
            for m in board.legal_moves:
                board.push(m)
                board.pop()
                count += 1
            return count

        yield f"push_pop: {name}", "move", lambda b=board: loop(b), lambda b=other: loop(b)

    def perft(board, depth):
        if depth == 0:
            return 1
        count = 0
        for m in board.legal_moves:
            board.push(m)
            count += perft(board, depth - 1)
            board.pop()
        return count

    board, other = komadai.Board(), cshogi.Board()
    yield "perft: loop, depth 2", "leaf", lambda: perft(board, 2), lambda: perft(other, 2)
    yield "perft: Board.perft(2), loop", "leaf", lambda: board.perft(2), lambda: perft(other, 2)

    games = random_games(60)
    lines = [[str(m) for m in game.moves] for game in games]
    sfens = [b.sfen() for game in games for b in positions_of(game)]

    def replay(board_of, line):
        board = board_of()
        for usi in line:
            board.push_usi(usi)
        return len(line)

    yield "push_usi", "move", lambda: replay(komadai.Board, lines[0]), lambda: replay(cshogi.Board, lines[0])

    def parse(board_of, count):
        for sfen in sfens[:count]:
            board_of(sfen)
        return count

    yield "Board(sfen)", "board", lambda: parse(komadai.Board, 200), lambda: parse(cshogi.Board, 200)
    for name in ["sfen", "is_check", "copy"]:
        ours, theirs = komadai.Board(sfens[50]), cshogi.Board(sfens[50])

        def call(board, name=name):
            method = getattr(board, name)
            for _ in range(50):
                method()
            return 50

        yield f"{name}()", "call", lambda b=ours, f=call: f(b), lambda b=theirs, f=call: f(b)

    def turns(board):
        for _ in range(50):
            board.turn
        return 50

    yield "turn", "call", lambda: turns(board), lambda: turns(other)

    yield from record_measures(folder, games, native)


def random_games(count):
    source, games = random.Random(1), []
    for _ in range(count):
        board = komadai.Board()
        while not board.is_game_over() and board.move_number < 170:
            board.push(source.choice(board.legal_moves))
        games.append(board)
    return games


def positions_of(game):
    board = komadai.Board()
    for m in game.moves:
        yield board
        board.push(m)


def record_measures(folder, games, native):
    made = [training.record(b, 12) for game in games for b in positions_of(game)]
    records = np.resize(np.array(made, training.PSV), 10_000)
    psv, large = os.path.join(folder, "records.psv"), os.path.join(folder, "large.psv")
    training.save(psv, records)
    training.save(large, np.resize(records, 250_000))
    theirs_type = cshogi.PackedSfenValue

    def read(load):
        loaded = load()
        return len(loaded) if int(loaded["score"].sum()) == 12 * len(loaded) else 0

    yield (
        "psv: file of 10 MB, numpy",
        "record",
        lambda: read(lambda: training.load(large)),
        lambda: read(lambda: np.fromfile(large, theirs_type)),
    )

    ours, theirs = training.load(psv)[:1000], np.fromfile(psv, theirs_type)[:1000]

    def our_boards():
        count = 0
        for board in training.boards(ours):
            count += board.is_check() + 1
        return min(count, 1000)

    def their_boards():
        count, board = 0, cshogi.Board()
        for record in theirs:
            board.set_psfen(record["sfen"])
            count += board.is_check() + 1
        return min(count, 1000)

    yield "psv: boards", "record", our_boards, their_boards

    if native:
        network, loaded = komadai.Network(), training.load(psv)
        yield (
            "network: batch of 10,000",
            "position",
            lambda: len(training.evaluate(network, loaded)),
            Native(native, psv),
        )


if __name__ == "__main__":
    main()
