//! Several frontiers taken in turn.

use std::collections::VecDeque;

use komadai_movegen::MoveGen as _;

use super::selected::{Frontier, FrontierPosition};

/// Returns the items of several queues in turn: the first of each, then the second of each, and so
/// on. An exhausted queue drops out.
///
/// # Examples
///
/// ```
/// use komadai_bookgraph::frontier::in_turn;
///
/// let queues = [vec![1, 4, 6, 7], vec![], vec![2], vec![3, 5]];
/// assert_eq!(in_turn(queues).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6, 7]);
/// ```
pub fn in_turn<Q: IntoIterator>(
    queues: impl IntoIterator<Item = Q>,
) -> impl Iterator<Item = Q::Item> {
    let mut queues: VecDeque<Q::IntoIter> = queues.into_iter().map(Q::into_iter).collect();
    std::iter::from_fn(move || {
        while let Some(mut queue) = queues.pop_front() {
            // An exhausted queue is not put back.
            if let Some(item) = queue.next() {
                queues.push_back(queue);
                return Some(item);
            }
        }
        None
    })
}

impl Frontier {
    /// Returns the positions of several frontiers in turn: the first of each, then the second of
    /// each, and so on. An exhausted frontier drops out.
    ///
    /// A budget that ends early is thus shared fairly between the frontiers, for example between a
    /// book for Black and one for White. Positions without a legal move are skipped, because there
    /// is nothing to search. A position of several frontiers is returned for each of them.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_bookgraph::BookGraph;
    /// use komadai_bookgraph::frontier::{Frontier, FrontierOptions, Window};
    /// use komadai_core::{Color, Position};
    /// use komadai_bookfile::Tolerance;
    ///
    /// let text = "#YANEURAOU-DB2016 1.00\n\
    ///     sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n\
    ///     2g2f none 40 1\n\
    ///     7g7f none 20 1\n";
    /// let graph = BookGraph::from_db(text.as_bytes(), Tolerance::Strict)?;
    /// let frontiers = Color::ALL.map(|side| {
    ///     graph.frontier(&FrontierOptions::new(Position::hirate(), side, Window::Best))
    /// });
    /// // Black follows its best move, a book for White answers both.
    /// let lines: Vec<String> =
    ///     Frontier::interleave(&frontiers).map(|found| found.line[0].to_string()).collect();
    /// assert_eq!(lines, ["2g2f", "2g2f", "7g7f"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn interleave(frontiers: &[Self]) -> impl Iterator<Item = FrontierPosition> {
        let has_move = |found: &FrontierPosition| found.position.has_legal_move();
        in_turn(frontiers.iter().map(move |frontier| frontier.iter().filter(has_move)))
    }
}
