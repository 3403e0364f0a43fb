//! The section on main lines: a tree that folds where lines branch.

use std::io::{self, Write};

use komadai_base::text::grouped;
use komadai_bookgraph::frontier::Window;
use komadai_core::{Color, Language, Move, Position};

use super::html::{Page, Results};
use crate::book_page::main_lines::{LineEnd, LineMove, MainLines};

/// The number of levels of the tree that are open at first.
const OPEN_LEVELS: usize = 1;

pub(super) fn write(page: &Page<'_>, out: &mut dyn Write) -> io::Result<()> {
    if page.data.lines.iter().all(|lines| lines.moves.is_empty()) {
        return Ok(());
    }
    let heading = page.say("What the book plays", "定跡の指し手");
    writeln!(out, "<section class=\"plays\">\n<h2>{heading}</h2>\n<div class=\"lines\">")?;
    for lines in &page.data.lines {
        write_tree(page, lines, out)?;
    }
    let best = &page.data.now.best_line;
    write_line(page, best, page.say("The best play of both sides", "双方最善の手順"), out)?;
    for shape in &page.data.now.frontiers {
        let whose = match shape.count.side {
            Some(Color::Black) => {
                page.say("The longest line of Black’s book", "先手の定跡の最長手順")
            }
            Some(Color::White) => {
                page.say("The longest line of White’s book", "後手の定跡の最長手順")
            }
            None => continue,
        };
        if shape.count.window == page.data.window && !shape.longest.is_empty() {
            write_line(page, &shape.longest, whose, out)?;
        }
    }
    writeln!(out, "</div>\n<p>{}</p>\n</section>", rule(page))
}

/// Returns the meaning of the trees.
fn rule(page: &Page<'_>) -> String {
    let (window, diff) = (page.data.window, page.data.eval_diff);
    let name = page.words().window_name(window);
    let own = page.say("the book’s side", "定跡側");
    let own = format!("<span class=\"own-key\">{own}</span>");
    match page.language() {
        Language::English => {
            let rule = match window {
                Window::Free => "both sides play moves".to_owned(),
                _ => format!("the book’s side plays its best move, the other one moves {name}"),
            };
            format!(
                "In each tree {rule}, within {diff} centipawns. Moves of {own} are coloured. After a \
                 move stands its value for Black, then the games that the book counts for it, and how \
                 stored games went in which it was made: wins, draws, losses and points of Black."
            )
        }
        Language::Japanese => {
            let rule = match window {
                Window::Free => format!("両者とも評価値の差が {diff} 以内の手を指します"),
                _ => format!("定跡側は最善手、相手は{name}（{diff} 以内）を指します"),
            };
            format!(
                "木では{rule}。{own}の手には色がついています。指し手のあとは先手から見た評価値、定跡に\
                 数えられた対局数、保存された対局の結果（先手の勝ち・引き分け・負けと得点率）です。"
            )
        }
    }
}

fn write_tree(page: &Page<'_>, lines: &MainLines, out: &mut dyn Write) -> io::Result<()> {
    let side = page.words().side_name(Some(lines.side));
    let count = page.words().counted(lines.lines as u64, "line", "本の手順");
    let colon = page.say(": ", "：");
    writeln!(out, "<h3>{side}{colon}{count}</h3>\n<div class=\"tree\">")?;
    let mut tree = Tree { page, side: lines.side, position: page.data.root.clone() };
    tree.write_branches(&lines.moves, 0, out)?;
    writeln!(out, "</div>")?;
    if lines.omitted > 0 {
        let omitted = grouped(lines.omitted as u64);
        let text = page.say(
            format!("Branches off these lines that are not shown: {omitted}."),
            format!("ほかに、表示していない分岐が {omitted} あります。"),
        );
        writeln!(out, "<p>{text}</p>")?;
    }
    Ok(())
}

struct Tree<'p> {
    page: &'p Page<'p>,
    side: Color,
    position: Position,
}

impl Tree<'_> {
    fn write_branches(
        &mut self,
        moves: &[LineMove],
        level: usize,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        for known in moves {
            self.write_run(known, level, out)?;
        }
        Ok(())
    }

    /// Writes moves up to the next branching, then the branches.
    fn write_run(&mut self, first: &LineMove, level: usize, out: &mut dyn Write) -> io::Result<()> {
        let (mut run, mut last, mut made) = (String::new(), first, 1);
        run += &self.step(first);
        while let [only] = last.next.as_slice() {
            run += &self.step(only);
            (last, made) = (only, made + 1);
        }
        if last.next.is_empty() {
            let end = end_mark(last.end, self.page.language());
            writeln!(out, "<div class=\"run\">{run}{end}</div>")?;
        } else {
            let open = if level < OPEN_LEVELS { " open" } else { "" };
            let branches = self.page.words().counted(last.next.len() as u64, "move", "通り");
            writeln!(
                out,
                "<details{open}><summary><span class=\"run\">{run}<span class=\"fork\">\
                 {branches}</span></span></summary>\n<div class=\"branches\">"
            )?;
            self.write_branches(&last.next, level + 1, out)?;
            writeln!(out, "</div>\n</details>")?;
        }
        for _ in 0..made {
            self.position.undo_move();
        }
        Ok(())
    }

    /// One move, which is made on the board.
    fn step(&mut self, known: &LineMove) -> String {
        let own = if self.position.side() == self.side { " own" } else { "" };
        let ply = self.position.ply();
        let number = self.page.say(format!("move {ply}"), format!("{ply}手目"));
        let name = self.page.names().of(&self.position, known.m);
        let mut step = format!(
            "<span class=\"step{own}\" data-m=\"{}\" title=\"{number}\">{name}&nbsp;<b>{}</b>",
            known.m,
            self.page.words().value(known.value)
        );
        if known.games > 0 {
            step += &format!("&nbsp;<i>{}</i>", self.page.words().games(known.games.into()));
        }
        if known.results.games() > 0 {
            step += &format!("&nbsp;<i>{}</i>", Results(known.results));
        }
        self.position.do_move(known.m);
        step + "</span> "
    }
}

fn end_mark(end: Option<LineEnd>, language: Language) -> String {
    let words = match end {
        Some(LineEnd::LeavesBook) => language.choose("leaves the book", "定跡を外れる"),
        Some(LineEnd::Joins) => language.choose("as in another line", "別の手順に合流"),
        Some(LineEnd::OutsideWindow) => language.choose("no move in the window", "範囲内の手なし"),
        Some(LineEnd::Truncated) => language.choose("continues", "以下略"),
        None => return String::new(),
    };
    format!("<span class=\"end\">{words}</span>")
}

/// Writes a line from the root, whose moves the script shows on the board.
fn write_line(page: &Page<'_>, line: &[Move], title: &str, out: &mut dyn Write) -> io::Result<()> {
    if line.is_empty() {
        return Ok(());
    }
    let count = page.words().counted(line.len() as u64, "move", "手");
    writeln!(
        out,
        "<details><summary>{title}{}{count}</summary>{}</details>",
        page.say(", ", "、"),
        page.line(line, "")
    )
}
