//! The moves of a book that lead to positions.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet, VecDeque};

use komadai_bookfile::position_key::PositionKey;
use komadai_bookgraph::BookGraph;
use komadai_core::{Color, Move, Position};

/// The largest number of positions that are visited: those near the root are the interesting ones.
const MOST_VISITED: usize = 50_000;

/// A position in its orientation.
type Place = (PositionKey, Color);

/// Returns the shortest line of listed moves from `root` to each of these positions, in this
/// orientation; `None` for those that no line reaches.
pub(super) fn lines_to(
    graph: &BookGraph,
    root: &Position,
    positions: &[&Position],
) -> Vec<Option<Vec<Move>>> {
    let place = |position: &Position| Some((PositionKey::try_of(position).ok()?, position.side()));
    let wanted: Vec<Option<Place>> = positions.iter().map(|position| place(position)).collect();
    let mut missing: HashSet<Place> = wanted.iter().copied().flatten().collect();
    // The place before each visited one, and the move between them.
    let mut ways: HashMap<Place, Option<(Place, Move)>> = HashMap::new();
    let mut queue = VecDeque::new();
    if let Some(start) = place(root) {
        ways.insert(start, None);
        queue.push_back((start, root.without_history()));
    }
    while let Some((here, position)) = queue.pop_front() {
        missing.remove(&here);
        if missing.is_empty() || ways.len() >= MOST_VISITED {
            break;
        }
        for ranked in graph.moves(&position) {
            let next = position.after(ranked.m).without_history();
            let Some(there) = place(&next) else { continue };
            if let Entry::Vacant(way) = ways.entry(there) {
                way.insert(Some((here, ranked.m)));
                queue.push_back((there, next));
            }
        }
    }
    let line = |wanted: &Option<Place>| {
        let mut line = Vec::new();
        let mut at = (*wanted)?;
        while let Some((before, m)) = *ways.get(&at)? {
            line.push(m);
            at = before;
        }
        line.reverse();
        Some(line)
    };
    wanted.iter().map(line).collect()
}
