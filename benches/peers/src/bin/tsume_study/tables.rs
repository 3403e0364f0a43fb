//! The tables in Markdown.

use crate::figures::{Figures, mean, median, milliseconds};
use crate::record::Row;
use crate::suite::{Goal, SetSpec};

/// Returns the table of one set with its remarks, or `None` if no results are there.
pub(crate) fn table(rows: &[Row], set: &SetSpec) -> Option<String> {
    let name = set.to_string();
    let all = Figures::of_set(rows, &name);
    let count = all.first()?.rows().len();
    let (head, lines) = match set.goal {
        Goal::Any => any_mate(&all),
        Goal::Shortest => shortest_mate(&all),
    };
    let nodes = set.nodes.map_or(String::new(), |nodes| format!(" and {nodes} nodes"));
    let seconds = set.limit.as_secs_f64();
    let mut text = format!("`{name}`: {count} problems, at most {seconds} s{nodes} each.\n\n");
    text += &markdown(&head, &lines);
    for figures in &all {
        let undecided = figures.rows().iter().filter(|row| !row.judgement.is_decided());
        let list: Vec<String> = undecided
            .map(|row| {
                let remark = format!(" ({})", row.judgement.word());
                row.id.clone() + if row.judgement.is_false() { &remark } else { "" }
            })
            .collect();
        if (1..=LONGEST_LIST).contains(&list.len()) {
            text += &format!("\nNot decided by {}: {}.\n", figures.solver, list.join(", "));
        }
    }
    Some(text)
}

/// Longer lists of problems are left to the file of results.
const LONGEST_LIST: usize = 20;

type Table = (Vec<String>, Vec<Vec<String>>);

fn any_mate(all: &[Figures<'_>]) -> Table {
    let head = "solver|≤ 0.1 s|≤ 1 s|≤ 2 s|≤ 10 s|mate / none / undecided|false|median ms|mean ms|total s|wall s\
                |nodes/ms|first : this|line = shortest";
    let line = |figures: &Figures<'_>| {
        let decided = figures.decided_ms();
        let within = |ms: f64| decided.iter().filter(|&&time| time <= ms).count().to_string();
        let none = figures.count(|row| row.judgement.word() == "nomate");
        let undecided = figures.rows().len() - decided.len();
        let known = figures.count(|row| row.known_plies.is_some() && row.plies.is_some());
        let shortest = figures.count(|row| row.plies.is_some() && row.plies == row.known_plies);
        vec![
            figures.solver.to_owned(),
            within(100.0),
            within(1_000.0),
            within(2_000.0),
            within(10_000.0),
            format!("{} / {none} / {undecided}", decided.len() - none),
            figures.count(|row| row.judgement.is_false()).to_string(),
            number(median(&decided)),
            number(mean(&decided)),
            number(Some(figures.total_seconds())),
            number(figures.wall_seconds()),
            figures.rate().map_or("-".to_owned(), |rate| format!("{:.0}", rate / 1e3)),
            ratio(&all[0], figures),
            (100 * shortest)
                .checked_div(known)
                .map_or("-".to_owned(), |percent| format!("{percent} %")),
        ]
    };
    (cells(head), all.iter().map(line).collect())
}

/// The lengths with a column of their own in the table of shortest mates.
const LENGTHS: [u32; 5] = [3, 5, 7, 9, 11];

fn shortest_mate(all: &[Figures<'_>]) -> Table {
    let mut head = cells("solver|proven|mate only|undecided|false|median ms|mean ms");
    head.extend(LENGTHS.map(|plies| format!("{plies} plies, mean ms")));
    head.extend(cells("worst ms|nodes/ms|first : this"));
    let line = |figures: &Figures<'_>| {
        let proven = |row: &Row| row.judgement.is_decided() && row.is_claimed_shortest;
        let mate = |row: &Row| row.judgement.is_decided() && !row.is_claimed_shortest;
        let decided = figures.decided_ms();
        let mut line = vec![
            figures.solver.to_owned(),
            figures.count(proven).to_string(),
            figures.count(mate).to_string(),
            figures.count(|row| !row.judgement.is_decided()).to_string(),
            figures.count(|row| row.judgement.is_false()).to_string(),
            number(median(&decided)),
            number(mean(&decided)),
        ];
        for plies in LENGTHS {
            let rows = figures.rows().iter().filter(|row| proven(row) && row.plies == Some(plies));
            let times: Vec<f64> = rows.map(|row| milliseconds(row.cpu)).collect();
            line.push(number(mean(&times)));
        }
        line.push(number(decided.last().copied()));
        line.push(figures.rate().map_or("-".to_owned(), |rate| format!("{:.0}", rate / 1e3)));
        line.push(ratio(&all[0], figures));
        line
    };
    (head, all.iter().map(line).collect())
}

/// Returns the ratio of the times of two solvers: the first to the other.
fn ratio(first: &Figures<'_>, other: &Figures<'_>) -> String {
    let ratio = first.ratio(other, |row| row.cpu.as_secs_f64());
    ratio.map_or("-".to_owned(), |(ratio, count)| format!("{ratio:.2} ({count})"))
}

/// Returns a table of all solvers and sets: nodes and processor time relative to the first solver.
/// It is the table of an ablation, if the solvers are variants of one.
pub(crate) fn summary(rows: &[Row], sets: &[SetSpec]) -> Option<String> {
    let mut head = vec!["solver".to_owned()];
    let mut lines: Vec<Vec<String>> = Vec::new();
    for set in sets {
        let all = Figures::of_set(rows, &set.to_string());
        let Some(first) = all.first() else { continue };
        head.push(format!("`{set}`: decided, nodes ×, time ×"));
        for figures in &all {
            let nodes = figures.ratio(first, |row| row.nodes as f64);
            let time = figures.ratio(first, |row| row.cpu.as_secs_f64());
            let text = |ratio: Option<(f64, usize)>| {
                ratio.map_or("-".to_owned(), |(ratio, _)| format!("{ratio:.2}"))
            };
            let cell = format!("{}, {}, {}", figures.decided_ms().len(), text(nodes), text(time));
            let line = match lines.iter().position(|line| line[0] == figures.solver) {
                Some(index) => &mut lines[index],
                None => {
                    lines.push(vec![figures.solver.to_owned()]);
                    lines.last_mut()?
                }
            };
            // Sets in which the solver did not take part have been passed over.
            line.resize(head.len() - 1, "-".to_owned());
            line.push(cell);
        }
    }
    for line in &mut lines {
        line.resize(head.len(), "-".to_owned());
    }
    (lines.len() > 1).then(|| markdown(&head, &lines))
}

fn cells(text: &str) -> Vec<String> {
    text.split('|').map(str::to_owned).collect()
}

fn markdown(head: &[String], lines: &[Vec<String>]) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let rule = format!("|{}\n", "---|".repeat(head.len()));
    line(head) + &rule + &lines.iter().map(|cells| line(cells)).collect::<String>()
}

/// Formats a number with three significant digits, or as an integer from 100.
fn number(value: Option<f64>) -> String {
    match value {
        None => "-".to_owned(),
        Some(value) if value >= 100.0 => format!("{value:.0}"),
        Some(value) if value >= 10.0 => format!("{value:.1}"),
        Some(value) if value >= 1.0 => format!("{value:.2}"),
        Some(value) => format!("{value:.3}"),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::judge::Judgement;

    fn row(set: &str, solver: &str, id: &str, judgement: Judgement, ms: u64) -> Row {
        Row {
            set: set.into(),
            solver: solver.into(),
            id: id.into(),
            known_plies: Some(3),
            judgement,
            plies: judgement.is_decided().then_some(3),
            is_claimed_shortest: set.contains("shortest"),
            nodes: 100 * ms,
            cpu: Duration::from_millis(ms),
            wall: None,
            line: String::new(),
        }
    }

    #[test]
    fn the_table_of_first_mates() {
        let rows = [
            row("s", "a", "1", Judgement::Shortest, 50),
            row("s", "b", "1", Judgement::Shortest, 100),
            row("s", "a", "2", Judgement::Mate, 1_500),
            row("s", "b", "2", Judgement::Undecided, 10_000),
        ];
        let text = table(&rows, &"s".parse().unwrap()).unwrap();
        let lines: Vec<&str> = text.lines().filter(|line| line.starts_with("| ")).collect();
        let columns = |line: &str| line.split(" | ").map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(columns(lines[1])[..7], ["| a", "1", "1", "2", "2", "2 / 0 / 0", "0"]);
        assert_eq!(columns(lines[2])[12], "0.50 (1)");
        assert!(text.contains("Not decided by b: 2."), "{text}");
        assert_eq!(table(&rows, &"t".parse().unwrap()), None);
    }

    #[test]
    fn the_table_of_shortest_mates() {
        let set = "s,goal=shortest";
        let rows =
            [row(set, "a", "1", Judgement::Shortest, 4), row(set, "a", "2", Judgement::Mate, 8)];
        let text = table(&rows, &set.parse().unwrap()).unwrap();
        assert!(text.contains("| a | 2 | 0 | 0 | 0 | 6.00 | 6.00 | 6.00 | - |"), "{text}");
    }

    #[test]
    fn the_summary_has_a_column_per_set() {
        let rows = [
            row("s", "a", "1", Judgement::Mate, 4),
            row("t", "a", "1", Judgement::Mate, 4),
            row("t", "b", "1", Judgement::Mate, 8),
        ];
        let sets = ["s", "t"].map(|set| set.parse().unwrap());
        let text = summary(&rows, &sets).unwrap();
        assert!(text.contains("| a | 1, 1.00, 1.00 | 1, 1.00, 1.00 |"), "{text}");
        assert!(text.contains("| b | - | 1, 2.00, 2.00 |"), "{text}");
    }
}
