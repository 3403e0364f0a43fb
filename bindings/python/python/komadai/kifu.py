"""Game records: KIF, KI2, CSA, JKF, USEN and USI, with variations.

    game = komadai.kifu.read("game.kif")
    for move, name in zip(game.moves, game.names()):
        ...
    game.save("game.csa")
"""

from komadai._native import Game, KifuError, parse_games, read_games

__all__ = ["Game", "parse", "parse_games", "read", "read_games", "write"]


def read(path):
    """The first game of a file. Raises KifuError if there is none."""
    games = read_games(path)
    if not games:
        raise KifuError(f"{path}: found no game")
    return games[0]


def parse(text, format=None):
    """The first game of a text or of bytes. Raises KifuError if there is none."""
    games = parse_games(text, format)
    if not games:
        raise KifuError("found no game")
    return games[0]


def write(game, path):
    """Writes a game; the ending decides the format. Returns what the format cannot hold."""
    return game.save(path)
