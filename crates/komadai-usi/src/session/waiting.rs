//! Orders that wait for the end of a job.
//!
//! A GUI sends a few lines ahead, a script may send any number. None is refused, since each may
//! matter to a later `go`; memory is bounded all the same:
//!
//! 1. Of two orders about the same thing with no `go` between them, one is enough: the later
//!    option, position or result of a game, the earlier `stop` or `ponderhit`. `isready` is
//!    counted.
//! 2. Beyond [`MOST_BYTES`], a `go` that another one overtakes is only counted too. It would be
//!    stopped as soon as it began; now it is answered in its turn without a search. What stood
//!    before and after it then falls under the first rule.
//!
//! So what comes last is always obeyed to the letter.

use std::collections::VecDeque;
use std::mem::{discriminant, size_of};
use std::time::Instant;

use komadai_core::{Move, UsiPosition};

use crate::command::GameResult;
use crate::limits::{ClockTimes, GoLimits};
use crate::message::{BestMove, Checkmate, EngineMessage};
use crate::option::OptionValue;

/// What may wait before searches are overtaken: ten thousand orders of the usual size.
const MOST_BYTES: usize = 4 << 20;

/// What the GUI wants, of all that may have to wait.
#[derive(Debug)]
pub(super) enum Order {
    /// Set the option of this name, spelled as declared, to a value that fits it.
    Set {
        name: String,
        value: OptionValue,
    },
    /// Prepare and say so, this often.
    Prepare {
        times: u64,
    },
    NewGame,
    /// A position, or why it cannot be read.
    Position(Result<UsiPosition, String>),
    Go(GoLimits),
    GiveUp(Overtaken),
    Stop,
    PonderHit(Option<ClockTimes>),
    GameOver(GameResult),
}

impl Order {
    fn is_go(&self) -> bool {
        matches!(self, Self::Go(_))
    }

    /// Whether this is meant for the search before it.
    fn is_signal(&self) -> bool {
        matches!(self, Self::Stop | Self::PonderHit(_))
    }

    /// Whether a running search must end before this.
    pub(super) fn interrupts(&self) -> bool {
        !self.is_signal() && !matches!(self, Self::Set { .. })
    }

    /// Whether one of these two is enough, if no `go` stands between them.
    fn is_about_the_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Set { name, .. }, Self::Set { name: other, .. }) => name == other,
            _ => discriminant(self) == discriminant(other) && !self.is_go(),
        }
    }

    /// What is left of `earlier` and this, which are about the same.
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

/// Searches that are answered without being done, because too many waited and others followed.
#[derive(Debug)]
pub(super) struct Overtaken {
    /// To be answered with `bestmove resign`.
    searches: u64,
    /// To be answered with `checkmate timeout`.
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

    /// The answer to one of them, until all are answered.
    pub(super) fn answer_one(&mut self) -> Option<EngineMessage> {
        if self.searches > 0 {
            self.searches -= 1;
            return Some(EngineMessage::BestMove(BestMove::Resign));
        }
        self.mate_searches = self.mate_searches.checked_sub(1)?;
        Some(EngineMessage::Checkmate(Checkmate::Timeout))
    }
}

/// Orders for after the running job, with the time they came.
#[derive(Debug)]
pub(super) struct Waiting {
    orders: VecDeque<(Order, Instant)>,
    /// What they take.
    bytes: usize,
    /// From how much on searches are overtaken.
    pub(super) most_bytes: usize,
}

impl Waiting {
    pub(super) fn new() -> Self {
        Self { orders: VecDeque::new(), bytes: 0, most_bytes: MOST_BYTES }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.orders.is_empty()
    }

    /// What the orders take.
    #[cfg(test)]
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Whether a search waits.
    pub(super) fn has_go(&self) -> bool {
        self.orders.iter().any(|(order, _)| order.is_go())
    }

    /// Whether a running search must end for one of them.
    pub(super) fn interrupts(&self) -> bool {
        self.orders.iter().any(|(order, _)| order.interrupts())
    }

    /// Puts an order at the end. Whether that begins to overtake searches, of which the GUI should
    /// know.
    #[must_use]
    pub(super) fn push(&mut self, order: Order, received: Instant) -> bool {
        let overtakes = order.is_go() && self.bytes > self.most_bytes && self.overtake_last_go();
        self.append(order, received);
        overtakes
    }

    /// Puts an order at the end, and takes out the one that it makes superfluous.
    fn append(&mut self, mut order: Order, received: Instant) {
        let same = (self.after_last_go()..self.orders.len())
            .find(|&index| self.orders[index].0.is_about_the_same(&order));
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

    /// Only counts the last `go` from now on. Whether it is the first that this happens to.
    fn overtake_last_go(&mut self) -> bool {
        let Some(last) = self.after_last_go().checked_sub(1) else { return false };
        let later: Vec<_> = std::iter::from_fn(|| self.remove(last + 1)).collect();
        let Some((Order::Go(limits), received)) = self.remove(last) else { return false };
        let mut before = self.orders.iter().skip(self.after_last_go());
        let is_first = !before.any(|(order, _)| matches!(order, Order::GiveUp(_)));
        self.append(Order::GiveUp(Overtaken::one(&limits)), received);
        for (order, received) in later.into_iter().filter(|(order, _)| !order.is_signal()) {
            self.append(order, received);
        }
        is_first
    }

    /// Puts an order back that has been taken from the front.
    pub(super) fn put_back(&mut self, order: Order, received: Instant) {
        self.bytes += order.bytes();
        self.orders.push_front((order, received));
    }

    /// Takes the order whose turn it is.
    pub(super) fn pop(&mut self) -> Option<(Order, Instant)> {
        self.remove(0)
    }

    /// Takes the order whose turn it is, if it is a search.
    pub(super) fn pop_go(&mut self) -> Option<GoLimits> {
        self.orders.front().filter(|(order, _)| order.is_go())?;
        match self.pop() {
            Some((Order::Go(limits), _)) => Some(limits),
            _ => None,
        }
    }

    /// Takes the first `stop` or `ponderhit` that is not meant for a waiting search.
    pub(super) fn pop_signal(&mut self) -> Option<(Order, Instant)> {
        let mut before_go = self.orders.iter().take_while(|(order, _)| !order.is_go());
        let index = before_go.position(|(order, _)| order.is_signal())?;
        self.remove(index)
    }

    pub(super) fn clear(&mut self) {
        self.orders.clear();
        self.bytes = 0;
    }

    /// Where the orders begin that no waiting search comes after.
    fn after_last_go(&self) -> usize {
        self.orders.iter().rposition(|(order, _)| order.is_go()).map_or(0, |index| index + 1)
    }

    fn remove(&mut self, index: usize) -> Option<(Order, Instant)> {
        let removed = self.orders.remove(index)?;
        self.bytes -= removed.0.bytes();
        Some(removed)
    }
}
