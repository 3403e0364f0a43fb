//! The coefficients of the prediction, as `komadai-lab fit-mate-prediction --rust` writes them.
//!
//! `docs/threatmate.md` has the command, the games and the figures on held-out games.

use super::features::MateFeatures;

/// One for each feature.
#[rustfmt::skip]
pub(super) const FITTED: [f32; MateFeatures::COUNT] = [
    -6.352, // constant
    -0.512, // in check
    0.146, // checks by drops
    0.265, // checks by moves
    -0.099, // 2 checks or more
    0.871, // 4 checks or more
    -0.146, // 8 checks or more
    0.22, // 16 checks or more
    -0.1, // at an edge
    -1.661, // in a corner
    -0.31, // rank 1
    -1.289, // rank 2
    -1.101, // rank 3
    -1.415, // rank 4
    -2.237, // rank 5 or more
    -0.044, // rank 7 or more
    0.33, // files from the centre
    0.154, // golds
    0.367, // silvers
    -0.058, // own pieces
    -0.191, // enemies
    -0.345, // attacked
    -0.392, // attacked twice
    -0.135, // attacked three times
    0.306, // attacked twice or backed
    0.449, // attacked without a guard
    -0.037, // guarded
    -0.05, // guarded twice
    0.008, // attacked twice, guarded once
    -0.395, // squares for drops
    0.186, // squares for moves
    -0.135, // free
    -0.152, // free: 0
    -0.27, // free: 1
    -0.265, // free: 2
    -0.388, // free beyond
    -0.005, // free beyond: 0
    0.307, // ring attacked
    0.169, // ring attacked twice
    0.731, // ring attacked three times
    -0.214, // ring guarded
    -0.188, // ring guarded twice
    0.077, // ring own pieces
    -0.119, // ring own golds and silvers
    -0.272, // ring enemies
    -0.098, // ring enemy golds
    0.137, // ring enemy silvers
    0.177, // attackers
    1.757, // attackers: 1 or more
    0.956, // attackers: 2 or more
    0.36, // attackers: 3 or more
    0.17, // pawn
    0.309, // 3 pawns
    -0.759, // lance
    -0.65, // 2 lances
    -0.588, // knight
    -0.74, // 2 knights
    -0.082, // silver
    0.169, // 2 silvers
    -0.025, // gold
    -0.252, // 2 golds
    0.813, // 3 golds
    -0.031, // bishop
    0.314, // 2 bishops
    -0.553, // rook
    1.33, // 2 rooks
    0.823, // pieces in hand
    0.333, // 1 piece
    0.051, // 2 pieces
    0.4, // 3 pieces
    -0.167, // safe squares for a gold
    0.793, // gold: 0
    0.102, // gold: 1
    -0.215, // gold: 2
    4.065, // gold held: 0
    0.258, // gold held: 1
    0.695, // gold held: 2
    -0.296, // silver: 0
    -0.34, // silver: 1
    -0.319, // silver: 2
    0.08, // silver held: 0
    0.962, // silver held: 1
    0.681, // silver held: 2
    1.937, // knight held: 0
    1.453, // knight held: 1
    1.43, // rook held: 0
    1.424, // rook held: 1
    1.12, // rook held: 2
    1.191, // bishop held: 0
    0.657, // bishop held: 1
    0.351, // lance held
    0.085, // safe moves
    2.22, // move: 0
    1.068, // move: 1
    0.492, // move: 2
];
