//! Working books that grow at random, with the states that reports shall show.

use std::collections::BTreeMap;

use komadai_book::store::{Change, Deletion, KnownMove, NewSnapshot};
use komadai_book::{Input, LoggedAnalysis, WorkingBook};
use komadai_bookgraph::BookGame;
use komadai_core::{Analysis, AnalystId, Bound, Color, Line, Move, Position, Score, SplitMix64};
use komadai_movegen::MoveGen;
use tempfile::TempDir;

/// The name of an engine that breaks pages unless it is escaped.
pub(crate) const HOSTILE: &str = "</table><script>alert('1')</script>&amp;\" onload=\"x";

/// A source of random numbers, moves and positions.
pub(crate) struct Numbers(SplitMix64);

impl Numbers {
    pub(crate) fn new(seed: u64) -> Self {
        Self(SplitMix64::new(seed))
    }

    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.0.next_u64() % bound
    }

    /// One of the first `width` moves in the order of their texts. So few moves make lines
    /// transpose.
    fn choose(&mut self, position: &Position, width: u64) -> Option<Move> {
        let mut moves: Vec<Move> = position.legal_moves().iter().copied().collect();
        moves.sort_by_key(ToString::to_string);
        moves.truncate(width as usize);
        (!moves.is_empty()).then(|| moves[self.below(moves.len() as u64) as usize])
    }

    /// A position after at most `most_plies` moves from the start.
    pub(crate) fn position(&mut self, most_plies: u64) -> Position {
        let mut position = Position::hirate();
        for _ in 0..self.below(most_plies + 1) {
            let Some(m) = self.choose(&position, 4) else { break };
            position.do_move(m);
        }
        position.without_history()
    }
}

/// The state of a book at some time.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Moment {
    pub(crate) name: String,
    pub(crate) positions: u64,
    pub(crate) evaluations: u64,
    pub(crate) root: Option<Score>,
    /// The values of all positions for Black, by SFEN without move number.
    pub(crate) values: BTreeMap<String, Score>,
}

pub(crate) fn for_black(score: Score, side: Color) -> Score {
    if side == Color::Black { score } else { -score }
}

pub(crate) fn without_number(position: &Position) -> String {
    let text = position.to_string();
    text.rsplit_once(' ').unwrap().0.to_owned()
}

/// A book after three rounds, with its states at the times of the snapshots.
pub(crate) struct GrownBook {
    pub(crate) book: WorkingBook,
    pub(crate) moments: Vec<Moment>,
    pub(crate) games: Vec<BookGame>,
    pub(crate) analysts: [AnalystId; 3],
    _folder: TempDir,
}

impl GrownBook {
    pub(crate) fn new(seed: u64) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let book = WorkingBook::open_or_create(folder.path().join("book.kbook")).unwrap();
        let analysts = [
            AnalystId::new("one", "1"),
            AnalystId::new(HOSTILE, "<2>"),
            AnalystId { options: "EvalFile=a&b".to_owned(), ..AnalystId::new("three", "") },
        ];
        let (moments, games) = (Vec::new(), Vec::new());
        let mut grown = Self { book, moments, games, analysts, _folder: folder };
        let mut numbers = Numbers::new(seed);
        for round in 0..3 {
            grown.grow(&mut numbers, round);
        }
        grown.play(&mut numbers);
        grown
    }

    fn grow(&mut self, numbers: &mut Numbers, round: u32) {
        let mut changes = Vec::new();
        for at in 0..60 {
            let most_plies = if at == 0 { 0 } else { 6 };
            let position = numbers.position(most_plies);
            changes.push(Change::Analysis(self.analysis(numbers, position)));
            let position = numbers.position(4);
            if let Some(m) = numbers.choose(&position, 4) {
                let games = numbers.below(9) as u32;
                changes.push(KnownMove { position, m, ponder: None, games }.into());
            }
        }
        let name = format!("games <{round}> & more");
        changes.push(Change::Input(Input { fingerprint: round.into(), games: 5, name }));
        self.book.merge(&changes).unwrap();
        self.snapshot(round);
    }

    fn analysis(&self, numbers: &mut Numbers, position: Position) -> LoggedAnalysis {
        let mut lines: Vec<Line> = Vec::new();
        for _ in 0..=numbers.below(3) {
            let Some(m) = numbers.choose(&position, 5) else { continue };
            let bound = if numbers.below(8) == 0 { Bound::Lower } else { Bound::Exact };
            let score = match numbers.below(30) {
                0 => Score::mate_in(5),
                _ => Score::cp(numbers.below(121) as i32 - 60),
            };
            if lines.iter().all(|line| line.pv.first() != Some(&m)) {
                lines.push(Line { bound, ..Line::exact(score, [m].into_iter().collect()) });
            }
        }
        let analyst = self.analysts[numbers.below(3) as usize].clone();
        let nodes = numbers.below(1_000_000);
        let analysis = Analysis { lines, nodes, ..Analysis::default() };
        LoggedAnalysis {
            when: 1_700_000_000 + numbers.below(900_000),
            ..LoggedAnalysis::new(position, analysis, analyst)
        }
    }

    fn snapshot(&mut self, round: u32) {
        let name = format!("round {round}");
        let new = NewSnapshot { name, when: 0, generation: round, figures: Vec::new() };
        self.book.store().take_snapshot(&new).unwrap();
        let moment = self.moment(&new.name);
        self.moments.push(moment);
    }

    /// The present state of the book.
    pub(crate) fn moment(&self, name: &str) -> Moment {
        let (graph, store) = (self.book.graph(), self.book.store());
        let values = graph.records().filter_map(|record| {
            let score = graph.value(&record.position)?.score;
            let side = record.position.side();
            Some((without_number(&record.position), for_black(score, side)))
        });
        let mut evaluations = 0;
        for entry in store.log().unwrap() {
            let lines = entry.unwrap().analysis.analysis.lines;
            evaluations += lines.iter().filter(|line| !line.pv.is_empty()).count() as u64;
        }
        Moment {
            name: name.to_owned(),
            positions: store.len().unwrap(),
            evaluations,
            root: graph.value(&Position::hirate()).map(|value| value.score),
            values: values.collect(),
        }
    }

    /// Games that follow the book for a while, and a deletion, undone or not.
    fn play(&mut self, numbers: &mut Numbers) {
        for number in 0..40 {
            let game = self.game(numbers, number);
            self.games.push(game);
        }
        let changes: Vec<Change> = self.games.iter().cloned().map(Change::Game).collect();
        self.book.merge(&changes).unwrap();
        for at in 0..4 {
            let records: Vec<_> = self.book.graph().records().collect();
            let record = &records[numbers.below(records.len() as u64) as usize];
            let deletion = Deletion {
                position: record.position.clone(),
                m: Some(record.moves[0].m),
                reason: format!("lost <b>{at}</b> games"),
                when: 1_750_000_000,
                generation: 2,
                games: (0..30).collect(),
            };
            let ids = self.book.delete(&[deletion]).unwrap();
            if at == 0 {
                self.book.undo(&ids, 1_760_000_000).unwrap();
            }
        }
    }

    fn game(&self, numbers: &mut Numbers, number: u32) -> BookGame {
        let book_side = Color::ALL[numbers.below(2) as usize];
        let mut position = Position::hirate();
        let mut moves = Vec::new();
        while moves.len() < 8 {
            let listed = self.book.graph().record(&position).map(|record| record.moves);
            let known = listed.filter(|_| position.side() == book_side);
            let m = known.map(|moves| moves[numbers.below(moves.len() as u64) as usize].m);
            let Some(m) = m.or_else(|| numbers.choose(&position, 4)) else { break };
            moves.push(m);
            position.do_move(m);
        }
        // One game is invalid: it has fewer times than moves.
        let times = if number == 7 { 1 } else { moves.len() };
        BookGame {
            start: Position::hirate().to_setup(),
            times_ms: (0..times).map(|_| numbers.below(3) as u32 * 90).collect(),
            scores: moves.iter().map(|_| Some(numbers.below(99) as i32 - 50)).collect(),
            left_at: Some(3 + number % 5),
            moves,
            book_side,
            winner: [None, Some(Color::Black), Some(Color::White)][numbers.below(3) as usize],
            opponent: [HOSTILE, "second"][numbers.below(2) as usize].to_owned(),
            generation: number / 10,
            ending: "resignation".to_owned(),
            when: 0,
        }
    }
}
