"""Records."""

import zipfile

import pytest

from komadai import Board, Game, KifuError, kifu

CSA = "V2.2\nN+A\nN-B\nPI\n+\n+7776FU\nT12\n-3334FU\n'*good\n+8822UM\n%TORYO\n"


def test_a_game_is_read():
    game = kifu.parse(CSA)
    assert [str(m) for m in game.moves] == ["7g7f", "3c3d", "8h2b+"]
    assert game.headers["black"] == "A" and (game.result, game.end) == ("black", "resign")
    assert game.nodes[0].time == 12.0 and game.nodes[1].comment == "good"
    assert game.names()[:2] == ["▲７六歩", "△３四歩"]
    assert game.board(1).sfen() == Board("startpos moves 7g7f").sfen()
    assert game.board().moves == game.moves
    with pytest.raises(KifuError, match="expected at least"):
        game.board(4)


@pytest.mark.parametrize("name", ["a.kif", "a.kifu", "a.ki2", "a.csa", "a.jkf", "a.usi", "a.usen"])
def test_games_are_written_and_read_again(tmp_path, name):
    game = kifu.parse(CSA)
    lost = kifu.write(game, tmp_path / name)
    assert kifu.read(tmp_path / name).moves == game.moves
    assert all(isinstance(loss, str) for loss in lost)


def test_variations():
    text = "手合割：平手\n1 ７六歩(77)\n2 ３四歩(33)\n3 ２二角成(88)\n\n変化：2手\n2 ８四歩(83)\n3 ２六歩(27)\n"
    game = kifu.parse(text)
    assert [(parent, ply, [str(m) for m in moves]) for parent, ply, moves in game.variations] == [
        (None, 2, ["8c8d", "2g2f"])
    ]
    assert [str(m) for m in game.mainline_moves(0)] == ["7g7f", "8c8d", "2g2f"]
    with pytest.raises(KifuError):
        game.mainline_moves(1)


def test_a_game_is_made_of_a_board():
    game = Game(Board("startpos moves 7g7f 3c3d"), headers={"black": "先手", "event": "試し"}, end="resign")
    text = game.text("kif")
    assert "棋戦：試し" in text and kifu.parse(text) == kifu.parse(kifu.parse(text).text("kif"))
    with pytest.raises(ValueError, match="expected resign"):
        Game(Board(), end="bored")


def test_names_of_castles():
    moves = "7g7f 8c8d 2h6h 8d8e 8h7g 6a5b 5i4h 5a4b 4h3h 4b3b 3h2h 1c1d 1g1f 7a6b 3i3h 3c3d 6g6f 5c5d 6i5h 3a4b 9g9f 9c9d 7i7h 6c6d"
    castle, strategies = kifu.parse("startpos moves " + moves).formations("black")
    assert castle == "美濃囲い" and strategies == ["ノーマル四間飛車"]


@pytest.mark.parametrize("text", ["", "Dear Sir", b"\xff\xfe\x00", "V2.2\nPI\n+\n+7775FU\n"])
def test_faults_are_errors(text, tmp_path):
    with pytest.raises(KifuError):
        kifu.parse(text)
    with pytest.raises(KifuError):
        kifu.read(tmp_path / "none.kif")


def test_a_folder_with_archives_and_faults(tmp_path):
    (tmp_path / "sub").mkdir()
    kifu.write(kifu.parse(CSA), tmp_path / "sub" / "a.kif")
    (tmp_path / "broken.csa").write_text("V2.2\nPI\n+\n+7775FU\n")
    with zipfile.ZipFile(tmp_path / "c.zip", "w") as archive:
        archive.writestr("b.csa", CSA)
        archive.writestr("notes.txt", "no game")
    found = list(kifu.read_folder(tmp_path))
    games = {(one.path.name, one.entry): len(one.game.moves) for one in found if one.game}
    assert games == {("a.kif", None): 3, ("c.zip", "b.csa"): 3}
    faults = [one for one in found if one.error]
    assert [one.path.name for one in faults] == ["broken.csa"]
    assert isinstance(faults[0].error, KifuError) and "line 4" in str(faults[0].error)
    [missing] = kifu.read_folder(tmp_path / "none")
    assert missing.game is None and isinstance(missing.error, KifuError)
