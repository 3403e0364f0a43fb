//! Handicaps (手合割): the starts of games between unequal players.

use crate::setup::Setup;

/// A standard start: the even game, or a game in which White (上手, uwate) plays without some
/// pieces and moves first.
///
/// Left and right are White's: 1一 is on its left, 9一 on its right.
///
/// # Examples
///
/// ```
/// use komadai_core::{Color, Handicap, Square};
///
/// let setup = Handicap::TwoPiece.to_setup();
/// assert_eq!(setup.side, Color::White);
/// assert_eq!(setup.board[Square::S82], None);
/// assert_eq!(Handicap::from_kif_name("二枚落ち"), Some(Handicap::TwoPiece));
/// assert_eq!(Handicap::from_setup(&setup), Some(Handicap::TwoPiece));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Handicap {
    /// 平手: none. Black moves first.
    Hirate,
    /// 香落ち: the left lance.
    Lance,
    /// 右香落ち: the right lance.
    RightLance,
    /// 角落ち: the bishop.
    Bishop,
    /// 飛車落ち: the rook.
    Rook,
    /// 飛香落ち: the rook and the left lance.
    RookLance,
    /// 二枚落ち: the rook and the bishop, as in all larger handicaps.
    TwoPiece,
    /// 三枚落ち: … and the left lance.
    ThreePiece,
    /// 四枚落ち: … and both lances, as in all larger handicaps.
    FourPiece,
    /// 五枚落ち: … and the right knight.
    FivePiece,
    /// 左五枚落ち: … and the left knight.
    LeftFivePiece,
    /// 六枚落ち: … and both knights, as in all larger handicaps.
    SixPiece,
    /// 左七枚落ち: … and the left silver.
    LeftSevenPiece,
    /// 右七枚落ち: … and the right silver.
    RightSevenPiece,
    /// 八枚落ち: … and both silvers.
    EightPiece,
    /// 十枚落ち: … and both silvers and golds; the king and the pawns remain.
    TenPiece,
}

/// The names of a handicap in record formats, and its start position.
struct Names {
    kif: &'static str,
    jkf: &'static str,
    sfen: &'static str,
}

/// Makes the row of a handicap from its names, its first two ranks and its side to move.
macro_rules! names {
    ($kif:literal, $jkf:literal, $ranks:literal, $side:literal) => {
        Names {
            kif: $kif,
            jkf: $jkf,
            sfen: concat!($ranks, "/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL ", $side, " - 1"),
        }
    };
}

const NAMES: [Names; Handicap::ALL.len()] = [
    names!("平手", "HIRATE", "lnsgkgsnl/1r5b1", "b"),
    names!("香落ち", "KY", "lnsgkgsn1/1r5b1", "w"),
    names!("右香落ち", "KY_R", "1nsgkgsnl/1r5b1", "w"),
    names!("角落ち", "KA", "lnsgkgsnl/1r7", "w"),
    names!("飛車落ち", "HI", "lnsgkgsnl/7b1", "w"),
    names!("飛香落ち", "HIKY", "lnsgkgsn1/7b1", "w"),
    names!("二枚落ち", "2", "lnsgkgsnl/9", "w"),
    names!("三枚落ち", "3", "lnsgkgsn1/9", "w"),
    names!("四枚落ち", "4", "1nsgkgsn1/9", "w"),
    names!("五枚落ち", "5", "2sgkgsn1/9", "w"),
    names!("左五枚落ち", "5_L", "1nsgkgs2/9", "w"),
    names!("六枚落ち", "6", "2sgkgs2/9", "w"),
    names!("左七枚落ち", "7_L", "2sgkg3/9", "w"),
    names!("右七枚落ち", "7_R", "3gkgs2/9", "w"),
    names!("八枚落ち", "8", "3gkg3/9", "w"),
    names!("十枚落ち", "10", "4k4/9", "w"),
];

impl Handicap {
    /// Every handicap, the even game first.
    pub const ALL: [Self; 16] = [
        Self::Hirate,
        Self::Lance,
        Self::RightLance,
        Self::Bishop,
        Self::Rook,
        Self::RookLance,
        Self::TwoPiece,
        Self::ThreePiece,
        Self::FourPiece,
        Self::FivePiece,
        Self::LeftFivePiece,
        Self::SixPiece,
        Self::LeftSevenPiece,
        Self::RightSevenPiece,
        Self::EightPiece,
        Self::TenPiece,
    ];

    /// The start position as SFEN.
    #[must_use]
    pub const fn sfen(self) -> &'static str {
        NAMES[self as usize].sfen
    }

    /// The start position.
    #[must_use]
    #[expect(clippy::missing_panics_doc, reason = "a test reads every row of the table")]
    pub fn to_setup(self) -> Setup {
        Setup::from_sfen(self.sfen()).expect("the table's positions are well formed")
    }

    /// The handicap with the board, hands and side to move of `setup`; the move number makes no
    /// difference.
    pub fn from_setup(setup: &Setup) -> Option<Self> {
        let start = Setup { ply: 1, ..setup.clone() };
        Self::ALL.into_iter().find(|handicap| handicap.to_setup() == start)
    }

    /// The name in KIF records (`手合割：二枚落ち`).
    #[must_use]
    pub const fn kif_name(self) -> &'static str {
        NAMES[self as usize].kif
    }

    /// The handicap with this KIF name. Blanks around it (KIF pads with `　`) and a missing final
    /// `ち` make no difference.
    pub fn from_kif_name(name: &str) -> Option<Self> {
        // Both 二枚落ち and 二枚落 occur in records.
        let stem = |name: &str| name.trim_end_matches('ち').to_owned();
        let stem_of_name = stem(name.trim());
        Self::ALL.into_iter().find(|handicap| stem(handicap.kif_name()) == stem_of_name)
    }

    /// The name of the preset in JKF records (`"preset": "HIRATE"`).
    #[must_use]
    pub const fn jkf_preset(self) -> &'static str {
        NAMES[self as usize].jkf
    }

    /// The handicap of a JKF preset; `None` also for `OTHER`, which announces an explicit board.
    pub fn from_jkf_preset(preset: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|handicap| handicap.jkf_preset() == preset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::color::Color;
    use crate::piece::PieceKind;

    #[test]
    fn names_and_positions_lead_back() {
        for (index, handicap) in Handicap::ALL.into_iter().enumerate() {
            assert_eq!(handicap as usize, index);
            assert_eq!(Handicap::from_kif_name(handicap.kif_name()), Some(handicap));
            assert_eq!(Handicap::from_jkf_preset(handicap.jkf_preset()), Some(handicap));
            let setup = handicap.to_setup();
            assert_eq!(setup.to_string(), handicap.sfen());
            assert_eq!(Handicap::from_setup(&Setup { ply: 9, ..setup }), Some(handicap));
        }
        assert_eq!(Handicap::Hirate.to_setup(), Setup::hirate());
    }

    #[test]
    fn each_handicap_removes_the_pieces_it_is_named_for() {
        for (handicap, removed) in
            Handicap::ALL.into_iter().zip([0, 1, 1, 1, 1, 2, 2, 3, 4, 5, 5, 6, 7, 7, 8, 10])
        {
            let setup = handicap.to_setup();
            let count =
                |color| setup.board.iter().flatten().filter(|piece| piece.color() == color).count();
            assert_eq!((count(Color::Black), count(Color::White)), (20, 20 - removed));
            assert_eq!(setup.count(PieceKind::Pawn), 18);
            assert_eq!(setup.count(PieceKind::King), 2);
        }
    }

    #[test]
    fn padded_and_shortened_names_are_known_and_others_are_not() {
        assert_eq!(Handicap::from_kif_name("　二枚落　　"), Some(Handicap::TwoPiece));
        for name in ["", "ち", "詰将棋", "その他", "平手落ち", "枚落ち"] {
            assert_eq!(Handicap::from_kif_name(name), None, "{name}");
        }
        assert_eq!(Handicap::from_jkf_preset("OTHER"), None);
    }
}
