"""Boards and moves, beside python-shogi and cshogi where they are installed."""

import copy
import pickle
import random

import pytest

import komadai
from komadai import Board, IllegalMoveError, Move, SfenError


def test_first_moves():
    board = Board()
    assert len(board.legal_moves) == 30
    assert board.push_usi("7g7f") == Move("7g7f")
    assert (board.turn, board.move_number) == ("white", 2)
    assert board.sfen().endswith("w - 2")
    assert board.usi_position() == "startpos moves 7g7f"
    assert board.name("3c3d") == "△３四歩"
    assert board.name("3c3d", "hodges") == "P-3d"
    assert board.parse_move("３四歩") == Move("3c3d")
    assert board.pop() == Move("7g7f")
    assert board.pop() is None
    assert board == Board()


def test_positions_are_given_in_several_ways():
    by_moves = Board("startpos moves 7g7f 3c3d")
    by_sfen = Board("lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3")
    assert by_moves == by_sfen and by_moves.zobrist == by_sfen.zobrist
    assert [str(m) for m in by_moves.moves] == ["7g7f", "3c3d"] and by_sfen.moves == []
    assert Board("position sfen " + by_sfen.sfen()) == by_sfen
    assert Board("二枚落ち").piece("8b") is None and Board("二枚落ち").turn == "white"
    assert Board(by_sfen.sfen()).piece("7f") == "P" and by_sfen.piece(0) == "l"
    assert Board("4k4/9/9/9/9/9/9/9/4K4 b 2RP 1").hand("black") == {"R": 2, "P": 1}


@pytest.mark.parametrize("text", ["", "x", "9/9", "startpos moves 7g7", "\0", "一" * 1000])
def test_a_bad_position_is_an_error(text):
    with pytest.raises(SfenError):
        Board(text)


def test_an_illegal_move_has_its_reason():
    board = Board()
    assert board.why_illegal("7g7f") is None
    assert board.why_illegal("7g7e") == "a Pawn on 7g does not go to 7e"
    with pytest.raises(IllegalMoveError, match="does not go to"):
        board.push("7g7e")
    with pytest.raises(IllegalMoveError):
        Board("startpos moves 7g7f 7c7e")
    with pytest.raises(SfenError):
        board.push("7g")
    assert board == Board() and issubclass(IllegalMoveError, komadai.KomadaiError)


def test_moves_are_values():
    m = Move("8h2b+")
    assert (m.from_square, m.to_square, m.drop, m.promotion) == (70, 10, None, True)
    assert Move(int(m)) == m and Move(m) == m and hash(Move("8h2b+")) == hash(m)
    drop = Move("P*5e")
    assert (drop.from_square, drop.drop, str(drop)) == (None, "P", "P*5e")
    assert len({Move("7g7f"), Move("7g7f"), drop}) == 2
    assert pickle.loads(pickle.dumps(drop)) == drop
    with pytest.raises(SfenError):
        Move(0)
    numbers = Board().legal_moves_array()
    assert numbers.dtype == "uint16" and [Move(int(n)) for n in numbers] == Board().legal_moves


def test_copies_are_independent():
    board = Board("startpos moves 7g7f")
    for other in (copy.copy(board), copy.deepcopy(board), board.copy(), pickle.loads(pickle.dumps(board))):
        other.push_usi("3c3d")
        assert len(other.moves) == 2 and len(board.moves) == 1


def test_ends_of_games():
    board = Board("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1")
    assert board.is_check() and board.is_checkmate() and board.is_game_over()
    assert (board.outcome().winner, board.outcome().reason) == ("black", "checkmate")
    assert Board().outcome() is None
    board = Board()
    for m in ["2h3h", "8b7b", "3h2h", "7b8b"] * 3:
        board.push_usi(m)
    assert board.repetition() == "draw" and board.outcome().winner is None


def test_pictures():
    board = Board("startpos moves 7g7f")
    assert board._repr_svg_().startswith("<svg") and board._repr_svg_() in board._repr_html_()
    drawn = board.svg(["3c3d", ("8c8d", "good")], flip=True, pieces="letters", theme="dark")
    assert drawn != board.svg()
    with pytest.raises(ValueError, match="expected auto, light, dark"):
        board.svg(theme="blue")


def test_perft():
    assert Board().perft(3) == 25_470
    assert Board("l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1").perft(2) == 28_684


def games(count):
    """Random games: positions with all kinds of moves."""
    source = random.Random(1)
    for _ in range(count):
        board = Board()
        while not board.is_game_over() and board.move_number < 150:
            yield board
            board.push(source.choice(board.legal_moves))


def test_moves_are_those_of_python_shogi():
    shogi = pytest.importorskip("shogi")
    for board in list(games(2))[::7]:
        other = shogi.Board(board.sfen())
        assert sorted(str(m) for m in board.legal_moves) == sorted(m.usi() for m in other.legal_moves)
        assert board.is_check() == other.is_check()


def test_moves_are_those_of_cshogi():
    cshogi = pytest.importorskip("cshogi")
    other = cshogi.Board()
    for board in games(20):
        other.set_sfen(board.sfen())
        # It leaves out the useless non-promotions of pawn, bishop and rook, and of the lance on the
        # second rank.
        ours = {str(m) for m in board.legal_moves}
        theirs = {cshogi.move_to_usi(m) for m in other.legal_moves}
        assert theirs <= ours and all(m + "+" in theirs for m in ours - theirs)
        assert board.is_check() == other.is_check() and board.is_game_over() == other.is_game_over()
