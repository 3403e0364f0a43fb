use komadai_core::{File, Hand, Piece, PieceKind, Rank, Setup, SplitMix64, Square};
use komadai_tsume::{DfPn, DfPnOptions, is_mating_line};

use super::*;
use crate::tests::oracle::shortest_mate;
use crate::tests::random_positions::below;

/// Longest mate that the oracle knows.
const MATE_PLIES: usize = 3;

/// The definition of a brinkmate, word for word, with mates of up to [`MATE_PLIES`] plies.
mod oracle {
    use super::*;

    pub(super) fn attack(position: &mut Position, moves: u32, path: &mut Vec<(u64, u32)>) -> bool {
        if shortest_mate(position, MATE_PLIES).is_some() {
            return true;
        }
        let node = (position.key(), moves);
        let is_free = position.in_check();
        // Few checks by the defender are followed, so that the oracle finds some brinkmates only.
        if path.contains(&node) || path.len() > 3 || !is_free && moves == 0 {
            return false;
        }
        path.push(node);
        let wins = position.legal_moves().into_iter().any(|m| {
            position.do_move(m);
            let wins = defence(position, if is_free { moves } else { moves - 1 }, path);
            position.undo_move();
            wins
        });
        path.pop();
        wins
    }

    pub(super) fn defence(position: &mut Position, moves: u32, path: &mut Vec<(u64, u32)>) -> bool {
        if !position.in_check() {
            position.do_null_move();
            let threat = shortest_mate(position, MATE_PLIES).is_some();
            position.undo_null_move();
            if !threat {
                return false;
            }
        }
        position.legal_moves().into_iter().all(|m| {
            position.do_move(m);
            let wins = attack(position, moves, path);
            position.undo_move();
            wins
        })
    }
}

/// A random king in a corner against two or three attackers, with a piece in the attacker's hand.
/// In half of the positions the attacker's king is on the board, exposed to a piece of the
/// defender.
fn random_endgame(random: &mut SplitMix64) -> Option<Position> {
    use PieceKind::{Bishop, Gold, Knight, Lance, Pawn, ProPawn, Rook, Silver};
    let mut setup = Setup::empty();
    let king = Square::new(File::ALL[below(random, 3)], Rank::ALL[below(random, 2)]);
    setup.board[king] = Some(Piece::WhiteKing);
    let mut put = |random: &mut SplitMix64, span: usize, color, kinds: &[PieceKind]| {
        let mut step = || below(random, 2 * span + 1) as i8 - span as i8;
        if let Some(square) = king.offset(step(), step()) {
            let kind = kinds[below(random, kinds.len())];
            setup.board[square].get_or_insert(Piece::new(color, kind));
        }
    };
    for _ in 0..1 + below(random, 3) {
        put(random, 2, Color::Black, &[Gold, Silver, Pawn, ProPawn, Knight]);
    }
    for _ in 0..below(random, 3) {
        put(random, 1, Color::White, &[Pawn, Knight, Lance, Silver]);
    }
    if below(random, 2) == 0 {
        setup.board[Square::new(File::ALL[below(random, 9)], Rank::ALL[8])]
            .get_or_insert(Piece::BlackKing);
        let kind = [Rook, Bishop, Lance, Gold][below(random, 4)];
        setup.board[Square::new(File::ALL[below(random, 9)], Rank::ALL[6 + below(random, 2)])]
            .get_or_insert(Piece::new(Color::White, kind));
    }
    setup.hands[0] = Hand::EMPTY.with([Gold, Silver][below(random, 2)], 1);
    if below(random, 2) == 0 {
        setup.hands[0] = setup.hands[0].with([Pawn, Silver, Knight][below(random, 3)], 1);
    }
    setup.hands[1] = Hand::EMPTY.with(Pawn, below(random, 2) as u32);
    Position::from_setup(&setup).ok()
}

fn solver() -> DfPn {
    DfPn::new(DfPnOptions { hash_mib: 1, ..DfPnOptions::default() })
}

/// Replays a line up to the mate: all moves legal, and the attacker's last ones checks.
fn check_line(position: &Position, attacker: Color, line: &[Move]) {
    let mut position = position.without_history();
    for &m in line {
        assert!(position.is_legal(m), "{position} {m}");
        position.do_move(m);
    }
    assert!(position.side() != attacker && !position.has_legal_move(), "{position}");
}

#[test]
fn results_are_those_of_the_definition() {
    let mut counts = [0; 4];
    let mut confirmed = 0;
    let mut with_checks = 0;
    for seed in 0..800 {
        let Some(position) = random_endgame(&mut SplitMix64::new(seed)) else { continue };
        let options = BrinkmateOptions::default();
        let report = search(&mut solver(), &position, options, &Budget::nodes(300_000));
        let expected = oracle::attack(&mut position.clone(), 1, &mut Vec::new());
        match &report.result {
            BrinkmateResult::Mate { line } => {
                assert!(is_mating_line(&position, line), "{position} {line}");
                counts[0] += 1;
            }
            BrinkmateResult::Brinkmate { moves, line, defences } => {
                assert!(*moves <= 1);
                check_line(&position, Color::Black, line);
                let after = position.after(line[0]);
                assert_eq!(defences.len(), after.legal_moves().len(), "{position}");
                for defence in defences {
                    check_line(&after.after(defence.m), Color::Black, &defence.line);
                    with_checks += u32::from(after.gives_check(defence.m));
                }
                // All mates are short: the definition must agree.
                if defences.iter().all(|defence| defence.line.len() <= MATE_PLIES) {
                    let mut after = after.clone();
                    let brink = oracle::defence(&mut after, 0, &mut Vec::new());
                    let is_long = threat_is_long(&after);
                    assert!(brink || is_long, "{position} {line}");
                    confirmed += u32::from(brink);
                }
                counts[1] += 1;
            }
            BrinkmateResult::NoBrinkmate => {
                assert!(!expected, "{position}: the definition finds a brinkmate");
                counts[2] += 1;
            }
            BrinkmateResult::Unknown => counts[3] += 1,
        }
    }
    assert!(counts[0] > 10 && counts[1] > 10 && counts[2] > 20, "{counts:?}");
    assert!(confirmed > 5 && with_checks > 0, "{confirmed} {with_checks}");
}

/// Returns true if the mate after a pass is beyond the oracle.
fn threat_is_long(position: &Position) -> bool {
    let mut passed = position.without_history();
    if passed.in_check() {
        return false;
    }
    passed.do_null_move();
    shortest_mate(&mut passed, MATE_PLIES).is_none()
}

#[test]
fn a_standing_brinkmate_is_recognized() {
    let mut stands = 0;
    let mut parried = 0;
    for seed in 1_000..1_600 {
        let Some(position) = random_endgame(&mut SplitMix64::new(seed)) else { continue };
        let mut setup = position.to_setup();
        setup.side = Color::White;
        let Ok(mut position) = Position::from_setup(&setup) else { continue };
        let options = BrinkmateOptions::default();
        let report = is_brinkmate(&mut solver(), &position, options, &Budget::nodes(100_000));
        let expected = oracle::defence(&mut position, 0, &mut Vec::new());
        match report.result {
            BrinkmateResult::Brinkmate { moves, line, .. } => {
                assert_eq!(moves, 0);
                check_line(&position, Color::Black, &line);
                stands += u32::from(expected);
            }
            _ => {
                assert!(!expected, "{position}");
                parried += 1;
            }
        }
    }
    assert!(stands > 5 && parried > 20, "{stands} {parried}");
}

fn moves_to_brinkmate(sfen: &str, moves: u32) -> Option<u32> {
    let position = Position::from_sfen(sfen).unwrap_or_else(|error| panic!("{sfen}: {error}"));
    let options = BrinkmateOptions { moves, mate_nodes: 20_000 };
    let report = search(&mut solver(), &position, options, &Budget::nodes(3_000_000));
    match report.result {
        BrinkmateResult::Brinkmate { moves, .. } => Some(moves),
        BrinkmateResult::NoBrinkmate => None,
        other => panic!("{sfen}: {other:?}, {:?}", report.limit),
    }
}

#[test]
fn textbook_brinkmates_are_found() {
    // A silver diagonally below the cornered king: S*1c threatens gold drops on both sides.
    assert_eq!(moves_to_brinkmate("8k/9/9/9/9/9/9/9/9 b GS 1", 1), Some(1));
    // The belly silver (腹銀) on 3b beside the castle of knight, lance and pawn.
    assert_eq!(moves_to_brinkmate("7nl/8k/8p/9/9/9/9/9/9 b GS 1", 1), Some(1));
    // Attack from both sides (左右挟撃).
    assert_eq!(moves_to_brinkmate("4k4/9/2G6/9/9/9/9/9/9 b 2G 1", 1), Some(1));
    // A defender with a gold in hand has one more move to play.
    assert_eq!(moves_to_brinkmate("8k/9/9/9/9/9/9/9/9 b GSg 1", 1), None);
}

#[test]
fn the_defenders_checks_and_counter_mates_are_answered() {
    let brinkmate = "8k/9/9/9/9/9/9/9/9 b GS 1";
    assert_eq!(moves_to_brinkmate(brinkmate, 1), Some(1));
    // White's pawn gives a check, which Black's king answers by taking it: the threat stands.
    assert_eq!(moves_to_brinkmate("8k/9/9/9/9/9/8p/9/8K b GS 1", 1), Some(1));
    // White mates first, with the gold that a lance protects.
    assert_eq!(moves_to_brinkmate("8k/9/9/9/9/9/9/9/K8 b GS 1", 1), Some(1));
    assert_eq!(moves_to_brinkmate("8k/9/9/9/l8/9/1g7/9/K8 b GS 1", 1), None);
}

#[test]
fn more_moves_force_what_one_move_does_not() {
    let mut forced = 0;
    for seed in 0..150 {
        let Some(position) = random_endgame(&mut SplitMix64::new(seed)) else { continue };
        let options = BrinkmateOptions::default();
        let budget = Budget::nodes(50_000);
        let one = search(&mut solver(), &position, options, &budget);
        let two =
            search(&mut solver(), &position, BrinkmateOptions { moves: 2, ..options }, &budget);
        match (&one.result, &two.result) {
            (BrinkmateResult::NoBrinkmate, BrinkmateResult::Brinkmate { moves, line, .. }) => {
                assert_eq!(*moves, 2, "{position}");
                check_line(&position, Color::Black, line);
                forced += 1;
            }
            (BrinkmateResult::NoBrinkmate, other) => {
                assert!(!matches!(other, BrinkmateResult::Mate { .. }), "{position}");
            }
            (BrinkmateResult::Unknown, _) => {}
            (one, two) => assert_eq!(one, two, "{position}"),
        }
    }
    assert!(forced > 0, "{forced}");
}

#[test]
fn a_spent_budget_is_unknown() {
    let position = Position::from_sfen("7nl/7k1/6ppp/9/9/9/9/9/9 b 2GS 1").unwrap();
    let options = BrinkmateOptions::default();
    let full = search(&mut solver(), &position, options, &Budget::unlimited());
    assert_eq!((&full.result, full.limit), (&BrinkmateResult::NoBrinkmate, None));
    for nodes in [0, 1, 10, full.nodes / 2] {
        let report = search(&mut solver(), &position, options, &Budget::nodes(nodes));
        assert_eq!(report.result, BrinkmateResult::Unknown, "{nodes}");
        assert_eq!(report.limit, Some(MateLimit::Nodes), "{nodes}");
    }
    let few = BrinkmateOptions { mate_nodes: 1, ..options };
    let report = search(&mut solver(), &position, few, &Budget::unlimited());
    assert_eq!((&report.result, report.limit), (&BrinkmateResult::Unknown, Some(MateLimit::Nodes)));
    assert!(report.open_questions > 0);
}
