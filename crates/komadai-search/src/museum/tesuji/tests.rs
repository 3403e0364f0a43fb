use komadai_testdata::games;

use super::*;

fn after(moves: &str) -> Position {
    let mut position = Position::hirate();
    for m in moves.split_whitespace() {
        position.do_move(m.parse().unwrap());
    }
    position
}

fn table(text: &str) -> TesujiTable {
    TesujiTable::from_text(text).unwrap()
}

fn m(text: &str) -> Move {
    text.parse().unwrap()
}

#[test]
fn the_bundled_table_is_valid() {
    let text = include_str!("tesuji.txt");
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).count();
    assert_eq!(TesujiTable::bundled().len(), lines, "no sequence comes twice");
    assert!(text.lines().count() <= 300);
    assert!(!TesujiTable::bundled().pairs.is_empty() && !TesujiTable::bundled().triples.is_empty());
}

#[test]
fn errors_have_their_line() {
    let read = TesujiTable::from_text;
    let error = DescriptorError { found: "Q".to_owned() };
    assert_eq!(read("P* SxP@0,0\n\nP* Q"), Err(TesujiError::Move { line: 3, error }));
    assert_eq!(read("# one\nP*"), Err(TesujiError::Length { line: 2, found: 1 }));
    let four = "P* SxP@0,0 P*@0,1 S@0,-1";
    assert_eq!(read(four), Err(TesujiError::Length { line: 1, found: 4 }));
    for text in ["P* SxP", "P*@0,0 SxP@0,0", "P* SxP P*@0,1"] {
        assert_eq!(read(text), Err(TesujiError::Relation { line: 1 }), "{text}");
    }
    assert_eq!(read(" \n# nothing\n"), Ok(TesujiTable::default()));
}

#[test]
fn a_sequence_of_two_is_completed_by_its_last_move() {
    // Bishops are exchanged, and the silver takes back.
    let table = table("BxB+ Sx+B@0,0");
    let position = after("7g7f 3c3d 8h2b+");
    assert!(table.is_completed(&position, m("3a2b")));
    assert!(!table.is_completed(&position, m("8b2b")), "the rook takes back");
    assert!(!table.is_completed(&position, m("4a3b")));
    assert!(!table.is_completed(&after("7g7f 3c3d"), m("3a2b")));
    assert!(!table.is_completed(&Position::hirate(), m("7g7f")));
}

#[test]
fn a_sequence_of_three_needs_the_first_move_too() {
    // A pawn offers itself to a pawn, is taken, and the rook takes back.
    let table = table("P PxP@0,0 RxP@0,0");
    let position = after("2g2f 8c8d 2f2e 8d8e 2e2d 2c2d");
    assert!(table.is_completed(&position, m("2h2d")));
    // The same position, but the pawn had captured.
    let other = table.completions(&after("2g2f 8c8d 2f2e 8d8e 2e2d 9c9d 2d2c+ 3a3b"));
    assert!(other.triples.is_empty());
    // A null move breaks the line.
    let mut passed = after("2g2f 8c8d 2f2e 8d8e 2e2d");
    passed.do_null_move();
    assert!(!table.is_completed(&passed, m("2d2c+")));
}

#[test]
fn sequences_found_in_games_are_recognised_in_them() {
    let (mut pairs, mut triples) = (0, 0);
    for game in games::tournament().take(10) {
        let mut position = Position::hirate();
        let mut played: Vec<(Descriptor, Move)> = Vec::new();
        for text in game.moves.split(' ') {
            let next = m(text);
            let last = played.last().map(|(_, m)| m.to());
            let descriptor = Descriptor::of(&position, next, last).unwrap();
            for length in [2, 3].into_iter().filter(|length| played.len() >= length - 1) {
                let mut moves: Vec<_> = played[played.len() + 1 - length..]
                    .iter()
                    .map(|(descriptor, _)| *descriptor)
                    .collect();
                moves[0] = moves[0].without_offset();
                moves.push(descriptor);
                let tesuji = Tesuji::new(&moves).unwrap();
                let table: TesujiTable = [tesuji].into_iter().collect();
                assert!(table.is_completed(&position, next), "{tesuji} in {position}");
                assert_eq!(self::table(&tesuji.to_string()), table);
                pairs += usize::from(length == 2);
                triples += usize::from(length == 3);
            }
            played.push((descriptor, next));
            position.do_move(next);
        }
    }
    assert!(pairs > 500 && triples > 500);
}
