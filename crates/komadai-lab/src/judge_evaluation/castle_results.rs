//! The worth of castles by the results of games that start from them, beside the scores of those
//! starts: a judge of the castle suite from another source than static opinions.

use std::path::PathBuf;

use anyhow::{Context as _, ensure};
use clap::Args;
use komadai::data::records::{PackedSfenValue, PsvReader, RecordResult};
use komadai::kifu::Tolerance;
use komadai::prelude::*;
use komadai_testdata::castles::{self, Template};

use crate::logistic::{Centred, Fit};
use komadai_study::statistics::pearson;

/// Strength of the pull to zero, which makes the sum of all castles determined.
const RIDGE: f64 = 0.01;

/// Options of `castles`.
#[derive(Debug, Args)]
pub(crate) struct CastleResults {
    /// Files of records (`.psv`), whole games in their order.
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

impl CastleResults {
    pub(crate) fn run(&self) -> anyhow::Result<()> {
        let templates: Vec<Template> = castles::templates().collect();
        let armies: Vec<Vec<char>> = templates.iter().map(|army| squares(army.ranks)).collect();
        let mut starts = Vec::new();
        for file in &self.files {
            let mut before = None;
            let name = || file.display().to_string();
            for record in PsvReader::open(file, Tolerance::Strict).with_context(name)? {
                let record: PackedSfenValue = record.with_context(name)?;
                if before.is_none_or(|ply: u16| ply.checked_add(1) != Some(record.ply)) {
                    starts.extend(Start::of(&record, &armies)?);
                }
                before = Some(record.ply);
            }
        }
        ensure!(starts.len() > 100, "found {} games from castles, too few", starts.len());
        let count = templates.len();
        let fit = |value: fn(&Start) -> f64| {
            let rows = starts.iter().map(|start| (terms(start, count), value(start)));
            Fit::new(count + 1, RIDGE, &rows.collect::<Vec<_>>()).centred(count)
        };
        let (results, scores) = (fit(|start| start.result), fit(|start| start.expected));
        let centipawns = |value: f64| SCALE_CP * value;

        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by(|&a, &b| results.values[b].total_cmp(&results.values[a]));
        println!(
            "{} games from castles; by results (95 %), by scores, in centipawns",
            starts.len()
        );
        for index in order {
            let [value, error, score] =
                [results.values[index], 1.96 * results.errors[index], scores.values[index]]
                    .map(centipawns);
            println!("{value:+5.0} ±{error:3.0} {score:+5.0}  {}", templates[index].name);
        }
        let pairs: Vec<_> = (0..count).map(|i| (results.values[i], scores.values[i])).collect();
        let spread = |fit: &Centred| {
            centipawns((fit.values.iter().map(|v| v * v).sum::<f64>() / count as f64).sqrt())
        };
        println!(
            "standard deviation by results {:.0}, by scores {:.0}; correlation {:.2}",
            spread(&results),
            spread(&scores),
            pearson(&pairs)
        );
        report_suite(&templates, &results.values, &scores.values);
        Ok(())
    }
}

/// Prints how many pairs of the suite have the order of these values, and the others.
fn report_suite(templates: &[Template], results: &[f64], scores: &[f64]) {
    let of = |values: &[f64], name: &str| {
        templates.iter().position(|army| army.name == name).map_or(0.0, |index| values[index])
    };
    let (mut all, mut right) = (0, [0, 0]);
    for pair in castles::pairs() {
        let (better, worse) =
            (pair.castles[pair.judged.better], pair.castles[1 - pair.judged.better]);
        let [by_results, by_scores] =
            [results, scores].map(|values| SCALE_CP * (of(values, better) - of(values, worse)));
        all += 1;
        right[0] += usize::from(by_results > 0.0);
        right[1] += usize::from(by_scores > 0.0);
        if by_results <= 0.0 {
            println!("{by_results:+5.0} {by_scores:+5.0}  {}", pair.judged.name);
        }
    }
    println!(
        "of {all} pairs of the suite in its order: {} by results, {} by scores",
        right[0], right[1]
    );
}

/// Returns the terms of a start: its castles, and the turn as the last one.
fn terms(start: &Start, count: usize) -> Vec<f64> {
    let mut terms = vec![0.0; count + 1];
    terms[start.castles[0]] += 1.0;
    terms[start.castles[1]] -= 1.0;
    terms[count] = if start.black_to_move { 1.0 } else { -1.0 };
    terms
}

/// Number of squares by which an army may differ from its template: two moves.
const MOST_DIFFERENCES: usize = 4;

/// Score, in centipawns, at which a side wins *e* / (*e* + 1) of the games.
pub(crate) const SCALE_CP: f64 = 600.0;

/// The start of a game between two castles.
pub(crate) struct Start {
    /// The castles of Black and White, as indices of their templates.
    pub(crate) castles: [usize; 2],
    pub(crate) black_to_move: bool,
    /// Black's result, from 0 to 1.
    pub(crate) result: f64,
    /// Black's result as the score predicts it.
    pub(crate) expected: f64,
}

impl Start {
    /// Returns the start that a record is, or `None` if an army is no castle.
    pub(crate) fn of(
        record: &PackedSfenValue,
        armies: &[Vec<char>],
    ) -> anyhow::Result<Option<Self>> {
        let position = record.unpack()?;
        let board = squares(position.to_string().split(' ').next().unwrap_or_default());
        let rotated = board.iter().rev().map(|&c| swapped(c)).collect::<Vec<_>>();
        let (Some(black), Some(white)) = (nearest(&board, armies), nearest(&rotated, armies))
        else {
            return Ok(None);
        };
        let black_to_move = position.side() == Color::Black;
        let own = match record.result {
            RecordResult::Win => 1.0,
            RecordResult::Loss => 0.0,
            _ => 0.5,
        };
        let expected = 1.0 / (1.0 + (-f64::from(record.score) / SCALE_CP).exp());
        let of_black = |value: f64| if black_to_move { value } else { 1.0 - value };
        Ok(Some(Self {
            castles: [black, white],
            black_to_move,
            result: of_black(own),
            expected: of_black(expected),
        }))
    }
}

/// Returns the template to which Black's army on the ranks 6 to 9 comes nearest.
fn nearest(board: &[char], armies: &[Vec<char>]) -> Option<usize> {
    let ranks = board.get(45..)?;
    let distance =
        |army: &Vec<char>| ranks.iter().zip(army).filter(|&(&c, &a)| own(c) != a).count();
    let (distance, index) =
        armies.iter().enumerate().map(|(index, army)| (distance(army), index)).min()?;
    (distance <= MOST_DIFFERENCES).then_some(index)
}

/// Returns the piece if it is Black's, else an empty square.
fn own(piece: char) -> char {
    if piece.is_ascii_uppercase() { piece } else { '.' }
}

/// Returns the squares of ranks of an SFEN: a letter for a piece, `+` for a promoted one, `.` for
/// none.
pub(crate) fn squares(ranks: &str) -> Vec<char> {
    let (mut squares, mut promoted) = (Vec::new(), false);
    for c in ranks.chars() {
        match (c, c.to_digit(10)) {
            ('/', _) => {}
            ('+', _) => promoted = true,
            (_, Some(empty)) => squares.extend((0..empty).map(|_| '.')),
            _ => squares.push(if core::mem::take(&mut promoted) { '+' } else { c }),
        }
    }
    squares
}

fn swapped(c: char) -> char {
    if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() }
}
