//! Explanations as tables for a terminal.

use std::io::{self, Write};

use komadai::core::{Color, Language, Position};
use komadai::eval::{Explanation, Group, Term, TermChange};
use komadai::kifu::Notation;
use komadai_console::{padded, width};

use super::comparison::Comparison;

/// The settings of the tables.
pub(super) struct Layout {
    /// Maximum number of terms.
    pub(super) terms: usize,
    /// Print all terms, including the values of pieces.
    pub(super) all: bool,
    pub(super) notation: Notation,
    pub(super) language: Language,
}

/// Width of a column of values: a sign and five digits.
const VALUE: usize = 8;
/// Width of the column of visits.
const VISITS: usize = 10;

impl Layout {
    /// Writes the tables of one position.
    pub(super) fn explanation(
        &self,
        out: &mut impl Write,
        position: &Position,
        explanation: &Explanation,
        network: i32,
    ) -> io::Result<()> {
        writeln!(out, "{position}")?;
        let black = rounded(explanation.sum());
        let side = self.side(position.side());
        match self.language {
            Language::English => writeln!(
                out,
                "network {network:+}, classical {black:+} (explained below) for Black, {side} to move"
            )?,
            Language::Japanese => writeln!(
                out,
                "先手から見て ネットワーク {network:+}、古典的評価 {black:+}（以下はその内訳）、{side}番"
            )?,
        }
        let headings = self.language.choose(["Black", "White", "sum"], ["先手", "後手", "計"]);
        let value = |group| {
            let [black, white] = Color::ALL.map(|color| explanation.group_value(group, color));
            [black, white, black + white]
        };
        self.groups(out, headings, value)?;
        let largest = explanation.largest();
        let shown = largest
            .iter()
            .filter(|term| self.all || term.group != Group::Piece)
            .filter(|term| rounded(term.value) != 0)
            .take(self.terms);
        let rows: Vec<Row> = shown.map(|term| self.term(term)).collect();
        self.rows(out, &[self.language.choose("value", "値")], &rows)
    }

    /// Writes the tables of a comparison, for the side to move in the first position.
    pub(super) fn comparison(
        &self,
        out: &mut impl Write,
        comparison: &Comparison,
    ) -> io::Result<()> {
        let Comparison { first, second, m, before, after, difference, .. } = comparison;
        let for_view = |value| comparison.for_view(value);
        writeln!(out, "{first}")?;
        if let Some(m) = *m {
            writeln!(out, "{}", self.notation.name(first, m))?;
        }
        writeln!(out, "{second}")?;
        let [old, new] = [before, after].map(|explanation| rounded(for_view(explanation.sum())));
        let [from, to] = comparison.networks.map(|black| rounded(for_view(black as f32)));
        let (change, side) = (rounded(for_view(difference.sum())), self.side(comparison.view()));
        match self.language {
            Language::English => writeln!(
                out,
                "network {from:+} → {to:+}, classical {old:+} → {new:+} (explained below) for {side}: \
                 {change:+}"
            )?,
            Language::Japanese => writeln!(
                out,
                "{side}から見て ネットワーク {from:+} → {to:+}、古典的評価 {old:+} → {new:+}（以下はその内訳）：\
                 {change:+}"
            )?,
        }
        let headings = self.language.choose(["before", "after", "change"], ["前", "後", "変化"]);
        let both = |explanation: &Explanation, group| {
            let values = Color::ALL.map(|color| explanation.group_value(group, color));
            for_view(values.iter().sum())
        };
        let value = |group| {
            let [old, new] = [before, after].map(|explanation| both(explanation, group));
            [old, new, new - old]
        };
        self.groups(out, headings, value)?;
        let shown = difference
            .changes()
            .iter()
            .filter(|change| rounded(change.value()) != 0)
            .take(self.terms);
        let rows: Vec<Row> = shown.map(|change| self.change(change, comparison.view())).collect();
        let headings = self.language.choose(["change", "before", "after"], ["変化", "前", "後"]);
        self.rows(out, &headings, &rows)
    }

    /// Writes a table of the groups that have a value in one of the columns, and their sums.
    fn groups(
        &self,
        out: &mut impl Write,
        headings: [&str; 3],
        value: impl Fn(Group) -> [f32; 3],
    ) -> io::Result<()> {
        let name = |group: Group| group.label(self.language);
        let sum = self.language.choose("sum", "計");
        let widest = Group::ALL.map(|group| width(name(group))).into_iter().max().unwrap_or(0);
        writeln!(out)?;
        writeln!(out, "{}{}", " ".repeat(widest), headings.map(right).concat())?;
        let mut sums = [0.0; 3];
        for group in Group::ALL {
            let values = value(group);
            sums = [0, 1, 2].map(|column| sums[column] + values[column]);
            if values.map(rounded) != [0; 3] {
                writeln!(out, "{}{}", padded(name(group), widest), values.map(signed).concat())?;
            }
        }
        writeln!(out, "{}{}", padded(sum, widest), sums.map(signed).concat())
    }

    /// Writes a table of terms.
    pub(super) fn rows(
        &self,
        out: &mut impl Write,
        headings: &[&str],
        rows: &[Row],
    ) -> io::Result<()> {
        if rows.is_empty() {
            return Ok(());
        }
        let weight = self.language.choose("weight", "重み");
        let widest = rows.iter().map(|row| width(&row.weight)).max().unwrap_or(0);
        let widest = widest.max(width(weight));
        let headings: String = headings.iter().map(|heading| right(heading)).collect();
        let term = self.language.choose("term", "項");
        // Weights set by hand have no visits, and no column for them.
        let counted = rows.iter().any(|row| row.visits.is_some());
        let count = |text: &str| {
            if counted {
                format!("{}{text}", " ".repeat(VISITS.saturating_sub(width(text))))
            } else {
                String::new()
            }
        };
        let visits = count(self.language.choose("visits", "局面数"));
        writeln!(out, "\n{headings}{visits}  {}  {term}", padded(weight, widest))?;
        for Row { values, visits, weight, term } in rows {
            let visits = count(&visits.map_or_else(|| "-".to_owned(), |visits| visits.to_string()));
            writeln!(out, "{values}{visits}  {}  {term}", padded(weight, widest))?;
        }
        Ok(())
    }

    fn term(&self, term: &Term) -> Row {
        Row {
            values: signed(term.value),
            visits: term.visits,
            weight: weight(term),
            term: self.owned(term.owner, &term.label(self.language)),
        }
    }

    fn change(&self, change: &TermChange, view: Color) -> Row {
        let part = |term: Option<Term>| match term {
            Some(term) => signed(term.value_for(view)),
            None => right("-"),
        };
        let [before, after] = [change.before, change.after].map(part);
        let term = change.after.or(change.before);
        Row {
            visits: term.and_then(|term| term.visits),
            values: format!("{}{before}{after}", signed(change.value_for(view))),
            weight: term.as_ref().map(weight).unwrap_or_default(),
            term: self.owned(change.owner, &change.label(self.language)),
        }
    }

    /// Returns the name of a term with its owner.
    fn owned(&self, owner: Color, label: &str) -> String {
        match (self.language, owner) {
            (Language::English, _) => format!("{owner:?} {label}"),
            (Language::Japanese, Color::Black) => format!("▲{label}"),
            (Language::Japanese, Color::White) => format!("△{label}"),
        }
    }

    pub(super) fn side(&self, color: Color) -> &'static str {
        match color {
            Color::Black => self.language.choose("Black", "先手"),
            Color::White => self.language.choose("White", "後手"),
        }
    }
}

/// A row of a table of terms.
pub(super) struct Row {
    pub(super) values: String,
    pub(super) visits: Option<u32>,
    pub(super) weight: String,
    pub(super) term: String,
}

/// Returns the name of a weight: `enemy-king[0,12,14]`, the group and the place within its shape.
fn weight(term: &Term) -> String {
    let place: Vec<String> = term.group.place(term.index).iter().map(ToString::to_string).collect();
    format!("{}[{}]", term.group.name(), place.join(","))
}

/// Returns a value with its sign, aligned to the right.
fn signed(value: f32) -> String {
    match rounded(value) {
        0 => right("0"),
        value => right(&format!("{value:+}")),
    }
}

/// Returns a text aligned to the right of a column of values.
pub(super) fn right(text: &str) -> String {
    format!("{}{text}", " ".repeat(VALUE.saturating_sub(width(text))))
}

fn rounded(value: f32) -> i32 {
    value.round() as i32
}
