//! Changes that look random and are the same for the same seed.

use std::path::Path;

use komadai_bookgraph::BookGame;
use komadai_core::{
    Analysis, AnalystId, Bound, Color, Line, Move, Position, Pv, Score, Setup, SplitMix64,
};
use komadai_movegen::{MoveList, generate_legal};

use crate::logged_analysis::{LoggedAnalysis, Source};
use crate::merge::Input;
use crate::store::{Change, Deletion, KnownMove, NewSnapshot, Store, StoreError};

/// Random numbers with the draws that the tests need.
#[derive(Debug, Clone)]
pub(crate) struct Random(SplitMix64);

impl Random {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(SplitMix64::new(seed))
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0.next_u64()
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    fn of<'l, T>(&mut self, list: &'l [T]) -> &'l T {
        &list[self.below(list.len())]
    }
}

fn legal_moves(position: &Position) -> Vec<Move> {
    let mut moves = MoveList::new();
    generate_legal(position, &mut moves);
    moves.iter().copied().collect()
}

/// Positions reached by random legal play.
pub(crate) fn positions(seed: u64, count: usize) -> Vec<Position> {
    let mut random = Random::new(seed);
    let mut position = Position::hirate();
    let mut found = vec![position.clone()];
    while found.len() < count {
        let moves = legal_moves(&position);
        position = match moves.is_empty() || position.ply() > 60 {
            true => Position::hirate(),
            false => position.after(*random.of(&moves)),
        };
        found.push(position.without_history());
    }
    found
}

pub(crate) fn analyst(number: usize) -> AnalystId {
    AnalystId { options: "Threads=1".to_owned(), ..AnalystId::new(format!("engine {number}"), "1") }
}

/// Draws changes at a few positions, in either orientation.
#[derive(Debug, Clone)]
pub(crate) struct Changes {
    random: Random,
    pool: Vec<Position>,
    /// Makes each analysis one of its own.
    when: u64,
    earlier: Vec<LoggedAnalysis>,
}

impl Changes {
    pub(crate) fn new(seed: u64, pool: usize) -> Self {
        Self { random: Random::new(seed), pool: positions(3, pool), when: 0, earlier: Vec::new() }
    }

    fn position(&mut self) -> Position {
        let position = self.random.of(&self.pool).clone();
        if self.random.below(3) == 0 { position.flipped() } else { position }
    }

    pub(crate) fn next(&mut self) -> Change {
        match self.random.below(20) {
            0 => Change::Input(Input {
                fingerprint: self.random.next(),
                games: 7,
                name: "games.csa".to_owned(),
            }),
            1 => Change::Game(self.game()),
            2..=5 => Change::Move(self.known_move()),
            6 if !self.earlier.is_empty() => {
                // The same again, seen from the other side.
                let mut logged = self.random.of(&self.earlier).clone();
                logged.position = logged.position.flipped();
                let turn = |line: &Line| Line {
                    pv: line.pv.iter().map(|m| m.flipped()).collect(),
                    ..line.clone()
                };
                logged.analysis.lines = logged.analysis.lines.iter().map(turn).collect();
                Change::Analysis(logged)
            }
            _ => {
                let logged = self.analysis();
                self.earlier.push(logged.clone());
                Change::Analysis(logged)
            }
        }
    }

    pub(crate) fn batch(&mut self, count: usize) -> Vec<Change> {
        (0..count).map(|_| self.next()).collect()
    }

    pub(crate) fn known_move(&mut self) -> KnownMove {
        let position = self.position();
        let m = *self.random.of(&legal_moves(&position));
        let answers = legal_moves(&position.after(m));
        let ponder =
            (self.random.below(2) == 0 && !answers.is_empty()).then(|| *self.random.of(&answers));
        KnownMove { position, m, ponder, games: self.random.below(5) as u32 }
    }

    pub(crate) fn analysis(&mut self) -> LoggedAnalysis {
        let position = self.position();
        let moves = legal_moves(&position);
        let mut lines: Vec<Line> = Vec::new();
        for _ in 0..=self.random.below(3) {
            let first = *self.random.of(&moves);
            if lines.iter().all(|line| line.pv.first() != Some(&first)) {
                lines.push(self.line(&position, first));
            }
        }
        self.when += 1;
        let analysis = Analysis {
            depth: self.random.below(5) as u32,
            seldepth: self.random.below(9) as u32,
            nodes: 10 * self.random.below(4) as u64,
            time: std::time::Duration::from_millis(self.random.below(900) as u64),
            lines,
            completed: self.random.below(2) == 0,
        };
        let source = *self.random.of(&[Source::Search, Source::Successor, Source::Import]);
        let host = (*self.random.of(&["", "alpha", "beta"])).to_owned();
        let analyst = analyst(self.random.below(3));
        LoggedAnalysis { position, analysis, analyst, source, when: self.when, host }
    }

    fn line(&mut self, position: &Position, first: Move) -> Line {
        let mut pv = Pv::from_parts(first, &[]);
        let answers = legal_moves(&position.after(first));
        if self.random.below(2) == 0 && !answers.is_empty() {
            pv.push(*self.random.of(&answers));
            // A line may go on with nonsense.
            pv.push("5e5d".parse().unwrap());
        }
        let score = match self.random.below(9) {
            0 => Score::mate_in(self.random.below(20) as u32),
            1 => Score::mated_in(self.random.below(20) as u32),
            _ => Score::cp(self.random.below(600) as i32 - 300),
        };
        let bound = *self.random.of(&[Bound::Exact, Bound::Exact, Bound::Lower, Bound::Upper]);
        Line { bound, ..Line::exact(score, pv) }
    }

    fn game(&mut self) -> BookGame {
        let position = Position::hirate();
        BookGame {
            start: Setup { ply: 3, ..Setup::hirate().flipped() },
            moves: vec![*self.random.of(&legal_moves(&position))],
            book_side: Color::White,
            winner: *self.random.of(&[None, Some(Color::Black), Some(Color::White)]),
            opponent: "someone".to_owned(),
            generation: self.random.below(9) as u32,
            left_at: Some(self.random.below(40) as u32),
            times_ms: vec![self.random.below(10_000) as u32],
            scores: vec![None, Some(-self.random.next().trailing_zeros().cast_signed())],
            ending: "resignation".to_owned(),
            when: self.random.next() >> 20,
        }
    }
}

/// One step of a script: it can be done again without changing anything more.
#[derive(Debug, Clone)]
pub(crate) enum Step {
    Merge(Input, Vec<Change>),
    Delete(Vec<Deletion>),
    Undo(usize),
    Snapshot(NewSnapshot),
}

/// A script of merging, deleting, undoing and taking snapshots.
pub(crate) fn script(seed: u64, steps: usize) -> Vec<Step> {
    let mut changes = Changes::new(seed, 40);
    let mut random = Random::new(seed + 1);
    let mut known: Vec<KnownMove> = Vec::new();
    let mut script = Vec::new();
    for number in 0..steps as u64 {
        let step = match random.below(10) {
            0 | 1 if !known.is_empty() => {
                let KnownMove { position, m, .. } = random.of(&known).clone();
                let m = (random.below(4) > 0).then_some(m);
                let (reason, games) = ("lost".to_owned(), vec![number, number + 1]);
                Step::Delete(vec![Deletion { position, m, reason, when: 5, generation: 1, games }])
            }
            2 => Step::Undo(random.below(5)),
            3 => Step::Snapshot(NewSnapshot {
                name: format!("step {number}"),
                when: number,
                generation: 2,
                figures: vec![("root".to_owned(), -35)],
            }),
            _ => {
                let mut batch = changes.batch(6);
                let added = changes.known_move();
                known.push(added.clone());
                batch.push(added.into());
                let name = format!("batch {number}");
                Step::Merge(Input { fingerprint: number, games: 1, name }, batch)
            }
        };
        script.push(step);
    }
    script
}

pub(crate) fn perform(store: &Store, step: &Step) -> Result<(), StoreError> {
    match step {
        Step::Merge(input, changes) => store.merge_input(input, changes).map(drop),
        Step::Delete(deletions) => match store.delete(deletions) {
            // The whole position is deleted, or a part of a position that has been.
            Err(StoreError::NotInBook { .. }) => Ok(()),
            done => done.map(drop),
        },
        Step::Undo(from_last) => {
            let tombstones = store.tombstones()?;
            let at = tombstones.len().checked_sub(from_last + 1);
            let id = at.map(|at| tombstones[at].id);
            id.map_or(Ok(()), |id| store.undo(&[id], 9).map(drop))
        }
        Step::Snapshot(new) => store.take_snapshot(new).map(drop),
    }
}

/// The fingerprint of the content after each number of steps without a disturbance.
pub(crate) fn undisturbed(path: &Path, script: &[Step]) -> Vec<u64> {
    let store = Store::create(path).unwrap();
    let mut numbers = vec![store.fingerprint().unwrap().number()];
    for step in script {
        perform(&store, step).unwrap();
        numbers.push(store.fingerprint().unwrap().number());
    }
    numbers
}
