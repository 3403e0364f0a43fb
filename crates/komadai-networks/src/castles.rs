//! Castles beside the same army at home.

use komadai_core::Position;
use komadai_eval::Evaluator;
use serde::Serialize;

/// The values of a castle, and of the same pieces with king, golds and silvers at home, in
/// centipawns for the side that has the castle or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct CastleJudgement {
    /// The name of the castle.
    pub castle: &'static str,
    /// The value with the castle.
    pub castled: i32,
    /// The value without it.
    pub at_home: i32,
}

impl CastleJudgement {
    /// Returns whether the castle counts for something, as it should.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_networks::CastleJudgement;
    ///
    /// let mino = CastleJudgement { castle: "mino", castled: 120, at_home: -30 };
    /// assert!(mino.is_right());
    /// ```
    pub const fn is_right(&self) -> bool {
        self.castled > self.at_home
    }
}

/// A castle: the last four ranks of Black with it, and the last three without it.
const CASTLES: [(&str, &str, &str); 6] = [
    ("boat", "2P6/PP1PPPPPP/1BK1GS1R1/LNSG3NL", "PP1PPPPPP/1B5R1/LNSGKGSNL"),
    ("mino", "2PP4P/PPBSPPPP1/3RG1SK1/LN3G1NL", "PPB1PPPP1/3R5/LNSGKGSNL"),
    ("high mino", "2PP1PP1P/PPBSPG1P1/3R2SK1/LN3G1NL", "PPB1P2P1/3R5/LNSGKGSNL"),
    ("left mino", "2PP5/PPB1PPPPP/1KS1G2R1/LN1G2SNL", "PPB1PPPPP/7R1/LNSGKGSNL"),
    ("yagura", "2PPP4/PPSGSPPPP/1KGB3R1/LN5NL", "PP3PPPP/3B3R1/LNSGKGSNL"),
    ("anaguma", "2PP5/PPB1PPPPP/LSG1S2R1/KNG4NL", "PPB1PPPPP/7R1/LNSGKGSNL"),
];

/// Returns the position with these last ranks of Black, who moves, against White's army at home.
fn position(ranks: &str) -> Option<Position> {
    let rest = 9 - ranks.split('/').count();
    let white = ["lnsgkgsnl", "1r5b1", "ppp1pp1pp", "3p2p2", "9"];
    let sfen = format!("{}/{ranks} b - 1", white[..rest].join("/"));
    Position::from_sfen(&sfen).ok()
}

/// Returns the values of all castles.
pub(crate) fn castle_judgements(evaluator: &impl Evaluator) -> Vec<CastleJudgement> {
    let value = |position: Option<Position>| {
        position.map(|position| evaluator.evaluate_position(&position).raw())
    };
    let judged = CASTLES.iter().filter_map(|(castle, with, without)| {
        let (pawns, _) = with.split_once('/')?;
        let castled = value(position(with))?;
        let at_home = value(position(&format!("{pawns}/{without}")))?;
        Some(CastleJudgement { castle, castled, at_home })
    });
    judged.collect()
}

#[cfg(test)]
mod tests {
    use komadai_core::Setup;
    use komadai_eval::{Classical, Material};
    use komadai_nnue::{Network, Nnue};

    use super::*;

    #[test]
    fn both_positions_of_a_castle_have_the_same_army() {
        for (castle, with, without) in CASTLES {
            let (pawns, _) = with.split_once('/').unwrap();
            for ranks in [with.to_owned(), format!("{pawns}/{without}")] {
                let position = position(&ranks).expect(castle);
                let setup: Setup = position.to_setup();
                let counts = komadai_core::PieceKind::HAND.map(|kind| setup.count(kind));
                let all = komadai_core::PieceKind::HAND.map(|kind| Setup::hirate().count(kind));
                assert_eq!(counts, all, "{castle} {position}");
                assert!(!position.in_check());
            }
        }
        let judged = castle_judgements(&Material);
        assert_eq!(judged.len(), CASTLES.len());
        assert!(judged.iter().all(|castle| castle.castled == 0 && castle.at_home == 0));
    }

    #[test]
    fn our_evaluations_like_castles() {
        for judged in [
            castle_judgements(&Classical::default()),
            castle_judgements(&Nnue::new(Network::bundled())),
        ] {
            let right = judged.iter().filter(|castle| castle.is_right()).count();
            assert_eq!(right, CASTLES.len(), "{judged:?}");
        }
    }
}
