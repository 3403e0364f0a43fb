//! The coefficients of the predictor, as `komadai-lab fit-threatmate --rust` writes them.
//!
//! `docs/threatmate.md` has the command, the games and the figures on held-out games.

use super::checks::CheckFeatures;
use super::features::ThreatmateFeatures;

/// The predictor on 104 features.
#[rustfmt::skip]
pub(super) const CHEAP: [f32; ThreatmateFeatures::COUNT] = [
    -5.833, // constant
    0.673, // captures a pawn
    0.765, // captures a lance
    0.846, // captures a knight
    0.965, // captures a silver
    0.996, // captures a gold
    1.155, // captures a bishop
    1.398, // captures a rook
    0.959, // attacks a neighbour
    0.113, // neighbours attacked by the piece
    -0.311, // drop
    0.093, // promotion
    1.511, // parries a check
    0.867, // distance 1
    0.808, // distance 2
    0.627, // distance 3
    0.407, // distance 4
    0.124, // at an edge
    -0.21, // in a corner
    -0.543, // rank 1
    -0.813, // rank 2
    -1.125, // rank 3
    -1.562, // rank 4
    -1.79, // rank 5 or more
    0.371, // rank 7 or more
    0.17, // files from the centre
    0.29, // golds
    0.233, // silvers
    -0.057, // own pieces
    -0.436, // enemies
    -0.12, // attacked
    -0.166, // attacked twice
    -0.111, // attacked three times
    0.23, // attacked twice or backed
    0.415, // attacked without a guard
    -0.024, // guarded
    -0.048, // guarded twice
    0.452, // attacked twice, guarded once
    -0.231, // squares for drops
    -0.656, // squares for moves
    0.165, // free
    0.582, // free: 0
    0.22, // free: 1
    0.048, // free: 2
    -0.285, // free beyond
    0.163, // free beyond: 0
    0.171, // ring attacked
    0.115, // ring attacked twice
    0.002, // ring attacked three times
    -0.088, // ring guarded
    -0.104, // ring guarded twice
    0.033, // ring own pieces
    -0.044, // ring own golds and silvers
    -0.173, // ring enemies
    -0.183, // ring enemy golds
    0.069, // ring enemy silvers
    0.118, // attackers
    1.19, // attackers: 1 or more
    0.699, // attackers: 2 or more
    0.449, // attackers: 3 or more
    0.067, // pawn
    0.19, // 3 pawns
    0.141, // lance
    0.029, // 2 lances
    0.206, // knight
    -0.092, // 2 knights
    0.616, // silver
    0.147, // 2 silvers
    0.957, // gold
    0.377, // 2 golds
    0.123, // 3 golds
    0.714, // bishop
    0.249, // 2 bishops
    0.814, // rook
    0.315, // 2 rooks
    0.092, // pieces in hand
    0.322, // 1 piece
    0.184, // 2 pieces
    0.087, // 3 pieces
    -0.085, // safe squares for a gold
    0.275, // gold: 0
    0.112, // gold: 1
    -0.143, // gold: 2
    5.791, // gold held: 0
    0.61, // gold held: 1
    0.354, // gold held: 2
    -0.078, // silver: 0
    -0.089, // silver: 1
    0.046, // silver: 2
    4.572, // silver held: 0
    0.599, // silver held: 1
    0.376, // silver held: 2
    2.723, // knight held: 0
    0.612, // knight held: 1
    1.88, // rook held: 0
    0.823, // rook held: 1
    0.526, // rook held: 2
    1.184, // bishop held: 0
    0.486, // bishop held: 1
    0.68, // lance held
    0.595, // safe moves
    2.767, // move: 0
    0.847, // move: 1
    0.395, // move: 2
];

/// The change of the constant of [`CHEAP`] for moves played in games.
pub(super) const CHEAP_IN_GAMES: f32 = -1.134;

/// The predictor on 118 features.
#[rustfmt::skip]
pub(super) const FULL: [f32; ThreatmateFeatures::COUNT] = [
    -11.818, // constant
    0.676, // captures a pawn
    0.776, // captures a lance
    0.885, // captures a knight
    0.982, // captures a silver
    0.972, // captures a gold
    1.205, // captures a bishop
    1.32, // captures a rook
    0.986, // attacks a neighbour
    0.081, // neighbours attacked by the piece
    -0.339, // drop
    0.097, // promotion
    1.475, // parries a check
    0.744, // distance 1
    0.808, // distance 2
    0.662, // distance 3
    0.39, // distance 4
    0.193, // at an edge
    0.392, // in a corner
    -2.114, // rank 1
    -2.086, // rank 2
    -2.254, // rank 3
    -2.591, // rank 4
    -2.773, // rank 5 or more
    0.385, // rank 7 or more
    0.193, // files from the centre
    0.263, // golds
    0.232, // silvers
    -0.027, // own pieces
    -0.086, // enemies
    -0.506, // attacked
    -0.552, // attacked twice
    -0.318, // attacked three times
    0.307, // attacked twice or backed
    0.402, // attacked without a guard
    0.057, // guarded
    0.002, // guarded twice
    0.321, // attacked twice, guarded once
    -0.241, // squares for drops
    -0.155, // squares for moves
    0.507, // free
    0.901, // free: 0
    0.406, // free: 1
    0.093, // free: 2
    -0.279, // free beyond
    0.182, // free beyond: 0
    0.155, // ring attacked
    0.122, // ring attacked twice
    -0.004, // ring attacked three times
    -0.086, // ring guarded
    -0.097, // ring guarded twice
    0.035, // ring own pieces
    -0.051, // ring own golds and silvers
    -0.112, // ring enemies
    -0.062, // ring enemy golds
    0.011, // ring enemy silvers
    0.266, // attackers
    0.836, // attackers: 1 or more
    0.497, // attackers: 2 or more
    0.329, // attackers: 3 or more
    0.055, // pawn
    0.176, // 3 pawns
    0.153, // lance
    0.03, // 2 lances
    0.154, // knight
    -0.09, // 2 knights
    0.456, // silver
    0.181, // 2 silvers
    0.529, // gold
    0.428, // 2 golds
    0.087, // 3 golds
    0.625, // bishop
    0.266, // 2 bishops
    0.662, // rook
    0.387, // 2 rooks
    0.089, // pieces in hand
    0.254, // 1 piece
    0.183, // 2 pieces
    0.08, // 3 pieces
    0.016, // safe squares for a gold
    -0.105, // gold: 0
    -0.108, // gold: 1
    -0.194, // gold: 2
    2.299, // gold held: 0
    0.283, // gold held: 1
    0.109, // gold held: 2
    -0.207, // silver: 0
    -0.082, // silver: 1
    0.084, // silver: 2
    1.695, // silver held: 0
    0.282, // silver held: 1
    0.194, // silver held: 2
    1.276, // knight held: 0
    0.344, // knight held: 1
    0.893, // rook held: 0
    0.512, // rook held: 1
    0.322, // rook held: 2
    0.142, // bishop held: 0
    0.27, // bishop held: 1
    0.407, // lance held
    0.251, // safe moves
    -0.266, // move: 0
    0.479, // move: 1
    0.294, // move: 2
];

/// The coefficients of the checks in the same predictor.
#[rustfmt::skip]
pub(super) const FULL_CHECKS: [f32; CheckFeatures::COUNT] = [
    0.002, // checks by drops
    0.187, // checks by moves
    4.33, // 1 check or more
    0.347, // 2 checks or more
    0.159, // 4 checks or more
    0.01, // 8 checks or more
    0.093, // 16 checks or more
    13.059, // mate in one
    1.899, // fewest replies: 1
    1.437, // fewest replies: 2
    0.925, // fewest replies: 3
    0.275, // checks with 1 reply
    0.17, // checks with 2 replies
    0.089, // checks with 3 replies
];

/// The change of the constant of [`FULL`] for moves played in games.
pub(super) const FULL_IN_GAMES: f32 = -1.090;
