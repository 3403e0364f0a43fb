//! The official notation beside that of two other libraries, and the exact output of the Western
//! notations.

use std::collections::BTreeMap;

use komadai_core::{
    Bitboard, Color, Move, Piece, PieceKind, Position, PositionError, Setup, Square, attacks,
};
use komadai_kifu::notation::JapaneseMoveError;
use komadai_kifu::{Notation, read_japanese_move};
use komadai_testdata::notation::{self, NamedMove};

/// The kind of a move before a promotion.
fn kind_of(setup: &Setup, m: Move) -> PieceKind {
    let stands = m.from().and_then(|from| setup.board[from]);
    m.dropped().or(stands.map(|piece| piece.kind())).expect("a move has a piece")
}

/// The squares of the pieces of a kind that reach a square.
fn reaching(setup: &Setup, kind: PieceKind, to: Square) -> Vec<Square> {
    let occupied: Bitboard =
        Square::ALL.into_iter().filter(|&s| setup.board[s].is_some()).collect();
    let piece = Some(Piece::new(setup.side, kind));
    let own = Square::ALL.into_iter().filter(|&square| setup.board[square] == piece);
    own.filter(|&from| attacks::of(setup.side, kind, from, occupied).contains(to)).collect()
}

/// Removes pieces of which the position has more than the game, if the name of the move does not
/// depend on them: those of the hands unless they are dropped, then pieces on the board of another
/// name or out of reach.
fn without_surplus(setup: &mut Setup, m: Move) {
    let (moved, rivals) = (kind_of(setup, m), reaching(setup, kind_of(setup, m), m.to()));
    for kind in PieceKind::HAND {
        let surplus =
            |setup: &Setup| setup.count(kind).saturating_sub(PieceKind::TOTALS[kind.index()]);
        for color in Color::ALL {
            let needed = u32::from(m.dropped() == Some(kind) && color == setup.side);
            let hand = setup.hands[color];
            let removed = surplus(setup).min(hand.count(kind).saturating_sub(needed));
            setup.hands[color] = hand.with(kind, hand.count(kind) - removed);
        }
        for square in Square::ALL {
            let Some(piece) = setup.board[square] else { continue };
            let is_free =
                ![m.from(), Some(m.to())].contains(&Some(square)) && !rivals.contains(&square);
            if piece.kind().unpromoted() == kind && is_free && surplus(setup) > 0 {
                setup.board[square] = None;
            }
        }
    }
    assert_eq!(reaching(setup, moved, m.to()), rivals, "no line was opened");
}

/// Moves the king of the side that has moved out of check, to a square on no line with the target,
/// so that the pieces that reach it stay the same.
fn with_king_elsewhere(setup: &Setup, to: Square) -> Option<Setup> {
    let king = Piece::new(!setup.side, PieceKind::King);
    let old = Square::ALL.into_iter().find(|&square| setup.board[square] == Some(king))?;
    let is_apart = |square: Square| {
        let files = square.file().index().abs_diff(to.file().index());
        let ranks = square.rank().index().abs_diff(to.rank().index());
        files != 0 && ranks != 0 && files != ranks
    };
    let free = |square: &Square| setup.board[*square].is_none() && is_apart(*square);
    Square::ALL.into_iter().filter(free).find_map(|square| {
        let mut moved = setup.clone();
        moved.board[old] = None;
        moved.board[square] = Some(king);
        Position::from_setup(&moved).is_ok().then_some(moved)
    })
}

/// Changes a position that the rules forbid into one in which the move has the same name. Returns
/// the position and what was changed, or the reason why there is none.
fn allowed(row: &NamedMove) -> Result<(Position, &'static str), &'static str> {
    let mut setup: Setup = row.sfen.parse().expect("the rows are in SFEN");
    let m: Move = row.usi.parse().expect("the rows have moves in USI");
    let mut change = "as it is";
    if let Err(PositionError::TooManyPieces { .. }) = Position::from_setup(&setup) {
        without_surplus(&mut setup, m);
        change = "surplus pieces";
    }
    match Position::from_setup(&setup) {
        Ok(position) => Ok((position, change)),
        Err(PositionError::TooManyPieces { .. }) => Err("surplus pieces that tell the move apart"),
        Err(PositionError::OpponentInCheck { .. }) => {
            let changed = with_king_elsewhere(&setup, m.to()).ok_or("no square for the king")?;
            let both =
                if change == "as it is" { "king in check" } else { "surplus, king in check" };
            Ok((Position::from_setup(&changed).expect("just tested"), both))
        }
        Err(error) => panic!("{}: {error}", row.sfen),
    }
}

/// Compares rows; counts them by what was changed, or by the reason why they cannot be compared.
fn compare(
    rows: impl Iterator<Item = NamedMove>,
    faults: &mut Vec<String>,
) -> BTreeMap<&'static str, usize> {
    let mut counts = BTreeMap::new();
    for row in rows {
        let (position, change) = match allowed(&row) {
            Ok(found) => found,
            Err(reason) => {
                *counts.entry(reason).or_default() += 1;
                continue;
            }
        };
        *counts.entry(change).or_default() += 1;
        let m: Move = row.usi.parse().expect("the rows have moves in USI");
        let written = Notation::Japanese.name(&position, m);
        let written = written.trim_start_matches(['▲', '△']);
        let read = read_japanese_move(row.notation, &position, None);
        if written != row.notation || read != Ok((m, "")) {
            faults.push(format!("{} {} {}: {written}, {read:?}", row.sfen, row.usi, row.notation));
        }
    }
    counts
}

#[test]
fn every_row_that_a_legal_position_can_have_is_written_and_read_as_two_libraries_agree() {
    let mut faults = Vec::new();
    let counts = compare(notation::official(), &mut faults);
    assert_eq!(faults.len(), 0, "{counts:?}\n{}", faults.join("\n"));
    let expected = [
        ("as it is", 5_024),
        // The side that has moved is in check: its king is set up elsewhere.
        ("king in check", 380),
        // More pieces of a kind than the game has, of which the name does not depend on some.
        ("surplus pieces", 982),
        // Not compared.
        ("surplus pieces that tell the move apart", 36),
        ("surplus, king in check", 77),
    ];
    assert_eq!(counts.into_iter().collect::<Vec<_>>(), expected);
}

/// The same for a larger file, `KOMADAI_NOTATION=/path/to/rows.tsv`, with the columns sfen, usi and
/// notation.
#[test]
#[ignore = "needs a file that is not bundled"]
fn rows_of_a_file_are_written_and_read_as_they_stand_there() {
    let path = std::env::var("KOMADAI_NOTATION").expect("a file of rows");
    let text: &'static str = std::fs::read_to_string(path).unwrap().leak();
    let rows = text.lines().skip(1).map(|line| {
        let cells: Vec<&'static str> = line.split('\t').collect();
        NamedMove { sfen: cells[0], usi: cells[1], notation: cells[2] }
    });
    let mut faults = Vec::new();
    let counts = compare(rows, &mut faults);
    assert_eq!(faults.len(), 0, "{counts:?}\n{}", faults.join("\n"));
    println!("{counts:?}");
}

/// Reads a move in a position, after a move to `last`.
fn read(sfen: &str, last: Option<Square>, text: &str) -> Result<String, JapaneseMoveError> {
    let position = Position::from_sfen(sfen).unwrap();
    read_japanese_move(text, &position, last).map(|(m, rest)| format!("{m}{rest}"))
}

#[test]
fn words_of_real_files_beside_the_official_ones_are_read() {
    // A silver on 2d, and two golds that reach 5h.
    let sfen = "4k4/9/9/7S1/9/9/9/9/3GKG3 b B 1";
    for (text, m) in [
        // Promotion and its refusal.
        ("▲２三銀成", "2d2c+"),
        ("▲２三銀不成", "2d2c"),
        ("▲２三銀不", "2d2c"),
        ("▲２三銀成らず", "2d2c"),
        ("▲２三銀成ら", "2d2c"),
        // Old words for 上.
        ("▲２三銀行成", "2d2c+"),
        ("▲２三銀入不成", "2d2c"),
        // The origin as in KIF.
        ("▲５八金(49)", "4i5h"),
        ("▲５八金（６９）", "6i5h"),
        ("▲５八金左(69)", "6i5h"),
        ("▲２三銀成(24)", "2d2c+"),
        ("▲５五角打(00)", "B*5e"),
        ("▲５五角", "B*5e"),
        // Signs of any form, or none.
        ("▽２三銀成", "2d2c+"),
        ("▼23銀成", "2d2c+"),
        ("☗2三銀成", "2d2c+"),
        ("☖２３銀成", "2d2c+"),
        ("２三銀成", "2d2c+"),
        // The next move follows.
        ("▲５八金左△５二玉", "6i5h△５二玉"),
        ("▲２三銀成成銀", "2d2c+成銀"),
        ("▲５八金左(6)", "6i5h(6)"),
    ] {
        assert_eq!(read(sfen, None, text), Ok(m.to_owned()), "{text}");
    }
    for text in ["▲同　銀成", "▲同銀成", "同 銀成(24)"] {
        assert_eq!(read(sfen, Some(Square::S23), text), Ok("2d2c+".to_owned()), "{text}");
    }
    // 行 is 上 for the horse and the dragon as well.
    let dragons = "9/9/1+R7/9/9/+R8/9/2k6/8K b - 1";
    assert_eq!(read(dragons, None, "▲８四龍引"), Ok("8c8d".to_owned()));
    let horses = "1k7/9/9/9/9/+B8/9/9/K7+B b - 1";
    assert_eq!(read(horses, None, "▲５五馬行"), Ok("1i5e".to_owned()));
}

#[test]
fn faults_of_moves_state_what_was_expected() {
    let sfen = "4k4/9/9/7S1/9/9/9/9/3GKG3 b B 1";
    for (text, message) in [
        ("７六", "found \"\", expected a piece such as 歩 or 成銀"),
        ("", "found \"\", expected a move such as ▲７六歩"),
        ("▲", "found \"▲\", expected a move such as ▲７六歩"),
        ("同銀", "found \"同銀\", expected a square, because no move is before it"),
        ("▲０六銀", "found \"▲０六銀\", expected a move such as ▲７六歩"),
        ("▲５八金", "found \"▲５八金\", which is any of the moves from 4i, 6i"),
        ("▲５八金直", "found \"▲５八金直\", but no Gold can move to 5h in this way"),
        ("▲７六歩", "found \"▲７六歩\", but no Pawn can move to 7f in this way"),
        ("▲５八金(33)", "found \"▲５八金(33)\", but no Gold can move to 5h in this way"),
    ] {
        assert_eq!(read(sfen, None, text).unwrap_err().to_string(), message, "{text}");
    }
}

#[test]
fn the_western_notations_are_written_exactly() {
    let start = Position::hirate();
    let line = ["7g7f", "3c3d", "8h2b+", "3a2b", "B*4e", "B*5e", "6i5h"];
    let line = line.map(|m| m.parse::<Move>().unwrap());
    assert_eq!(
        Notation::Hodges.names(&start, &line),
        ["P-7f", "P-3d", "Bx2b+", "Sx2b", "B*4e", "B*5e", "G6i-5h"]
    );
    assert_eq!(
        Notation::Hosking.names(&start, &line),
        ["P76", "P34", "Bx22+", "Sx22", "B*45", "B*55", "G69-58"]
    );
    let sfen = "4k4/2S6/9/2p6/4B4/6+s2/1R1S1S3/9/4K3+P b GP 1";
    let position = Position::from_sfen(sfen).unwrap();
    for (m, hodges, hosking) in [
        ("7b6a+", "S-6a+", "S61+"),
        ("7b6a", "S-6a=", "S61="),
        ("5e7c+", "B-7c+", "B73+"),
        ("5e7c", "B-7c=", "B73="),
        ("6g5f", "S6g-5f", "S67-56"),
        ("4g5f", "S4g-5f", "S47-56"),
        ("4g3f", "Sx3f", "Sx36"),
        ("1i1h", "+P-1h", "+P18"),
        ("5i4h", "K-4h", "K48"),
        ("8g8a+", "R-8a+", "R81+"),
        ("G*5b", "G*5b", "G*52"),
        ("P*1b", "P*1b", "P*12"),
    ] {
        let m: Move = m.parse().unwrap();
        assert_eq!(Notation::Hodges.name(&position, m), hodges);
        assert_eq!(Notation::Hosking.name(&position, m), hosking);
    }
}
