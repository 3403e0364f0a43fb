//! The names of moves that players know as tesuji (手筋).

use komadai_core::{Bitboard, Color, Language, Move, PieceKind, Position, Square, attacks};

/// The name of a move that players know as a tesuji, recognised from the position and the move.
///
/// A name describes the form of a move and makes no statement about its worth. The definitions are
/// those of common usage, made exact; each variant states its own. "In front" is the direction of
/// the side that moves, and the head of a piece is the square in front of it from the point of view
/// of its owner.
///
/// # Examples
///
/// ```
/// use komadai_core::{Language, Position};
/// use komadai_eval::TesujiName;
///
/// let position = Position::from_sfen("4k4/9/3g1r3/9/9/9/9/9/4K4 b N 1")?;
/// let names: Vec<TesujiName> = TesujiName::of(&position, "N*5e".parse()?).collect();
/// assert_eq!(names, [TesujiName::KnightFork]);
/// assert_eq!(names[0].label(Language::Japanese), "ふんどしの桂");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum TesujiName {
    /// A pawn dropped at the head of the pawn that has just captured a pawn there. Needs the move
    /// before; without it the same drop is a [`CombiningPawn`](Self::CombiningPawn).
    #[doc(alias = "継ぎ歩")]
    JoiningPawn,
    /// A pawn dropped at the head of an enemy pawn, but for a joining pawn.
    #[doc(alias = "合わせの歩")]
    CombiningPawn,
    /// A pawn dropped on the second, third or fourth rank with an empty square of the promotion
    /// zone in front of it: it will promote.
    #[doc(alias = "垂れ歩")]
    DanglingPawn,
    /// A pawn dropped at the head of an enemy piece that is neither a pawn nor a knight.
    #[doc(alias = "叩きの歩")]
    StrikingPawn,
    /// A pawn dropped or moved to the head of a knight, which cannot take it.
    #[doc(alias = "桂頭の歩")]
    PawnAtKnightHead,
    /// A pawn dropped where two or more enemy pieces besides the king attack.
    #[doc(alias = "焦点の歩")]
    FocalPawn,
    /// A pawn dropped on the last rank with an own gold in front of it.
    #[doc(alias("底歩", "金底の歩"))]
    AnchoredPawn,
    /// A silver dropped so that both squares diagonally behind it hold golds or rooks, which cannot
    /// take it.
    #[doc(alias = "割り打ちの銀")]
    SplittingSilver,
    /// A silver dropped or moved to the head of a knight.
    #[doc(alias = "桂頭の銀")]
    SilverAtKnightHead,
    /// A knight dropped or moved so that both squares that it attacks hold pieces worth more.
    #[doc(alias = "ふんどしの桂")]
    KnightFork,
    /// A lance dropped with two enemy pieces one behind the other in front of it, both worth more
    /// than a knight.
    #[doc(alias = "田楽刺し")]
    LanceSkewer,
    /// A rook or dragon that attacks a piece on its file and one on its rank, each a king or
    /// unguarded and no pawn.
    #[doc(alias = "十字飛車")]
    CrossRook,
    /// A check by which the moved piece attacks a rook or dragon as well.
    #[doc(alias = "王手飛車")]
    CheckAndRook,
    /// A guarded gold at the head of the enemy king.
    #[doc(alias = "頭金")]
    GoldAtHead,
    /// A silver dropped beside the enemy king.
    #[doc(alias = "腹銀")]
    SilverAtBelly,
    /// A gold dropped behind the enemy king.
    #[doc(alias = "尻金")]
    GoldAtTail,
}

impl TesujiName {
    /// All names, in the order of [`of`](Self::of).
    pub const ALL: [Self; 16] = [
        Self::JoiningPawn,
        Self::CombiningPawn,
        Self::DanglingPawn,
        Self::StrikingPawn,
        Self::PawnAtKnightHead,
        Self::FocalPawn,
        Self::AnchoredPawn,
        Self::SplittingSilver,
        Self::SilverAtKnightHead,
        Self::KnightFork,
        Self::LanceSkewer,
        Self::CrossRook,
        Self::CheckAndRook,
        Self::GoldAtHead,
        Self::SilverAtBelly,
        Self::GoldAtTail,
    ];

    /// Returns the names of a legal move: mostly none, at times several. A move that cannot be made
    /// on the board has none.
    pub fn of(position: &Position, m: Move) -> impl Iterator<Item = Self> + use<> {
        let form = Form::new(position, m);
        Self::ALL.into_iter().filter(move |name| form.as_ref().is_some_and(|form| form.has(*name)))
    }

    /// Returns the name for people.
    #[must_use]
    pub fn label(self, language: Language) -> &'static str {
        let (english, japanese) = match self {
            Self::JoiningPawn => ("joining pawn", "継ぎ歩"),
            Self::CombiningPawn => ("combining pawn", "合わせの歩"),
            Self::DanglingPawn => ("dangling pawn", "垂れ歩"),
            Self::StrikingPawn => ("striking pawn", "叩きの歩"),
            Self::PawnAtKnightHead => ("pawn at the knight's head", "桂頭の歩"),
            Self::FocalPawn => ("focal-point pawn", "焦点の歩"),
            Self::AnchoredPawn => ("anchored pawn", "底歩"),
            Self::SplittingSilver => ("splitting silver", "割り打ちの銀"),
            Self::SilverAtKnightHead => ("silver at the knight's head", "桂頭の銀"),
            Self::KnightFork => ("knight fork", "ふんどしの桂"),
            Self::LanceSkewer => ("lance skewer", "田楽刺し"),
            Self::CrossRook => ("cross rook", "十字飛車"),
            Self::CheckAndRook => ("check with attack on the rook", "王手飛車"),
            Self::GoldAtHead => ("gold at the king's head", "頭金"),
            Self::SilverAtBelly => ("silver at the king's belly", "腹銀"),
            Self::GoldAtTail => ("gold at the king's tail", "尻金"),
        };
        language.choose(english, japanese)
    }

    /// Returns the name in Latin letters, for files and programs.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_eval::TesujiName;
    ///
    /// assert_eq!(TesujiName::DanglingPawn.name(), "tarefu");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::JoiningPawn => "tsugifu",
            Self::CombiningPawn => "awase-no-fu",
            Self::DanglingPawn => "tarefu",
            Self::StrikingPawn => "tataki-no-fu",
            Self::PawnAtKnightHead => "keito-no-fu",
            Self::FocalPawn => "shoten-no-fu",
            Self::AnchoredPawn => "sokofu",
            Self::SplittingSilver => "wariuchi-no-gin",
            Self::SilverAtKnightHead => "keito-no-gin",
            Self::KnightFork => "fundoshi-no-kei",
            Self::LanceSkewer => "dengakuzashi",
            Self::CrossRook => "jujibisha",
            Self::CheckAndRook => "ote-bisha",
            Self::GoldAtHead => "atamakin",
            Self::SilverAtBelly => "haragin",
            Self::GoldAtTail => "shirikin",
        }
    }
}

/// A move and the position after it.
struct Form {
    us: Color,
    /// The kind of the piece after the move.
    kind: PieceKind,
    to: Square,
    is_drop: bool,
    /// The square where the move before was a pawn that captured a pawn.
    pawn_took_pawn_on: Option<Square>,
    after: Position,
}

impl Form {
    /// Returns nothing for a move that cannot be made on the board.
    fn new(position: &Position, m: Move) -> Option<Self> {
        let us = position.side();
        let kind = match (m.dropped(), m.from()) {
            (Some(kind), _) => {
                let is_possible =
                    position.piece_on(m.to()).is_none() && position.hand(us).count(kind) > 0;
                is_possible.then_some(kind)?
            }
            (None, from) => {
                let from = from?;
                let piece = position.piece_on(from).filter(|piece| piece.color() == us)?;
                let reach = attacks::of(us, piece.kind(), from, position.occupied());
                (reach - position.color(us)).contains(m.to()).then_some(())?;
                if m.is_promotion() { piece.kind().promoted()? } else { piece.kind() }
            }
        };
        let now = position.current();
        let pawn_took_pawn_on = now.last_move().map(Move::to).filter(|&square| {
            let is_pawn = |kind| kind == PieceKind::Pawn;
            now.captured().is_some_and(|piece| is_pawn(piece.kind()))
                && position.piece_on(square).is_some_and(|piece| is_pawn(piece.kind()))
        });
        let (to, is_drop) = (m.to(), m.is_drop());
        Some(Self { us, kind, to, is_drop, pawn_took_pawn_on, after: position.after(m) })
    }

    fn has(&self, name: TesujiName) -> bool {
        use PieceKind::{Dragon, Gold, King, Knight, Lance, Pawn, Rook, Silver};
        let ahead = front(self.us, self.to);
        let enemy_ahead = ahead.and_then(|square| self.enemy(square));
        let is = |kind| self.kind == kind;
        let dropped = |kind| is(kind) && self.is_drop;
        match name {
            TesujiName::JoiningPawn => {
                dropped(Pawn) && ahead.is_some() && ahead == self.pawn_took_pawn_on
            }
            TesujiName::CombiningPawn => {
                dropped(Pawn) && enemy_ahead == Some(Pawn) && ahead != self.pawn_took_pawn_on
            }
            TesujiName::DanglingPawn => {
                let is_far = (1..=3).contains(&self.to.rank().from_far_side(self.us));
                dropped(Pawn) && is_far && ahead.is_some_and(|ahead| self.is_empty(ahead))
            }
            TesujiName::StrikingPawn => {
                dropped(Pawn) && enemy_ahead.is_some_and(|kind| !matches!(kind, Pawn | Knight))
            }
            TesujiName::PawnAtKnightHead => is(Pawn) && enemy_ahead == Some(Knight),
            TesujiName::FocalPawn => {
                let king = self.after.king_square(!self.us).map_or(Bitboard::EMPTY, Into::into);
                dropped(Pawn) && (self.attackers(!self.us, self.to) - king).has_many()
            }
            TesujiName::AnchoredPawn => {
                let own = ahead.and_then(|square| self.after.piece_on(square));
                let is_gold = own.is_some_and(|own| own.color() == self.us && own.kind() == Gold);
                dropped(Pawn) && self.to.rank().from_far_side(self.us) == 8 && is_gold
            }
            TesujiName::SplittingSilver => {
                let behind = attacks::silver(self.us, self.to) - attacks::gold(self.us, self.to);
                dropped(Silver) && self.are_two(behind, |kind| matches!(kind, Gold | Rook))
            }
            TesujiName::SilverAtKnightHead => is(Silver) && enemy_ahead == Some(Knight),
            TesujiName::KnightFork => {
                let squares = attacks::knight(self.us, self.to);
                is(Knight) && self.are_two(squares, is_worth_more_than_a_knight)
            }
            TesujiName::LanceSkewer => dropped(Lance) && self.skewers(),
            TesujiName::CrossRook => {
                let lines = attacks::rook(self.to, self.after.occupied());
                let file = Bitboard::file(self.to.file());
                let is_won = |lines: Bitboard| lines.iter().any(|square| self.is_won(square));
                (is(Rook) || is(Dragon)) && is_won(lines & file) && is_won(lines - file)
            }
            TesujiName::CheckAndRook => {
                let attacked = attacks::of(self.us, self.kind, self.to, self.after.occupied());
                let is_rook = |square| matches!(self.enemy(square), Some(Rook | Dragon));
                self.after.in_check() && attacked.iter().any(is_rook)
            }
            TesujiName::GoldAtHead => {
                is(Gold)
                    && enemy_ahead == Some(King)
                    && !self.attackers(self.us, self.to).is_empty()
            }
            TesujiName::SilverAtBelly => {
                let is_beside =
                    |king: Square| king.rank() == self.to.rank() && king.distance(self.to) == 1;
                dropped(Silver) && self.after.king_square(!self.us).is_some_and(is_beside)
            }
            TesujiName::GoldAtTail => {
                let before = front(!self.us, self.to).and_then(|square| self.enemy(square));
                dropped(Gold) && before == Some(King)
            }
        }
    }

    /// The kind of the enemy piece on a square.
    fn enemy(&self, square: Square) -> Option<PieceKind> {
        let piece = self.after.piece_on(square)?;
        (piece.color() != self.us).then(|| piece.kind())
    }

    fn is_empty(&self, square: Square) -> bool {
        self.after.piece_on(square).is_none()
    }

    fn attackers(&self, side: Color, square: Square) -> Bitboard {
        self.after.attackers_to(side, square, self.after.occupied())
    }

    /// Checks for two squares with such enemy pieces.
    fn are_two(&self, squares: Bitboard, is_such: impl Fn(PieceKind) -> bool) -> bool {
        squares.iter().filter(|&square| self.enemy(square).is_some_and(&is_such)).count() == 2
    }

    /// Checks for two valuable enemy pieces in front of a lance, with nothing else between.
    fn skewers(&self) -> bool {
        let occupied = self.after.occupied();
        let first = attacks::lance(self.us, self.to, occupied) & occupied;
        let both = attacks::lance(self.us, self.to, occupied - first) & occupied;
        self.are_two(both, is_worth_more_than_a_knight)
    }

    /// Checks for an enemy piece that is a king, or unguarded and no pawn.
    fn is_won(&self, square: Square) -> bool {
        match self.enemy(square) {
            None | Some(PieceKind::Pawn) => false,
            Some(PieceKind::King) => true,
            Some(_) => self.attackers(!self.us, square).is_empty(),
        }
    }
}

/// The square in front of another one.
fn front(side: Color, square: Square) -> Option<Square> {
    attacks::pawn(side, square).first()
}

fn is_worth_more_than_a_knight(kind: PieceKind) -> bool {
    use PieceKind::{Bishop, Dragon, Gold, Horse, King, Rook, Silver};
    matches!(kind, Silver | Gold | Bishop | Rook | Horse | Dragon | King)
}

#[cfg(test)]
mod tests;
