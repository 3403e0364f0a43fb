//! The filter that selects the moves of a position by their classes.

use komadai_core::{Bitboard, Move, PieceKind, Position};
use komadai_movegen::{MoveClass, MoveGen, MoveList, generate_class};

use crate::move_probability::MoveProbability;
use crate::quiescence_method::classes::QuiescenceClasses;

/// One move in this number belongs to the class of the most probable moves.
///
/// Source: the class Rating of Takeuchi, Kaneko and Yamaguchi, the first fifth.
const RATED_ONE_IN: usize = 5;

/// A filter of the moves of a position.
pub(super) struct ClassFilter<'a> {
    position: &'a Position,
    classes: QuiescenceClasses,
    /// The moves that give check, if a class needs them.
    checks: MoveList,
    /// The own pieces that are attacked, if a class needs them.
    attacked: Bitboard,
    /// The most probable moves, if a class needs them.
    rated: Vec<Move>,
    /// The move that mates at once, if a class needs it.
    mate: Option<Move>,
}

impl<'a> ClassFilter<'a> {
    /// Returns a filter of the moves of `classes`.
    ///
    /// [`QuiescenceClasses::THREATMATE`] has no effect here: the caller adds the class of checks
    /// where there is a threatmate.
    pub(super) fn new(
        position: &'a Position,
        classes: QuiescenceClasses,
        model: &dyn MoveProbability,
    ) -> Self {
        let includes = |class| classes.contains(class);
        let mut checks = MoveList::new();
        if includes(QuiescenceClasses::CHECK) {
            let class = MoveClass::ALL | MoveClass::CHECKS | MoveClass::USEFUL;
            generate_class(position, class, &mut checks);
        }
        let escapes = includes(QuiescenceClasses::ESCAPE);
        Self {
            position,
            classes,
            checks,
            attacked: if escapes { attacked(position) } else { Bitboard::EMPTY },
            rated: if includes(QuiescenceClasses::RATING) {
                most_probable(position, model)
            } else {
                vec![]
            },
            mate: if includes(QuiescenceClasses::MATE) { position.mate_in_one() } else { None },
        }
    }

    /// Adds the moves that belong to at least one of the classes to `list`.
    pub(super) fn generate(&self, list: &mut MoveList) {
        if (self.classes - QuiescenceClasses::THREATMATE).is_empty() {
            return;
        }
        let mut candidates = MoveList::new();
        generate_class(self.position, self.candidates(), &mut candidates);
        for m in candidates {
            if self.contains(m) && self.mate != Some(m) {
                list.push(m);
            }
        }
        if let Some(m) = self.mate {
            list.push(m);
        }
    }

    /// Returns the move classes of the generator that contain all moves of the filter.
    fn candidates(&self) -> MoveClass {
        use QuiescenceClasses as Class;
        let any = |classes| self.classes.intersects(classes);
        let mut kinds = MoveClass::CAPTURES | MoveClass::USEFUL;
        let captures = Class::SEE | Class::SAFE | Class::CAPTURE;
        if any(Class::all() - Class::THREATMATE - Class::MATE - captures) {
            kinds |= MoveClass::PROMOTIONS;
        }
        if any(Class::KING | Class::ESCAPE | Class::CHECK | Class::RATING | Class::ALL) {
            kinds |= MoveClass::QUIETS;
        }
        if any(Class::CHECK | Class::RATING | Class::ALL) {
            kinds |= MoveClass::DROPS;
        }
        if self.classes - Class::THREATMATE == Class::CHECK {
            kinds |= MoveClass::CHECKS;
        }
        kinds
    }

    /// Checks whether a useful legal move belongs to at least one of the classes.
    fn contains(&self, m: Move) -> bool {
        use QuiescenceClasses as Class;
        let includes = |class| self.classes.contains(class);
        let captures = || self.position.color(!self.position.side()).contains(m.to());
        let moves_one_of = |pieces: Bitboard| m.from().is_some_and(|from| pieces.contains(from));
        let king = || self.position.kind(PieceKind::King);
        includes(Class::ALL)
            || includes(Class::PROMOTE) && m.is_promotion()
            || includes(Class::QUIET_PROMOTE) && m.is_promotion() && !captures()
            || includes(Class::KING) && moves_one_of(king())
            || moves_one_of(self.attacked)
            || includes(Class::CAPTURE) && captures()
            || includes(Class::SEE) && captures() && self.position.see_at_least(m, 1)
            || includes(Class::SAFE) && captures() && self.position.see_at_least(m, 0)
            || self.checks.contains(&m)
            || self.rated.contains(&m)
    }
}

/// Returns the pieces of the side to move that the opponent attacks.
fn attacked(position: &Position) -> Bitboard {
    let us = position.side();
    let is_attacked =
        |&square: &_| !position.attackers_to(!us, square, position.occupied()).is_empty();
    position.color(us).iter().filter(is_attacked).collect()
}

/// Returns the most probable of the useful moves. Of equals, the move generated first counts more.
fn most_probable(position: &Position, model: &dyn MoveProbability) -> Vec<Move> {
    let mut moves = MoveList::new();
    generate_class(position, MoveClass::ALL | MoveClass::USEFUL, &mut moves);
    let scores = model.scores(position, &moves);
    let mut order: Vec<usize> = (0..moves.len()).collect();
    order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]).then(a.cmp(&b)));
    order.truncate(moves.len().div_ceil(RATED_ONE_IN));
    order.into_iter().map(|index| moves[index]).collect()
}
