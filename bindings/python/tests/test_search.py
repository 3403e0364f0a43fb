"""Engines and mates."""

import threading
import time

import pytest

import komadai
from komadai import Board, Engine, EngineError, Limit


@pytest.fixture(scope="module")
def engine():
    return Engine(hash=16)


def test_an_analysis_is_repeatable(engine):
    found = []
    for _ in range(2):
        engine.new_game()
        seen = []
        analysis = engine.analyse(Board(), Limit(nodes=20_000), multipv=2, on_info=seen.append)
        assert len(analysis) == len(analysis.lines) == 2 and analysis.nodes >= 19_000
        assert seen and seen[-1].depth <= analysis.depth
        assert analysis.best_move in Board().legal_moves and analysis[0].best_move == analysis.best_move
        assert abs(analysis.score.cp) < 300 and analysis.score.mate is None
        assert analysis.to_dict()["lines"][0]["cp"] == analysis.score.cp
        found.append([(str(line), line.bound) for line in analysis.lines])
    assert found[0] == found[1]
    with pytest.raises(IndexError):
        analysis[2]


def test_a_mate_is_played_and_scores_compare(engine):
    board = Board("4k4/9/4P4/9/9/9/9/9/4K4 b G 1")
    result = engine.play(board, Limit(nodes=1_000))
    assert (str(result.move), result.source, result.resigned) == ("G*5b", "mate", False)
    mate = engine.analyse(board, Limit(nodes=1_000)).score
    quiet = engine.analyse(Board(), Limit(nodes=1_000)).score
    assert mate.mate == 1 and mate.cp is None and mate > quiet > -mate
    mated = engine.play(Board("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1"), Limit(nodes=10))
    assert mated.resigned and mated.move is None


def test_some_moves_only(engine):
    analysis = engine.analyse(Board(), Limit(nodes=2_000), moves=["9g9f", "1g1f"])
    assert str(analysis.best_move) in ("9g9f", "1g1f")


@pytest.mark.parametrize("mode", ["AlphaBeta", "MonteCarlo", "Both", "RealizationProbability"])
def test_modes(mode):
    analysis = Engine(hash=16, mode=mode).analyse(Board(), Limit(nodes=2_000))
    assert analysis.best_move in Board().legal_moves


@pytest.mark.parametrize("mode", ["MonteCarlo", "Both"])
def test_root_tables_of_trees(mode):
    board = Board()
    engine = Engine(hash=16, mode=mode)
    result = engine.play(board, Limit(nodes=4_000))
    moves = result.analysis.root_moves
    assert sorted(str(m.move) for m in moves) == sorted(str(m) for m in board.legal_moves)
    assert sum(m.visits for m in moves) > 10 and abs(sum(m.prior for m in moves) - 1) < 0.01
    assert all(0 <= m.rate <= 1 and m.proven is None and m.plies is None for m in moves)
    visits = [m.visits for m in moves]
    assert visits == sorted(visits, reverse=True)
    if mode == "MonteCarlo":
        assert moves[0].move == result.move
        assert engine.analyse(board, Limit(nodes=500), moves=["1g1f"]).root_moves[0].move == komadai.Move("1g1f")
    mate = Board("4k4/9/4P4/9/9/9/9/9/4K4 b G 1")
    assert engine.play(mate, Limit(nodes=500)).analysis.root_moves == []
    if mode == "MonteCarlo":
        best = engine.analyse(mate, Limit(nodes=500)).root_moves[0]
        assert (str(best.move), best.proven, best.plies) == ("G*5b", "win", 1)
    assert Engine(hash=1).analyse(board, Limit(nodes=100)).root_moves == []


def test_options(engine):
    assert Engine.options()["Threads"]["min"] == 1
    engine.configure({"NullMove": True} if "NullMove" in Engine.options() else {"MateNodes": 100})
    for bad in [{"NoSuch": 1}, {"Threads": 0}, {"USI_Hash": "much"}, {"SearchMode": "magic"}]:
        with pytest.raises(EngineError):
            Engine(options=bad)
    with pytest.raises(EngineError):
        Engine("/no/such/nn.bin")
    for bad in [{}, {"time": -1.0}, {"time": float("nan")}]:
        with pytest.raises(ValueError):
            Limit(**bad)


def test_an_exception_of_the_callback_ends_the_search(engine):
    def fail(_):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        engine.analyse(Board(), Limit(nodes=10**12), on_info=fail)
    assert engine.analyse(Board(), Limit(nodes=1_000)).best_move


def test_stop_from_another_thread_and_the_lock_is_free():
    engine = Engine(hash=16)
    found = []
    thread = threading.Thread(target=lambda: found.append(engine.analyse(Board(), Limit(time=60))))
    thread.start()
    time.sleep(0.3)
    with pytest.raises(EngineError, match="is searching"):
        engine.analyse(Board(), Limit(nodes=10))
    engine.stop()
    thread.join(10)
    assert found and found[0].best_move


def test_mates():
    problem = Board("7gk/9/6P1+P/9/9/9/9/9/9 b GSP2r2b2g3s4n4l15p 1")
    found = komadai.solve_mate(problem, goal="shortest")
    assert found and found.status == "mate" and len(found) == len(found.moves) == 15 and found.shortest
    board = problem.copy()
    for m in found.moves:
        board.push(m)
    assert board.is_checkmate()
    assert komadai.solve_mate(Board(), Limit(nodes=100)).status in ("no_mate", "unknown")
    short = komadai.solve_mate(problem, Limit(nodes=10))
    assert (short.status, short.limit, bool(short)) == ("unknown", "nodes", False)
    report = komadai.check_problem(problem)
    assert report.is_complete and len(report.moves) == 15 and "15" in str(report)
    with pytest.raises(komadai.MateError):
        komadai.check_problem(Board())
