//! The functions of the crate as methods of a position.

use komadai_core::{Move, Position};

use crate::declaration::{DeclarationReport, DeclarationRule, declaration};
use crate::exchange::{see, see_at_least};
use crate::game_rules::GameRules;
use crate::generate::{generate_into, generate_legal};
use crate::gives_check::gives_check_alone;
use crate::illegal_move::IllegalMove;
use crate::legality::{check_legality, is_legal};
use crate::mate::{mate_in_one, mates_in_one};
use crate::move_list::{MoveList, MoveListIter};
use crate::outcome::{Outcome, is_checkmate, outcome};
use crate::repetition::{Repetition, repetition, search_repetition};
use crate::sink::AnyMove;

/// The rules as methods of [`Position`].
///
/// Import the trait, and a position knows its legal moves, why a move is illegal, which moves give
/// check or mate, and whether the game is over. The methods call the functions of this crate, which
/// stand beside them for those who prefer functions.
///
/// [`try_move`](Self::try_move) is for moves of users, files and engines;
/// [`do_move`](Position::do_move) of `komadai-core` trusts its caller, because a search does
/// millions of moves a second that it has generated itself. A search that does not need all moves
/// gives [`generate_into`](crate::generate_into) a [`MoveSink`](crate::MoveSink), which stores the
/// moves that it wants, counts them, or stops at the first.
///
/// The trait judges one position with its history. For a game that can be taken back, resigned and
/// declared, see [`Game`](crate::Game); for longer mates and the value of a position, the crates
/// `komadai-tsume`, `komadai-eval` and `komadai-search`.
///
/// # Examples
///
/// ```
/// use komadai_core::Position;
/// use komadai_movegen::MoveGen;
///
/// let position = Position::hirate();
/// assert_eq!(position.legal_moves().len(), 30);
/// for m in position.legal_moves() {
///     assert!(position.is_legal(m));
/// }
/// ```
pub trait MoveGen {
    /// All legal moves, with every non-promotion that the rules allow.
    #[doc(alias("合法手", "gohoshu"))]
    fn legal_moves(&self) -> MoveList;

    /// Returns whether there is a legal move. Without one the side to move has lost, in check or
    /// not.
    fn has_legal_move(&self) -> bool;

    /// Returns whether `m`, which may be an arbitrary move, is legal: see [`is_legal`].
    fn is_legal(&self, m: Move) -> bool;

    /// Checks whether `m` is legal, and finds the reason if it is not: see [`check_legality`].
    ///
    /// # Errors
    ///
    /// Returns the rule that the move breaks: see [`IllegalMove`].
    fn check_legality(&self, m: Move) -> Result<(), IllegalMove>;

    /// Does `m` if it is legal. [`do_move`](Position::do_move) is for moves that are known to be
    /// legal.
    ///
    /// # Errors
    ///
    /// Returns the rule that the move breaks; the position is then unchanged.
    fn try_move(&mut self, m: Move) -> Result<(), IllegalMove>;

    /// Returns whether the legal move `m` gives check (王手). For many moves of one position,
    /// [`gives_check`](crate::gives_check) with a [`CheckInfo`](komadai_core::CheckInfo) is
    /// cheaper.
    #[doc(alias("王手", "ote"))]
    fn gives_check(&self, m: Move) -> bool;

    /// The static exchange evaluation of the legal move `m`, in centipawns for the side to move:
    /// see [`see`].
    fn see(&self, m: Move) -> i32;

    /// Returns whether [`see`](Self::see) of `m` is at least `threshold` centipawns; cheaper than
    /// comparing the value.
    fn see_at_least(&self, m: Move, threshold: i32) -> bool;

    /// A move that gives mate, if there is one: see [`mate_in_one`].
    #[doc(alias("一手詰め", "1手詰め", "ittezume"))]
    fn mate_in_one(&self) -> Option<Move>;

    /// All moves that give mate: see [`mates_in_one`].
    fn mates_in_one(&self) -> MoveListIter;

    /// Returns whether the side to move is in check and has no legal move (詰み). A side without a
    /// legal move has lost even if it is not in check: see [`outcome`](Self::outcome).
    fn is_checkmate(&self) -> bool;

    /// The outcome of the game by `rules` before the side to move acts; `None` while it continues.
    /// A declaration counts only when it is made: see [`outcome`](crate::outcome::outcome).
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::UsiPosition;
    /// use komadai_movegen::{DrawBy, GameRules, MoveGen, Outcome, play};
    ///
    /// let cycle = "5i5h 5a5b 5h5i 5b5a ".repeat(3);
    /// let game = UsiPosition::from_usi(&format!("4k4/9/9/9/9/9/9/9/4K4 b - 1 moves {cycle}"))?;
    /// let outcome = play(&game)?.outcome(&GameRules::default());
    /// assert_eq!(outcome, Some(Outcome::Draw(DrawBy::Repetition)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn outcome(&self, rules: &GameRules) -> Option<Outcome>;

    /// Returns whether the game is over by the fourfold repetition rule (千日手): see [`repetition`].
    #[doc(alias("千日手", "sennichite"))]
    fn repetition(&self) -> Repetition;

    /// The repetition of the position in a search, `ply_from_root` moves below the root: see
    /// [`search_repetition`].
    fn search_repetition(&self, ply_from_root: usize) -> Repetition;

    /// The result of a declaration (入玉宣言) by the side to move, with the conditions that are not
    /// met: see [`declaration`](crate::declaration::declaration).
    #[doc(alias("入玉宣言", "nyugyoku"))]
    fn declaration(&self, rule: DeclarationRule) -> DeclarationReport;
}

impl MoveGen for Position {
    #[inline]
    fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        generate_legal(self, &mut list);
        list
    }

    #[inline]
    fn has_legal_move(&self) -> bool {
        generate_into(self, &mut AnyMove).is_break()
    }

    #[inline]
    fn is_legal(&self, m: Move) -> bool {
        is_legal(self, m)
    }

    #[inline]
    fn check_legality(&self, m: Move) -> Result<(), IllegalMove> {
        check_legality(self, m)
    }

    #[inline]
    fn try_move(&mut self, m: Move) -> Result<(), IllegalMove> {
        check_legality(self, m).map(|()| self.do_move(m))
    }

    #[inline]
    fn gives_check(&self, m: Move) -> bool {
        gives_check_alone(self, m)
    }

    #[inline]
    fn see(&self, m: Move) -> i32 {
        see(self, m)
    }

    #[inline]
    fn see_at_least(&self, m: Move, threshold: i32) -> bool {
        see_at_least(self, m, threshold)
    }

    #[inline]
    fn mate_in_one(&self) -> Option<Move> {
        mate_in_one(self)
    }

    #[inline]
    fn mates_in_one(&self) -> MoveListIter {
        mates_in_one(self)
    }

    #[inline]
    fn is_checkmate(&self) -> bool {
        is_checkmate(self)
    }

    #[inline]
    fn outcome(&self, rules: &GameRules) -> Option<Outcome> {
        outcome(self, rules)
    }

    #[inline]
    fn repetition(&self) -> Repetition {
        repetition(self)
    }

    #[inline]
    fn search_repetition(&self, ply_from_root: usize) -> Repetition {
        search_repetition(self, ply_from_root)
    }

    #[inline]
    fn declaration(&self, rule: DeclarationRule) -> DeclarationReport {
        declaration(self, rule)
    }
}
