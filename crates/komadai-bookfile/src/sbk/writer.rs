//! Writing `.sbk` books.

use std::collections::HashMap;
use std::env;
use std::io::{self, BufReader, Read, Seek, Write};
use std::path::Path;

use komadai_core::{Color, Position};

use super::move_code::encode;
use super::wire::{Fields, put_bytes, put_int};
use crate::conversion_loss::ConversionLoss;
use crate::db::push_sfen;
use crate::record::{BookRecord, MoveMark, RecordEval, RecordMove, RecordResults};
use crate::spool::Spool;

/// Collects a ShogiGUI book (`.sbk`) and writes it.
///
/// Records may come in any order. The start position of the even game, if it is among them, is
/// written first, as ShogiGUI shows the first state first. The keys of the positions and the
/// targets of the moves stay in memory, about half a kilobyte for a position of five moves; all
/// other data waits in a temporary file. The format has no fields for values, depths, expected
/// answers and comments of moves. A move without a count gets the weight 1, as some programs never
/// play a move with the weight 0. Of two records of one position the first is written and the other
/// counted as lost.
///
/// The SFEN of a position is written only if the position or its move number does not follow from
/// the moves that lead to it.
///
/// # Examples
///
/// See [`SbkReader`](crate::sbk::SbkReader).
#[derive(Debug)]
pub struct SbkWriter {
    author: String,
    description: String,
    states: Vec<State>,
    /// The targets of the moves of all states, in the order of the records.
    targets: Vec<StateKey>,
    /// The index of each position in `states`.
    places: HashMap<StateKey, usize>,
    /// The encoded data of the states, and its length in bytes.
    spool: Spool,
    spooled: u64,
    lost: ConversionLoss,
}

/// The Zobrist keys of a position's board and hands.
///
/// Unlike [`PositionKey`](crate::position_key::PositionKey) they differ between the two
/// orientations: an `.sbk` book has a state for each. They also exist for positions that do not fit
/// into 32 bytes.
type StateKey = (u64, u64);

/// The data of a state that decides whether its SFEN must be written.
#[derive(Debug, Clone, Copy)]
struct State {
    ply: Option<u32>,
    /// True if it has no data: a reader would skip it unless it has an SFEN.
    is_empty: bool,
    /// The offset of its start in the spool.
    at: u64,
    /// The index of its first move in `targets`.
    first_move: usize,
}

/// The fields of a state in the spool.
mod spool_field {
    pub(super) const RESULTS: u64 = 1;
    pub(super) const SFEN: u64 = 2;
    pub(super) const COMMENT: u64 = 3;
    pub(super) const MOVE: u64 = 4;
    pub(super) const EVALS: u64 = 5;
}

impl SbkWriter {
    /// Creates an empty writer. Author and description may be empty.
    pub fn new(author: impl Into<String>, description: impl Into<String>) -> Self {
        Self {
            author: author.into(),
            description: description.into(),
            states: Vec::new(),
            targets: Vec::new(),
            places: HashMap::new(),
            spool: Spool::new(env::temp_dir()),
            spooled: 0,
            lost: ConversionLoss::default(),
        }
    }

    /// Sets the folder of the temporary file, for an empty writer.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_bookfile::sbk::SbkWriter;
    ///
    /// // The system's folder may be in memory; this one is on disk.
    /// let writer = SbkWriter::default().temporary_in("/var/tmp");
    /// assert!(writer.finish(&mut Vec::new())?.is_empty());
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn temporary_in(self, folder: impl AsRef<Path>) -> Self {
        Self { spool: Spool::new(folder), ..self }
    }

    /// Adds a position.
    ///
    /// # Errors
    ///
    /// If the temporary file cannot be written.
    pub fn push(&mut self, record: &BookRecord) -> io::Result<()> {
        let position = &record.position;
        let place = self.states.len();
        if *self.places.entry(state_key(position)).or_insert(place) != place {
            self.lost.positions += 1;
            return Ok(());
        }
        let results = self.clamp_results(record);
        self.states.push(State {
            ply: record.ply,
            is_empty: results == RecordResults::default()
                && record.comment.is_empty()
                && record.evals.is_empty()
                && record.moves.is_empty(),
            at: self.spooled,
            first_move: self.targets.len(),
        });
        let mut spooled = Vec::new();
        put_bytes(&mut spooled, spool_field::RESULTS, &encode_results(&results));
        let mut sfen = String::new();
        push_sfen(&mut sfen, record);
        put_bytes(&mut spooled, spool_field::SFEN, sfen.as_bytes());
        put_bytes(&mut spooled, spool_field::COMMENT, record.comment.as_bytes());
        for listed in &record.moves {
            put_bytes(&mut spooled, spool_field::MOVE, &self.encode_move(position, listed));
            self.targets.push(state_key(&position.after(listed.m)));
        }
        let mut evals = Vec::new();
        for eval in &record.evals {
            put_bytes(&mut evals, 10, &self.encode_eval(eval, position.side()));
        }
        put_bytes(&mut spooled, spool_field::EVALS, &evals);
        self.spooled += spooled.len() as u64;
        self.spool.write_all(&spooled)
    }

    fn clamp_results(&mut self, record: &BookRecord) -> RecordResults {
        let results = record.results.unwrap_or_default();
        let clamped = RecordResults {
            games: clamp(results.games),
            black_wins: clamp(results.black_wins),
            white_wins: clamp(results.white_wins),
        };
        self.lost.results += u64::from(clamped != results);
        clamped
    }

    /// Encodes a move without its target, whose number is not known yet.
    fn encode_move(&mut self, position: &Position, listed: &RecordMove) -> Vec<u8> {
        let lost = &mut self.lost;
        lost.ponders += u64::from(listed.ponder.is_some());
        lost.values += u64::from(listed.score.is_some());
        lost.depths += u64::from(listed.depth.is_some_and(|depth| depth != 0));
        lost.comments += u64::from(!listed.comment.is_empty());
        let count = listed.count.unwrap_or(1);
        lost.counts += u64::from(clamp(count) != count);
        let mark = match listed.mark {
            None => 0,
            Some(MoveMark::Forced) => 1,
            Some(MoveMark::Good) => 2,
            Some(MoveMark::Bad) => 3,
            Some(MoveMark::Blunder) => 4,
        };
        let mut out = Vec::new();
        // The field is an `int32`: White's moves have bit 31 set and are negative numbers.
        put_int(&mut out, 1, i64::from(encode(position, listed.m) as i32));
        put_int(&mut out, 2, mark);
        put_int(&mut out, 3, clamp(count).into());
        out
    }

    fn encode_eval(&mut self, eval: &RecordEval, side: Color) -> Vec<u8> {
        let fits = clamp(eval.depth) == eval.depth && clamp(eval.seldepth) == eval.seldepth;
        self.lost.evals += u64::from(!fits);
        // The file's values are for Black.
        let score = if side == Color::White { -eval.score } else { eval.score };
        let mut out = Vec::new();
        put_int(&mut out, 1, score.raw().into());
        put_int(&mut out, 2, clamp(eval.depth).into());
        put_int(&mut out, 3, clamp(eval.seldepth).into());
        put_int(&mut out, 4, eval.nodes as i64);
        put_bytes(&mut out, 5, eval.variation.as_bytes());
        put_bytes(&mut out, 6, eval.engine.as_bytes());
        out
    }

    /// Writes everything, and returns the data that the format cannot hold.
    ///
    /// # Errors
    ///
    /// If `out` or the temporary file fails.
    pub fn finish(self, out: &mut impl Write) -> io::Result<ConversionLoss> {
        let is_root = self.roots();
        let Self { author, description, states, targets, places, spool, spooled, lost } = self;
        let mut head = Vec::new();
        put_bytes(&mut head, 1, author.as_bytes());
        put_bytes(&mut head, 2, description.as_bytes());
        out.write_all(&head)?;
        let order = Order::new(&states, &places);
        let mut spool = spool.into_reader()?;
        let mut at = 0;
        // Each move names the state after it: positions outside the book get empty states, with the
        // numbers after those of the book.
        let mut outside: HashMap<StateKey, usize> = HashMap::new();
        for (id, place) in order.places().enumerate() {
            let state = states[place];
            let end = states.get(place + 1).map_or(spooled, |next| next.at);
            let spooled_state = read_at(&mut spool, &mut at, state.at..end)?;
            let mut numbers = targets[state.first_move..].iter().map(|after| {
                let next_outside = states.len() + outside.len();
                match places.get(after) {
                    Some(&next) => order.id(next),
                    None => *outside.entry(*after).or_insert(next_outside),
                }
            });
            write_state(out, &encode_state(id, &spooled_state, is_root[place], &mut numbers)?)?;
        }
        let nothing = encode_results(&RecordResults::default());
        for id in states.len()..states.len() + outside.len() {
            write_state(out, &[&encode_id(id)[..], &nothing].concat())?;
        }
        Ok(lost)
    }

    /// For each state, true if its SFEN must be written.
    ///
    /// It is not needed if a reader reaches the state by moves, and every move that leads to it
    /// gives it the move number that it has. Among states that can only be reached from each other,
    /// one needs an SFEN.
    fn roots(&self) -> Vec<bool> {
        let mut is_reached = vec![false; self.states.len()];
        let mut is_root: Vec<bool> = self.states.iter().map(|state| state.is_empty).collect();
        for (place, state) in self.states.iter().enumerate() {
            for next in self.targets_of(place) {
                is_reached[next] = true;
                is_root[next] |= self.states[next].ply != state.ply.map(|ply| ply + 1);
            }
        }
        for (is_root, is_reached) in is_root.iter_mut().zip(&is_reached) {
            *is_root |= !is_reached;
        }
        is_reached.fill(false);
        let order = Order::new(&self.states, &self.places);
        self.visit(order.places().filter(|&place| is_root[place]).collect(), &mut is_reached);
        // The rest are cycles without an entrance: the first state of each gets an SFEN.
        for place in order.places() {
            if !is_reached[place] {
                is_root[place] = true;
                self.visit(vec![place], &mut is_reached);
            }
        }
        is_root
    }

    /// Marks the states that can be reached from some states.
    fn visit(&self, mut places: Vec<usize>, is_reached: &mut [bool]) {
        while let Some(place) = places.pop() {
            if !std::mem::replace(&mut is_reached[place], true) {
                places.extend(self.targets_of(place).filter(|&next| !is_reached[next]));
            }
        }
    }

    /// The targets of the moves of a state that are in the book.
    fn targets_of(&self, place: usize) -> impl Iterator<Item = usize> {
        let end = self.states.get(place + 1).map_or(self.targets.len(), |next| next.first_move);
        let targets = &self.targets[self.states[place].first_move..end];
        targets.iter().filter_map(|after| self.places.get(after).copied())
    }
}

impl Default for SbkWriter {
    fn default() -> Self {
        Self::new("", "")
    }
}

/// The order of writing: the order of the records, but with the start of the even game first.
#[derive(Debug, Clone, Copy)]
struct Order {
    start: Option<usize>,
    states: usize,
}

impl Order {
    fn new(states: &[State], places: &HashMap<StateKey, usize>) -> Self {
        let start = places.get(&state_key(&Position::hirate())).copied();
        Self { start, states: states.len() }
    }

    fn places(self) -> impl Iterator<Item = usize> {
        let others = (0..self.states).filter(move |&place| Some(place) != self.start);
        self.start.into_iter().chain(others)
    }

    /// The number of a state in the file.
    fn id(self, place: usize) -> usize {
        match self.start {
            Some(start) if place == start => 0,
            Some(start) if place < start => place + 1,
            _ => place,
        }
    }
}

/// Reads a part of a spool, which has been read up to the offset `at`.
fn read_at(
    spool: &mut BufReader<impl Read + Seek>,
    at: &mut u64,
    part: std::ops::Range<u64>,
) -> io::Result<Vec<u8>> {
    spool.seek_relative(part.start as i64 - *at as i64)?;
    *at = part.end;
    let mut bytes = vec![0; (part.end - part.start) as usize];
    spool.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// Encodes a state from its data in the spool and the numbers of its moves' targets.
fn encode_state(
    id: usize,
    spooled: &[u8],
    is_root: bool,
    numbers: &mut impl Iterator<Item = usize>,
) -> io::Result<Vec<u8>> {
    let mut state = encode_id(id);
    for field in Fields::new(spooled, 0) {
        let field = field.map_err(io::Error::other)?;
        let bytes = field.bytes().map_err(io::Error::other)?;
        match field.number {
            spool_field::SFEN if is_root => put_bytes(&mut state, 7, bytes),
            spool_field::COMMENT if !bytes.is_empty() => put_bytes(&mut state, 8, bytes),
            spool_field::MOVE => {
                let mut listed = bytes.to_vec();
                let next = numbers.next().expect("every move has a target");
                put_int(&mut listed, 4, next as i64);
                put_bytes(&mut state, 9, &listed);
            }
            spool_field::RESULTS | spool_field::EVALS => state.extend(bytes),
            _ => {}
        }
    }
    Ok(state)
}

fn encode_id(id: usize) -> Vec<u8> {
    let mut state = Vec::new();
    put_int(&mut state, 1, id as i64);
    state
}

fn encode_results(results: &RecordResults) -> Vec<u8> {
    let mut out = Vec::new();
    // The keys, which only ShogiGUI computes.
    put_int(&mut out, 2, 0);
    put_int(&mut out, 3, 0);
    put_int(&mut out, 4, results.games.into());
    put_int(&mut out, 5, results.black_wins.into());
    put_int(&mut out, 6, results.white_wins.into());
    out
}

fn write_state(out: &mut impl Write, state: &[u8]) -> io::Result<()> {
    let mut message = Vec::new();
    put_bytes(&mut message, 3, state);
    out.write_all(&message)
}

/// The number clamped to the range of the format, which has signed 32-bit fields.
fn clamp(number: u32) -> u32 {
    number.min(i32::MAX as u32)
}

fn state_key(position: &Position) -> StateKey {
    (position.board_key(), position.hand_key())
}
