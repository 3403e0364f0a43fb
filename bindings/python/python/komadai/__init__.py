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
    Elo,
    Engine,
    EngineError,
    EngineProtocolError,
    EngineTerminatedError,
    EngineTimeoutError,
    Game,
    GameAnalysis,
    GameMove,
    IllegalMoveError,
    KifuError,
    KomadaiError,
    Limit,
    Line,
    MatchError,
    MatchResult,
    MateError,
    MateResult,
    Move,
    MoveAnalysis,
    Network,
    NetworkError,
    Outcome,
    PlayResult,
    ProblemReport,
    RootMove,
    Score,
    SfenError,
    TimeControl,
    UsiEngine,
    __version__,
    analyse_game,
    bundled_openings,
    check_problem,
    solve_mate,
)
from komadai.matches import match

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
    "Elo",
    "Engine",
    "EngineError",
    "EngineProtocolError",
    "EngineTerminatedError",
    "EngineTimeoutError",
    "Game",
    "GameAnalysis",
    "GameMove",
    "IllegalMoveError",
    "KifuError",
    "KomadaiError",
    "Limit",
    "Line",
    "MatchError",
    "MatchResult",
    "MateError",
    "MateResult",
    "Move",
    "MoveAnalysis",
    "Network",
    "NetworkError",
    "Outcome",
    "PlayResult",
    "ProblemReport",
    "RootMove",
    "Score",
    "SfenError",
    "TimeControl",
    "UsiEngine",
    "WHITE",
    "__version__",
    "analyse_game",
    "bundled_openings",
    "check_problem",
    "kifu",
    "match",
    "solve_mate",
    "training",
]
