//! The solver against a direct implementation of the definition.

use komadai_core::{
    Budget, Color, File, Hand, Piece, PieceKind, Position, Rank, Setup, SplitMix64, Square,
};

use komadai_testdata::tsume::{self, Expected, Set};

use super::{Distance, Distances, Lengths};
use crate::composition::naive::Definition;
use crate::composition::options::{CompositionError, Convention, MAX_LENGTH};
use crate::tests::oracle::Graph;
use crate::tests::random_positions::{below, random_chase, random_composition};

/// Numbers of problems.
#[derive(Debug, Default)]
struct Tally {
    none: u32,
    /// The same length in both conventions.
    equal: u32,
    different: u32,
}

/// Compares the solver with the definition up to `most` plies.
fn compare(positions: impl Iterator<Item = Position>, most: u32) -> Tally {
    let mut tally = Tally::default();
    let budget = Budget::nodes(200_000);
    for position in positions {
        let [strict, literature] = [Convention::Strict, Convention::Literature].map(|convention| {
            let mut plies = (1..=most).step_by(2);
            let expected = plies.find(|&plies| Definition::of(convention).mates(&position, plies));
            let mut distances = Distances::new(convention, &position, &budget, 0);
            let found = distances.exact(&position, most).expect("a small problem");
            assert_eq!(found, expected, "{convention:?}, {position:?}");
            expected
        });
        tally.none += u32::from(literature.is_none());
        tally.equal += u32::from(strict.is_some() && strict == literature);
        tally.different += u32::from(strict != literature);
    }
    tally
}

/// A king near a corner, pieces that check from afar, and a defender with one kind of piece in
/// hand.
fn random_far_check(random: &mut SplitMix64) -> Option<Position> {
    use PieceKind::{Bishop, Dragon, Gold, Horse, Knight, Lance, Pawn, ProPawn, Rook, Silver};
    let mut setup = Setup::empty();
    let king = Square::new(File::ALL[below(random, 2)], Rank::ALL[below(random, 3)]);
    setup.board[king] = Some(Piece::WhiteKing);
    for _ in 0..1 + below(random, 2) {
        let kind = [Rook, Bishop, Lance, Dragon, Horse][below(random, 5)];
        setup.board[below(random, 81)].get_or_insert(Piece::new(Color::Black, kind));
    }
    for _ in 0..2 + below(random, 3) {
        let square = king.offset(below(random, 5) as i8 - 2, below(random, 5) as i8 - 2);
        let kind = [Gold, Silver, ProPawn, Knight, Pawn][below(random, 5)];
        let color = if below(random, 3) == 0 { Color::White } else { Color::Black };
        if let Some(square) = square {
            setup.board[square].get_or_insert(Piece::new(color, kind));
        }
    }
    let kind = [Pawn, Gold, Knight][below(random, 3)];
    setup.hands[1] = Hand::EMPTY.with(kind, 1 + below(random, 2) as u32);
    Position::from_setup(&setup).ok()
}

fn many(generate: impl Fn(&mut SplitMix64) -> Option<Position>) -> impl Iterator<Item = Position> {
    let mut random = SplitMix64::new(41);
    std::iter::from_fn(move || Some(generate(&mut random))).flatten()
}

#[test]
fn lengths_of_random_compositions_follow_the_definition() {
    let tally = compare(many(random_composition).take(1_000), 3);
    assert!(tally.equal > 80, "{tally:?}");
}

#[test]
fn lengths_of_random_chases_follow_the_definition() {
    let tally = compare(many(random_chase).take(1_000), 5);
    assert!(tally.none > 600, "{tally:?}");
}

#[test]
fn chases_in_loops_are_no_mates() {
    let mut never = 0;
    for position in many(random_chase).take(300) {
        let Some(graph) = Graph::new(&position, 1_500) else { continue };
        let expected = graph.truth.mates[0].map(|plies| plies as u32);
        let budget = Budget::nodes(100_000);
        let mut distances = Distances::new(Convention::Strict, &position, &budget, 0);
        match distances.within(&position, 59).expect("a small graph") {
            Distance::Mate(plies) => assert_eq!(Some(plies), expected, "{position:?}"),
            Distance::Never => assert_eq!(None, expected, "{position:?}"),
            Distance::Longer => assert!(expected.is_none_or(|plies| plies > 59), "{position:?}"),
        }
        never += u32::from(expected.is_none());
    }
    assert!(never > 100, "{never}");
}

#[test]
fn strict_lengths_of_bundled_mates_are_the_proven_ones() {
    let mut proven = 0;
    for set in [Set::RandomMate, Set::ShortSelfplay] {
        for problem in tsume::set(set).step_by(4) {
            let Expected::ShortestMate(plies) = problem.expected else { continue };
            let position = Position::from_sfen(problem.sfen).expect("a valid position");
            let Ok(lengths) = Lengths::of(&position, &Budget::nodes(50_000)) else { continue };
            let Some(strict) = lengths.strict else { continue };
            assert_eq!(strict, plies, "{}", problem.id);
            assert!(lengths.literature.is_some_and(|plies| plies <= strict), "{}", problem.id);
            proven += 1;
        }
    }
    assert!(proven > 130, "{proven}");
}

#[test]
fn lengths_of_checks_from_afar_follow_the_definition() {
    let tally = compare(many(random_far_check).take(4_000), 3);
    assert!(tally.different > 60 && tally.equal > 200, "{tally:?}");
    let tally = compare(many(random_far_check).skip(4_000).take(400), 5);
    assert!(tally.different > 4, "{tally:?}");
}

#[test]
fn futile_interpositions_of_reported_problems_do_not_count() {
    // The first two: https://github.com/yaneurao/YaneuraOu/issues/162, which states 3 plies without
    // futile interpositions.
    for (sfen, strict, literature) in [
        ("5pk2/7P1/4+R1+P1+b/8b/6R2/9/9/9/9 b 4g4s4n4l15p 1", 5, 3),
        ("9/5g1s1/8k/6+R2/9/6R1S/5B3/9/9 b b3g2s4n4l18p 1", 7, 3),
        // The README of sugyan/tsumeshogi-solver states 3 plies.
        ("9/9/3pp4/+r2k1p3/2L1+p4/2+R6/B8/B8/9 b 4g4s4n3l14p 1", 9, 3),
        // The gold that interposes is needed for the mate.
        ("7gk/9/6P1+P/9/9/9/9/9/9 b GSP2r2b2g3s4n4l15p 1", 15, 15),
    ] {
        let position = Position::from_sfen(sfen).expect("a valid position");
        let lengths = Lengths::of(&position, &Budget::nodes(100_000)).expect("a mate");
        assert_eq!(
            (lengths.strict, lengths.literature),
            (Some(strict), Some(literature)),
            "{sfen}"
        );
    }
}

#[test]
fn a_spent_budget_is_an_error_and_never_a_length() {
    let position = Position::from_sfen("7gk/9/6P1+P/9/9/9/9/9/9 b GSP2r2b2g3s4n4l15p 1");
    let position = position.expect("a valid position");
    let full = Lengths::of(&position, &Budget::nodes(100_000)).expect("a mate");
    for nodes in (0..full.nodes).step_by(61) {
        match Lengths::of(&position, &Budget::nodes(nodes)) {
            Ok(lengths) => {
                assert_eq!(lengths.literature, Some(15));
                assert!(lengths.strict.is_none_or(|plies| plies == 15));
            }
            Err(error) => assert_eq!(error, CompositionError::Budget),
        }
    }
    let none = Position::from_sfen("4k4/9/9/9/9/9/9/9/9 b G 1").expect("a valid position");
    assert_eq!(Lengths::of(&none, &Budget::nodes(1_000)), Err(CompositionError::NoMate));
}

#[test]
fn a_search_of_two_hundred_plies_fits_into_half_a_mebibyte_of_stack() {
    // Twice as many plies, the limit, thus need less than the 2 MiB that threads have by default.
    let deepest = || {
        // Problem 75 of Shogi Muso (1734), 225 plies: the search follows its line down.
        let problem = tsume::set(Set::Classic).find(|problem| problem.id == "muso075");
        let position = Position::from_sfen(problem.expect("a bundled problem").sfen);
        let position = position.expect("a valid position");
        let budget = Budget::nodes(300_000);
        let mut distances = Distances::new(Convention::Literature, &position, &budget, 0);
        assert_eq!(distances.within(&position, MAX_LENGTH), Err(CompositionError::Budget));
        distances.solver.deepest()
    };
    let thread = std::thread::Builder::new().stack_size(1 << 19).spawn(deepest);
    let deepest = thread.expect("a thread").join().expect("no overflow");
    assert!(deepest > 200, "{deepest}");
}
