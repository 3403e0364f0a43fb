"""Matches and the analysis of games."""

import shutil
import sys
from pathlib import Path

import pytest

import komadai
from komadai import Board, Engine, Limit, MatchError, TimeControl, UsiEngine, kifu

TESTER = {"path": sys.executable, "args": [str(Path(__file__).with_name("usi_engine.py"))]}
SMALL = {"hash": 1, "options": {"MateNodes": 100}}


def test_a_match_is_repeatable_and_recorded(tmp_path):
    path = tmp_path / "games.csa"
    seen = []
    results = [
        komadai.match(
            Engine(**SMALL),
            SMALL,
            (Limit(nodes=150), Limit(nodes=10)),
            games=4,
            openings=[Board("startpos moves 7g7f 3c3d"), "startpos moves 2g2f 8c8d"],
            adjudication=(1_000, 2),
            max_plies=60,
            threads=threads,
            records=path,
            names=("more", "less"),
            on_game=lambda game, result: seen.append((game, str(result))),
        )
        for threads in (1, 2)
    ]
    result = results[0]
    assert len(result) == 4 and result.wins + result.draws + result.losses == 4
    assert result.names == ("more", "less")
    assert sum(result.pairs) == 2 and result.elo.low <= float(result.elo) <= result.elo.high
    assert (result.sprt, result.llr, result.llr_bounds) == (None, None, None)
    assert sum(count for _, _, count in result.endings) == 4
    assert result.usage[0]["mean_nodes"] > result.usage[1]["mean_nodes"]
    assert sum(result.by_color["black"]) == sum(result.by_color["white"]) == 2
    assert len(seen) == 8 and seen[3][0] == result.games[3] and seen[3][1] == str(result)
    moves = [sorted([str(m) for m in game.moves] for game in each.games) for each in results]
    assert moves[0] == moves[1]
    recorded = kifu.read_games(path)
    assert [game.moves for game in recorded] == [game.moves for game in results[1].games]
    assert recorded[0].headers["black"] in ("more", "less")


def test_a_sequential_test_ends_a_match():
    with UsiEngine(**{**TESTER, "args": [*TESTER["args"], "resigns"]}) as weak:
        result = komadai.match(
            SMALL, weak, (Limit(nodes=50), TimeControl(main=5)), games=400, sprt=(0, 300, 0.1, 0.1)
        )
    assert result.sprt == "accepted" and result.llr >= result.llr_bounds[1]
    assert result.losses == 0 and len(result) < 100 and result.elo.elo == float("inf")
    assert result.endings == [("resignation", "Tester resigns", len(result))]


def test_faults_lose_games_and_matches(tmp_path):
    def play(fault, **arguments):
        faulty = {**TESTER, "args": [*TESTER["args"], fault], "timeouts": {"stop": 0.3, "quit": 1}}
        return komadai.match(SMALL, faulty, Limit(nodes=20), games=2, openings=[Board()], **arguments)

    result = play("illegal")
    assert result.wins == 2 and result.endings[0][0] == "illegal move"
    result = play("dies", random_plies=2)
    assert result.wins == 2 and result.endings == [("crash", "Tester dies", 2)]
    # The match cannot start what is gone.
    script = shutil.copy(TESTER["args"][0], tmp_path)
    with UsiEngine(sys.executable, [script], timeouts={"launch": 5}) as engine:
        Path(script).unlink()
        with pytest.raises(MatchError, match="player 2 cannot be started"):
            komadai.match(SMALL, engine, Limit(nodes=20))
    with pytest.raises(MatchError, match="opening"):
        komadai.match(SMALL, SMALL, Limit(nodes=20), openings=["startpos moves 7g7e"])
    with pytest.raises(MatchError, match="opening"):
        komadai.match(SMALL, SMALL, Limit(nodes=20), openings=[])
    with pytest.raises(ValueError, match="elo0"):
        komadai.match(SMALL, SMALL, Limit(nodes=20), sprt=(5, 0))
    for bad in ({"threads": 0}, {"threads": 10**6}, {"games": 10**9}, {"random_plies": 10**6}):
        with pytest.raises(ValueError, match="expected"):
            komadai.match(SMALL, SMALL, Limit(nodes=20), **bad)
    with pytest.raises(ValueError, match="found no limit"):
        TimeControl()
    assert len(komadai.bundled_openings()) == 200


def test_an_exception_of_the_callback_ends_the_match():
    def fail(game, result):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        komadai.match(SMALL, SMALL, Limit(nodes=20), games=10_000, max_plies=40, on_game=fail)


# The rook takes a pawn that a gold defends.
GAME = "startpos moves 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 2e2d 2c2d 2h2d P*2c 2d2c+ 3b2c"


def test_a_game_is_analysed():
    game = kifu.parse(GAME)
    seen = []
    found = [
        komadai.analyse_game(
            game,
            Engine(hash=4),
            Limit(nodes=2_000),
            threads=threads,
            mate_nodes=500,
            on_progress=lambda *numbers: seen.append(numbers),
        )
        for threads in (1, 2)
    ]
    assert found[0].values == found[1].values and len(found[0].values) == len(game) + 1
    assert len(seen) == 26 and seen[12] == (13, 13)
    worst = found[0].mistakes()[0]
    assert (worst.number, worst.name, worst.judgement, worst.color) == (11, "▲同飛成", "blunder", "black")
    assert worst.loss_cp > 300 and 0.2 <= worst.loss_probability <= 1 and worst.best_move == worst.pv[0]
    assert worst.score > -found[0].moves[11].score or worst.mate is None
    black = found[0].summary("black")
    assert black["blunders"] == 1 and black["moves"] == 6 and 0 <= black["agreement"] <= 1
    assert "同飛成" in found[0]._repr_svg_() and found[0].graph_svg(language="ja") != found[0].graph_svg()
    assert "評価値" in found[0].annotated().text("kif")
    with pytest.raises(ValueError, match="expected 1 to 512"):
        komadai.analyse_game(game, Engine(hash=1), Limit(nodes=1), threads=10**9)
    with pytest.raises(ValueError, match="several limits"):
        komadai.analyse_game(game, Engine(hash=1), Limit(nodes=1, depth=1))


def test_a_game_is_analysed_by_a_process():
    with UsiEngine(**{**TESTER, "args": [*TESTER["args"], "resigns"]}) as engine:
        with pytest.raises(komadai.EngineError):
            komadai.analyse_game(kifu.parse("startpos moves 7g7f"), engine, Limit(nodes=1))
