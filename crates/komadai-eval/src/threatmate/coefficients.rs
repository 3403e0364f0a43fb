//! The coefficients of the predictor, as `komadai-lab fit-threatmate --rust` writes them.
//!
//! `docs/threatmate.md` has the command, the games and the figures on held-out games.

use super::checks::CheckFeatures;
use super::features::ThreatmateFeatures;

/// The predictor on 104 features.
#[rustfmt::skip]
pub(super) const CHEAP: [f32; ThreatmateFeatures::COUNT] = [
    -5.848, // constant
    0.675, // captures a pawn
    0.795, // captures a lance
    0.851, // captures a knight
    0.958, // captures a silver
    1.017, // captures a gold
    1.179, // captures a bishop
    1.439, // captures a rook
    0.976, // attacks a neighbour
    0.112, // neighbours attacked by the piece
    -0.303, // drop
    0.077, // promotion
    1.526, // parries a check
    0.823, // distance 1
    0.804, // distance 2
    0.644, // distance 3
    0.406, // distance 4
    0.132, // at an edge
    -0.214, // in a corner
    -0.548, // rank 1
    -0.804, // rank 2
    -1.124, // rank 3
    -1.575, // rank 4
    -1.796, // rank 5 or more
    0.344, // rank 7 or more
    0.169, // files from the centre
    0.288, // golds
    0.228, // silvers
    -0.063, // own pieces
    -0.445, // enemies
    -0.125, // attacked
    -0.168, // attacked twice
    -0.078, // attacked three times
    0.233, // attacked twice or backed
    0.425, // attacked without a guard
    -0.02, // guarded
    -0.051, // guarded twice
    0.447, // attacked twice, guarded once
    -0.239, // squares for drops
    -0.633, // squares for moves
    0.156, // free
    0.554, // free: 0
    0.216, // free: 1
    0.05, // free: 2
    -0.276, // free beyond
    0.184, // free beyond: 0
    0.169, // ring attacked
    0.114, // ring attacked twice
    -0.036, // ring attacked three times
    -0.089, // ring guarded
    -0.096, // ring guarded twice
    0.03, // ring own pieces
    -0.041, // ring own golds and silvers
    -0.165, // ring enemies
    -0.18, // ring enemy golds
    0.072, // ring enemy silvers
    0.112, // attackers
    1.188, // attackers: 1 or more
    0.706, // attackers: 2 or more
    0.453, // attackers: 3 or more
    0.1, // pawn
    0.184, // 3 pawns
    0.131, // lance
    0.033, // 2 lances
    0.213, // knight
    -0.081, // 2 knights
    0.606, // silver
    0.141, // 2 silvers
    0.965, // gold
    0.392, // 2 golds
    0.062, // 3 golds
    0.708, // bishop
    0.258, // 2 bishops
    0.841, // rook
    0.276, // 2 rooks
    0.103, // pieces in hand
    0.306, // 1 piece
    0.174, // 2 pieces
    0.066, // 3 pieces
    -0.078, // safe squares for a gold
    0.257, // gold: 0
    0.079, // gold: 1
    -0.186, // gold: 2
    5.682, // gold held: 0
    0.608, // gold held: 1
    0.392, // gold held: 2
    -0.057, // silver: 0
    -0.081, // silver: 1
    0.054, // silver: 2
    4.58, // silver held: 0
    0.626, // silver held: 1
    0.379, // silver held: 2
    2.712, // knight held: 0
    0.58, // knight held: 1
    1.801, // rook held: 0
    0.819, // rook held: 1
    0.497, // rook held: 2
    1.243, // bishop held: 0
    0.506, // bishop held: 1
    0.695, // lance held
    0.576, // safe moves
    2.786, // move: 0
    0.888, // move: 1
    0.405, // move: 2
];

/// The change of the constant of [`CHEAP`] for moves played in games.
pub(super) const CHEAP_IN_GAMES: f32 = -1.139;

/// The predictor on 118 features.
#[rustfmt::skip]
pub(super) const FULL: [f32; ThreatmateFeatures::COUNT] = [
    -11.824, // constant
    0.671, // captures a pawn
    0.814, // captures a lance
    0.896, // captures a knight
    0.977, // captures a silver
    0.996, // captures a gold
    1.223, // captures a bishop
    1.349, // captures a rook
    1.003, // attacks a neighbour
    0.081, // neighbours attacked by the piece
    -0.334, // drop
    0.08, // promotion
    1.494, // parries a check
    0.694, // distance 1
    0.806, // distance 2
    0.681, // distance 3
    0.396, // distance 4
    0.221, // at an edge
    0.449, // in a corner
    -2.14, // rank 1
    -2.08, // rank 2
    -2.25, // rank 3
    -2.595, // rank 4
    -2.758, // rank 5 or more
    0.372, // rank 7 or more
    0.194, // files from the centre
    0.266, // golds
    0.234, // silvers
    -0.031, // own pieces
    -0.085, // enemies
    -0.514, // attacked
    -0.551, // attacked twice
    -0.282, // attacked three times
    0.306, // attacked twice or backed
    0.406, // attacked without a guard
    0.058, // guarded
    -0.002, // guarded twice
    0.31, // attacked twice, guarded once
    -0.249, // squares for drops
    -0.129, // squares for moves
    0.501, // free
    0.892, // free: 0
    0.401, // free: 1
    0.093, // free: 2
    -0.269, // free beyond
    0.202, // free beyond: 0
    0.153, // ring attacked
    0.12, // ring attacked twice
    -0.038, // ring attacked three times
    -0.087, // ring guarded
    -0.088, // ring guarded twice
    0.035, // ring own pieces
    -0.046, // ring own golds and silvers
    -0.101, // ring enemies
    -0.056, // ring enemy golds
    0.007, // ring enemy silvers
    0.275, // attackers
    0.813, // attackers: 1 or more
    0.497, // attackers: 2 or more
    0.311, // attackers: 3 or more
    0.093, // pawn
    0.173, // 3 pawns
    0.141, // lance
    0.04, // 2 lances
    0.144, // knight
    -0.091, // 2 knights
    0.434, // silver
    0.182, // 2 silvers
    0.52, // gold
    0.44, // 2 golds
    0.044, // 3 golds
    0.614, // bishop
    0.268, // 2 bishops
    0.672, // rook
    0.365, // 2 rooks
    0.103, // pieces in hand
    0.249, // 1 piece
    0.171, // 2 pieces
    0.06, // 3 pieces
    0.02, // safe squares for a gold
    -0.113, // gold: 0
    -0.13, // gold: 1
    -0.232, // gold: 2
    2.167, // gold held: 0
    0.274, // gold held: 1
    0.133, // gold held: 2
    -0.175, // silver: 0
    -0.053, // silver: 1
    0.094, // silver: 2
    1.635, // silver held: 0
    0.291, // silver held: 1
    0.185, // silver held: 2
    1.329, // knight held: 0
    0.305, // knight held: 1
    0.759, // rook held: 0
    0.493, // rook held: 1
    0.3, // rook held: 2
    0.134, // bishop held: 0
    0.27, // bishop held: 1
    0.409, // lance held
    0.239, // safe moves
    -0.227, // move: 0
    0.502, // move: 1
    0.293, // move: 2
];

/// The coefficients of the checks in the same predictor.
#[rustfmt::skip]
pub(super) const FULL_CHECKS: [f32; CheckFeatures::COUNT] = [
    0.006, // checks by drops
    0.187, // checks by moves
    4.33, // 1 check or more
    0.299, // 2 checks or more
    0.169, // 4 checks or more
    -0.006, // 8 checks or more
    0.099, // 16 checks or more
    12.905, // mate in one
    1.882, // fewest replies: 1
    1.393, // fewest replies: 2
    0.906, // fewest replies: 3
    0.269, // checks with 1 reply
    0.179, // checks with 2 replies
    0.097, // checks with 3 replies
];

/// The change of the constant of [`FULL`] for moves played in games.
pub(super) const FULL_IN_GAMES: f32 = -1.107;
