//! The report on a composition.

use komadai_core::{Budget, Hand, Move, Position, Pv};
use komadai_movegen::MoveGen;
use komadai_tsume::is_mating_line;

use super::cook::{Cook, CookKind};
use super::examine::Examination;
use super::lengths::{Distances, Lengths, upper_bound};
use super::main_line::main_line;
use super::options::{CompositionError, CompositionOptions, Convention};

/// Analyses the problem in which the side to move attacks: its length, its main line and its flaws.
///
/// A solver says that there is a mate. This says what an editor of problems asks: how long it is
/// with the best defence, counted by the [`Convention`] for futile interpositions, which line is the
/// solution, and which checks and replies are alternatives (余詰, 変長 and others, see [`CookKind`]).
/// A flaw is reported with its moves, and what the budget left open is stated, never assumed.
///
/// The time grows with the length and with [`longer_by`](CompositionOptions::longer_by). All
/// results of the search are kept until the end, about 40 bytes per node.
///
/// # Errors
///
/// [`CompositionError`]: no mate, a mate of too many plies, an intended line that does not mate, or
/// a budget that does not suffice for length and main line. If the budget is spent later, the
/// report says which moves were examined.
///
/// # Examples
///
/// ```
/// use komadai_core::Position;
/// use komadai_problems::composition::{self, CompositionOptions};
///
/// let position = Position::from_sfen("7gk/9/6P1+P/9/9/9/9/9/9 b GSP2r2b2g3s4n4l15p 1")?;
/// let report = composition::analyse(&position, &CompositionOptions::default())?;
/// assert_eq!(report.line.len(), 15);
/// assert!(report.is_complete() && report.leftover.is_empty());
/// assert!(report.is_sound(), "another last move is tolerated: {:?}", report.cooks);
/// println!("{report}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn analyse(
    position: &Position,
    options: &CompositionOptions,
) -> Result<CompositionReport, CompositionError> {
    let is_intended = !options.intended.is_empty();
    if is_intended {
        check_intended(position, options)?;
    }
    let (most, nodes) = upper_bound(position, &options.budget)?;
    let convention = options.convention;
    let mut distances = Distances::new(convention, position, &options.budget, nodes);
    let plies = distances.exact(position, most)?.ok_or(CompositionError::Budget)?;
    let line = if is_intended {
        options.intended.clone()
    } else {
        main_line(position, plies, &mut distances)?
    };
    // The other length may use a quarter of what is left; the flaws matter more.
    let nodes = distances.nodes();
    let budget = quarter_more(&options.budget, nodes);
    let lengths = Lengths::beside(convention, plies, position, most, &budget, nodes);
    // If that was the last of the budget, the examination ends at once.
    let _ = distances.add_nodes(lengths.nodes - nodes);
    let mut examination = Examination::new(position, plies, &line, distances, options);
    examination.run()?;
    let nodes = examination.nodes();
    let Examination { cooks, unsettled, examined_from, .. } = examination;
    let mate = line.iter().fold(position.without_history(), |position, &m| position.after(m));
    Ok(CompositionReport {
        lengths,
        convention,
        is_intended,
        leftover: mate.hand(position.side()),
        line: line.into_iter().collect(),
        cooks,
        unsettled,
        examined_from,
        longer_by: options.longer_by,
        nodes,
    })
}
/// Returns the budget of a search that starts after `nodes` nodes and may use a quarter of the
/// others.
fn quarter_more(budget: &Budget, nodes: u64) -> Budget {
    let more = budget.nodes.map(|all| nodes + all.saturating_sub(nodes) / 4);
    Budget { nodes: more, ..budget.clone() }
}

/// Returns an error if the intended line is not a mate by the convention, with the first move at
/// fault.
fn check_intended(
    position: &Position,
    options: &CompositionOptions,
) -> Result<(), CompositionError> {
    let line = &options.intended;
    if is_mating_line(position, line) {
        return Ok(());
    }
    let attacker = position.side();
    let root = position;
    let mut position = position.without_history();
    for (index, &m) in line.iter().enumerate() {
        let is_fault = !position.is_legal(m) || {
            position.do_move(m);
            position.side() != attacker && !position.in_check()
        };
        if is_fault {
            return Err(CompositionError::IntendedLine { ply: index as u32 + 1 });
        }
    }
    // Futile interpositions do not prevent the mate.
    let mut distances = Distances::new(options.convention, root, &options.budget, 0);
    if position.side() != attacker && distances.is_mate_within(&position, 0)? {
        Ok(())
    } else {
        Err(CompositionError::IntendedLine { ply: line.len() as u32 })
    }
}

/// A report on a composition.
///
/// `Display` writes it in English, [`text`](Self::text) in a language and a notation, a line for each
/// flaw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompositionReport {
    /// The length of the shortest mate in both conventions.
    pub lengths: Lengths,
    /// The convention of all other numbers.
    pub convention: Convention,
    /// True if `line` is the solution that the author intends, false if it is the main line.
    pub is_intended: bool,
    /// The examined line. The main line (本手順) is one in which the attacker plays a shortest mate
    /// and the defender the longest defence; of these, one after which the attacker has the fewest
    /// pieces in hand.
    pub line: Pv,
    /// The attacker's pieces in hand at the end of the line (駒余り, if there are any).
    #[doc(alias("駒余り", "komaamari"))]
    pub leftover: Hand,
    /// The flaws, in the order of the moves.
    pub cooks: Vec<Cook>,
    /// Checks beside the line, with the number of the move, for which a mate within the limit is
    /// refuted, but not one that takes more plies.
    pub unsettled: Vec<(u32, Move)>,
    /// Number of the first examined move, from 1. The moves are examined from the last to the
    /// first; the number is larger than 1 if the budget was spent.
    pub examined_from: u32,
    /// Number of plies by which reported mates may be longer than the line.
    pub longer_by: u32,
    /// Positions whose moves were generated.
    pub nodes: u64,
}

impl CompositionReport {
    /// Returns the flaws of one kind.
    pub fn cooks_of(&self, kind: CookKind) -> impl Iterator<Item = &Cook> {
        self.cooks.iter().filter(move |cook| cook.kind == kind)
    }

    /// Returns true if all moves of the line were examined.
    pub fn is_complete(&self) -> bool {
        self.examined_from <= 1
    }

    /// Returns true if the analysis is complete and found no flaw that is not tolerated. Checks
    /// that are [`unsettled`](Self::unsettled) may still mate in more plies.
    pub fn is_sound(&self) -> bool {
        self.is_complete() && self.cooks.iter().all(|cook| cook.kind.is_tolerated())
    }
}
