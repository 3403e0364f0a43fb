//! The parts of a game that searches need.

use std::ops::ControlFlow;

use komadai_core::{Color, Move, Position, Setup};
use komadai_kifu::formation::{Formations, Named};
use komadai_kifu::{FilePlace, HeaderKey, Outcome, Record};
use komadai_movegen::is_legal;

use crate::date::GameDate;

/// The parts of a game that a search needs, from a record or from an index: place, players, date,
/// event, result and the moves of the main line.
///
/// # Examples
///
/// ```
/// use std::ops::ControlFlow;
///
/// use komadai_games::GameSummary;
/// use komadai_kifu::{FilePlace, Tolerance, parse_csa};
///
/// let record = parse_csa("N+SUZUKI\n$START_TIME:2005/05/03\nPI\n+\n+7776FU\n%TORYO\n", Tolerance::Strict)?
///     .records
///     .remove(0);
/// let place = FilePlace { path: "a.csa".into(), entry: None, game: 1 };
/// let game = GameSummary::new(place, &record);
/// assert_eq!((game.players[0].as_str(), game.date.map(|date| date.year)), ("SUZUKI", Some(2005)));
/// let mut positions = 0;
/// game.visit(|_, _, _| {
///     positions += 1;
///     ControlFlow::Continue(())
/// });
/// assert_eq!(positions, 2);
/// # Ok::<(), komadai_kifu::KifuError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameSummary {
    /// The file, the entry of an archive, and the number of the game.
    pub place: FilePlace,
    /// The names of Black and White, empty if they are not known.
    pub players: [String; 2],
    /// The event, or the title if there is none; empty without both.
    pub event: String,
    /// The date, or that of the start.
    pub date: Option<GameDate>,
    /// The outcome.
    pub outcome: Outcome,
    /// The position before the first move.
    pub setup: Setup,
    /// The moves of the game. They may be illegal, as records contain fouls.
    pub moves: Vec<Move>,
    /// The castles and strategies; [`new`](Self::new) leaves them out, because they take more time
    /// than the rest.
    pub formations: Vec<Named>,
}

impl GameSummary {
    /// Takes the parts of a record, without the names of castles and strategies.
    pub fn new(place: FilePlace, record: &Record) -> Self {
        let header =
            |key: &HeaderKey| record.header.get(key).map(str::trim).filter(|text| !text.is_empty());
        let player = |color| header(&HeaderKey::player(color)).unwrap_or_default().to_owned();
        let date = |key: &HeaderKey| header(key).and_then(GameDate::find);
        let event = header(&HeaderKey::Event).or_else(|| header(&HeaderKey::Title));
        Self {
            place,
            players: Color::ALL.map(player),
            event: event.unwrap_or_default().to_owned(),
            date: date(&HeaderKey::Date).or_else(|| date(&HeaderKey::StartTime)),
            outcome: record.outcome(),
            setup: record.setup.clone(),
            moves: record.moves.iter().map(|played| played.m).collect(),
            formations: Vec::new(),
        }
    }

    /// Takes the parts of a record with the names of castles and strategies.
    pub fn with_formations(place: FilePlace, record: &Record) -> Self {
        let formations = Formations::of(record).names().to_vec();
        Self { formations, ..Self::new(place, record) }
    }

    /// Calls `visit` with the number of moves made, the position and the next move, for each
    /// position of the game up to an illegal move, until `visit` breaks. There is no next move at
    /// the end and before an illegal move. A game with an impossible start has no position.
    pub fn visit(&self, mut visit: impl FnMut(usize, &Position, Option<Move>) -> ControlFlow<()>) {
        let Ok(mut position) = Position::from_setup_leniently(&self.setup) else { return };
        for ply in 0..=self.moves.len() {
            let next = self.moves.get(ply).copied().filter(|&m| is_legal(&position, m));
            if visit(ply, &position, next).is_break() {
                return;
            }
            let Some(m) = next else { return };
            position.do_move(m);
        }
    }
}
