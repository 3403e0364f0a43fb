//! Statistics as text.

use std::fmt::Write as _;

use komadai::Move;
use komadai::kifu::statistics::{RecordStatistics, Results};
use komadai::kifu::{EndKind, FilesReport};
use komadai_base::text::printable;
use komadai_console::{grouped, padded, width};

pub(super) fn of(found: &RecordStatistics, files: &FilesReport, top: usize) -> String {
    let mut text = String::new();
    let results = &found.results;
    let games = results.games();
    let data = [
        ("games", right(&grouped(games), 9)),
        ("files", right(&grouped(files.files), 9)),
        ("files that could not be read", right(&grouped(files.failed), 9)),
        ("faults skipped within files", right(&grouped(files.faults), 9)),
        ("moves left out", right(&grouped(files.lost_moves), 9)),
        ("games with times", part(found.with_times, games)),
        ("games with variations", part(found.with_variations, games)),
        ("handicaps and other starts", part(found.other_starts, games)),
    ];
    section(&mut text, "Data", data);
    let winners = [
        ("Black won", part(results.black, games)),
        ("White won", part(results.white, games)),
        ("draws", part(results.draws, games)),
        ("unknown", part(results.unknown, games)),
    ];
    section(&mut text, "Results", winners);
    let ends = found.ends();
    section(&mut text, "Ends", ends.iter().map(|&(end, count)| (name_of(end), part(count, games))));
    lengths(&mut text, found);
    let rooks = found.rooks();
    let rows =
        rooks.iter().map(|([black, white], all)| (format!("{black}, {white}"), line(*all, games)));
    section(&mut text, "Openings (Black, White)", rows);
    let lines = found.first_lines();
    let rows = lines.iter().take(top).map(|&(moves, results)| (usi(moves), line(results, games)));
    section(&mut text, "First moves", rows);
    let ratings = found.ratings();
    let rated = ratings.iter().map(|(_, count)| count).sum();
    let rows = ratings
        .iter()
        .map(|&(from, count)| (format!("{from} to {}", from + 99), part(count, rated)));
    section(&mut text, "Ratings", rows);
    players(&mut text, found, top);
    text
}

fn lengths(text: &mut String, found: &RecordStatistics) {
    const STEP: usize = 20;
    let lengths = &found.lengths;
    let (Some(mean), Some(longest)) = (lengths.mean(), lengths.quantile(1.0)) else { return };
    let at = |share| lengths.quantile(share).unwrap_or_default();
    let rows = [
        ("mean", format!("{mean:11.1}")),
        ("shortest, median, longest", format!("{:9}, {}, {longest}", at(0.0), at(0.5))),
        ("middle half", format!("{:9} to {}", at(0.25), at(0.75))),
    ];
    section(text, "Plies", rows);
    let rows: Vec<_> = (0..=longest / STEP)
        .map(|step| (step * STEP, lengths.between(step * STEP, (step + 1) * STEP)))
        .filter(|&(_, count)| count > 0)
        .collect();
    let most = rows.iter().map(|&(_, count)| count).max().unwrap_or(1);
    for (from, count) in rows {
        let bar = "▇".repeat((count * 40).div_ceil(most) as usize);
        let name = padded(&format!("{from} to {}", from + STEP - 1), NAME_CELLS);
        _ = writeln!(text, "  {name} {} {bar}", right(&grouped(count), 9));
    }
}

fn players(text: &mut String, found: &RecordStatistics, top: usize) {
    let players = found.players();
    if players.is_empty() || top == 0 {
        return;
    }
    let shown = players.len().min(top);
    _ = writeln!(text, "Players ({shown} of {})", grouped(players.len() as u64));
    let columns = ["games", "won", "drawn", "lost", "rating"].map(|name| right(name, 8)).concat();
    _ = writeln!(text, "  {}{columns}", padded("", NAME_CELLS));
    for (name, player) in players.into_iter().take(top) {
        let numbers = [player.games, player.wins, player.draws, player.losses]
            .map(|number| right(&grouped(number), 8))
            .concat();
        let rating = player.rating.map(|rating| format!("{rating:.0}")).unwrap_or_default();
        let row =
            format!("  {}{numbers}{}", padded(&printable(name), NAME_CELLS), right(&rating, 8));
        _ = writeln!(text, "{}", row.trim_end());
    }
}

/// The width of the column of names.
const NAME_CELLS: usize = 36;

/// Adds a heading and rows of names and values, unless there are none.
fn section(
    text: &mut String,
    title: &str,
    rows: impl IntoIterator<Item = (impl AsRef<str>, String)>,
) {
    let mut rows = rows.into_iter().peekable();
    if rows.peek().is_some() {
        _ = writeln!(text, "{title}");
    }
    for (name, value) in rows {
        _ = writeln!(text, "  {} {value}", padded(name.as_ref(), NAME_CELLS));
    }
}

/// A number of games and its share.
fn part(count: u64, of: u64) -> String {
    let share = 100.0 * count as f64 / of.max(1) as f64;
    format!("{} {share:6.1} %", right(&grouped(count), 9))
}

fn line(results: Results, games: u64) -> String {
    let black = results.black_share().map(|share| format!(", Black {:.1} %", 100.0 * share));
    format!("{}{}", part(results.games(), games), black.unwrap_or_default())
}

pub(super) fn usi(moves: &[Move]) -> String {
    moves.iter().map(Move::to_string).collect::<Vec<_>>().join(" ")
}

/// The name of an end in words.
pub(super) fn name_of(end: Option<&EndKind>) -> String {
    let name = match end {
        None => "no end mark",
        Some(EndKind::Resign) => "resignation",
        Some(EndKind::Checkmate) => "checkmate",
        Some(EndKind::NoMate) => "no mate",
        Some(EndKind::TimeUp) => "time",
        Some(EndKind::IllegalLoss) => "foul of the side to move",
        Some(EndKind::IllegalWin) => "foul of the side that moved",
        Some(EndKind::PerpetualCheckLoss) => "perpetual check by the side to move",
        Some(EndKind::PerpetualCheckWin) => "perpetual check by the side that moved",
        Some(EndKind::EnteringKingWin) => "entering king",
        Some(EndKind::Repetition) => "repetition",
        Some(EndKind::Impasse) => "impasse",
        Some(EndKind::Draw) => "draw",
        Some(EndKind::MaxMoves) => "maximum of moves",
        Some(EndKind::Interrupt) => "interruption",
        Some(EndKind::Error) => "error",
        Some(EndKind::Win { winner, reason }) => return format!("{winner:?} won: {reason:?}"),
        Some(EndKind::Other(word)) => return format!("{word:?}"),
        Some(_) => "another end",
    };
    name.to_owned()
}

fn right(text: &str, cells: usize) -> String {
    format!("{}{text}", " ".repeat(cells.saturating_sub(width(text))))
}
