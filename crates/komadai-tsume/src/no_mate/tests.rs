use std::collections::HashSet;

use komadai_core::{Color, File, Piece, PieceKind, Rank, Setup, SplitMix64, Square};
use komadai_testdata::tsume::{self, Set};

use super::*;
use crate::game::pawn_drop_mate;
use crate::tests::oracle::{Graph, shortest_mate};
use crate::tests::random_positions::{below, random_hunt};

fn options() -> DfPnOptions {
    DfPnOptions { hash_mib: 4, ..DfPnOptions::default() }
}

fn ground(sfen: &str) -> Option<NoMateGround> {
    let position = Position::from_sfen(sfen).unwrap();
    ground_of(&position, options(), &Budget::nodes(200_000)).ground
}

/// Replays a mate that may use pawn drops. Returns true if its last move is a pawn drop that mates,
/// or a legal mate.
fn is_relaxed_mate(position: &Position, line: &[Move]) -> bool {
    let mut position = position.without_history();
    for (index, &m) in line.iter().enumerate() {
        let attacks = index % 2 == 0;
        let legal = position.is_legal(m) || attacks && pawn_drop_mate(&position) == Some(m);
        assert!(legal, "{position} {m}");
        position.do_move(m);
        assert!(!attacks || position.in_check(), "{position} {m}");
    }
    line.len() % 2 == 1 && !position.has_legal_move()
}

/// Verifies that check can be given for ever from `position`, by the rules of the game alone:
/// collects positions of the attacker, with one check each, until every reply leads to one of them.
/// The search only proposes the checks. Returns false if there are more than `most` positions.
fn is_perpetual(position: &Position, most: usize) -> bool {
    let budget = Budget::nodes(1_000_000);
    let mut silence = |_: &_| {};
    let mut meter = Meter::new(&budget, &mut silence);
    let mut open = vec![position.without_history()];
    let mut collected: HashSet<u64> = open.iter().map(Position::key).collect();
    while let Some(position) = open.pop() {
        let check = match perpetual::search(&position, PawnDropMate::Forbidden, &mut meter) {
            Perpetual::Check(check) => check,
            Perpetual::Escape => panic!("{position} can be escaped from"),
            Perpetual::Spent => return false,
        };
        assert!(position.is_legal(check) && position.gives_check(check), "{position} {check}");
        let checked = position.after(check);
        for reply in checked.legal_moves() {
            let next = checked.after(reply).without_history();
            if collected.insert(next.key()) {
                open.push(next);
            }
        }
        if collected.len() > most {
            return false;
        }
    }
    true
}

/// Returns true if the defender can reach a position without a check within so many checks.
fn escapes_within(position: &mut Position, checks: u32) -> bool {
    let list: Vec<_> =
        position.legal_moves().into_iter().filter(|&m| position.gives_check(m)).collect();
    (list.is_empty() || checks > 0)
        && list.into_iter().all(|check| {
            position.do_move(check);
            let escapes = position.legal_moves().into_iter().any(|reply| {
                position.do_move(reply);
                let escapes = escapes_within(position, checks - 1);
                position.undo_move();
                escapes
            });
            position.undo_move();
            escapes
        })
}

#[test]
fn perpetual_checks_and_escapes_are_those_of_the_oracle() {
    let mut perpetual = 0;
    let mut escapes = 0;
    for seed in 0..300 {
        let Some(position) = random_hunt(&mut SplitMix64::new(seed)) else { continue };
        let Some(graph) = Graph::new(&position, 20_000) else { continue };
        let report =
            ground_of(&position, DfPnOptions { hash_mib: 1, ..options() }, &Budget::nodes(100_000));
        let is_mate = graph.truth.mates[0].is_some();
        match &report.ground {
            None => assert!(is_mate, "{position} {report:?}"),
            Some(NoMateGround::Repetition { .. }) => {
                assert!(!is_mate && !graph.truth.escapes[0], "{position}");
                perpetual += 1;
            }
            Some(NoMateGround::Exhausted) => {
                assert!(graph.truth.escapes[0], "{position}");
                escapes += 1;
            }
            Some(other) => panic!("no pawn is in hand: {position} {other:?}"),
        }
    }
    assert!(perpetual > 5 && escapes > 50, "{perpetual} {escapes}");
}

/// A random king in or near a corner among pieces of its own, against a few attackers with a pawn
/// in hand.
fn random_confined(random: &mut SplitMix64) -> Option<Position> {
    use PieceKind::{Bishop, Dragon, Gold, Horse, Knight, Lance, Pawn, ProPawn, Rook, Silver};
    let mut setup = Setup::empty();
    let king = Square::new(File::ALL[below(random, 2)], Rank::ALL[below(random, 2)]);
    setup.board[king] = Some(Piece::WhiteKing);
    let near = |random: &mut SplitMix64, span: usize| {
        let mut step = || below(random, 2 * span + 1) as i8 - span as i8;
        king.offset(step(), step())
    };
    for (color, span, most, kinds) in [
        (Color::White, 1, 4, [Pawn, Silver, Gold, Knight, Lance, Bishop]),
        (Color::Black, 2, 3, [Dragon, Horse, Rook, Gold, Silver, ProPawn]),
    ] {
        for _ in 0..1 + below(random, most) {
            let piece = Piece::new(color, kinds[below(random, kinds.len())]);
            if let Some(square) = near(random, span) {
                setup.board[square].get_or_insert(piece);
            }
        }
    }
    setup.hands[0] = setup.hands[0].with(Pawn, 1);
    Position::from_setup(&setup).ok()
}

#[test]
fn grounds_of_random_compositions_stand_up_to_replay() {
    let mut mates = 0;
    let mut pawns = 0;
    let mut exhausted = 0;
    for seed in 0..1_000 {
        let Some(mut position) = random_confined(&mut SplitMix64::new(seed)) else { continue };
        let report =
            ground_of(&position, DfPnOptions { hash_mib: 1, ..options() }, &Budget::nodes(4_000));
        let is_mate = shortest_mate(&mut position, 3).is_some();
        assert!(!is_mate || report.ground.is_none(), "{position} {report:?}");
        mates += u32::from(is_mate);
        match report.ground {
            None | Some(NoMateGround::Both { .. }) => {}
            Some(NoMateGround::PawnDropMate { line }) => {
                let Some(line) = line else { continue };
                assert!(is_relaxed_mate(&position, &line), "{position} {line}");
                pawns += 1;
            }
            Some(NoMateGround::Repetition { .. }) => {
                assert!(!escapes_within(&mut position, 2), "{position}");
            }
            Some(NoMateGround::Exhausted) => exhausted += 1,
        }
    }
    assert!(mates > 5 && pawns > 3 && exhausted > 50, "{mates} {pawns} {exhausted}");
}

#[test]
fn checks_that_go_on_for_ever_form_a_closed_set() {
    let mut perpetual = 0;
    for seed in 300..500 {
        let Some(mut position) = random_hunt(&mut SplitMix64::new(seed)) else { continue };
        let report =
            ground_of(&position, DfPnOptions { hash_mib: 1, ..options() }, &Budget::nodes(15_000));
        if matches!(report.ground, Some(NoMateGround::Repetition { .. })) {
            assert!(!escapes_within(&mut position, 2), "{position}");
            perpetual += u32::from(is_perpetual(&position, 200));
        }
    }
    assert!(perpetual > 0, "{perpetual}");
}

#[test]
fn known_grounds_are_named() {
    assert_eq!(ground("4k4/9/4P4/9/9/9/9/9/9 b G 1"), None, "a mate has no such ground");
    assert_eq!(ground("4k4/9/9/9/9/9/9/9/9 b G 1"), Some(NoMateGround::Exhausted));
    assert_eq!(ground("9/9/9/9/9/9/9/9/4K4 b G 1"), Some(NoMateGround::Exhausted), "no king");
    let mut pawns = 0;
    let mut repetitions = 0;
    for problem in tsume::set(Set::NoMate) {
        let (pawn, repetition) =
            (problem.notes.contains("UCHIFUZUME"), problem.notes.contains("REPETITION"));
        if !pawn && !repetition {
            continue;
        }
        let position = Position::from_sfen(problem.sfen).unwrap();
        let report = ground_of(&position, options(), &Budget::nodes(150_000));
        match report.ground {
            Some(NoMateGround::PawnDropMate { line: Some(line) }) => {
                assert!(is_relaxed_mate(&position, &line), "{}", problem.id);
                pawns += u32::from(pawn);
            }
            Some(NoMateGround::Repetition { .. }) => {
                assert!(repetition, "{}", problem.id);
                repetitions += 1;
            }
            Some(ground @ (NoMateGround::Exhausted | NoMateGround::Both { .. })) => {
                panic!("{}: {ground:?}, {}", problem.id, problem.notes)
            }
            _ => assert!(report.limit.is_some(), "{}: {report:?}", problem.id),
        }
    }
    assert!(pawns >= 5 && repetitions >= 4, "{pawns} {repetitions}");
}

#[test]
fn a_spent_budget_names_no_ground() {
    let position = Position::from_sfen("9/9/9/9/4k4/9/9/7+R1/9 b - 1").unwrap();
    let full = ground_of(&position, options(), &Budget::unlimited());
    assert!(full.ground.is_some() && full.limit.is_none(), "{full:?}");
    for nodes in [0, 1, full.strict.nodes, full.nodes / 2] {
        let report = ground_of(&position, options(), &Budget::nodes(nodes));
        assert_eq!((&report.ground, report.limit), (&None, Some(MateLimit::Nodes)), "{report:?}");
        assert!(report.nodes <= nodes, "{report:?}");
    }
}
