//! Piece kinds, and pieces with an owner.

use crate::color::Color;

/// A kind of piece, without its owner.
///
/// The seven kinds that can be dropped come first, among them those that can promote, and promotion
/// adds 8: `Pawn as u8 + 8 == ProPawn as u8`.
///
/// # Examples
///
/// ```
/// use komadai_core::PieceKind;
///
/// assert_eq!(PieceKind::Bishop.promoted(), Some(PieceKind::Horse));
/// assert_eq!(PieceKind::Gold.promoted(), None);
/// assert_eq!(PieceKind::ProPawn.unpromoted(), PieceKind::Pawn);
/// assert_eq!(PieceKind::HAND.len(), 7); // the kinds that can be held and dropped
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum PieceKind {
    /// 歩 (fu).
    #[doc(alias("歩", "歩兵", "fu"))]
    Pawn = 0,
    /// 香 (kyo).
    #[doc(alias("香", "香車", "kyosha"))]
    Lance = 1,
    /// 桂 (kei).
    #[doc(alias("桂", "桂馬", "keima"))]
    Knight = 2,
    /// 銀 (gin).
    #[doc(alias("銀", "銀将", "gin"))]
    Silver = 3,
    /// 角 (kaku).
    #[doc(alias("角", "角行", "kaku"))]
    Bishop = 4,
    /// 飛 (hisha).
    #[doc(alias("飛", "飛車", "hisha"))]
    Rook = 5,
    /// 金 (kin).
    #[doc(alias("金", "金将", "kin"))]
    Gold = 6,
    /// 玉, 王 (gyoku, o).
    #[doc(alias("玉", "王", "玉将", "王将", "gyoku"))]
    King = 7,
    /// と (tokin).
    #[doc(alias("と", "と金", "tokin"))]
    ProPawn = 8,
    /// 成香 (narikyo).
    #[doc(alias("成香", "narikyo"))]
    ProLance = 9,
    /// 成桂 (narikei).
    #[doc(alias("成桂", "narikei"))]
    ProKnight = 10,
    /// 成銀 (narigin).
    #[doc(alias("成銀", "narigin"))]
    ProSilver = 11,
    /// 馬 (uma), the promoted bishop.
    #[doc(alias("馬", "竜馬", "uma"))]
    Horse = 12,
    /// 龍 (ryu), the promoted rook.
    #[doc(alias("龍", "竜", "竜王", "ryu"))]
    Dragon = 13,
}

impl PieceKind {
    /// The number of kinds.
    pub const COUNT: usize = 14;

    /// Every kind, in index order.
    pub const ALL: [Self; Self::COUNT] = [
        Self::Pawn,
        Self::Lance,
        Self::Knight,
        Self::Silver,
        Self::Bishop,
        Self::Rook,
        Self::Gold,
        Self::King,
        Self::ProPawn,
        Self::ProLance,
        Self::ProKnight,
        Self::ProSilver,
        Self::Horse,
        Self::Dragon,
    ];

    /// The seven kinds that can be held in hand and dropped, in index order.
    pub const HAND: [Self; 7] =
        [Self::Pawn, Self::Lance, Self::Knight, Self::Silver, Self::Bishop, Self::Rook, Self::Gold];

    /// The kinds of [`HAND`](Self::HAND) in the order of texts (SFEN, KIF): R B G S N L P.
    pub const SFEN_HAND: [Self; 7] =
        [Self::Rook, Self::Bishop, Self::Gold, Self::Silver, Self::Knight, Self::Lance, Self::Pawn];

    /// The kinds of [`HAND`](Self::HAND) from the cheapest to the dearest, the order of packed
    /// formats and many tables: P L N S G B R.
    pub const BY_VALUE: [Self; 7] =
        [Self::Pawn, Self::Lance, Self::Knight, Self::Silver, Self::Gold, Self::Bishop, Self::Rook];

    /// The number of pieces of each unpromoted kind (`Pawn` to `King`) in the game: 40 in all.
    pub const TOTALS: [u32; 8] = [18, 4, 4, 4, 2, 2, 4, 2];

    /// The index of the kind in [`ALL`](Self::ALL).
    #[must_use]
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The kind after promotion, or `None` for a gold, a king or a promoted piece.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::PieceKind;
    /// assert_eq!(PieceKind::Rook.promoted(), Some(PieceKind::Dragon));
    /// assert_eq!(PieceKind::Gold.promoted(), None);
    /// ```
    #[must_use]
    #[inline]
    #[doc(alias("成る", "nari"))]
    pub const fn promoted(self) -> Option<Self> {
        match self {
            Self::Pawn => Some(Self::ProPawn),
            Self::Lance => Some(Self::ProLance),
            Self::Knight => Some(Self::ProKnight),
            Self::Silver => Some(Self::ProSilver),
            Self::Bishop => Some(Self::Horse),
            Self::Rook => Some(Self::Dragon),
            _ => None,
        }
    }

    /// The kind without its promotion, which a captor holds in hand.
    #[must_use]
    #[inline]
    pub const fn unpromoted(self) -> Self {
        Self::unpromoted_from(self as u8)
    }

    /// Returns whether this is a promoted kind.
    #[must_use]
    #[inline]
    pub const fn is_promoted(self) -> bool {
        self as u8 >= 8
    }

    /// Returns whether this kind can promote (pawn, lance, knight, silver, bishop, rook).
    #[must_use]
    #[inline]
    pub const fn can_promote(self) -> bool {
        (self as u8) < 6
    }

    /// Returns whether this kind can be held in hand.
    #[must_use]
    #[inline]
    pub const fn is_hand_kind(self) -> bool {
        (self as u8) < 7
    }

    /// The kind's letters in SFEN, upper case: `P`, `+R`, ….
    #[must_use]
    pub const fn to_sfen(self) -> &'static str {
        const TEXT: [&str; PieceKind::COUNT] =
            ["P", "L", "N", "S", "B", "R", "G", "K", "+P", "+L", "+N", "+S", "+B", "+R"];
        TEXT[self as usize]
    }

    /// The single kanji of the kind, as on board diagrams (歩 … 龍; 杏 圭 全 for 成香 成桂 成銀).
    #[must_use]
    pub const fn to_kanji(self) -> char {
        const KANJI: [char; PieceKind::COUNT] =
            ['歩', '香', '桂', '銀', '角', '飛', '金', '玉', 'と', '杏', '圭', '全', '馬', '龍'];
        KANJI[self as usize]
    }

    /// The unpromoted kind of an SFEN letter in either case, or `None`.
    pub const fn from_sfen_letter(letter: char) -> Option<Self> {
        match letter.to_ascii_uppercase() {
            'P' => Some(Self::Pawn),
            'L' => Some(Self::Lance),
            'N' => Some(Self::Knight),
            'S' => Some(Self::Silver),
            'B' => Some(Self::Bishop),
            'R' => Some(Self::Rook),
            'G' => Some(Self::Gold),
            'K' => Some(Self::King),
            _ => None,
        }
    }
}

impl<T> core::ops::Index<PieceKind> for [T; PieceKind::COUNT] {
    type Output = T;

    #[inline]
    fn index(&self, kind: PieceKind) -> &T {
        &self[kind as usize]
    }
}

impl<T> core::ops::IndexMut<PieceKind> for [T; PieceKind::COUNT] {
    #[inline]
    fn index_mut(&mut self, kind: PieceKind) -> &mut T {
        &mut self[kind as usize]
    }
}

macro_rules! pieces {
    ($($kind:ident $black:ident $white:ident),*) => {
        /// A piece on the board: a kind and its owner.
        ///
        /// # Examples
        ///
        /// ```
        /// use komadai_core::{Color, Piece, PieceKind, Position, Square};
        ///
        /// let rook = Position::hirate().piece_on(Square::S28);
        /// assert_eq!(rook, Some(Piece::BlackRook));
        /// assert_eq!(Piece::BlackRook, Piece::new(Color::Black, PieceKind::Rook));
        /// assert_eq!(Piece::BlackRook.flipped(), Piece::WhiteRook);
        /// ```
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        #[expect(missing_docs, reason = "each name is its colour and its kind")]
        pub enum Piece {
            $($black = PieceKind::$kind as u8,)*
            $($white = PieceKind::$kind as u8 + 16,)*
        }
    };
}

pieces!(
    Pawn BlackPawn WhitePawn, Lance BlackLance WhiteLance, Knight BlackKnight WhiteKnight,
    Silver BlackSilver WhiteSilver, Bishop BlackBishop WhiteBishop, Rook BlackRook WhiteRook,
    Gold BlackGold WhiteGold, King BlackKing WhiteKing, ProPawn BlackProPawn WhiteProPawn,
    ProLance BlackProLance WhiteProLance, ProKnight BlackProKnight WhiteProKnight,
    ProSilver BlackProSilver WhiteProSilver, Horse BlackHorse WhiteHorse,
    Dragon BlackDragon WhiteDragon
);

impl Piece {
    /// The piece of `color` and `kind`.
    #[inline]
    pub const fn new(color: Color, kind: PieceKind) -> Self {
        Self::from_parts(color, kind)
    }

    /// The owner.
    #[must_use]
    #[inline]
    pub const fn color(self) -> Color {
        if self as u8 & 16 == 0 { Color::Black } else { Color::White }
    }

    /// The kind.
    #[must_use]
    #[inline]
    pub const fn kind(self) -> PieceKind {
        PieceKind::of_piece(self)
    }

    /// A number below 32 that identifies the piece: the kind, plus 16 for White.
    #[must_use]
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The piece of the same kind and the other side.
    #[must_use]
    #[inline]
    pub const fn flipped(self) -> Self {
        Self::new(self.color().opponent(), self.kind())
    }
}

/// SFEN: upper case for Black, lower case for White, `+` before a promoted piece.
impl core::fmt::Display for Piece {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let text = self.kind().to_sfen();
        match self.color() {
            Color::Black => f.write_str(text),
            Color::White => text.chars().try_for_each(|c| write!(f, "{}", c.to_ascii_lowercase())),
        }
    }
}

const _: () = assert!(size_of::<Option<Piece>>() == 1);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn promotion_adds_eight_and_unpromoting_takes_it_back() {
        for kind in PieceKind::ALL {
            if let Some(promoted) = kind.promoted() {
                assert_eq!(promoted as u8, kind as u8 + 8);
                assert_eq!(promoted.unpromoted(), kind);
            } else {
                assert!(!kind.can_promote());
            }
            assert!(!kind.unpromoted().is_promoted());
        }
    }

    #[test]
    fn a_piece_is_its_colour_and_kind() {
        for color in Color::ALL {
            for kind in PieceKind::ALL {
                let piece = Piece::new(color, kind);
                assert_eq!((piece.color(), piece.kind()), (color, kind));
                assert_eq!(piece.flipped().flipped(), piece);
            }
        }
    }
}
