//! Positions and searchers for fits to quiescence searches.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context as _;
use komadai::data::records::{PsvReader, RecordCheck};
use komadai::eval::Classical;
use komadai::kifu::Tolerance;
use komadai::prelude::*;
use komadai::search::{
    AlphaBeta, Quiescence, QuiescencePolicy, SearchOptions, SelectedQuiescence, Techniques,
};
use komadai_testdata::games;

use crate::games::plies;

/// The first move number of the positions.
const FIRST_MOVE: usize = 30;

/// Returns one position in `every` of the bundled games with even or odd numbers, from the
/// [`FIRST_MOVE`] on and not in check.
pub(crate) fn bundled(remainder: usize, every: usize) -> Vec<Position> {
    let of_game = |game: games::Game| {
        let after = plies(game.moves).skip(FIRST_MOVE).map(|(mut position, m)| {
            position.do_move(m);
            position
        });
        after.collect::<Vec<_>>()
    };
    let chosen = games::tournament().skip(remainder).step_by(2);
    thinned(chosen.flat_map(of_game), every)
}

/// Returns one position in `every` of records, from the [`FIRST_MOVE`] on and not in check.
pub(crate) fn recorded(files: &[PathBuf], every: usize) -> anyhow::Result<Vec<Position>> {
    let mut all = Vec::new();
    for file in files {
        let context = || file.display().to_string();
        let reader = PsvReader::open(file, Tolerance::Strict).with_context(context)?;
        for record in reader.checking(RecordCheck::Position) {
            let position = record.with_context(context)?.unpack()?;
            if position.ply() as usize > FIRST_MOVE {
                all.push(position);
            }
        }
    }
    Ok(thinned(all.into_iter(), every))
}

fn thinned(positions: impl Iterator<Item = Position>, every: usize) -> Vec<Position> {
    positions.filter(|position| !position.in_check()).step_by(every.max(1)).collect()
}

/// Returns the searcher that runs quiescence searches: plain alpha-beta.
pub(crate) fn searcher(quiescence: Quiescence) -> AlphaBeta<Classical> {
    let techniques = Techniques::QUIESCENCE | Techniques::HISTORY;
    let options = SearchOptions { techniques, quiescence, hash_mib: 1, ..SearchOptions::default() };
    AlphaBeta::new(Classical::default(), options)
}

/// Returns a quiescence search of a policy.
pub(crate) fn selected(policy: impl QuiescencePolicy + 'static, depth: u32) -> Quiescence {
    Quiescence::Selected(SelectedQuiescence::new(Arc::new(policy), depth))
}
