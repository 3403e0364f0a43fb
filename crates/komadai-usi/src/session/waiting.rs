//! Orders that wait for the end of a job.
//!
//! A GUI sends a few lines ahead, a script any number. None is refused, because each may affect a
//! later `go`. These rules keep memory bounded:
//!
//! 1. Of two orders of the same kind without a `go` between them, one is kept: the later option,
//!    position or result of a game, the earlier `stop` or `ponderhit`. For `isready` a counter is
//!    kept. An `e` counts as a `go` here, so that it sees its position.
//! 2. Beyond [`MOST_BYTES`], a `go` that is followed by another one is only counted. It would be
//!    stopped as soon as it began; it is answered in its turn without a search. The orders before
//!    and after it then fall under the first rule.
//!
//! 3. Beyond [`MOST_BYTES`], an `e` does not wait: it is refused.
//!
//! The last orders are therefore always executed exactly.

use std::collections::VecDeque;
use std::mem::{discriminant, size_of};

use komadai_base::clock::Instant;
use komadai_core::{Move, UsiPosition};

use crate::command::GameResult;
use crate::limits::{ClockTimes, GoLimits};
use crate::message::{BestMove, Checkmate, EngineMessage};
use crate::option::OptionValue;

/// Size of the waiting orders from which on searches are overtaken: about ten thousand orders.
const MOST_BYTES: usize = 4 << 20;

/// A command of the GUI that may have to wait.
#[derive(Debug)]
pub(super) enum Order {
    /// Sets an option, by its declared name, to a value in its range.
    Set {
        name: String,
        value: OptionValue,
    },
    /// Prepares the engine and answers `readyok`, `times` times.
    Prepare {
        times: u64,
    },
    NewGame,
    /// A position, or the reason why it cannot be read.
    Position(Result<UsiPosition, String>),
    Go(GoLimits),
    GiveUp(Overtaken),
    Stop,
    PonderHit(Option<ClockTimes>),
    Evaluate,
    GameOver(GameResult),
}

impl Order {
    fn is_go(&self) -> bool {
        matches!(self, Self::Go(_))
    }

    /// Returns whether the result depends on the orders before, none of which may then be replaced
    /// by one after it.
    fn is_barrier(&self) -> bool {
        matches!(self, Self::Go(_) | Self::Evaluate)
    }

    /// Returns whether the order applies to the search before it.
    fn is_signal(&self) -> bool {
        matches!(self, Self::Stop | Self::PonderHit(_))
    }

    /// Returns whether a running search must end before this order.
    pub(super) fn interrupts(&self) -> bool {
        !self.is_signal() && !matches!(self, Self::Set { .. } | Self::Evaluate)
    }

    /// Returns whether one of the two orders is enough if no `go` or `e` stands between them.
    fn is_same_kind(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Set { name, .. }, Self::Set { name: other, .. }) => name == other,
            _ => discriminant(self) == discriminant(other) && !self.is_barrier(),
        }
    }

    /// Combines `earlier` and this order, which are of the same kind.
    fn after(self, earlier: Self) -> Self {
        match (earlier, self) {
            (Self::Prepare { times }, Self::Prepare { times: more }) => {
                Self::Prepare { times: times + more }
            }
            (Self::GiveUp(overtaken), Self::GiveUp(more)) => Self::GiveUp(overtaken.and(more)),
            (_, later) => later,
        }
    }

    fn bytes(&self) -> usize {
        let elsewhere = match self {
            Self::Set { name, value: OptionValue::Text(text) } => name.len() + text.len(),
            Self::Set { name, .. } => name.len(),
            Self::Position(Ok(position)) => position.moves.capacity() * size_of::<Move>(),
            Self::Position(Err(reason)) => reason.len(),
            Self::Go(limits) => limits.search_moves.capacity() * size_of::<Move>(),
            _ => 0,
        };
        size_of::<(Self, Instant)>() + elsewhere
    }
}

/// Searches that are answered without a search, because too many orders waited and another `go`
/// followed.
#[derive(Debug)]
pub(super) struct Overtaken {
    /// Number of answers `bestmove resign`.
    searches: u64,
    /// Number of answers `checkmate timeout`.
    mate_searches: u64,
}

impl Overtaken {
    fn one(limits: &GoLimits) -> Self {
        let is_mate = u64::from(limits.mate.is_some());
        Self { searches: 1 - is_mate, mate_searches: is_mate }
    }

    fn and(self, other: Self) -> Self {
        Self {
            searches: self.searches + other.searches,
            mate_searches: self.mate_searches + other.mate_searches,
        }
    }

    /// Returns the answer to one of them, or `None` if all are answered.
    pub(super) fn answer_one(&mut self) -> Option<EngineMessage> {
        if self.searches > 0 {
            self.searches -= 1;
            return Some(EngineMessage::BestMove(BestMove::Resign));
        }
        self.mate_searches = self.mate_searches.checked_sub(1)?;
        Some(EngineMessage::Checkmate(Checkmate::Timeout))
    }
}

/// The queue of orders with their times of arrival.
#[derive(Debug)]
pub(super) struct Waiting {
    orders: VecDeque<(Order, Instant)>,
    /// Size of the orders.
    bytes: usize,
    /// Size from which on searches are overtaken.
    pub(super) most_bytes: usize,
}

impl Waiting {
    pub(super) fn new() -> Self {
        Self { orders: VecDeque::new(), bytes: 0, most_bytes: MOST_BYTES }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.orders.is_empty()
    }

    /// Size of the orders in bytes.
    #[cfg(test)]
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Returns whether searches are overtaken.
    pub(super) fn is_full(&self) -> bool {
        self.bytes > self.most_bytes
    }

    /// Returns whether a search is waiting.
    pub(super) fn has_go(&self) -> bool {
        self.orders.iter().any(|(order, _)| order.is_go())
    }

    /// Returns whether a running search must end for one of the orders.
    pub(super) fn interrupts(&self) -> bool {
        self.orders.iter().any(|(order, _)| order.interrupts())
    }

    /// Appends an order. Returns whether this is the first time that a search is overtaken, which
    /// should be reported to the GUI.
    #[must_use]
    pub(super) fn push(&mut self, order: Order, received: Instant) -> bool {
        let overtakes = order.is_go() && self.is_full() && self.overtake_last_go();
        self.append(order, received);
        overtakes
    }

    /// Appends an order and removes the one that it replaces.
    fn append(&mut self, mut order: Order, received: Instant) {
        let same = (self.after_last(Order::is_barrier)..self.orders.len())
            .find(|&index| self.orders[index].0.is_same_kind(&order));
        if let Some(index) = same {
            if order.is_signal() {
                return;
            }
            let (earlier, _) = self.remove(index).expect("it has just been found there");
            order = order.after(earlier);
        }
        self.bytes += order.bytes();
        self.orders.push_back((order, received));
    }

    /// Replaces the last `go` by a counter. Returns whether it is the first one.
    fn overtake_last_go(&mut self) -> bool {
        let Some(last) = self.after_last(Order::is_go).checked_sub(1) else { return false };
        let later: Vec<_> = std::iter::from_fn(|| self.remove(last + 1)).collect();
        let Some((Order::Go(limits), received)) = self.remove(last) else { return false };
        let mut before = self.orders.iter().skip(self.after_last(Order::is_go));
        let is_first = !before.any(|(order, _)| matches!(order, Order::GiveUp(_)));
        self.append(Order::GiveUp(Overtaken::one(&limits)), received);
        for (order, received) in later.into_iter().filter(|(order, _)| !order.is_signal()) {
            self.append(order, received);
        }
        is_first
    }

    /// Puts an order back to the front.
    pub(super) fn put_back(&mut self, order: Order, received: Instant) {
        self.bytes += order.bytes();
        self.orders.push_front((order, received));
    }

    /// Removes and returns the first order.
    pub(super) fn pop(&mut self) -> Option<(Order, Instant)> {
        self.remove(0)
    }

    /// Removes and returns the first order if it is a search or an evaluation.
    pub(super) fn pop_barrier(&mut self) -> Option<Order> {
        self.orders.front().filter(|(order, _)| order.is_barrier())?;
        self.pop().map(|(order, _)| order)
    }

    /// Removes and returns the first `stop` or `ponderhit` before any waiting search.
    pub(super) fn pop_signal(&mut self) -> Option<(Order, Instant)> {
        let mut before_go = self.orders.iter().take_while(|(order, _)| !order.is_go());
        let index = before_go.position(|(order, _)| order.is_signal())?;
        self.remove(index)
    }

    pub(super) fn clear(&mut self) {
        self.orders.clear();
        self.bytes = 0;
    }

    /// Returns the index after the last order with a property, 0 if there is none.
    fn after_last(&self, has: impl Fn(&Order) -> bool) -> usize {
        self.orders.iter().rposition(|(order, _)| has(order)).map_or(0, |index| index + 1)
    }

    fn remove(&mut self, index: usize) -> Option<(Order, Instant)> {
        let removed = self.orders.remove(index)?;
        self.bytes -= removed.0.bytes();
        Some(removed)
    }
}
