//! The table of moves as text and as JSON.

use std::io::Write as _;

use komadai::core::Language;
use komadai::games::{MoveResults, OpeningTable};
use komadai::{Color, Position};
use komadai_base::text::grouped;
use komadai_console::{Appearance, padded, print_json, stdout, width};
use serde_json::{Value, json};

/// A table to print.
pub(super) struct Table<'a> {
    pub(super) table: &'a OpeningTable,
    pub(super) position: &'a Position,
    /// The number of moves.
    pub(super) top: usize,
    pub(super) appearance: Appearance,
}

impl Table<'_> {
    /// Prints the table for people.
    pub(super) fn print(&self) -> anyhow::Result<()> {
        let language = self.appearance.language();
        let mut out = stdout();
        write!(out, "{}", self.head(language))?;
        if self.table.all.games == 0 {
            return Ok(());
        }
        let heads = language.choose(
            ["move", "games", "share", "Black", "draw", "White", "year", "moves"],
            ["指し手", "対局数", "割合", "先手", "引分", "後手", "年", "手数"],
        );
        let mut rows = vec![heads.map(str::to_owned)];
        let notation = self.appearance.notation();
        for &(m, results) in self.table.moves.iter().take(self.top) {
            rows.push(self.row(notation.name(self.position, m), &results));
        }
        if self.table.ended.games > 0 {
            let words = language.choose("(end of the game)", "（終局）").to_owned();
            rows.push(self.row(words, &self.table.ended));
        }
        for row in aligned(&rows) {
            writeln!(out, "{row}")?;
        }
        let more = self.table.moves.len().saturating_sub(self.top);
        if more > 0 {
            let words = language.choose(format!("and {more} more moves"), format!("ほか{more}手"));
            writeln!(out, "{words}")?;
        }
        Ok(())
    }

    /// Prints the table for programs.
    pub(super) fn print_json(&self) -> anyhow::Result<()> {
        let notation = self.appearance.notation_if(true);
        let moves = self.table.moves.iter().take(self.top).map(|&(m, results)| {
            let mut value = value(&results);
            value["move"] = json!(m.to_string());
            value["name"] = json!(notation.name(self.position, m));
            value
        });
        let mut document = value(&self.table.all);
        document["position"] = json!(self.position.to_string());
        document["moves"] = moves.collect::<Value>();
        document["ended"] = value(&self.table.ended);
        print_json(&document)?;
        Ok(())
    }

    /// Returns the lines above the table: the position, and its games.
    fn head(&self, language: Language) -> String {
        let all = &self.table.all;
        let games = grouped(all.games);
        let line = match all.games {
            0 => language.choose(
                "no game reached the position\n".to_owned(),
                "この局面に至った対局はありません\n".to_owned(),
            ),
            _ => {
                let [black, draws, white] = shares(all);
                language.choose(
                    format!("{games} games: Black {black} %, draws {draws} %, White {white} %\n"),
                    format!("{games}局：先手{black} %、引き分け{draws} %、後手{white} %\n"),
                )
            }
        };
        let side = match self.position.side() {
            Color::Black => language.choose("Black to move", "先手番"),
            Color::White => language.choose("White to move", "後手番"),
        };
        format!("{} ({side})\n{line}", self.position)
    }

    fn row(&self, name: String, results: &MoveResults) -> [String; 8] {
        let share = 100.0 * results.games as f64 / self.table.all.games as f64;
        let [black, draws, white] = shares(results);
        let year = results.mean_year().map_or("-".to_owned(), |year| format!("{year:.0}"));
        let plies = results.mean_plies().map_or("-".to_owned(), |plies| format!("{plies:.0}"));
        let games = grouped(results.games);
        [name, games, format!("{share:.1} %"), black, draws, white, year, plies]
    }
}

/// Returns the results in per cent of the games with a result.
fn shares(results: &MoveResults) -> [String; 3] {
    [results.black, results.draws, results.white].map(|count| match results.decided() {
        0 => "-".to_owned(),
        decided => format!("{:.1}", 100.0 * count as f64 / decided as f64),
    })
}

/// Returns rows as lines: the first column begins at the left, the others end at the right.
fn aligned(rows: &[[String; 8]]) -> Vec<String> {
    let widths: Vec<usize> = (0..8)
        .map(|column| rows.iter().map(|row| width(&row[column])).max().unwrap_or(0))
        .collect();
    let line = |row: &[String; 8]| {
        let mut line = padded(&row[0], widths[0]);
        for (cell, cells) in row.iter().zip(&widths).skip(1) {
            line += "  ";
            line += &" ".repeat(cells - width(cell));
            line += cell;
        }
        line
    };
    rows.iter().map(line).collect()
}

fn value(results: &MoveResults) -> Value {
    let MoveResults { games, black, draws, white, .. } = *results;
    json!({
        "games": games,
        "black": black,
        "draws": draws,
        "white": white,
        "black_share": results.black_share(),
        "mean_year": results.mean_year(),
        "mean_moves": results.mean_plies(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned_by_cells() {
        let row = |name: &str| [name, "1", "10 %", "1", "1", "1", "-", "99"].map(str::to_owned);
        let lines = aligned(&[row("▲７六歩"), row("P-7f")]);
        assert_eq!(width(&lines[0]), width(&lines[1]));
        assert!(lines[1].ends_with("  1  10 %  1  1  1  -  99"), "{lines:?}");
    }

    #[test]
    fn shares_are_those_of_decided_games() {
        let results =
            MoveResults { games: 9, black: 1, draws: 1, white: 2, ..MoveResults::default() };
        assert_eq!(shares(&results), ["25.0", "25.0", "50.0"]);
        assert_eq!(shares(&MoveResults::default()), ["-", "-", "-"]);
    }
}
