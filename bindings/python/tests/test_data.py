"""Books, networks and training data."""

import numpy as np
import pytest

from komadai import Board, Book, BookError, DataError, Move, Network, NetworkError, training

BOOK = """#YANEURAOU-DB2016 1.00
sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1
2g2f 8c8d 38 20
7g7f 3c3d 35 20
"""


def test_a_book(tmp_path):
    path = tmp_path / "a.db"
    path.write_text(BOOK)
    book = Book.open(path)
    moves = book[Board()]
    assert [(str(m.move), str(m.ponder), m.score.cp, m.depth) for m in moves] == [
        ("2g2f", "8c8d", 38, 20),
        ("7g7f", "3c3d", 35, 20),
    ]
    other = Board("startpos moves 7g7f")
    assert Board() in book and other not in book and book.get(other) == []
    with pytest.raises(KeyError):
        book[other]
    with pytest.raises(BookError):
        Book(tmp_path / "none.db")


def records(count):
    board, found = Board(), []
    for number in range(count):
        moves = board.legal_moves
        m = moves[number * 7 % len(moves)]
        found.append(training.record(board, number - 5, m, (-1, 0, 1)[number % 3]))
        board.push(m)
        if board.is_game_over():
            board = Board()
    return np.array(found, training.PSV)


def test_records_are_numpy_arrays(tmp_path):
    made = records(60)
    training.save(tmp_path / "a.psv", made)
    loaded = training.load(tmp_path / "a.psv")
    assert isinstance(loaded, np.memmap) and loaded.tobytes() == made.tobytes()
    assert loaded["score"].tolist() == list(range(-5, 55)) and Move(int(loaded["move"][0]))
    assert training.board(loaded[0]) == Board()
    assert training.check(loaded).tolist() == []
    broken = made.copy()
    broken["move"][3] = 0xFFFF
    broken["sfen"][7] = 0xFF
    assert training.check(broken).tolist() == [3, 7]
    (tmp_path / "b.psv").write_bytes(b"x" * 41)
    with pytest.raises(DataError, match="multiple of 40"):
        training.load(tmp_path / "b.psv")
    with pytest.raises(DataError, match="expected PSV or HCPE"):
        training.check(np.zeros(3))


def test_values_of_many_positions():
    network, made = Network(), records(60)
    values = training.evaluate(network, made)
    boards = [training.board(record) for record in made]
    assert values.dtype == np.int32 and values.tolist() == [network.evaluate(board) for board in boards]
    assert training.evaluate(network, made, threads=3).tolist() == values.tolist()
    assert training.evaluate(network, made[::2]).tolist() == values[::2].tolist()
    assert training.evaluate(network, made[:0]).tolist() == []
    made["sfen"][9] = 0xFF
    with pytest.raises(DataError, match="record 9"):
        training.evaluate(network, made)


def test_networks(tmp_path):
    network = Network()
    assert network.architecture and network.fv_scale >= 1
    (tmp_path / "nn.bin").write_bytes(b"no network")
    for path in (tmp_path / "nn.bin", tmp_path / "none.bin"):
        with pytest.raises(NetworkError):
            Network.load(path)
