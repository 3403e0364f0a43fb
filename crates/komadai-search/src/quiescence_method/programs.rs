//! The quiescence searches of other programs, as they have been described.

use super::classes::QuiescenceClasses;
use super::policy::{QuiescenceNode, QuiescencePolicy};
use super::stand_pat::StandPat;

/// The quiescence search of another program, as a policy.
///
/// These are models of one sentence each in the study below, made to be compared with other sets of
/// moves. They are not the programs, whose pruning and evaluation differ.
///
/// | program | moves | standing pat |
/// |---|---|---|
/// | Bonanza | captures that lose nothing, promotions, king moves, a mate in one | static |
/// | KFEnd | captures that win material | less the threats against own pieces |
/// | YSS | captures, for two plies | at the leaves plus the best exchange |
/// | Tacos | none | plus 75 % of the most valuable piece that can be captured |
///
/// Source: S. Takeuchi, T. Kaneko and K. Yamaguchi, "Dynamic move generation in quiescence search,
/// using information of game positions" (局面の情報を利用した,静止探索中の動的な手生成), IPSJ, section 2.1, which
/// names for KFEnd T. Arioka (Computer Shogi no Shinpo 4, 2003), for YSS H. Yamashita and for Tacos
/// T. Hashimoto (both Computer Shogi no Shinpo 5, 2005), for Bonanza K. Hoki (Joho Shori 47(8),
/// 2006). The divisors of KFEnd's threats are those of OpenShogiLib.
///
/// # Examples
///
/// ```
/// use komadai_core::Position;
/// use komadai_eval::Material;
/// use komadai_search::{AlphaBeta, SearchOptions};
///
/// // A silver can be captured: Tacos adds 75 % of its 500 to the difference of two silvers' worth.
/// let position = Position::from_sfen("4k4/9/9/4s4/4R4/9/9/9/4K4 b - 1")?;
/// let value = |name: &str| -> Result<i32, Box<dyn std::error::Error>> {
///     let options = SearchOptions { quiescence: name.parse()?, ..SearchOptions::default() };
///     let analysis = AlphaBeta::new(Material, options).quiescence(&position);
///     Ok(analysis.score().ok_or("no score")?.raw())
/// };
/// assert_eq!(value("Tacos")? - value("Eval")?, 375);
/// assert!(value("Bonanza")? > value("Tacos")?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OtherProgram {
    /// Bonanza.
    Bonanza,
    /// KFEnd.
    Kfend,
    /// YSS.
    Yss,
    /// Tacos.
    Tacos,
}

impl OtherProgram {
    const fn set(self) -> QuiescenceClasses {
        use QuiescenceClasses as Class;
        match self {
            Self::Bonanza => {
                Class::SAFE.union(Class::PROMOTE).union(Class::KING).union(Class::MATE)
            }
            Self::Kfend => Class::SEE,
            Self::Yss => Class::CAPTURE,
            Self::Tacos => Class::empty(),
        }
    }
}

impl QuiescencePolicy for OtherProgram {
    fn classes(&self, _: &QuiescenceNode<'_>) -> QuiescenceClasses {
        self.set()
    }

    fn fixed(&self) -> Option<QuiescenceClasses> {
        Some(self.set())
    }

    fn stand_pat(&self) -> StandPat {
        match self {
            Self::Bonanza => StandPat::Static,
            Self::Kfend => StandPat::Threats,
            Self::Yss => StandPat::BestExchange,
            Self::Tacos => StandPat::BestPiece,
        }
    }

    fn max_plies(&self) -> u32 {
        match self {
            Self::Bonanza | Self::Kfend => u32::MAX,
            Self::Yss => 2,
            Self::Tacos => 0,
        }
    }
}
