//! The positions that are timed, with the correct counts.

use crate::measure::Measure;

/// A position with depths and correct counts.
#[derive(Debug, Clone, Copy)]
pub struct BenchPosition {
    /// The column title of the report.
    pub name: &'static str,
    /// The position as SFEN.
    pub sfen: &'static str,
    /// Depth and leaves of [`Measure::Bulk`].
    pub bulk: (u32, u64),
    /// Depth and leaves of [`Measure::Full`].
    pub full: (u32, u64),
    /// Number of legal moves.
    pub moves: u64,
}

impl BenchPosition {
    /// Returns the depth of a request; 1 for a measure without depth.
    #[must_use]
    pub const fn depth(&self, measure: Measure) -> u32 {
        match measure {
            Measure::Bulk => self.bulk.0,
            Measure::Full => self.full.0,
            Measure::Gen | Measure::DoDo => 1,
        }
    }

    /// Returns the correct count of one iteration.
    #[must_use]
    pub const fn expected(&self, measure: Measure) -> u64 {
        match measure {
            Measure::Bulk => self.bulk.1,
            Measure::Full => self.full.1,
            Measure::Gen | Measure::DoDo => self.moves,
        }
    }
}

/// The five positions: an opening, the legal-move record, a middle game full of drops, a king in
/// check, and hands full of pieces.
///
/// The counts are those on which YaneuraOu, cshogi and rsshogi agree.
pub const POSITIONS: [BenchPosition; 5] = [
    BenchPosition {
        name: "startpos",
        sfen: "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
        bulk: (5, 19_861_490),
        full: (4, 719_731),
        moves: 30,
    },
    BenchPosition {
        name: "maxmoves",
        sfen: "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1",
        bulk: (3, 53_393_368),
        full: (2, 105_677),
        moves: 593,
    },
    BenchPosition {
        name: "matsuri",
        sfen: "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
        bulk: (3, 4_809_015),
        full: (3, 4_809_015),
        moves: 207,
    },
    BenchPosition {
        name: "incheck",
        sfen: "1n1sg+N3/l8/pppg1p1kl/3P4p/Pn2P1pp1/1PPK+sP2P/B3S1PGN/2B4S1/L1RG4L b R2Pp 1",
        bulk: (4, 586_730),
        full: (4, 586_730),
        moves: 5,
    },
    BenchPosition {
        name: "handful",
        sfen: "3p+B1k1G/2p2lg2/1p2+Rp3/P5ppp/K1S6/2R5P/5NSP1/9/1N1P1P2g b BG2SN3Ln6p 1",
        bulk: (3, 5_962_116),
        full: (3, 5_962_116),
        moves: 321,
    },
];
