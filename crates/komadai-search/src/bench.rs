//! A fixed amount of work, which measures the speed and the signature of the search.

use core::time::Duration;

use komadai_base::clock::Instant;
use komadai_core::{Budget, Position};
use komadai_eval::Evaluator;

use crate::alpha_beta::AlphaBeta;
use crate::options::SearchOptions;
use crate::searcher::Searcher;
use crate::statistics::Statistics;

/// Positions of openings, middlegames and endgames; quiet, sharp, in check, with empty and full
/// hands.
///
/// The first five are positions on which move generators are usually compared; the others are from
/// tournament games between 2004 and 2013.
const POSITIONS: [&str; 16] = [
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    "1n1sg+N3/l8/pppg1p1kl/3P4p/Pn2P1pp1/1PPK+sP2P/B3S1PGN/2B4S1/L1RG4L b R2Pp 1",
    "3p+B1k1G/2p2lg2/1p2+Rp3/P5ppp/K1S6/2R5P/5NSP1/9/1N1P1P2g b BG2SN3Ln6p 1",
    "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1",
    "ln3g1nl/1r2gsk2/3psp1pp/p1p1p1p2/1p1P5/2P6/PPS1PPPPP/3RG2SL/LN4GNK b Bb 31",
    "l5knl/3rg1g2/2n1p1spp/2p1spp2/pp1p1P1PP/2P1SBPR1/PPNPP1N2/1SGG2+b2/LK6L w - 52",
    "ln5nl/3r1ggk1/4pspp1/1bp2p1sp/p3P1PN1/2PP1S1PP/PPBG1P3/LSG3R2/KN6L b 2p 73",
    "1ns3B2/l4G3/pp3+Pkpl/5pp1p/1PPN5/1NS2P3/P2G2PPP/1B4SK1/L3+pG1NL w GSP2r2p 94",
    "ln5nk/1r1s2gsl/p1pp1g1pp/4ppp2/3P5/1bP1PPPPP/PpBS1GN2/LR4SK1/1N3G2L b P 45",
    "ln5nl/1r3sk2/3g1g1p1/p1p1p1p1p/1psP1G3/P3P1PbP/1PBS5/LR4SK1/1N3G1NL w 2P3p 66",
    "+B4k1nl/4g1gP1/p2pp1s1p/1p3ppp1/2S1P4/4B4/P2KgPP1P/3RSs2L/L3+r4 b G3NL2P2p 87",
    "l2g3nl/1r4gk1/1pnpp3p/2ps1spR1/p8/2PP2P2/PPS1PSN1P/2G1G4/LNK5L w B2Pb2p 38",
    "kng4gl/lsg2rpB1/1p1sp1np1/p1pp2R1p/5p1P1/PPP1P4/1S1PSP2P/LG7/KN5NL b BP 59",
    "ln1g4l/1ks1gr3/1pps1g2p/p2p3p1/4PNp2/P1PP1PP2/1P1G3RP/1KS6/LN4bNL w BS2Pp 80",
    "kn1g3nl/ls2g1r2/ppppp1bpp/4spp2/7P1/2PPP1P2/PPB1SP2P/1KS1G1R2/LN1G3NL b - 31",
];

/// The depth at which the [`SIGNATURE`] is taken.
pub const BENCH_DEPTH: u32 = 11;

/// Number of nodes of [`bench()`] with the [`Classical`](komadai_eval::Classical) evaluation,
/// default options and [`BENCH_DEPTH`]. Another number means another behaviour of the search.
pub const SIGNATURE: u64 = 259_114;

/// The result of [`bench()`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BenchReport {
    /// Sum of all nodes, the same on every machine.
    pub nodes: u64,
    /// Counters of all searches.
    pub statistics: Statistics,
    /// Total time of all searches.
    pub elapsed: Duration,
}

impl BenchReport {
    /// Returns the speed in nodes per second.
    pub fn nodes_per_second(&self) -> u64 {
        let nanos = self.elapsed.as_nanos().max(1);
        u64::try_from(u128::from(self.nodes) * 1_000_000_000 / nanos).unwrap_or(u64::MAX)
    }
}

/// Searches a fixed list of positions to `depth` plies, each with empty tables.
///
/// # Examples
///
/// ```
/// use komadai_eval::Classical;
/// use komadai_search::SearchOptions;
/// use komadai_search::bench::bench;
///
/// let report = bench(&Classical::default(), &SearchOptions::default(), 4);
/// assert!(report.nodes > 1_000);
/// assert_eq!(report.nodes, bench(&Classical::default(), &SearchOptions::default(), 4).nodes);
/// ```
pub fn bench<E: Evaluator>(evaluator: &E, options: &SearchOptions, depth: u32) -> BenchReport {
    bench_searcher(&mut AlphaBeta::new(evaluator, options.clone()), depth)
}

/// Searches the positions of [`bench()`] with a searcher, whose memory is cleared before each.
///
/// # Examples
///
/// ```
/// use komadai_eval::Classical;
/// use komadai_search::bench::{bench, bench_searcher};
/// use komadai_search::{AlphaBeta, SearchOptions};
///
/// let (evaluator, options) = (Classical::default(), SearchOptions::default());
/// let report = bench(&evaluator, &options, 4);
/// let mut searcher = AlphaBeta::new(evaluator, options);
/// assert_eq!(bench_searcher(&mut searcher, 4).nodes, report.nodes);
/// ```
#[expect(clippy::missing_panics_doc, reason = "the list is fixed and every entry is read by tests")]
pub fn bench_searcher<E: Evaluator>(searcher: &mut AlphaBeta<E>, depth: u32) -> BenchReport {
    let budget = Budget::depth(depth);
    let mut report =
        BenchReport { nodes: 0, statistics: Statistics::default(), elapsed: Duration::ZERO };
    for sfen in POSITIONS {
        let position = Position::from_sfen(sfen).expect("the list holds positions");
        searcher.new_game();
        let start = Instant::now();
        report.nodes += searcher.search(&position, &budget, &mut |_| {}).nodes;
        report.elapsed += start.elapsed();
        report.statistics += searcher.statistics();
    }
    report
}
