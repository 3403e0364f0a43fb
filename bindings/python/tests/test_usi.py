"""Engines in processes of their own."""

import _thread
import os
import shutil
import sys
import threading
import time
from pathlib import Path

import pytest

from komadai import (
    Board,
    EngineError,
    EngineProtocolError,
    EngineTerminatedError,
    EngineTimeoutError,
    Limit,
    Move,
    UsiEngine,
)

TESTER = str(Path(__file__).with_name("usi_engine.py"))
TARGET = Path(__file__).parents[3] / "target"


def engine_that(fault="", **arguments):
    return UsiEngine(sys.executable, [TESTER, fault], **arguments)


def real_engine(name):
    """The program of an engine on this machine; the test is skipped without it."""
    if name == "komadai":
        built = [os.environ.get("KOMADAI_ENGINE"), TARGET / "release/usi_engine", TARGET / "debug/usi_engine"]
        found = next((str(path) for path in built if path and Path(path).is_file()), None)
    else:
        found = shutil.which(name, path=os.environ.get("PATH", "") + os.pathsep + "/usr/games")
    return found or pytest.skip(f"there is no {name}")


def test_identity_and_options():
    with engine_that(options={"Style": "wild", "Loud": True}) as engine:
        assert (engine.name, engine.author) == ("Tester", "the tests")
        assert engine.options()["MultiPV"] == {"type": "spin", "default": "1", "min": 1, "max": 9}
        assert engine.options()["Style"]["choices"] == ["calm", "wild"]
        engine.configure({"Clear": None})
        engine.new_game()
        sent = [line for line in engine.transcript() if line.startswith("< setoption")]
        assert sent == [
            "< setoption name Style value wild",
            "< setoption name Loud value true",
            "< setoption name Clear",
        ]
        for bad in ({"NoSuch": 1}, {"Style": "loud"}, {"MultiPV": 10}):
            with pytest.raises(EngineError):
                engine.configure(bad)
    with pytest.raises(EngineError, match="closed"):
        engine.name
    with pytest.raises(EngineError, match="NoSuch"):
        engine_that(options={"NoSuch": 1})
    with pytest.raises(ValueError, match="expected launch, ready"):
        engine_that(timeouts={"lunch": 1})
    with pytest.raises(ValueError, match="expected seconds"):
        engine_that(timeouts={"launch": -1})


def test_an_analysis_has_the_lines_of_the_engine():
    with engine_that() as engine:
        seen = []
        analysis = engine.analyse(Board(), Limit(nodes=99), multipv=3, on_info=seen.append)
        assert [(str(line.best_move), line.score.cp) for line in analysis] == [
            ("2g2f", 30),
            ("7g7f", 20),
            ("5g5f", 10),
        ]
        assert (analysis.depth, analysis.seldepth, analysis.nodes) == (2, 3, 99)
        assert analysis.completed and analysis.root_moves == [] and analysis.board == Board()
        assert [len(info) for info in seen] == [1, 2, 3]
        assert len(engine.analyse(Board(), Limit(depth=2))) == 1
        engine.analyse(Board("startpos moves 7g7f 3c3d"), Limit(nodes=10), moves=["2g2f"])
        sent = [line for line in engine.transcript() if line.startswith(("< position", "< go"))]
        assert sent[-2:] == ["< position startpos moves 7g7f 3c3d", "< go nodes 10 searchmoves 2g2f"]
        # A time alone is a search that is stopped.
        started = time.monotonic()
        analysis = engine.analyse(Board(), Limit(time=0.2))
        assert 0.2 <= time.monotonic() - started < 5 and not analysis.completed
        assert "< go infinite" in engine.transcript()


def test_play_and_ponder():
    with engine_that() as engine:
        result = engine.play(Board(), Limit(time=1), ponder=True)
        assert (str(result.move), str(result.ponder), result.source) == ("2g2f", "8c8d", "search")
        assert not result.resigned and not result.declared_win and result.analysis.score.cp == 30
        assert engine.play(Board("startpos moves 2g2f 8c8d"), Limit(time=1), ponder=True).move == Move("7g7f")
        sent = [line for line in engine.transcript() if line.startswith("< ")]
        assert "< ponderhit" in sent and "< position startpos moves 2g2f 8c8d" in sent
        # Another reply is played than 3c3d.
        engine.play(Board("startpos moves 2g2f 8c8d 7g7f 8d8e"), Limit(time=1))
        assert engine.transcript().count("< ponderhit") == 1 and "< stop" in engine.transcript()
    with engine_that("resigns") as engine:
        result = engine.play(Board(), Limit(nodes=1))
        assert result.resigned and result.move is None


@pytest.mark.parametrize(
    "fault, expected, text",
    [
        ("illegal", EngineProtocolError, "7g7e, which is illegal"),
        ("nonsense", EngineProtocolError, "banana"),
        ("dies", EngineTerminatedError, "out of luck"),
        ("silent", EngineTimeoutError, "within 300 ms"),
    ],
)
def test_faults_are_exceptions(fault, expected, text):
    with engine_that(fault, timeouts={"silence": 0.3, "stop": 0.3, "quit": 1}) as engine:
        for _ in range(2):
            with pytest.raises(expected, match=text) as raised:
                engine.play(Board(), Limit(nodes=100))
            assert isinstance(raised.value, EngineError)
            engine.restart()
            assert engine.name == "Tester " + fault


def test_an_engine_that_does_not_start():
    with pytest.raises(EngineTerminatedError, match="no/such"):
        UsiEngine("/no/such/engine")
    started = time.monotonic()
    with pytest.raises(EngineTimeoutError, match="usiok"):
        engine_that("mute", timeouts={"launch": 0.3})
    assert time.monotonic() - started < 10


def test_stop_from_another_thread():
    with engine_that("waits") as engine:
        found = []
        work = lambda: found.append(engine.analyse(Board(), Limit(time=60)))
        thread = threading.Thread(target=work)
        thread.start()
        time.sleep(0.3)
        with pytest.raises(EngineError, match="is searching"):
            engine.analyse(Board(), Limit(nodes=10))
        assert repr(engine) == "<UsiEngine: searching>"
        engine.stop()
        thread.join(10)
        assert str(found[0].best_move) == "2g2f"


def test_an_exception_of_the_callback_ends_the_search():
    def fail(_):
        raise KeyError("mine")

    with engine_that("waits") as engine:
        with pytest.raises(KeyError, match="mine"):
            engine.analyse(Board(), Limit(time=60), on_info=fail)
        assert engine.analyse(Board(), Limit(time=0.1)).best_move


@pytest.mark.parametrize("fault", ["mute", "waits"])
def test_control_c(fault):
    def work():
        with engine_that(fault) as engine:
            engine.analyse(Board(), Limit(time=60))

    started = time.monotonic()
    timer = threading.Timer(0.5, _thread.interrupt_main)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        work()
    assert time.monotonic() - started < 8
    timer.join()


@pytest.mark.parametrize("name", ["komadai", "fairy-stockfish"])
def test_a_real_engine(name):
    with UsiEngine(real_engine(name), options={"USI_Hash": 16}) as engine:
        assert name.lower() in engine.name.lower()
        board = Board("startpos moves 7g7f 3c3d")
        analysis = engine.analyse(board, Limit(depth=5), multipv=2)
        assert len(analysis) == 2 and analysis.depth >= 5
        assert all(line.best_move in board.legal_moves for line in analysis)
        assert engine.analyse(board, Limit(time=0.2)).best_move in board.legal_moves
        assert len(engine.analyse(board, Limit(nodes=2_000))) == 1
        assert engine.play(board, Limit(time=0.2), ponder=True).move in board.legal_moves
        mate = Board("4k4/9/4P4/9/9/9/9/9/4K4 b G 1")
        assert engine.analyse(mate, Limit(depth=3)).score.mate == 1
