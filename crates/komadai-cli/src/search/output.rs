//! The result of a search, as text and as JSON.

use std::io::{self, Write};

use komadai::core::{Analysis, Color, Language, Line, Move, Position};
use komadai::movegen::MoveGen as _;
use komadai::report::Diagram;
use komadai_console::state_json::{score, side_word};
use komadai_console::{grouped, padded, width};
use serde_json::{Value, json};

use super::engine::SearchEngine;
use super::mate::ProvenMate;
use super::options::SearchArgs;
use super::value::value;
use crate::board::Style;
use crate::dialogue::named_after;

/// The result of a search with the position and the engine.
pub(super) struct Report<'a> {
    pub(super) arguments: &'a SearchArgs,
    pub(super) position: &'a Position,
    pub(super) analysis: Analysis,
    pub(super) mate: Option<ProvenMate>,
    pub(super) engine: &'a SearchEngine,
}

impl Report<'_> {
    /// Writes the board and the table of the lines.
    pub(super) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let language = self.arguments.appearance.language();
        let diagram = match self.arguments.style() {
            Style::Kanji => Diagram::kanji(self.position),
            Style::Letters => Diagram::letters(self.position),
        };
        writeln!(out, "{diagram}")?;
        if !self.position.has_legal_move() {
            return writeln!(out, "{}", no_move(self.position, language));
        }
        writeln!(out, "{}\n", self.effort(language))?;
        if let Some(mate) = &self.mate {
            writeln!(out, "{}\n", self.proof(mate, language))?;
        }
        let heads = language.choose(
            ["", "value for Black", "depth", "line"],
            ["", "評価値（先手）", "深さ", "読み筋"],
        );
        let rows = (1..).zip(&self.analysis.lines).map(|(rank, line): (usize, _)| {
            [
                rank.to_string(),
                value(line, self.position, language),
                depth(line, &self.analysis).to_string(),
                self.names(&line.pv).join(" "),
            ]
        });
        let rows: Vec<[String; 4]> = [heads.map(str::to_owned)].into_iter().chain(rows).collect();
        let widths = [0, 1, 2].map(|at| rows.iter().map(|row| width(&row[at])).max().unwrap_or(0));
        for [rank, value, depth, line] in rows {
            let right = |text: &str, cells: usize| {
                format!("{}{text}", " ".repeat(cells.saturating_sub(width(text))))
            };
            let [rank, value] = [padded(&rank, widths[0]), padded(&value, widths[1])];
            writeln!(out, "{rank}  {value}  {}  {line}", right(&depth, widths[2]))?;
        }
        Ok(())
    }

    /// The engine with its settings, and what it has done.
    fn effort(&self, language: Language) -> String {
        let options = self.engine.options();
        let options: Vec<String> =
            options.iter().map(|(name, value)| option_words(name, value, language)).collect();
        let Analysis { depth, seldepth, nodes, time, .. } = &self.analysis;
        let (nps, nodes) = (grouped(self.analysis.nps()), grouped(*nodes));
        let seconds = time.as_secs_f64();
        let name = [self.engine.name()].into_iter().chain(options).collect::<Vec<_>>();
        match language {
            Language::English => format!(
                "{}\ndepth {depth}/{seldepth}, {nodes} nodes in {seconds:.1} s, {nps} nodes/s",
                name.join(", ")
            ),
            Language::Japanese => format!(
                "{}\n深さ{depth}/{seldepth}、{seconds:.1}秒で{nodes}ノード、毎秒{nps}ノード",
                name.join("、")
            ),
        }
    }

    /// The mate that the solver has proven.
    fn proof(&self, mate: &ProvenMate, language: Language) -> String {
        let (plies, names) = (mate.line.len(), self.names(&mate.line).join(" "));
        let nodes = grouped(mate.nodes);
        match language {
            Language::English => {
                let shortest = if mate.is_shortest { ", the shortest" } else { "" };
                let side = self.position.side();
                format!(
                    "proven by the mate solver ({nodes} nodes): {side:?} mates in {plies}{shortest}\n  {names}"
                )
            }
            Language::Japanese => {
                let shortest = if mate.is_shortest { "（最短）" } else { "" };
                format!("詰将棋解図による証明（{nodes}ノード）：{plies}手詰{shortest}\n  {names}")
            }
        }
    }

    /// Returns the names of the moves of a line.
    fn names(&self, line: &[Move]) -> Vec<String> {
        let notation = self.arguments.appearance.notation();
        named_after(notation, self.position, line)
    }

    /// Returns the JSON object.
    pub(super) fn json(&self) -> Value {
        let side = self.position.side();
        let options = self.engine.options();
        let lines = self.analysis.lines.iter().map(|line| {
            let black = if side == Color::Black { line.score } else { -line.score };
            let bound = if side == Color::Black { line.bound } else { !line.bound };
            json!({
                "score": score(line.score),
                "bound": line.bound,
                "black": score(black),
                "black_bound": bound,
                "depth": depth(line, &self.analysis),
                "pv": line.pv[..],
                "pv_names": self.names(&line.pv),
            })
        });
        json!({
            "sfen": self.position,
            "side": side_word(side),
            "engine": self.engine.name(),
            "options": options.into_iter().collect::<std::collections::BTreeMap<_, _>>(),
            "depth": self.analysis.depth,
            "seldepth": self.analysis.seldepth,
            "nodes": self.analysis.nodes,
            "ms": u64::try_from(self.analysis.time.as_millis()).unwrap_or(u64::MAX),
            "completed": self.analysis.completed,
            "best": self.analysis.best_move(),
            "lines": lines.collect::<Value>(),
            "mate": self.mate.as_ref().map(|mate| json!({
                "plies": mate.line.len(),
                "is_shortest": mate.is_shortest,
                "nodes": mate.nodes,
                "pv": mate.line[..],
                "pv_names": self.names(&mate.line),
            })),
        })
    }
}

/// Returns the depth of a line, or that of the search.
fn depth(line: &Line, analysis: &Analysis) -> u32 {
    if line.depth == 0 { analysis.depth } else { line.depth }
}

fn no_move(position: &Position, language: Language) -> String {
    match language {
        Language::English => format!("{:?} has no legal move", position.side()),
        Language::Japanese => match position.side() {
            Color::Black => "先手に合法手はありません".to_owned(),
            Color::White => "後手に合法手はありません".to_owned(),
        },
    }
}

/// Returns an option in words.
fn option_words(name: &str, value: &str, language: Language) -> String {
    match (name, language) {
        ("Threads", Language::English) if value == "1" => "1 thread".to_owned(),
        ("Threads", Language::English) => format!("{value} threads"),
        ("Threads", Language::Japanese) => format!("{value}スレッド"),
        ("USI_Hash", Language::English) => format!("hash {value} MiB"),
        ("USI_Hash", Language::Japanese) => format!("ハッシュ{value} MiB"),
        ("SearchMode", _) => value.to_owned(),
        _ => format!("{name}={value}"),
    }
}
