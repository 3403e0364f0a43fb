"""Shogi: rules, records, search, tsume, opening books and training data.

    import komadai

    board = komadai.Board()
    board.push_usi("7g7f")
    engine = komadai.Engine()
    print(engine.analyse(board, komadai.Limit(nodes=100_000)))

Values are centipawns for the side to move. Squares are names ("7g") or numbers, 0 to 80.
"""

from komadai import kifu, training
from komadai._native import (
    Analysis,
    Board,
    Book,
    BookError,
    BookMove,
    DataError,
    Engine,
    EngineError,
    EngineProtocolError,
    EngineTerminatedError,
    EngineTimeoutError,
    Game,
    GameMove,
    IllegalMoveError,
    KifuError,
    KomadaiError,
    Limit,
    Line,
    MateError,
    MateResult,
    Move,
    Network,
    NetworkError,
    Outcome,
    PlayResult,
    ProblemReport,
    RootMove,
    Score,
    SfenError,
    UsiEngine,
    __version__,
    check_problem,
    solve_mate,
)

BLACK = "black"
WHITE = "white"

__all__ = [
    "Analysis",
    "BLACK",
    "Board",
    "Book",
    "BookError",
    "BookMove",
    "DataError",
    "Engine",
    "EngineError",
    "EngineProtocolError",
    "EngineTerminatedError",
    "EngineTimeoutError",
    "Game",
    "GameMove",
    "IllegalMoveError",
    "KifuError",
    "KomadaiError",
    "Limit",
    "Line",
    "MateError",
    "MateResult",
    "Move",
    "Network",
    "NetworkError",
    "Outcome",
    "PlayResult",
    "ProblemReport",
    "RootMove",
    "Score",
    "SfenError",
    "UsiEngine",
    "WHITE",
    "__version__",
    "check_problem",
    "kifu",
    "solve_mate",
    "training",
]
