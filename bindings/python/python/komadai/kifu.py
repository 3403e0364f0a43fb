"""Game records: KIF, KI2, CSA, JKF, USEN and USI, with variations.

    game = komadai.kifu.read("game.kif")
    for move, name in zip(game.moves, game.names()):
        ...
    game.save("game.csa")

    for found in komadai.kifu.read_folder("games"):
        print(found.error or found.game)
"""

from komadai._native import FileGame, Game, KifuError, RecordFiles, parse_games, read_games

__all__ = [
    "FileGame",
    "Game",
    "RecordFiles",
    "parse",
    "parse_games",
    "read",
    "read_folder",
    "read_games",
    "write",
]


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


def read_folder(path, strict=True):
    """An iterator over the games of all files below a folder, of an archive (zip, gzip) or a file.

    It yields a FileGame for each game, and one with an error for each file that cannot be read.
    strict=False skips faults within a game. Its report() counts files, games and faults.
    """
    return RecordFiles(path, strict=strict)


def write(game, path):
    """Writes a game; the ending decides the format. Returns what the format cannot hold."""
    return game.save(path)
