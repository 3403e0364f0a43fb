//! The construction of a graph.

use komadai_bookfile::position_key::turn;
use komadai_bookfile::{BookRecord, EntryError};
use komadai_core::{Move, Position};
use rayon::prelude::*;
use smallvec::SmallVec;

use super::book_graph::BookGraph;
use super::check_components::CheckComponents;
use super::draw_value::DrawValue;
use super::graphical_game::WholeBook;
use super::links::{BarredMoves, Links};
use super::listed_move::ListedMove;
use super::positions::{LookupKey, Origin, Positions, Presence};
use super::short_lists::ShortLists;
use super::solve::solve;
use super::values::Values;

/// Collects positions, one or many at a time, and builds a [`BookGraph`] of them.
///
/// Uses about 110 bytes for a position with five moves.
///
/// # Examples
///
/// ```
/// use komadai_bookfile::{BookRecord, RecordMove};
/// use komadai_bookgraph::GraphBuilder;
/// use komadai_core::{Position, Score};
///
/// let mut record = BookRecord::new(Position::hirate());
/// record.moves.push(RecordMove { score: Some(Score::cp(40)), ..RecordMove::new("7g7f".parse()?) });
/// let mut builder = GraphBuilder::new();
/// builder.add(&record)?;
/// let graph = builder.finish()?;
/// assert_eq!(graph.value(&Position::hirate()).map(|value| value.score), Some(Score::cp(40)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct GraphBuilder {
    positions: Positions,
    moves: ShortLists<ListedMove>,
    barred: BarredMoves,
    draw: DrawValue,
}

/// A record in the form in which the graph stores it.
#[derive(Debug, Clone)]
pub(crate) struct PreparedRecord {
    pub(crate) lookup: LookupKey,
    pub(crate) origin: Origin,
    pub(crate) moves: SmallVec<[ListedMove; 8]>,
}

impl PreparedRecord {
    pub(crate) fn new(record: &BookRecord) -> Result<Self, EntryError> {
        let side = record.position.side();
        let known = record.moves.iter().map(|listed| ListedMove {
            ponder: listed.ponder.map(|ponder| turn(ponder, side)),
            depth: listed.depth.unwrap_or(0),
            games: listed.count.unwrap_or(0),
            ..ListedMove::new(turn(listed.m, side), listed.score)
        });
        Self::from_moves(&record.position, record.ply, known)
    }

    /// Creates a record from moves in the orientation with Black to move. Equal moves are merged.
    pub(crate) fn from_moves(
        position: &Position,
        ply: Option<u32>,
        known: impl Iterator<Item = ListedMove>,
    ) -> Result<Self, EntryError> {
        let mut moves: SmallVec<[ListedMove; 8]> = SmallVec::new();
        for known in known {
            // Lists are short, so a linear search is faster than a set.
            match moves.iter_mut().find(|other| other.m == known.m) {
                Some(same) => same.update(&known),
                None => moves.push(known),
            }
        }
        let origin = Origin::new(position.side(), ply);
        Ok(Self { lookup: LookupKey::of(position)?, origin, moves })
    }
}

impl GraphBuilder {
    /// Creates an empty builder. Draws have the value 0.
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates an empty builder with room for `positions` positions.
    pub fn with_room(positions: usize) -> Self {
        Self { positions: Positions::with_room(positions), ..Self::default() }
    }

    /// Sets the value of endless play.
    #[must_use]
    pub fn draw_value(self, draw: DrawValue) -> Self {
        Self { draw, ..self }
    }

    /// The number of positions so far.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Returns whether the builder has no positions.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds a position, or updates a present one: values replace older ones, and numbers of games
    /// are added. A record without moves is skipped.
    ///
    /// # Errors
    ///
    /// Returns an error if the position does not fit into a book or the graph is full. Illegal
    /// moves are reported by [`finish`](Self::finish).
    pub fn add(&mut self, record: &BookRecord) -> Result<(), EntryError> {
        self.insert(PreparedRecord::new(record)?)
    }

    /// Adds many positions, preparing them on all cores.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`add`](Self::add). If a position does not fit, none has been added.
    pub fn add_all(&mut self, records: &[BookRecord]) -> Result<(), EntryError> {
        let prepared: Vec<PreparedRecord> =
            records.par_iter().map(PreparedRecord::new).collect::<Result<_, _>>()?;
        prepared.into_iter().try_for_each(|prepared| self.insert(prepared))
    }

    pub(crate) fn insert(&mut self, prepared: PreparedRecord) -> Result<(), EntryError> {
        insert(&mut self.positions, &mut self.moves, prepared).map(|_| ())
    }

    /// Bars exactly these moves of a position. The graph ignores them: neither their listed values,
    /// added before or after this call, nor the positions that they lead to count.
    ///
    /// # Errors
    ///
    /// Returns an error if the position does not fit into a book or the graph is full.
    pub fn bar(&mut self, position: &Position, moves: &[Move]) -> Result<(), EntryError> {
        let number = find_or_add_empty(&mut self.positions, &mut self.moves, position)?;
        let side = position.side();
        self.barred.set(number.0, moves.iter().map(|&m| turn(m, side)));
        Ok(())
    }

    /// Links the positions and propagates their values, on all cores.
    ///
    /// # Errors
    ///
    /// Returns an error if a move is illegal in its position.
    pub fn finish(self) -> Result<BookGraph, EntryError> {
        let Self { positions, mut moves, barred, draw } = self;
        barred.remove_from(&mut moves);
        let links = Links::of(&positions, &moves, barred)?;
        let check_components = CheckComponents::find(&WholeBook { links: &links, draw });
        let mut graph = BookGraph {
            positions,
            moves,
            links,
            values: Values::default(),
            check_components,
            draw,
        };
        graph.propagate_all();
        Ok(graph)
    }
}

impl BookGraph {
    /// Builds a graph of records; see [`GraphBuilder`] for more control.
    ///
    /// # Errors
    ///
    /// Returns an error if a position does not fit into a book or a move is illegal.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_bookfile::BookRecord;
    /// use komadai_bookgraph::BookGraph;
    /// use komadai_core::Position;
    ///
    /// let start = BookRecord::with_moves(Position::hirate(), ["7g7f".parse()?, "2g2f".parse()?]);
    /// let graph = BookGraph::from_records([start])?;
    /// // No move has a value yet, so the position has none.
    /// assert_eq!((graph.positions(), graph.len()), (1, 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_records(records: impl IntoIterator<Item = BookRecord>) -> Result<Self, EntryError> {
        let mut builder = GraphBuilder::new();
        records.into_iter().try_for_each(|record| builder.add(&record))?;
        builder.finish()
    }

    /// Propagates all values: solves the whole game.
    pub(crate) fn propagate_all(&mut self) {
        let mut values = solve(&WholeBook { links: &self.links, draw: self.draw });
        // To the solver, positions without a value are nodes without moves, which it makes draws.
        for position in 0..self.positions.len() as u32 {
            if !self.links.is_valued(position) {
                for node in self.draw.nodes_of(position) {
                    values.set(node, super::values::NodeValue::NONE);
                }
            }
        }
        self.values = values;
    }
}

/// Adds or updates a position, and returns its number; `None` if it has no moves.
pub(crate) fn insert(
    positions: &mut Positions,
    moves: &mut ShortLists<ListedMove>,
    prepared: PreparedRecord,
) -> Result<Option<(u32, Presence)>, EntryError> {
    let PreparedRecord { lookup, origin, moves: listed } = prepared;
    if listed.is_empty() {
        return Ok(None);
    }
    let (number, presence) = positions.find_or_add(&lookup, origin)?;
    if presence == Presence::New {
        moves.push_list(listed.into_iter());
        return Ok(Some((number, presence)));
    }
    for known in &listed {
        let mut same = moves.get_mut(number).iter_mut().filter(|other| other.m == known.m);
        match same.next() {
            Some(same) => same.update(known),
            None => moves.push(number, *known),
        }
    }
    Ok(Some((number, presence)))
}

/// Returns the number of a position. Adds the position without moves if it is absent.
pub(crate) fn find_or_add_empty(
    positions: &mut Positions,
    moves: &mut ShortLists<ListedMove>,
    position: &Position,
) -> Result<(u32, Presence), EntryError> {
    let origin = Origin::new(position.side(), Some(position.ply()));
    let found = positions.find_or_add(&LookupKey::of(position)?, origin)?;
    if found.1 == Presence::New {
        moves.push_list(std::iter::empty());
    }
    Ok(found)
}
