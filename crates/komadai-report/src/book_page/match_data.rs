//! Results of the games of matches with the book.

use std::cmp::Reverse;

use komadai_book::games::{
    BookUse, BranchPoint, Branches, GameResults, GameWalk, PruneCandidate, PruneOptions,
    UseGrouping, UseOptions, UseTable, WinDrawLoss,
};
use komadai_book::store::{Store, StoreError};
use komadai_bookgraph::BookGraph;

use super::game_tally::GameTally;
use super::options::ReportOptions;

/// Results of the games of matches with the book.
#[derive(Debug, Clone, PartialEq)]
pub struct MatchData {
    /// The number of games.
    pub games: u64,
    /// The number of games that cannot be used: a move is illegal, or the number of times or scores
    /// differs from that of moves.
    pub unusable: u64,
    /// The results of the side with the book.
    pub results: WinDrawLoss,
    /// The use of the book in each generation.
    pub by_generation: UseTable,
    /// The use of the book against each opponent, those with most games first, up to the number of
    /// rows.
    pub by_opponent: UseTable,
    /// The number of opponents.
    pub opponents: usize,
    /// The moves that lose games according to [`PruneOptions::default`], those that cost most
    /// points first, up to the number of rows.
    pub candidates: Vec<PruneCandidate>,
    /// The number of moves that lose games.
    pub all_candidates: usize,
    /// The positions where games parted, those first where most games left the most frequent move,
    /// up to half the number of rows.
    pub branches: Vec<BranchPoint>,
}

impl MatchData {
    /// Reads all games; `None` if there are none. Adds the results in registered positions to
    /// `tally`.
    pub(super) fn gather(
        store: &Store,
        graph: &BookGraph,
        options: &ReportOptions,
        tally: &mut GameTally,
    ) -> Result<Option<Self>, StoreError> {
        let (mut games, mut unusable) = (0, 0);
        let (mut uses, mut results) = (Vec::new(), GameResults::new());
        let mut branches = Branches::within(1..=options.max_line_plies as u32);
        for game in store.games()? {
            let (number, game) = game?;
            games += 1;
            tally.add(&game, options.max_line_plies);
            let walk = GameWalk::new(&game, graph);
            match (walk, BookUse::of(&game, &UseOptions::default())) {
                (Ok(walk), Ok(used)) => {
                    results.add(number, &game, &walk);
                    branches.add(&game).expect("it has been replayed");
                    uses.push(used);
                }
                _ => unusable += 1,
            }
        }
        let branches = most_divided(branches.points(), options.max_rows / 2);
        let data = || Self { branches, ..Self::new(games, unusable, &uses, &results, options) };
        Ok((games > 0).then(data))
    }

    fn new(
        games: u64,
        unusable: u64,
        uses: &[BookUse],
        results: &GameResults,
        options: &ReportOptions,
    ) -> Self {
        let mut by_generation = UseTable::new(uses, UseGrouping::Generation);
        let first = by_generation.groups.len().saturating_sub(options.max_rows);
        by_generation.groups.drain(..first);
        let mut by_opponent = UseTable::new(uses, UseGrouping::Opponent);
        let opponents = by_opponent.groups.len();
        by_opponent.groups.sort_by_key(|group| Reverse(group.results.games()));
        by_opponent.groups.truncate(options.max_rows);
        let mut candidates = results.prune_candidates(&PruneOptions::default());
        let all_candidates = candidates.len();
        candidates.sort_by_key(|candidate| {
            let results = candidate.results;
            // Twice the number of points below an even score.
            Reverse(i64::from(results.losses) - i64::from(results.wins))
        });
        candidates.truncate(options.max_rows);
        let results = uses.iter().map(|used| used.outcome).collect();
        Self {
            games,
            unusable,
            results,
            by_generation,
            by_opponent,
            opponents,
            candidates,
            all_candidates,
            branches: Vec::new(),
        }
    }
}

/// Returns the positions where most games left the most frequent move.
fn most_divided(mut points: Vec<BranchPoint>, most: usize) -> Vec<BranchPoint> {
    // The most frequent move is the first one.
    let others = |point: &BranchPoint| -> u64 {
        point.moves.iter().skip(1).map(|made| made.results.games()).sum()
    };
    points.retain(|point| point.moves.len() > 1);
    points.sort_by_key(|point| Reverse(others(point)));
    points.truncate(most);
    points
}
