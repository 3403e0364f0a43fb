//! Tests of the models of move probabilities with tables.

use komadai_core::{Color, Move, Position};
use komadai_movegen::MoveGen;
use komadai_testdata::{games, positions};

use super::MoveProbability;
use super::classes::{ClassCount, ClassMoves};
use super::move_table_file::MoveTableError;
use super::softmax::SoftmaxMoves;

/// Returns positions of games, with their moves before, of both colours and all phases.
fn game_positions() -> Vec<Position> {
    let mut found = Vec::new();
    for game in games::tournament().take(12) {
        let mut position = Position::hirate();
        for (ply, m) in game.moves.split(' ').enumerate() {
            position.do_move(m.parse().unwrap());
            if ply % 9 == 0 {
                found.push(position.clone());
            }
        }
    }
    found
}

#[test]
fn bundled_tables_are_read_and_written_as_they_are() {
    let bytes = include_bytes!("softmax.bin");
    let softmax = SoftmaxMoves::from_bytes(bytes).unwrap();
    assert!(softmax.to_bytes() == bytes && softmax == SoftmaxMoves::default());
    assert!(bytes.len() < 110_000);
    let text = include_str!("classes.tsv");
    let classes = ClassMoves::from_text(text).unwrap();
    assert!(classes.to_string() == text && classes == ClassMoves::default());
    const { assert!(ClassMoves::COUNT >= 64) };
    assert!(classes.counts().iter().map(|count| count.played).sum::<u64>() > 80_000);
}

#[test]
fn the_text_of_the_weights_states_format_and_tables() {
    let bytes = SoftmaxMoves::default().to_bytes();
    let text = &bytes[..bytes.len() - SoftmaxMoves::COUNT];
    let text = std::str::from_utf8(text).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "komadai move probabilities 1, unit 1/32");
    assert_eq!(lines[1], "6561 to: phase, way to move, destination");
    assert_eq!(lines.last(), Some(&""));
    let lengths = lines[1..lines.len() - 1].iter().map(|line| line.split(' ').next().unwrap());
    assert_eq!(lengths.map(|n| n.parse::<usize>().unwrap()).sum::<usize>(), SoftmaxMoves::COUNT);
}

#[test]
fn bad_files_are_refused_with_their_fault() {
    let bytes = SoftmaxMoves::default().to_bytes();
    let fault = |bytes: &[u8]| SoftmaxMoves::from_bytes(bytes).unwrap_err();
    assert!(matches!(fault(b""), MoveTableError::Line { line: 1, .. }));
    let mut other = bytes.clone();
    other[22] = b'2';
    assert!(matches!(fault(&other), MoveTableError::Line { line: 1, .. }));
    let expected = SoftmaxMoves::COUNT;
    let short = fault(&bytes[..bytes.len() - 1]);
    assert_eq!(short, MoveTableError::Length { found: expected - 1, expected });
    assert_eq!(
        fault(&[&bytes[..], &[0]].concat()),
        MoveTableError::Length { found: expected + 1, expected }
    );
    let mut unfit = bytes.clone();
    *unfit.last_mut().unwrap() = 0x80;
    assert_eq!(fault(&unfit), MoveTableError::Weight { index: expected - 1 });

    let text = ClassMoves::default().to_string();
    let fault = |text: &str| ClassMoves::from_text(text).unwrap_err();
    assert!(matches!(fault(""), MoveTableError::Line { line: 1, .. }));
    let cut = text.rfind("quiet dragon").unwrap();
    assert!(matches!(fault(&text[..cut]), MoveTableError::Line { .. }));
    assert!(matches!(fault(&format!("{text}more\n")), MoveTableError::Line { .. }));
    let (head, line) = text.trim_end().rsplit_once('\n').unwrap();
    let name = line.split('\t').next().unwrap();
    for cells in ["1\t2", "1", "1\t1\t1", "-1\t0", "2\tx"] {
        let fault = fault(&format!("{head}\n{name}\t{cells}\n"));
        assert!(matches!(fault, MoveTableError::Counts { .. }), "{cells}: {fault}");
    }
}

#[test]
fn probabilities_add_up_to_one() {
    let models: [&dyn MoveProbability; 2] = [&SoftmaxMoves::default(), &ClassMoves::default()];
    let benches = positions::bench().map(|bench| Position::from_sfen(bench.sfen).unwrap());
    for position in game_positions().into_iter().chain(benches) {
        let moves = position.legal_moves();
        for model in models {
            let sum = model.probabilities(&position, &moves).iter().sum::<f32>();
            assert!((sum - 1.0).abs() < 1e-3, "{position}: {sum}");
        }
    }
}

#[test]
fn features_and_classes_are_in_range_and_do_not_depend_on_the_color() {
    let mut used = vec![false; SoftmaxMoves::COUNT];
    for position in game_positions() {
        // Positions without moves before them, which have no flipped counterpart.
        let position = position.without_history();
        let moves: Vec<Move> = position.legal_moves().into_iter().collect();
        let flipped = position.flipped();
        let turned: Vec<Move> = moves.iter().map(|&m| super::turned(m)).collect();
        let features = |position: &Position, moves: &[Move]| {
            let mut found = vec![Vec::new(); moves.len()];
            SoftmaxMoves::features(position, moves, |index, feature| found[index].push(feature));
            found.iter_mut().for_each(|features| features.sort_unstable());
            found
        };
        let (own, other) = (features(&position, &moves), features(&flipped, &turned));
        let classes =
            [ClassMoves::classes(&position, &moves), ClassMoves::classes(&flipped, &turned)];
        for (index, &m) in moves.iter().enumerate() {
            own[index].iter().for_each(|&feature| used[feature] = true);
            assert!(classes[0][index] < ClassMoves::COUNT);
            // Of two captors of a kind the exchange takes the one on the first square, and of two
            // rooks or pieces at risk the features take one of them.
            if position.see(m) == flipped.see(turned[index]) && !has_twins(&position) {
                assert_eq!(own[index], other[index], "{position} {m}");
            }
        }
    }
    assert!(used.iter().filter(|&&used| used).count() > 5_000);
}

/// Returns whether a side has two rooks, or two pieces of a kind at risk may be confused.
fn has_twins(position: &Position) -> bool {
    use komadai_core::PieceKind::{Dragon, Rook};
    let rooks = |color| position.pieces(color, Rook) | position.pieces(color, Dragon);
    let own = position.color(position.side());
    let attacked = own.iter().filter(|&square| {
        !position.attackers_to(!position.side(), square, position.occupied()).is_empty()
    });
    attacked.count() > 1 || Color::ALL.into_iter().any(|color| rooks(color).has_many())
}

#[test]
fn names_of_classes_differ_and_counts_are_checked() {
    let mut names = ClassMoves::names();
    assert_eq!(names.len(), ClassMoves::COUNT);
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), ClassMoves::COUNT);
    assert!(ClassMoves::new(&[]).is_none());
    let mut counts = vec![ClassCount { offered: 10, played: 4 }; ClassMoves::COUNT];
    assert_eq!(ClassMoves::new(&counts).unwrap().counts()[3].probability(), 5.0 / 12.0);
    counts[7].played = 11;
    assert!(ClassMoves::new(&counts).is_none());
}

#[test]
fn weights_are_rounded_and_cut() {
    assert!(SoftmaxMoves::new(&[0.0]).is_none());
    let mut weights = vec![0.0; SoftmaxMoves::COUNT];
    (weights[0], weights[1], weights[2]) = (9.0, -0.03, f32::NAN);
    let bytes = SoftmaxMoves::new(&weights).unwrap().to_bytes();
    assert_eq!(bytes[bytes.len() - SoftmaxMoves::COUNT..][..4], [127, 0xff, 0, 0]);
}
