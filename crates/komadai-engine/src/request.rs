//! Requests to a player and their answers.

use std::time::Duration;

use komadai_core::{Analysis, Budget, Line, Move, Position, Pv, Score};
use komadai_usi::BestMove;

/// A request for a move or an analysis of one position.
///
/// # Examples
///
/// ```
/// use komadai_core::{Budget, Position};
/// use komadai_engine::{Aim, MoveRequest};
///
/// let position = Position::hirate();
/// let mut request = MoveRequest::new(&position, Budget::nodes(10_000));
/// let moves = ["7g7f".parse()?, "2g2f".parse()?];
/// request.among = &moves; // one of these two
/// request.aim = Aim::Analyse; // by search, without book and mate solver
/// # Ok::<(), komadai_core::UsiError>(())
/// ```
#[derive(Debug, Clone)]
pub struct MoveRequest<'a> {
    /// The position, with the game that led to it.
    pub position: &'a Position,
    /// The moves to choose among; empty for all legal moves.
    pub among: &'a [Move],
    /// The limits of the search. Its stop flag is set once a mate has been found beside a search on
    /// several threads.
    pub budget: Budget,
    /// The time that the answer will probably take, where that is less than until the deadline.
    pub expected: Option<Duration>,
    /// The value of a draw for the side to move, in centipawns; `None` for the value in the
    /// settings.
    pub draw_value: Option<i32>,
    /// The purpose: a move or an analysis.
    pub aim: Aim,
}

/// The purpose of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Aim {
    /// A move: book and mate solver may answer.
    #[default]
    Play,
    /// An analysis: only the search answers.
    Analyse,
}

/// The answer to a [`MoveRequest`].
///
/// # Examples
///
/// ```
/// use komadai_core::{Budget, Position};
/// use komadai_engine::{MoveRequest, MoveSource, Player, Settings};
/// use komadai_usi::BestMove;
///
/// let mut settings = Settings::default();
/// settings.hash_mib = 1;
/// let mut player = Player::new(settings)?;
/// // Black is mated.
/// let position = Position::from_sfen("4k4/9/9/9/9/9/4p4/4g4/4K4 b - 1")?;
/// let choice = player.choose(&MoveRequest::new(&position, Budget::nodes(10)), &mut |_| {});
/// assert_eq!((choice.best, choice.source), (BestMove::Resign, MoveSource::Rules));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// The move, a resignation or a declaration of a win.
    pub best: BestMove,
    /// The lines that led to the choice, if there are any; for a choice by the rules one with the
    /// value of the loss or the win. The nodes are those of mate solver and search together.
    pub analysis: Analysis,
    /// The part of the player that chose.
    pub source: MoveSource,
}

/// The part of a player that made a choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MoveSource {
    /// The rules: no legal move, or a win to declare.
    Rules,
    /// The book.
    Book {
        /// Number of book moves that were good enough.
        choices: usize,
    },
    /// The mate solver.
    Mate,
    /// The search.
    Search,
}

impl<'a> MoveRequest<'a> {
    /// A request for a move to play, among all legal moves.
    pub fn new(position: &'a Position, budget: Budget) -> Self {
        let (among, aim) = (&[][..], Aim::Play);
        Self { position, among, budget, expected: None, draw_value: None, aim }
    }
}

impl Choice {
    /// The choice of a side without a legal move (resignation), or of one that has won by a rule.
    pub(crate) fn by_rule(best: BestMove) -> Self {
        let (score, pv) = match best {
            BestMove::Resign => (Score::mated_in(0), Pv::new()),
            // The value that the search gives to such a win.
            BestMove::Win => (Score::cp(Score::MAX_CP), Pv::new()),
            BestMove::Move { best, .. } => (Score::cp(Score::MAX_CP), Pv::from_parts(best, &[])),
        };
        let lines = vec![Line::exact(score, pv)];
        let analysis = Analysis { lines, completed: true, ..Analysis::default() };
        Self { best, analysis, source: MoveSource::Rules }
    }
}

/// Returns a mate within this number of plies as an analysis of its position.
pub(crate) fn mate_analysis(line: &Pv, plies: u32, nodes: u64, time: Duration) -> Analysis {
    let score = Score::mate_in(plies);
    Analysis {
        depth: plies,
        seldepth: plies,
        nodes,
        time,
        lines: vec![Line { depth: plies, ..Line::exact(score, line.clone()) }],
        completed: true,
    }
}
