//! The position: a board that obeys the rules, with keys, checkers and history.

mod do_move;
mod ply;
mod validation;

use core::hash::{Hash, Hasher};

use crate::attacks;
use crate::bitboard::Bitboard;
use crate::color::Color;
use crate::hand::{Hand, Hands};
use crate::moves::Move;
use crate::part_keys::PartKeys;
use crate::piece::{Piece, PieceKind};
use crate::setup::Setup;
use crate::square::Square;
use crate::zobrist;

pub use ply::Ply;
pub(crate) use validation::PlacedPieces;
pub use validation::PositionError;

/// A validated position that moves can be done on and undone from.
///
/// It maintains what every use needs (pieces by square, kind and colour, keys, the pieces giving
/// check) and, for each ply, the data for undoing the move and for detecting a repetition. Pins and
/// check squares are in a separate [`CheckInfo`](crate::CheckInfo), which a caller builds on
/// request.
///
/// A search does and undoes moves on one position, because a copy takes the whole history along. To
/// edit a position, or to keep one that no rule allows, use a [`Setup`](crate::Setup), which is not
/// validated; [`from_setup`](Self::from_setup) makes a position of it.
///
/// # Legal moves
///
/// The trait `MoveGen` of [`komadai-movegen`](https://docs.rs/komadai-movegen) adds the rules as
/// methods: `legal_moves`, `try_move`, `repetition`, `outcome` and more.
///
/// # Irregular positions
///
/// A position is one that a game may reach, unless it was made by
/// [`from_setup_leniently`](Self::from_setup_leniently), for compositions and records with fouls.
///
/// # Equality and text
///
/// A position includes its history, the moves since it was set up. `==` compares the history and
/// the move number, too: two orders of moves that lead to the same board give unequal positions.
/// [`same_placement`](Self::same_placement) compares board, hands and side to move only, and
/// [`key`](Self::key) is a hash of just these.
///
/// `Display`, `FromStr` and serde write and read the SFEN, which has no history. Therefore a
/// position after moves does not read back as an equal one, and repetition is not seen across the
/// text. [`to_usi_position`](Self::to_usi_position) keeps the moves in a
/// [`UsiPosition`](crate::UsiPosition), which has a text and serde as well, and `play` of
/// `komadai-movegen` leads back.
///
/// # Examples
///
/// ```
/// use komadai_core::{Color, Move, Position, Square};
///
/// let mut position = Position::hirate();
/// position.do_move(Move::new(Square::S77, Square::S76));
/// assert_eq!(position.side(), Color::White);
/// assert!(position.piece_on(Square::S77).is_none());
/// position.undo_move();
/// assert_eq!(position, Position::hirate());
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Position {
    kinds: [Bitboard; PieceKind::COUNT],
    colors: [Bitboard; 2],
    board: [Option<Piece>; Square::COUNT],
    kings: [Option<Square>; 2],
    side: Color,
    hands: Hands,
    /// The number of the next move when the position was set up.
    first_ply: u32,
    /// One entry a ply, the current one last; never empty.
    plies: Vec<Ply>,
}

/// The initial capacity of `plies`: enough for a short search without another allocation.
const FEW_PLIES: usize = 8;

impl Position {
    /// The even game's start (平手, hirate).
    #[doc(alias("平手", "初期局面"))]
    pub fn hirate() -> Self {
        Self::from_valid(&Setup::hirate())
    }

    /// The pieces, hands, side to move and move number, without the history.
    pub fn to_setup(&self) -> Setup {
        Setup { board: self.board, hands: self.hands.to_array(), side: self.side, ply: self.ply() }
    }

    /// The side to move.
    #[inline]
    #[doc(alias("手番", "teban"))]
    pub const fn side(&self) -> Color {
        self.side
    }

    /// The number of the next move, as SFEN counts: 1 at the start of an even game.
    #[inline]
    pub const fn ply(&self) -> u32 {
        let ply = self.first_ply.saturating_add(self.plies.len() as u32 - 1);
        if ply < Setup::MAX_PLY { ply } else { Setup::MAX_PLY }
    }

    /// The piece on `square`.
    #[inline]
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        self.board[square]
    }

    #[inline]
    pub(crate) fn board(&self) -> &[Option<Piece>; Square::COUNT] {
        &self.board
    }

    /// The pieces of `color` and `kind`; a promoted piece is a kind of its own.
    #[inline]
    pub fn pieces(&self, color: Color, kind: PieceKind) -> Bitboard {
        self.kinds[kind] & self.colors[color]
    }

    /// The pieces of `kind` of both sides.
    #[inline]
    pub fn kind(&self, kind: PieceKind) -> Bitboard {
        self.kinds[kind]
    }

    /// All pieces of `color`.
    #[inline]
    pub fn color(&self, color: Color) -> Bitboard {
        self.colors[color]
    }

    /// All pieces.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    /// The pieces that move as golds: golds and promoted pawns, lances, knights and silvers.
    #[inline]
    pub fn gold_movers(&self) -> Bitboard {
        self.kinds[PieceKind::Gold]
            | self.kinds[PieceKind::ProPawn]
            | self.kinds[PieceKind::ProLance]
            | self.kinds[PieceKind::ProKnight]
            | self.kinds[PieceKind::ProSilver]
    }

    /// The square of `color`'s king; `None` for a side without a king (tsume positions).
    #[inline]
    pub fn king_square(&self, color: Color) -> Option<Square> {
        self.kings[color]
    }

    /// The pieces that `color` holds in hand.
    #[inline]
    pub fn hand(&self, color: Color) -> Hand {
        self.hands.of(color)
    }

    /// The opponent's pieces that give check to the side to move.
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        self.current().checkers
    }

    /// Returns whether the side to move is in check (王手).
    #[inline]
    #[doc(alias("王手", "ote"))]
    pub fn in_check(&self) -> bool {
        !self.checkers().is_empty()
    }

    /// The key of board, side to move and hands; equal positions have equal keys.
    ///
    /// Updated incrementally. Bit 0 is the side to move (set for White).
    #[inline]
    pub fn key(&self) -> u64 {
        self.board_key() ^ self.hand_key()
    }

    /// The [`key`](Self::key) of the [flipped](Self::flipped) position, without building that
    /// position.
    pub fn flipped_key(&self) -> u64 {
        let mut key = if self.side == Color::Black { zobrist::SIDE } else { 0 };
        for square in self.occupied() {
            let piece = self.board[square].map(Piece::flipped);
            key ^= piece.map_or(0, |piece| zobrist::piece(piece, square.flipped()));
        }
        key ^ zobrist::hands(Hands::new([self.hand(Color::White), self.hand(Color::Black)]))
    }

    /// The [`key`](Self::key) of this position with `squares` replaced by the given contents, and
    /// with these hands and this side to move.
    ///
    /// Used to look up predecessors of a position in a table without building them.
    pub fn key_with(
        &self,
        squares: &[(Square, Option<Piece>)],
        hands: [Hand; 2],
        side: Color,
    ) -> u64 {
        let mut key = self.board_key() ^ if side == self.side { 0 } else { zobrist::SIDE };
        for &(square, piece) in squares {
            for piece in [self.board[square], piece].into_iter().flatten() {
                key ^= zobrist::piece(piece, square);
            }
        }
        key ^ zobrist::hands(Hands::new(hands))
    }

    /// The key of board and side to move, without the hands.
    ///
    /// Positions that differ only in their hands share it. Comparisons of hands by dominance use
    /// this.
    #[inline]
    pub fn board_key(&self) -> u64 {
        self.current().keys.board()
    }

    /// The keys of parts of the board: a search's memory of structures.
    #[inline]
    pub fn part_keys(&self) -> PartKeys {
        self.current().keys.parts()
    }

    /// The key of both hands; 0 when both are empty.
    #[inline]
    pub fn hand_key(&self) -> u64 {
        zobrist::hands(self.hands)
    }

    /// The state of this ply: keys, checkers, and the move that led here.
    #[inline]
    pub fn current(&self) -> &Ply {
        &self.plies[self.plies.len() - 1]
    }

    /// The states of the earlier plies, oldest first, back to where the position was set up.
    #[inline]
    pub fn history(&self) -> &[Ply] {
        &self.plies[..self.plies.len() - 1]
    }

    /// The earlier plies among which this position can occur again, oldest first: those since the
    /// last null move.
    #[inline]
    pub fn reversible_history(&self) -> &[Ply] {
        let earlier = self.history();
        &earlier[earlier.len() - self.current().reversible as usize..]
    }

    /// The number of `color`'s latest moves that gave check without interruption.
    ///
    /// Counted from the history on request, so that `do_move` need not maintain it. Null moves and
    /// the start end the run. Time: linear in the result.
    pub fn check_run(&self, color: Color) -> usize {
        let moves_since_null = self.current().reversible as usize;
        // The latest ply's checkers were placed by the side that is not to move.
        let skipped = usize::from(color == self.side);
        self.plies
            .iter()
            .rev()
            .take(moves_since_null)
            .skip(skipped)
            .step_by(2)
            .take_while(|ply| !ply.checkers.is_empty())
            .count()
    }

    /// The moves done since the position was set up; a null move is `None`.
    pub fn moves(&self) -> impl Iterator<Item = Option<Move>> {
        self.plies[1..].iter().map(Ply::last_move)
    }

    /// The pieces of `color` that attack `square` when `occupied` is occupied.
    ///
    /// The pieces are those on the board. A different `occupied` makes sliders attack through a
    /// square that is about to be vacated, or stop at one that is about to be filled.
    pub fn attackers_to(&self, color: Color, square: Square, occupied: Bitboard) -> Bitboard {
        // Most squares share no line with any slider, and few with more than one, so that a look
        // along each shared line is faster than computing where sliders on the square would reach.
        let mut attackers = self.step_attackers_to(color, square);
        for slider in self.snipers(color, square) {
            if occupied.is_disjoint(attacks::between(square, slider)) {
                attackers |= slider.into();
            }
        }
        attackers
    }

    /// The pieces of `color` that attack `square` by a single step or a knight's jump.
    #[inline]
    fn step_attackers_to(&self, color: Color, square: Square) -> Bitboard {
        let kings = self.kinds[PieceKind::King]
            | self.kinds[PieceKind::Horse]
            | self.kinds[PieceKind::Dragon];
        let found = attacks::pawn(!color, square) & self.kinds[PieceKind::Pawn]
            | attacks::knight(!color, square) & self.kinds[PieceKind::Knight]
            | attacks::silver(!color, square) & self.kinds[PieceKind::Silver]
            | attacks::gold(!color, square) & self.gold_movers()
            | attacks::king(square) & kings;
        found & self.colors[color]
    }

    /// The single pieces, of either side, that stand between `king` and a slider of `color`.
    ///
    /// # Examples
    ///
    /// A lone blocker is found; two blockers on the same line are not.
    ///
    /// ```
    /// use komadai_core::{Color, Position, Square};
    ///
    /// let position = Position::from_sfen("4k4/4r4/9/9/9/9/9/4G4/4K4 b - 1")?;
    /// assert_eq!(position.blockers(Color::White, Square::S59), Square::S58.into());
    /// # Ok::<(), komadai_core::SfenError>(())
    /// ```
    #[inline]
    pub fn blockers(&self, color: Color, king: Square) -> Bitboard {
        let occupied = self.occupied();
        let snipers = self.snipers(color, king);
        let mut found = Bitboard::EMPTY;
        // Each line from a sniper to the king has its own blockers, so they are counted per line.
        for sniper in snipers {
            let between = attacks::between(king, sniper) & occupied;
            if !between.has_many() {
                found |= between;
            }
        }
        found
    }

    /// The sliders of `color` that would attack `square` if no piece stood between.
    #[inline]
    fn snipers(&self, color: Color, square: Square) -> Bitboard {
        let rooks = self.kind(PieceKind::Rook) | self.kind(PieceKind::Dragon);
        let bishops = self.kind(PieceKind::Bishop) | self.kind(PieceKind::Horse);
        let aligned = attacks::rook_lines(square) & rooks
            | attacks::bishop_lines(square) & bishops
            | attacks::lance_line(!color, square) & self.kind(PieceKind::Lance);
        aligned & self.color(color)
    }

    /// Returns the position after `m`; this position does not change. The legality of `m` is not
    /// checked.
    ///
    /// # Panics
    ///
    /// Panics as [`do_move`](Self::do_move) does.
    #[must_use]
    pub fn after(&self, m: Move) -> Self {
        let mut next = self.clone();
        next.do_move(m);
        next
    }

    /// Returns a copy of the position without its history, as if it had just been set up: a scratch
    /// board for a short search, without the cost of copying a long game.
    #[must_use]
    pub fn without_history(&self) -> Self {
        let Ply { checkers, keys, .. } = *self.current();
        let past = Ply::without_past(self.hands);
        let start = Ply { checkers, keys, ..past };
        // Field by field, because `clone` would copy a history that is then dropped.
        let mut plies = Vec::with_capacity(FEW_PLIES);
        plies.push(start);
        Self {
            kinds: self.kinds,
            colors: self.colors,
            board: self.board,
            kings: self.kings,
            side: self.side,
            hands: self.hands,
            first_ply: self.ply(),
            plies,
        }
    }

    /// Returns the position seen from the other side: the board turned by 180 degrees, the colours
    /// exchanged.
    ///
    /// A move `m` here is [`m.flipped()`](Move::flipped) there. The history is dropped.
    #[must_use]
    pub fn flipped(&self) -> Self {
        Self::from_valid(&self.to_setup().flipped())
    }

    /// Returns the position mirrored left to right; the colours stay, the history is dropped.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        Self::from_valid(&self.to_setup().mirrored())
    }

    /// Returns whether both positions have the same board, hands and side to move. The history and
    /// the move number are ignored.
    ///
    /// This is the equality of the repetition rule and of books. Such positions have equal
    /// [keys](Self::key); [`==`](PartialEq) compares the history, too.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::Position;
    ///
    /// let [mut one, mut other] = [Position::hirate(), Position::hirate()];
    /// for (m, n) in [("7g7f", "2g2f"), ("3c3d", "3c3d"), ("2g2f", "7g7f")] {
    ///     one.do_move(m.parse()?);
    ///     other.do_move(n.parse()?);
    /// }
    /// assert!(one.same_placement(&other));
    /// assert_ne!(one, other);
    /// # Ok::<(), komadai_core::UsiError>(())
    /// ```
    pub fn same_placement(&self, other: &Self) -> bool {
        self.side == other.side && self.hands == other.hands && self.board == other.board
    }
}

impl Default for Position {
    /// The even game's start, not an empty board.
    fn default() -> Self {
        Self::hirate()
    }
}

/// The setup of the position, without the moves that led to it.
impl From<&Position> for Setup {
    fn from(position: &Position) -> Self {
        position.to_setup()
    }
}

/// Hashes the [key](Position::key), the move number and the length of the history, so that the cost
/// does not grow with the history.
impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
        self.first_ply.hash(state);
        self.plies.len().hash(state);
    }
}
