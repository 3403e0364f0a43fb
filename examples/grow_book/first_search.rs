//! A first value for every move that the games have played.
//!
//! The position after each such move is searched shortly. That gives the move its value, and, if the
//! position is part of the book as well, also the engine's own move there: without it the value of
//! the position would rest on what happened to be played.

use std::collections::HashMap;

use komadai::book::Book;
use komadai::core::{Bound, Line};
use komadai::movegen::MoveGen as _;
use komadai::{Analysis, Color, Move, Position, Pv, Score};

use crate::grower::{Grower, Origin, Work};
use crate::progress::Progress;

/// How many positions are taken at a time, so that memory is bounded.
const AT_A_TIME: usize = 20_000;

/// A position to search, and the moves that lead there and have no value.
struct Job {
    position: Position,
    moves: Vec<(Position, Move)>,
}

/// Searches until every move has a value.
pub(crate) fn run(grower: &mut Grower<'_>) -> anyhow::Result<Work> {
    let mut total = Work::default();
    loop {
        let jobs = jobs(grower.book());
        if jobs.is_empty() || grower.is_stopped() {
            return Ok(total);
        }
        let positions: Vec<Position> = jobs.iter().map(|job| job.position.clone()).collect();
        let nodes = grower.options.first_nodes;
        let mut progress = Progress::new("first search", jobs.len(), grower.options.quiet);
        total +=
            grower.analyse(&positions, nodes, &mut progress, |book, index, found, origin| {
                let Job { position, moves } = &jobs[index];
                if book.book().entry(position).is_some() {
                    book.merge_analysis(position, found, &origin.analyst, origin.when)?;
                }
                let found = judged(position, found);
                for (position, m) in moves {
                    let Origin { analyst, when } = origin;
                    book.merge_successor_analysis(position, *m, &found, analyst, *when)?;
                }
                Ok(())
            })?;
        progress.finish();
    }
}

/// The analysis, or, where the game is over because there is no move, what that means.
fn judged(position: &Position, found: &Analysis) -> Analysis {
    if position.has_legal_move() || !found.lines.is_empty() {
        return found.clone();
    }
    let lost = Line { score: Score::mated_in(0), bound: Bound::Exact, pv: Pv::new() };
    Analysis { lines: vec![lost], ..found.clone() }
}

/// The positions after moves without a value, each once, and positions without any value.
fn jobs(book: &Book) -> Vec<Job> {
    let mut jobs: Vec<Job> = Vec::new();
    let mut known: HashMap<String, usize> = HashMap::new();
    for entry in book.entries() {
        let position = entry.position();
        let unknown = entry.moves().filter(|listed| listed.score().is_none());
        for m in unknown.map(|listed| listed.m) {
            let next = position.after(m).without_history();
            let job = *known.entry(identity(&next)).or_insert_with(|| {
                jobs.push(Job { position: next, moves: Vec::new() });
                jobs.len() - 1
            });
            jobs[job].moves.push((position.clone(), m));
        }
        if jobs.len() >= AT_A_TIME {
            return jobs;
        }
    }
    // The start is the successor of nothing.
    for entry in book.entries().filter(|entry| entry.best().is_none()) {
        let position = entry.position();
        known.entry(identity(&position)).or_insert_with(|| {
            jobs.push(Job { position, moves: Vec::new() });
            jobs.len() - 1
        });
    }
    jobs
}

/// A text that is the same for a position in both orientations and with any move number.
pub(crate) fn identity(position: &Position) -> String {
    let setup = position.to_setup();
    let mut setup = if setup.side == Color::Black { setup } else { setup.flipped() };
    setup.ply = 1;
    setup.to_string()
}
