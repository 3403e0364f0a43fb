//! The difference between the best line and the line played, in the terms of the classical
//! evaluation.

use komadai_core::{Color, Move, Position, Pv};
use komadai_eval::{Classical, ExplanationDifference, Group};
use komadai_movegen::is_legal;
use komadai_search::{AlphaBeta, SearchOptions};

/// The difference of one group of terms.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GroupChange {
    /// The group.
    pub group: Group,
    /// The value at the end of the line played less the value at the end of the best line, in
    /// centipawns; negative if the side that moved has lost it.
    pub value: f32,
}

/// The difference between the best line and the line played, as the classical evaluation sees it at
/// their ends.
///
/// Each line is followed to its end, and from there through the captures of the quiescence search.
/// The values are static: a threat that the search has seen beyond the ends of the lines is not
/// among them.
///
/// # Examples
///
/// ```
/// use komadai_core::Position;
/// use komadai_analysis::game_analysis::MoveExplanation;
/// use komadai_eval::Group;
///
/// let position = Position::hirate().after("7g7f".parse()?).after("3c3d".parse()?);
/// let best = ["2g2f".parse()?];
/// // A bishop for a pawn.
/// let played = ["8h3c+".parse()?, "2b3c".parse()?];
/// let explanation = MoveExplanation::new(&position, &best, &played);
/// let [first, second] = [0, 1].map(|index| explanation.groups[index]);
/// assert!([first, second].iter().all(|change| [Group::Piece, Group::Hand].contains(&change.group)));
/// assert!(first.value + second.value < -500.0);
/// # Ok::<(), komadai_core::UsiError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct MoveExplanation {
    /// The side that moved.
    pub side: Color,
    /// The best line to the position that is compared.
    pub best: Pv,
    /// The line played to the position that is compared.
    pub played: Pv,
    /// The differences of the groups for that side, the largest first; those of 0 are absent.
    pub groups: Vec<GroupChange>,
    /// The difference term by term.
    pub difference: ExplanationDifference,
}

impl MoveExplanation {
    /// Compares two lines from a position. A line ends before its first illegal move.
    pub fn new(position: &Position, best: &[Move], played: &[Move]) -> Self {
        let classical = Classical::default();
        let mut searcher = AlphaBeta::new(
            classical.clone(),
            SearchOptions { hash_mib: 1, ..SearchOptions::default() },
        );
        let [(best, good), (played, bad)] =
            [best, played].map(|line| quiet_end(&mut searcher, position, line));
        let [good, bad] = [good, bad].map(|end| classical.explain(&end));
        let side = position.side();
        let difference = ExplanationDifference::new(&good, &bad);
        let mut groups: Vec<GroupChange> = Group::ALL
            .into_iter()
            .map(|group| {
                let owners = Color::ALL.map(|owner| difference.group_value(group, owner));
                let black: f32 = owners.iter().sum();
                GroupChange { group, value: if side == Color::Black { black } else { -black } }
            })
            .filter(|change| change.value != 0.0)
            .collect();
        groups.sort_by(|a, b| b.value.abs().total_cmp(&a.value.abs()));
        Self { side, best, played, groups, difference }
    }
}

/// Follows a line and the captures after it.
fn quiet_end(
    searcher: &mut AlphaBeta<Classical>,
    position: &Position,
    line: &[Move],
) -> (Pv, Position) {
    let mut end = position.clone();
    let mut moves = Pv::new();
    let mut follow = |line: &[Move], end: &mut Position| {
        for &m in line {
            if !is_legal(end, m) {
                break;
            }
            end.do_move(m);
            moves.push(m);
        }
    };
    follow(line, &mut end);
    let captures = searcher.quiescence(&end).lines.into_iter().next();
    follow(&captures.map(|line| line.pv).unwrap_or_default(), &mut end);
    (moves, end)
}
