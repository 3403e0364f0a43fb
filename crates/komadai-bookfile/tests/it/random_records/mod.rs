//! Records of positions reached by random legal play, with everything that a record can hold.

use komadai_bookfile::{BookRecord, MoveMark, RecordEval, RecordMove, RecordResults};
use komadai_core::{Position, Score, SplitMix64};
use komadai_movegen::MoveGen;

/// A source of random numbers.
pub(crate) struct Numbers(SplitMix64);

impl Numbers {
    pub(crate) fn new(seed: u64) -> Self {
        Self(SplitMix64::new(seed))
    }

    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.0.next_u64() % bound
    }

    fn some<T>(&mut self, value: impl FnOnce(&mut Self) -> T) -> Option<T> {
        (self.below(3) > 0).then(|| value(self))
    }
}

/// A position after random moves from the start position.
pub(crate) fn position(numbers: &mut Numbers, most_plies: u64) -> Position {
    let mut position = Position::hirate();
    for _ in 0..numbers.below(most_plies + 1) {
        let moves = position.legal_moves();
        let Some(&m) = moves.get(numbers.below(moves.len().max(1) as u64) as usize) else { break };
        position.do_move(m);
    }
    position.without_history()
}

fn comment(numbers: &mut Numbers) -> String {
    const PARTS: [&str; 8] = ["", "a", "歩 ", "#", "//", "sfen x", "\n", " NOE:7"];
    let count = numbers.below(5);
    let text: String = (0..count).map(|_| PARTS[numbers.below(8) as usize]).collect();
    if numbers.below(3) == 0 { text } else { String::new() }
}

/// A record with up to five legal moves of the position, in any order. Every format with comments
/// can hold its comments.
pub(crate) fn record(numbers: &mut Numbers, position: Position) -> BookRecord {
    let mut legal: Vec<_> = position.legal_moves().iter().copied().collect();
    let count = numbers.below(6).min(legal.len() as u64);
    let mut moves = Vec::new();
    for _ in 0..count {
        let m = legal.swap_remove(numbers.below(legal.len() as u64) as usize);
        let after = position.after(m);
        let answers = after.legal_moves();
        let answer = answers.get(numbers.below(answers.len().max(1) as u64) as usize).copied();
        let marks = [MoveMark::Forced, MoveMark::Good, MoveMark::Bad, MoveMark::Blunder];
        moves.push(RecordMove {
            ponder: numbers.some(|_| answer).flatten(),
            score: numbers.some(|n| Score::from_raw(n.below(64_001) as i32 - 32_000)),
            depth: numbers.some(|n| n.below(65_536) as u16),
            count: numbers.some(|n| n.below(1 << 32) as u32),
            mark: numbers.some(|n| marks[n.below(4) as usize]),
            comment: comment(numbers),
            ..RecordMove::new(m)
        });
    }
    let ply = [None, Some(0), Some(position.ply())][numbers.below(3) as usize];
    let first_ply = ply.unwrap_or(1);
    let setup = komadai_core::Setup { ply: first_ply, ..position.to_setup() };
    let eval = |n: &mut Numbers| RecordEval {
        score: Score::from_raw(n.below(2_001) as i32 - 1_000),
        depth: n.below(100) as u32,
        seldepth: n.below(100) as u32,
        nodes: n.below(1 << 40),
        variation: "7g7f 3c3d".to_owned(),
        engine: comment(n),
    };
    BookRecord {
        ply,
        moves,
        comment: comment(numbers),
        results: numbers.some(|n| RecordResults {
            games: n.below(1_000) as u32,
            black_wins: n.below(1_000) as u32,
            white_wins: n.below(1_000) as u32,
        }),
        evals: (0..numbers.below(3)).map(|_| eval(numbers)).collect(),
        ..BookRecord::new(Position::from_setup(&setup).expect("the position was one before"))
    }
}
