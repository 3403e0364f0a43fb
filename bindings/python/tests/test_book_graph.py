"""Books with the value of every position."""

import threading

import pytest

from komadai import Board, Book, BookError, BookGraph, Engine, Limit

# White's reply to 7g7f is better than its listed value suggests.
BOOK = """#YANEURAOU-DB2016 1.00
sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2
3c3d none 10 20
sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1
7g7f 3c3d 90 20
2g2f 8c8d 40 18
9g9f none none
"""


@pytest.fixture
def book(tmp_path):
    path = tmp_path / "a.db"
    path.write_text(BOOK)
    return BookGraph.open(path)


def test_values_are_propagated(book):
    start = Board()
    assert len(book) == 2 and book.edges == 1 and book.path is None
    moves = [(str(m.move), m.score and m.score.cp, m.plies, m.leaves_book) for m in book[start]]
    assert moves == [("2g2f", 40, 0, True), ("7g7f", -10, 1, False), ("9g9f", None, None, True)]
    listed = book.moves(start)[1]
    assert (listed.listed_score.cp, listed.depth, listed.basis) == (90, 20, "leaf")
    assert (book.value(start).score.cp, book.value(start).basis) == (40, "leaf")
    assert [str(m) for m in book.best_line(Board("startpos moves 7g7f"))] == ["3c3d"]
    other = Board("startpos moves 2g2f")
    assert start in book and other not in book and book.moves(other) == [] and book.value(other) is None
    with pytest.raises(KeyError):
        book[other]
    assert sorted(board.sfen() for board in book) == sorted(
        [start.sfen(), Board("startpos moves 7g7f").sfen()]
    )


def test_the_frontier(book):
    lines = lambda found: [" ".join(str(m) for m in at.line) for at in found]
    assert lines(book.frontier("black")) == ["2g2f"]
    found = book.frontier("white", eval_diff=50)
    assert lines(found) == ["2g2f", "7g7f 3c3d"]
    assert (found[0].reason, found[0].side, found[0].score.cp) == ("window_move", "white", 40)
    assert (found[1].reason, found[1].drops_cp, found[1].board.moves) == ("best_move", 50, found[1].line)
    assert [at.price for at in book.frontier("white", eval_diff=50, order="price")] == [1.0, 4.5]
    chances = [at.probability for at in book.frontier("white", eval_diff=50, order="probability")]
    assert all(0 < chance <= 1 for chance in chances) and sum(chances) <= 1
    assert len(book.frontier("both", eval_diff=50, limit=1)) == 1
    with pytest.raises(ValueError, match="expected black, white, both"):
        book.frontier("red")


def test_an_empty_book_grows(tmp_path):
    engine = Engine(hash=1)
    for book in (BookGraph(), BookGraph.create(tmp_path / "a.kbook")):
        assert len(book) == 0 and [at.reason for at in book.frontier()] == ["root"]
        for _ in range(3):
            positions = [at.board for at in book.frontier("black", limit=2)]
            found = [engine.analyse(board, Limit(nodes=300), multipv=3) for board in positions]
            assert book.add(found, analyst="tester") > 0
            assert all(board in book for board in positions)
        assert book.value(Board()).score == book[Board()][0].score
        assert book.add(found[0]) >= 0
    size, value = len(book), book.value(Board())
    with pytest.raises(BookError):
        BookGraph.create(tmp_path / "a.kbook")
    with pytest.raises(BookError):
        BookGraph.open(tmp_path / "a.kbook")
    copy = BookGraph.open(tmp_path / "a.kbook", in_memory=True)
    assert len(copy) == size and copy.path is None and copy.add(found[0]) >= 0
    book.close()
    with pytest.raises(BookError, match="closed"):
        len(book)
    with BookGraph.open(tmp_path / "a.kbook") as again:
        assert len(again) == size and again.value(Board()).score == value.score
        assert again.path == tmp_path / "a.kbook"


@pytest.mark.parametrize("name", ["b.db", "b.ybb"])
def test_export(book, tmp_path, name):
    path = tmp_path / name
    assert book.save(path) == 2
    moves = [(str(m.move), m.score.cp) for m in Book.open(path)[Board()]]
    assert moves == [("2g2f", 40), ("7g7f", -10)]
    assert book.save(path, best_only=True) == 2
    assert [str(m.move) for m in Book.open(path)[Board()]] == ["2g2f"]
    with pytest.raises(BookError, match="expected .db"):
        book.save(tmp_path / "b.txt")
    with pytest.raises(BookError):
        book.save(tmp_path / "none" / name)


def test_endless_play_has_the_value_of_a_draw():
    book = BookGraph()
    assert book.draw_value == 0 and book.propagate(50).draw_value == 50
    with pytest.raises(ValueError, match="expected -700 to 700"):
        book.propagate(701)


def test_books_that_cannot_be_read(tmp_path):
    (tmp_path / "a.db").write_text("no book")
    (tmp_path / "a.kbook").write_bytes(b"no book")
    for name in ("a.db", "a.kbook", "none.db", "none.kbook"):
        with pytest.raises(BookError):
            BookGraph.open(tmp_path / name)


def test_several_threads_use_a_book():
    book, engine = BookGraph(), Engine(hash=1)
    found = engine.analyse(Board(), Limit(nodes=500), multipv=9)
    errors = []

    def work():
        try:
            for _ in range(30):
                book.add(found)
                assert len(book.frontier("white", eval_diff=500)) >= 1
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert errors == [] and not any(thread.is_alive() for thread in threads)
