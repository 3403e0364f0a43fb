//! The page about the moves played from a position.

use std::path::Path;

use komadai::Position;
use komadai::games::{GameIndex, MoveResults, OpeningTree, TreeOptions, TreePosition};
use komadai::report::{ExplorerMove, ExplorerPage, ExplorerPosition, GameCounts};
use komadai_base::text::grouped;
use komadai_console::{note, write_file_or_stdout};

use super::options::Options;

/// Writes the page.
pub(super) fn write(
    options: &Options,
    index: &mut GameIndex,
    position: &Position,
    path: &Path,
) -> anyhow::Result<()> {
    let limits = TreeOptions {
        depth: options.depth,
        least_games: options.min_games,
        most_positions: options.positions.get(),
        mirrored: options.mirrored,
    };
    let tree = OpeningTree::grow(index, position, &limits)?;
    let language = options.appearance.language();
    let title = options.title.clone();
    let page = ExplorerPage {
        language,
        notation: Some(options.appearance.notation()),
        title: title.unwrap_or_else(|| language.choose("Openings", "序盤の指し手").to_owned()),
        positions: tree.positions.iter().map(shown).collect(),
        ..ExplorerPage::default()
    };
    write_file_or_stdout(path, page.to_string())?;
    let positions = grouped(tree.positions.len() as u64);
    note!("{}: {positions} positions", path.display());
    Ok(())
}

fn shown(one: &TreePosition) -> ExplorerPosition {
    let moves = one.table.moves.iter().zip(&one.next);
    let moves = moves.map(|(&(m, results), &next)| ExplorerMove {
        m,
        counts: counts(&results),
        year: results.mean_year(),
        plies: results.mean_plies(),
        next,
    });
    ExplorerPosition {
        position: one.position.clone(),
        counts: counts(&one.table.all),
        ended: one.table.ended.games,
        moves: moves.collect(),
    }
}

fn counts(results: &MoveResults) -> GameCounts {
    let MoveResults { games, black, draws, white, .. } = *results;
    GameCounts { games, black, draws, white }
}
