//! Writing `.sbk` books.

use std::collections::HashMap;
use std::io::{self, Write};

use komadai_core::{Color, Position};

use super::move_code::encode;
use super::wire::{put_bytes, put_int};
use crate::db::push_sfen;
use crate::lost::Lost;
use crate::record::{BookRecord, MoveMark, RecordEval, RecordMove, RecordResults};

/// Collects a ShogiGUI book (`.sbk`) and writes it.
///
/// Records may come in any order; the first should be the start of the game, which ShogiGUI shows
/// first. All are kept in memory. The format has no place for values, depths, expected answers and
/// comments of moves. A move without a count gets the weight 1, as with 0 some programs would never
/// make it. Of two records of one position the first is written and the other counted as lost.
///
/// A position is written out only where the moves that lead to it do not tell it and its number.
///
/// # Examples
///
/// See [`SbkReader`](crate::SbkReader).
#[derive(Debug, Clone, Default)]
pub struct SbkWriter {
    author: String,
    description: String,
    drafts: Vec<Draft>,
    /// The place of each position among the drafts.
    places: HashMap<Identity, usize>,
    lost: Lost,
}

/// A position's two keys, of the board and of the hands, which together are no other's.
type Identity = (u64, u64);

/// A position of which all is encoded but what depends on others.
#[derive(Debug, Clone)]
struct Draft {
    sfen: String,
    ply: Option<u32>,
    results: RecordResults,
    comment: String,
    /// The encoded judgements.
    evals: Vec<u8>,
    moves: Vec<DraftMove>,
}

#[derive(Debug, Clone)]
struct DraftMove {
    code: u32,
    mark: Option<MoveMark>,
    weight: u32,
    after: Identity,
}

impl SbkWriter {
    /// Nothing collected yet. Author and description may be empty.
    #[must_use]
    pub fn new(author: impl Into<String>, description: impl Into<String>) -> Self {
        Self { author: author.into(), description: description.into(), ..Self::default() }
    }

    /// Adds a position.
    pub fn push(&mut self, record: &BookRecord) {
        let position = &record.position;
        let place = self.drafts.len();
        if *self.places.entry(identity(position)).or_insert(place) != place {
            self.lost.positions += 1;
            return;
        }
        let mut sfen = String::new();
        push_sfen(&mut sfen, record);
        let mut evals = Vec::new();
        for eval in &record.evals {
            put_bytes(&mut evals, 10, &self.encode_eval(eval, position.side()));
        }
        let moves = record.moves.iter().map(|listed| self.draft_move(position, listed)).collect();
        let results = record.results.unwrap_or_default();
        let cut = RecordResults {
            games: cut(results.games),
            black_wins: cut(results.black_wins),
            white_wins: cut(results.white_wins),
        };
        self.lost.results += u64::from(cut != results);
        self.drafts.push(Draft {
            sfen,
            ply: record.ply,
            results: cut,
            comment: record.comment.clone(),
            evals,
            moves,
        });
    }

    fn draft_move(&mut self, position: &Position, listed: &RecordMove) -> DraftMove {
        let lost = &mut self.lost;
        lost.ponders += u64::from(listed.ponder.is_some());
        lost.values += u64::from(listed.score.is_some());
        lost.depths += u64::from(listed.depth.is_some_and(|depth| depth != 0));
        lost.comments += u64::from(!listed.comment.is_empty());
        let count = listed.count.unwrap_or(1);
        lost.counts += u64::from(cut(count) != count);
        DraftMove {
            code: encode(position, listed.m),
            mark: listed.mark,
            weight: cut(count),
            after: identity(&position.after(listed.m)),
        }
    }

    fn encode_eval(&mut self, eval: &RecordEval, side: Color) -> Vec<u8> {
        let fits = cut(eval.depth) == eval.depth && cut(eval.seldepth) == eval.seldepth;
        self.lost.evals += u64::from(!fits);
        // The file's values are for Black.
        let score = if side == Color::White { -eval.score } else { eval.score };
        let mut out = Vec::new();
        put_int(&mut out, 1, score.raw().into());
        put_int(&mut out, 2, cut(eval.depth).into());
        put_int(&mut out, 3, cut(eval.seldepth).into());
        put_int(&mut out, 4, eval.nodes as i64);
        put_bytes(&mut out, 5, eval.variation.as_bytes());
        put_bytes(&mut out, 6, eval.engine.as_bytes());
        out
    }

    /// Writes everything, and returns what the format could not hold.
    ///
    /// # Errors
    ///
    /// If `out` fails.
    pub fn finish(self, out: &mut impl Write) -> io::Result<Lost> {
        let is_root = self.roots();
        let mut message = Vec::new();
        put_bytes(&mut message, 1, self.author.as_bytes());
        put_bytes(&mut message, 2, self.description.as_bytes());
        out.write_all(&message)?;
        // Positions outside the book get the numbers after those in it.
        let mut outside: HashMap<Identity, usize> = HashMap::new();
        for (id, draft) in self.drafts.iter().enumerate() {
            let position = is_root[id].then_some(draft.sfen.as_str());
            let mut state = encode_head(id, &draft.results, position);
            if !draft.comment.is_empty() {
                put_bytes(&mut state, 8, draft.comment.as_bytes());
            }
            for listed in &draft.moves {
                let next_outside = self.drafts.len() + outside.len();
                let next = match self.places.get(&listed.after) {
                    Some(&next) => next,
                    None => *outside.entry(listed.after).or_insert(next_outside),
                };
                put_bytes(&mut state, 9, &listed.encode(next));
            }
            state.extend(&draft.evals);
            write_state(out, &state)?;
        }
        for id in self.drafts.len()..self.drafts.len() + outside.len() {
            write_state(out, &encode_head(id, &RecordResults::default(), None))?;
        }
        Ok(self.lost)
    }

    /// For each position whether it must be written out.
    ///
    /// It need not be if a reader reaches it by moves, and every move that leads to it tells the
    /// same number as it has. Positions that can only be reached from each other need one that is
    /// written out.
    fn roots(&self) -> Vec<bool> {
        let mut is_reached = vec![false; self.drafts.len()];
        let mut is_root: Vec<bool> = self.drafts.iter().map(Draft::is_silent).collect();
        for draft in &self.drafts {
            for &next in draft.moves.iter().filter_map(|listed| self.places.get(&listed.after)) {
                is_reached[next] = true;
                is_root[next] |= self.drafts[next].ply != draft.ply.map(|ply| ply + 1);
            }
        }
        for (is_root, is_reached) in is_root.iter_mut().zip(&is_reached) {
            *is_root |= !is_reached;
        }
        is_reached.fill(false);
        let roots = (0..self.drafts.len()).filter(|&place| is_root[place]).collect();
        self.visit(roots, &mut is_reached);
        for place in 0..self.drafts.len() {
            if !is_reached[place] {
                is_root[place] = true;
                self.visit(vec![place], &mut is_reached);
            }
        }
        is_root
    }

    /// Marks what is reached from some places.
    fn visit(&self, mut places: Vec<usize>, is_reached: &mut [bool]) {
        while let Some(place) = places.pop() {
            if !std::mem::replace(&mut is_reached[place], true) {
                let moves = &self.drafts[place].moves;
                places.extend(moves.iter().filter_map(|listed| self.places.get(&listed.after)));
            }
        }
    }
}

impl Draft {
    /// Whether a reader would take its state for one that says nothing.
    fn is_silent(&self) -> bool {
        self.results == RecordResults::default()
            && self.comment.is_empty()
            && self.evals.is_empty()
            && self.moves.is_empty()
    }
}

impl DraftMove {
    fn encode(&self, next: usize) -> Vec<u8> {
        let mark = match self.mark {
            None => 0,
            Some(MoveMark::Forced) => 1,
            Some(MoveMark::Good) => 2,
            Some(MoveMark::Bad) => 3,
            Some(MoveMark::Blunder) => 4,
        };
        let mut out = Vec::new();
        put_int(&mut out, 1, i64::from(self.code as i32));
        put_int(&mut out, 2, mark);
        put_int(&mut out, 3, self.weight.into());
        put_int(&mut out, 4, next as i64);
        out
    }
}

/// The fields of a state up to its position.
fn encode_head(id: usize, results: &RecordResults, position: Option<&str>) -> Vec<u8> {
    let mut state = Vec::new();
    put_int(&mut state, 1, id as i64);
    // ShogiGUI's own keys.
    put_int(&mut state, 2, 0);
    put_int(&mut state, 3, 0);
    put_int(&mut state, 4, results.games.into());
    put_int(&mut state, 5, results.black_wins.into());
    put_int(&mut state, 6, results.white_wins.into());
    if let Some(sfen) = position {
        put_bytes(&mut state, 7, sfen.as_bytes());
    }
    state
}

fn write_state(out: &mut impl Write, state: &[u8]) -> io::Result<()> {
    let mut message = Vec::new();
    put_bytes(&mut message, 3, state);
    out.write_all(&message)
}

/// A number as large as the format can hold.
fn cut(number: u32) -> u32 {
    number.min(i32::MAX as u32)
}

fn identity(position: &Position) -> Identity {
    (position.board_key(), position.hand_key())
}
