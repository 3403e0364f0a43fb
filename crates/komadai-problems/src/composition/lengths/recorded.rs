//! The recorded lengths of the classics against the definition.

use std::cmp::Ordering;

use komadai_core::{Budget, Position};
use komadai_testdata::tsume::{self, Set};

use super::Distances;
use crate::composition::options::{CompositionError, Convention};

/// Positions that each question may take.
const NODES: u64 = 12_000_000;

/// Diagrams without a mate.
const NO_MATE: &str = "muso037 muso040 muso088 muso089 zuko073";

/// Problems with a shorter mate than the recorded line (早詰).
const SHORTER: &str = "muso031 muso057 muso092 zuko027 zuko032 zuko039 zuko045 zuko066 zuko082";

/// Problems in which the defender lasts longer than in the recorded line (変長).
const LONGER: &str = "muso001 muso004 muso007 muso017 muso021 muso026 muso027 muso028 muso038 muso039 muso042 \
                      muso046 muso047 muso050 muso055 muso064 muso071 muso073 muso074 muso086 zuko007 zuko013 \
                      zuko015 zuko019 zuko031 zuko033 zuko047 zuko050 zuko057 zuko069 zuko071 zuko075 zuko079 \
                      zuko089";

/// Compares the literature length with the recorded one by two bounded questions.
fn compare(position: &Position, recorded: u32) -> Result<Ordering, CompositionError> {
    let mates = |plies| {
        let budget = Budget::nodes(NODES);
        Distances::new(Convention::Literature, position, &budget, 0).is_mate_within(position, plies)
    };
    Ok(match mates(recorded)? {
        false => Ordering::Greater,
        true if mates(recorded - 2)? => Ordering::Less,
        true => Ordering::Equal,
    })
}

/// Finds the literature length equal to the recorded one, except for the problems listed above.
///
/// ```text
/// cargo test --release -p komadai-problems --lib recorded -- --ignored --nocapture
/// ```
#[test]
#[ignore = "slow: ten minutes"]
#[expect(clippy::print_stdout, reason = "the test lists the problems")]
fn literature_lengths_are_the_recorded_ones_where_the_records_are_best_play() {
    let contains = |list: &str, id: &str| list.split_whitespace().any(|other| other == id);
    let mut equal = 0;
    let mut different = 0;
    let mut open = 0;
    for problem in tsume::set(Set::Classic) {
        let Some(recorded) = problem.literature_plies() else { continue };
        let position = Position::from_sfen(problem.sfen).expect("a valid position");
        let found = compare(&position, recorded);
        println!("{}: recorded {recorded}, literature length {found:?}", problem.id);
        match found {
            Ok(Ordering::Equal) => equal += 1,
            Ok(order) => {
                let is_greater = contains(LONGER, problem.id) || contains(NO_MATE, problem.id);
                assert_eq!(is_greater, order == Ordering::Greater, "{}", problem.id);
                assert_eq!(
                    contains(SHORTER, problem.id),
                    order == Ordering::Less,
                    "{}",
                    problem.id
                );
                different += 1;
            }
            Err(_) => open += 1,
        }
    }
    assert_eq!((equal, different, open), (89, 48, 6));
}
