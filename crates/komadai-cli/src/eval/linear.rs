//! Explanations of linear evaluations, as text and as JSON.

use std::io::{self, BufReader, Write};
use std::path::Path;

use anyhow::Context as _;
use komadai::core::{Color, Language, Move, Position};
use komadai::nnue::linear::{
    FeatureGroups, LinearEvaluator, LinearExplanation, LinearPiece, LinearTerm, LinearTermChange,
};
use komadai_base::file::open_regular;
use komadai_console::state_json::side_word;
use komadai_console::{padded, width};
use serde_json::{Value, json};

use super::text::{Layout, Row, right};

/// Reads a file of a linear evaluation.
pub(super) fn read(path: &Path) -> anyhow::Result<LinearEvaluator> {
    let name = || path.display().to_string();
    let file = open_regular(path).with_context(name)?;
    LinearEvaluator::read(BufReader::new(file)).with_context(name)
}

/// A position with its explanation.
pub(super) struct Explained {
    pub(super) position: Position,
    pub(super) explanation: LinearExplanation,
}

impl Explained {
    pub(super) fn new(evaluator: &LinearEvaluator, position: Position) -> Self {
        let explanation = evaluator.explain(&position);
        Self { position, explanation }
    }

    /// Writes the tables of the position.
    pub(super) fn write(&self, layout: &Layout, out: &mut impl Write) -> io::Result<()> {
        let Self { position, explanation } = self;
        let (sum, side) = (number(explanation.sum()), layout.side(position.side()));
        writeln!(out, "{position}")?;
        match layout.language {
            Language::English => writeln!(out, "{sum} for Black, {side} to move")?,
            Language::Japanese => writeln!(out, "先手から見て {sum}、{side}番")?,
        }
        let value = layout.language.choose("value", "値");
        let material = explanation.material() as f32;
        let groups = |group| [explanation.group_value(group)];
        write_groups(layout, out, [value], [material], groups)?;
        let largest = explanation.largest();
        let shown = largest.iter().filter(|term| term.value() != 0.0).take(layout.terms);
        let rows: Vec<Row> = shown
            .map(|term| Row {
                values: right(&number(term.value())),
                visits: None,
                weight: weights(term),
                term: term.label(layout.language),
            })
            .collect();
        layout.rows(out, &[value], &rows)
    }

    /// The explanation as JSON; values are for Black.
    pub(super) fn json(&self) -> Value {
        let mut value = self.head();
        value["terms"] = self.explanation.largest().iter().map(term).collect();
        value
    }

    fn head(&self) -> Value {
        let Self { position, explanation } = self;
        json!({
            "sfen": position,
            "side": side_word(position.side()),
            "score": explanation.score().raw(),
            "black": explanation.sum(),
            "material": explanation.material(),
        })
    }
}

/// Two positions with the changes of the terms.
pub(super) struct Changed {
    pub(super) before: Explained,
    pub(super) after: Explained,
    /// The move that leads from the first position to the second.
    pub(super) m: Option<Move>,
    changes: Vec<LinearTermChange>,
}

impl Changed {
    pub(super) fn new(before: Explained, after: Explained, m: Option<Move>) -> Self {
        let changes = before.explanation.changes_to(&after.explanation);
        Self { before, after, m, changes }
    }

    /// Returns a value for Black as one for the side to move in the first position.
    fn for_view(&self, value: f32) -> f32 {
        if self.before.position.side() == Color::Black { value } else { -value }
    }

    /// Writes the tables of the change, for the side to move in the first position.
    pub(super) fn write(&self, layout: &Layout, out: &mut impl Write) -> io::Result<()> {
        let Self { before, after, m, changes } = self;
        let signed = |value| number(self.for_view(value));
        let explanations = [&before.explanation, &after.explanation];
        writeln!(out, "{}", before.position)?;
        if let Some(m) = *m {
            writeln!(out, "{}", layout.notation.name(&before.position, m))?;
        }
        writeln!(out, "{}", after.position)?;
        let [old, new] = explanations.map(LinearExplanation::sum);
        let (old, new, change) = (signed(old), signed(new), signed(new - old));
        let side = layout.side(before.position.side());
        match layout.language {
            Language::English => writeln!(out, "{old} → {new} for {side}: {change}")?,
            Language::Japanese => writeln!(out, "{side}から見て {old} → {new}：{change}")?,
        }
        let with_change = |[old, new]: [f32; 2]| [old, new, new - old].map(|v| self.for_view(v));
        let headings = layout.language.choose(["before", "after", "change"], ["前", "後", "変化"]);
        let material = with_change(explanations.map(|explained| explained.material() as f32));
        let groups =
            |group| with_change(explanations.map(|explained| explained.group_value(group)));
        write_groups(layout, out, headings, material, groups)?;
        let part = |term: &Option<LinearTerm>| {
            right(&term.as_ref().map_or_else(|| "-".to_owned(), |term| signed(term.value())))
        };
        let shown = changes.iter().filter(|change| change.value() != 0.0).take(layout.terms);
        let rows: Vec<Row> = shown
            .map(|change| Row {
                values: right(&signed(change.value()))
                    + &part(&change.before)
                    + &part(&change.after),
                visits: None,
                weight: change
                    .after
                    .as_ref()
                    .or(change.before.as_ref())
                    .map_or_else(String::new, weights),
                term: change.label(layout.language),
            })
            .collect();
        let headings = layout.language.choose(["change", "before", "after"], ["変化", "前", "後"]);
        layout.rows(out, &headings, &rows)
    }

    /// The change as JSON; values are for Black.
    pub(super) fn json(&self) -> Value {
        let change = |change: &LinearTermChange| {
            json!({
                "english": change.label(Language::English),
                "japanese": change.label(Language::Japanese),
                "value": change.value(),
                "before": change.before.as_ref().map(term),
                "after": change.after.as_ref().map(term),
            })
        };
        json!({
            "before": self.before.head(),
            "after": self.after.head(),
            "move": self.m,
            "change": self.after.explanation.sum() - self.before.explanation.sum(),
            "changes": self.changes.iter().map(change).collect::<Value>(),
        })
    }
}

/// Writes a table of the material balance, the groups that have a value, and their sums.
fn write_groups<const N: usize>(
    layout: &Layout,
    out: &mut impl Write,
    headings: [&str; N],
    material: [f32; N],
    value: impl Fn(FeatureGroups) -> [f32; N],
) -> io::Result<()> {
    let mut rows = vec![(layout.language.choose("material", "駒の価値").to_owned(), material)];
    rows.extend(FeatureGroups::ALL.map(|group| (group.label(layout.language), value(group))));
    rows.retain(|(_, values)| *values != [0.0; N]);
    let sums = rows.iter().fold([0.0; N], |sums, (_, values)| {
        core::array::from_fn(|column| sums[column] + values[column])
    });
    rows.push((layout.language.choose("sum", "計").to_owned(), sums));
    let widest = rows.iter().map(|(name, _)| width(name)).max().unwrap_or(0);
    let cells = |cells: [String; N]| cells.map(|cell| right(&cell)).concat();
    writeln!(out)?;
    writeln!(out, "{}{}", " ".repeat(widest), cells(headings.map(str::to_owned)))?;
    for (name, values) in rows {
        writeln!(out, "{}{}", padded(&name, widest), cells(values.map(number)))?;
    }
    Ok(())
}

/// Returns a value with two decimals and its sign.
fn number(value: f32) -> String {
    if value == 0.0 { "0".to_owned() } else { format!("{value:+.2}") }
}

/// Returns the indices of the weights of a term: `+1234` for one that is added for Black.
fn weights(term: &LinearTerm) -> String {
    let signed = |sign: char, index: Option<usize>| index.map(|index| format!("{sign}{index}"));
    let weights = [signed('+', term.plus), signed('-', term.minus)];
    weights.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

fn term(term: &LinearTerm) -> Value {
    json!({
        "group": term.group.to_string(),
        "english": term.label(Language::English),
        "japanese": term.label(Language::Japanese),
        "king": term.king.map(|(color, square)| piece(side_word(color), "K", square.to_string())),
        "pieces": term.pieces.iter().map(listed).collect::<Value>(),
        "plus": term.plus,
        "minus": term.minus,
        "value": term.value(),
    })
}

fn listed(listed: &LinearPiece) -> Value {
    let place = listed.square.map_or_else(|| "hand".to_owned(), |square| square.to_string());
    piece(side_word(listed.piece.color()), listed.piece.kind().to_sfen(), place)
}

fn piece(owner: &str, kind: &str, place: String) -> Value {
    json!({ "owner": owner, "piece": kind, "place": place })
}
