//! Named positions.

use crate::perft;

/// The start position of an even game (平手).
pub const STARTPOS: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

/// A position with 593 legal moves, the largest known number.
pub const MAX_MOVES: &str = "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1";

/// A middlegame with many captures, promotions and drops, known as the move generation festival
/// (指し手生成祭り).
pub const MATSURI: &str = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";

/// A position in which the side to move is in check and has five moves.
pub const IN_CHECK: &str =
    "1n1sg+N3/l8/pppg1p1kl/3P4p/Pn2P1pp1/1PPK+sP2P/B3S1PGN/2B4S1/L1RG4L b R2Pp 1";

/// A position with a hand full of pieces to drop.
pub const HANDFUL: &str = "3p+B1k1G/2p2lg2/1p2+Rp3/P5ppp/K1S6/2R5P/5NSP1/9/1N1P1P2g b BG2SN3Ln6p 1";

/// A position for timing move generators.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BenchPosition {
    /// A short name: `startpos`, `maxmoves`, `matsuri`, `incheck` or `handful`.
    pub name: &'static str,
    /// The position.
    pub sfen: &'static str,
    /// Perft node counts: `perft[d - 1]` is the count at depth `d`.
    pub perft: &'static [u64],
}

/// The five positions for comparing move generators: quiet, drop-heavy, promotion-heavy,
/// in check, and with full hands.
///
/// The counts beyond those of [`perft::STARTPOS`] and [`perft::MAX_MOVES`] were computed with
/// cshogi 1.1.0.
///
/// # Examples
///
/// ```
/// use komadai_testdata::positions;
///
/// let legal_moves = positions::bench().map(|position| position.perft[0]);
/// assert_eq!(legal_moves, [30, 593, 207, 5, 321]);
/// ```
pub fn bench() -> [BenchPosition; 5] {
    [
        BenchPosition { name: "startpos", sfen: STARTPOS, perft: &perft::STARTPOS },
        BenchPosition { name: "maxmoves", sfen: MAX_MOVES, perft: &perft::MAX_MOVES },
        BenchPosition { name: "matsuri", sfen: MATSURI, perft: &[207, 28_684, 4_809_015] },
        BenchPosition { name: "incheck", sfen: IN_CHECK, perft: &[5, 157, 16_238, 586_730] },
        BenchPosition { name: "handful", sfen: HANDFUL, perft: &[321, 20_566, 5_962_116] },
    ]
}
