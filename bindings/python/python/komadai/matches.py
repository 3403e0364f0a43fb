"""Matches between two engines."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable
from typing import Any, Optional, Union

from komadai import kifu
from komadai._native import Board, Engine, Game, Limit, MatchResult, TimeControl, UsiEngine, play_match

__all__ = ["match"]

Player = Union[Engine, UsiEngine, "dict[str, Any]"]
Control = Union[Limit, TimeControl]
Path = Union[str, "os.PathLike[str]"]


def match(
    first: Player,
    second: Player,
    limit: Union[Control, tuple[Control, Control]],
    *,
    games: int = 100,
    openings: Union[None, Path, Iterable[Union[Board, Game, str]]] = None,
    sprt: Union[None, tuple[float, float], tuple[float, float, float, float]] = None,
    adjudication: Optional[tuple[int, int]] = None,
    max_plies: int = 320,
    declaration: Optional[str] = None,
    random_plies: int = 0,
    margin: float = 1.0,
    patience: float = 60.0,
    seed: int = 0,
    threads: int = 1,
    names: Optional[tuple[str, str]] = None,
    records: Optional[Path] = None,
    on_game: Optional[Callable[[Game, MatchResult], object]] = None,
) -> MatchResult:
    """Plays games between two engines and measures the difference in strength.

        result = komadai.match(
            {"nn": "new.bin"}, {"nn": "old.bin"}, komadai.Limit(nodes=20_000), games=4_000, sprt=(0, 5)
        )
        print(result)                        # wins, draws, losses, Elo with its 95 % interval

    first and second are an Engine, a UsiEngine, or a dict with the arguments of one of them: with
    "path" for a UsiEngine. The match makes players of its own with the same settings, two for each
    of its threads; an object that is given does not play itself and keeps its memory.

    limit is a Limit (for each move) or a TimeControl (clocks), or a pair of them, the first
    player's first. Games form pairs with the same opening and both colours. openings are boards,
    games, USI positions ("startpos moves 7g7f 3c3d") or the path of a file of games; None for 200
    bundled ones. seed shuffles them; random_plies random moves follow each.

    sprt=(elo0, elo1) or (elo0, elo1, alpha, beta) ends the match as soon as the results support one
    of the two hypotheses about the difference in Elo. adjudication=(centipawns, moves) ends a game
    when both sides have agreed on the winner for so many moves. margin is the time in seconds by
    which a move may be late, patience the time after which a player without a clock counts as
    hanging. A player that crashes, hangs or answers an illegal move loses the game and is started
    again.

    records is the path of a CSA file to which each game is appended when it is over; a file of that
    name is replaced. on_game(game, result) is called after each game with the result so far; an
    exception in it, and Ctrl-C, end the match.

    Raises MatchError if a player cannot be started or an opening cannot be played. Players with a
    limit in nodes on one thread each play the same games at any time.
    """
    with contextlib.ExitStack() as stack:
        players = [_player(player, stack) for player in (first, second)]
        controls = limit if isinstance(limit, tuple) else (limit, limit)
        return play_match(
            *players,
            controls,
            games,
            _openings(openings),
            names=tuple(names or _names(players)),
            sprt=sprt,
            adjudication=adjudication,
            max_plies=max_plies,
            declaration=declaration,
            random_plies=random_plies,
            margin=margin,
            patience=patience,
            seed=seed,
            threads=threads,
            on_game=_recorder(records, stack, on_game),
        )


def _player(player, stack):
    if not isinstance(player, dict):
        return player
    if "path" in player:
        return stack.enter_context(UsiEngine(**player))
    return Engine(**player)


def _names(players):
    names = [player.name if isinstance(player, UsiEngine) else "komadai" for player in players]
    if names[0] == names[1]:
        names = [f"{name} {number}" for number, name in enumerate(names, 1)]
    return names


def _openings(openings):
    if openings is None:
        return None
    if isinstance(openings, (str, os.PathLike)):
        openings = kifu.read_games(openings)
    return [_opening(opening) for opening in openings]


def _opening(opening):
    if isinstance(opening, Game):
        opening = opening.board()
    return opening.usi_position() if isinstance(opening, Board) else opening


def _recorder(records, stack, on_game):
    """on_game, after the game has been appended to the file of records."""
    if records is None:
        return on_game
    file = stack.enter_context(open(records, "w", encoding="utf-8"))

    def record(game, result):
        file.write("/\n" if len(result) > 1 else "")
        file.write(game.text("csa"))
        file.flush()
        if on_game is not None:
            on_game(game, result)

    return record
