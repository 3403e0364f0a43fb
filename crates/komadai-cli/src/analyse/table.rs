//! The table of the moves.

use std::io::{self, Write};

use komadai::Color;
use komadai::analysis::game_analysis::{Effort, SideSummary};
use komadai::kifu::End;
use komadai::report::Sparkline;
use komadai_base::text::printable;
use komadai_console::{grouped, padded, width};

use super::game_text::{GameText, MoveText, loss};
use super::language::Language;
use super::options::AnalyseArgs;

/// Writes the names of the players and of the engine, and a row for each move.
pub(super) fn write(
    out: &mut impl Write,
    arguments: &AnalyseArgs,
    text: &GameText<'_>,
) -> io::Result<()> {
    let language = text.language;
    writeln!(out, "{}", text.title())?;
    if let Some(line) = text.formations() {
        writeln!(out, "{line}")?;
    }
    writeln!(out, "{}\n", engine(arguments, text))?;
    let rows: Vec<Row> = text.moves.iter().map(|row| Row::new(text, row)).collect();
    let headings = Row {
        ply: language.choose("ply", "手数").to_owned(),
        name: language.choose("move", "指し手").to_owned(),
        score: language.choose("value", "評価値").to_owned(),
        best: language.choose("best", "最善手").to_owned(),
        loss: language.choose("loss", "損失").to_owned(),
        remarks: String::new(),
    };
    let widths = Widths::of(rows.iter().chain([&headings]));
    headings.write(out, &widths)?;
    for (row, found) in rows.iter().zip(&text.moves) {
        row.write(out, &widths)?;
        if arguments.pv && !found.ply.pv.is_empty() {
            let line = text.line(found, &found.ply.pv);
            writeln!(out, "{}{line}", " ".repeat(widths.ply + 4))?;
        }
    }
    write_end(out, text, &widths)
}

/// Writes the end of the game, if the last move was analysed: after a foul, which has no analysis.
fn write_end(out: &mut impl Write, text: &GameText<'_>, widths: &Widths) -> io::Result<()> {
    let Some(end) = &text.record.end else { return Ok(()) };
    let mut last = text.moves.last().map_or(0, |row| row.ply.ply);
    let moves = text.record.moves.len();
    if last + 1 == moves
        && let Some(name) = text.foul()
    {
        let foul = text.language.choose("foul", "反則");
        writeln!(out, "{moves:>0$}  {name} {foul}", widths.ply)?;
        last = moves;
    }
    if last != moves {
        return Ok(());
    }
    let words = end_words(text, end);
    writeln!(out, "{:>1$}  {2}", last + 1, widths.ply, printable(&words))
}

/// Returns the end of the game in words.
pub(super) fn end_words(text: &GameText<'_>, end: &End) -> String {
    let record = text.record;
    text.language.end(&end.kind, record.side_at_end(), &record.setup)
}

/// The engine and its effort.
fn engine(arguments: &AnalyseArgs, text: &GameText<'_>) -> String {
    let analyst = &text.analysis.analyst;
    let name = format!("{} {}", analyst.name, analyst.version);
    let (name, language) = (name.trim(), text.language);
    let effort = match arguments.effort() {
        Effort::Nodes(nodes) => match language {
            Language::En => format!("{} nodes a position", grouped(nodes)),
            Language::Ja => format!("1局面{}ノード", grouped(nodes)),
        },
        Effort::Time(time) => match language {
            Language::En => format!("{} s a position", time.as_secs_f64()),
            Language::Ja => format!("1局面{}秒", time.as_secs_f64()),
        },
        _ => String::new(),
    };
    match language {
        Language::En => format!("{name}, {effort}; values for Black after the move"),
        Language::Ja => {
            format!("{name}、{effort}。評価値は指した後、{}から見た値", text.side(Color::Black))
        }
    }
}

/// A row of the table.
struct Row {
    ply: String,
    name: String,
    score: String,
    best: String,
    loss: String,
    remarks: String,
}

impl Row {
    fn new(text: &GameText<'_>, row: &MoveText<'_>) -> Self {
        let best = row.best.clone().filter(|_| !row.ply.is_best());
        let loss = row.ply.loss_cp.filter(|_| !row.ply.is_best()).map(|_| loss(row.ply));
        Self {
            ply: row.ply.ply.to_string(),
            name: row.name.clone(),
            score: text.score(row.after.black_score(), row.after.black_bound()),
            best: best.unwrap_or_default(),
            loss: loss.unwrap_or_default(),
            remarks: text.remarks(row),
        }
    }

    fn write(&self, out: &mut impl Write, widths: &Widths) -> io::Result<()> {
        let left = |text: &str, cells: usize| {
            format!("{}{text}", " ".repeat(cells.saturating_sub(width(text))))
        };
        let line = format!(
            "{}  {}  {}  {}  {}  {}",
            left(&self.ply, widths.ply),
            padded(&self.name, widths.name),
            left(&self.score, widths.score),
            padded(&self.best, widths.best),
            left(&self.loss, widths.loss),
            self.remarks,
        );
        writeln!(out, "{}", line.trim_end())
    }
}

/// The widths of the columns in terminal cells.
#[derive(Default)]
struct Widths {
    ply: usize,
    name: usize,
    score: usize,
    best: usize,
    loss: usize,
}

impl Widths {
    fn of<'r>(rows: impl Iterator<Item = &'r Row>) -> Self {
        rows.fold(Self::default(), |widths, row| Self {
            ply: widths.ply.max(width(&row.ply)),
            name: widths.name.max(width(&row.name)),
            score: widths.score.max(width(&row.score)),
            best: widths.best.max(width(&row.best)),
            loss: widths.loss.max(width(&row.loss)),
        })
    }
}

/// Writes a row for each side.
pub(super) fn write_sides(out: &mut impl Write, text: &GameText<'_>) -> io::Result<()> {
    let language = text.language;
    let headings = language.choose(
        ["moves", "average loss", "best move", "?!", "?", "??", "missed mates"],
        ["手数", "平均損失", "一致率", "緩手 ?!", "疑問手 ?", "悪手 ??", "詰み逃し"],
    );
    let summaries = Color::ALL.map(|side| (side, text.analysis.summary(side)));
    let widest = Color::ALL.map(|side| width(text.side(side))).into_iter().max().unwrap_or(0);
    writeln!(out)?;
    let heads: String = headings.iter().map(|heading| format!("  {heading}")).collect();
    writeln!(out, "{}{heads}", " ".repeat(widest))?;
    for (side, summary) in summaries {
        let cells = side_cells(&summary).into_iter().zip(headings);
        let cells: String = cells
            .map(|(cell, heading)| {
                format!("  {}{cell}", " ".repeat(width(heading).saturating_sub(width(&cell))))
            })
            .collect();
        writeln!(out, "{}{cells}", padded(text.side(side), widest))?;
    }
    Ok(())
}

fn side_cells(summary: &SideSummary) -> [String; 7] {
    let missing = || "-".to_owned();
    [
        summary.moves.to_string(),
        summary.average_loss_cp().map_or_else(missing, |loss| format!("{loss:.0}")),
        summary.agreement().map_or_else(missing, |share| format!("{:.0}%", share * 100.0)),
        summary.inaccuracies.to_string(),
        summary.mistakes.to_string(),
        summary.blunders.to_string(),
        summary.missed_mates.to_string(),
    ]
}

/// Largest number of terminal cells of the line.
const CELLS: usize = 72;

/// Writes the values of the game for Black.
pub(super) fn write_course(out: &mut impl Write, text: &GameText<'_>) -> io::Result<()> {
    let scores: Vec<_> = text.moves.iter().map(|row| row.after.black_score()).collect();
    if scores.iter().all(Option::is_none) {
        return Ok(());
    }
    let line = Sparkline { width: CELLS, scores };
    let [black, white] = Color::ALL.map(|side| text.side(side));
    match text.language {
        Language::En => writeln!(out, "\n{line}  ▅▆▇█ good for {black}, ▁▂▃▄ for {white}"),
        Language::Ja => writeln!(out, "\n{line}  ▅▆▇█ {black}良し、▁▂▃▄ {white}良し"),
    }
}
