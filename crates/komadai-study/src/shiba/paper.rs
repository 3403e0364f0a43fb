//! The figures of the paper.

/// Tables 1 and 2: the opponent, the move at which it first spent time of its own, and that at which
/// the book's side did; `None` if it never did.
pub(super) type ThoughtRow = (&'static str, u32, Option<u32>);

/// Table 1: the final of the 5th Den-O Tournament (shotgun, 2017).
pub(super) const TABLE_1: [ThoughtRow; 6] = [
    ("selene", 2, Some(11)),
    ("yorkie", 18, Some(57)),
    ("yomita", 2, Some(15)),
    ("ponpoko1", 15, Some(20)),
    ("ponpoko2", 34, Some(61)),
    ("ponpoko3", 11, Some(20)),
];

/// Table 2: the final of the 28th World Computer Shogi Championship (Hefeweizen, 2018).
pub(super) const TABLE_2: [ThoughtRow; 7] = [
    ("Qhapaq", 12, Some(17)),
    ("HoneyWaffle", 15, Some(22)),
    ("godwhale", 20, None),
    ("cobra", 41, Some(50)),
    ("apery", 4, Some(15)),
    ("pal", 11, Some(22)),
    ("tanuki", 15, Some(38)),
];

/// Returns the mean move of the first own thought.
pub(super) fn mean_own(table: &[ThoughtRow]) -> f64 {
    let moves: Vec<f64> = table.iter().filter_map(|(_, _, own)| own.map(f64::from)).collect();
    moves.iter().sum::<f64>() / moves.len() as f64
}

/// Returns the mean move of the opponent's first thought.
pub(super) fn mean_opponent(table: &[ThoughtRow]) -> f64 {
    table.iter().map(|(_, opponent, _)| f64::from(*opponent)).sum::<f64>() / table.len() as f64
}

/// Results against Gikou 2: wins, losses, draws with White (188-6-6) and with Black (196-0-4).
pub(super) const RESULTS: [[f64; 3]; 2] = [[188.0, 6.0, 6.0], [196.0, 0.0, 4.0]];

/// Returns the share of games won.
pub(super) fn wins() -> f64 {
    let won: f64 = RESULTS.iter().map(|result| result[0]).sum();
    won / RESULTS.iter().flatten().sum::<f64>()
}

/// Returns the share of points.
pub(super) fn points() -> f64 {
    let points: f64 = RESULTS.iter().map(|[won, _, drawn]| won + drawn / 2.0).sum();
    points / RESULTS.iter().flatten().sum::<f64>()
}

/// Positions added in a generation.
pub(super) const NEW_POSITIONS: f64 = 4_500.0;

/// Generations, about.
pub(super) const GENERATIONS: f64 = 5.0;
