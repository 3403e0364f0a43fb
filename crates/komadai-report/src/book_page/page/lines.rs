//! The section on main lines: a tree that folds where lines branch.

use std::io::{self, Write};

use komadai_base::text::grouped;
use komadai_bookgraph::frontier::Window;
use komadai_core::{Color, Move, Position};

use super::html::{Page, Results, counted, value_for_black, window_name, write_board};
use crate::book_page::main_lines::{LineEnd, LineMove, MainLines};

/// The number of levels of the tree that are open at first.
const OPEN_LEVELS: usize = 1;

pub(super) fn write(page: &Page<'_>, out: &mut dyn Write) -> io::Result<()> {
    if page.data.lines.iter().all(|lines| lines.moves.is_empty()) {
        return Ok(());
    }
    writeln!(out, "<section>\n<h2>Main lines</h2>")?;
    let rule = match page.data.window {
        Window::Free => "both sides play moves".to_owned(),
        window => format!(
            "the book’s side plays its best move, the other one moves {}",
            window_name(window)
        ),
    };
    writeln!(
        out,
        "<p>In each tree {rule}, within {} centipawns. Moves of \
         <span class=\"own-key\">the book’s side</span> are coloured. After a move stands its value \
         for Black, then the games that the book counts for it, and how stored games went in which \
         it was made: wins, draws, losses and points of Black.</p>",
        page.data.eval_diff
    )?;
    for lines in &page.data.lines {
        write_tree(page, lines, out)?;
    }
    writeln!(out, "<div class=\"boards\">")?;
    let best = &page.data.now.best_line;
    write_end(page, best, "After the best play of both sides", out)?;
    for shape in &page.data.now.frontiers {
        let whose = match shape.count.side {
            Some(Color::Black) => "The longest line of Black’s book",
            Some(Color::White) => "The longest line of White’s book",
            None => continue,
        };
        if shape.count.window == page.data.window && !shape.longest.is_empty() {
            write_end(page, &shape.longest, whose, out)?;
        }
    }
    writeln!(out, "</div>\n</section>")
}

fn write_tree(page: &Page<'_>, lines: &MainLines, out: &mut dyn Write) -> io::Result<()> {
    let side = match lines.side {
        Color::Black => "Black’s book",
        Color::White => "White’s book",
    };
    let count = counted(lines.lines as u64, "line");
    writeln!(out, "<h3>{side}: {count}</h3>\n<div class=\"tree\">")?;
    let mut tree = Tree { page, side: lines.side, position: page.data.root.clone() };
    tree.write_branches(&lines.moves, 0, out)?;
    writeln!(out, "</div>")?;
    if lines.omitted > 0 {
        let omitted = grouped(lines.omitted as u64);
        writeln!(out, "<p>Branches off these lines that are not shown: {omitted}.</p>")?;
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
            writeln!(out, "<div class=\"run\">{run}{}</div>", end_mark(last.end))?;
        } else {
            let open = if level < OPEN_LEVELS { " open" } else { "" };
            let branches = last.next.len();
            writeln!(
                out,
                "<details{open}><summary><span class=\"run\">{run}<span class=\"fork\">\
                 {branches} moves</span></span></summary>\n<div class=\"branches\">"
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
        let number = self.position.ply();
        let name = self.page.names.of(&self.position, known.m);
        let mut step = format!(
            "<span class=\"step{own}\" title=\"move {number}\">{name}&nbsp;<b>{}</b>",
            value_for_black(known.value)
        );
        if known.games > 0 {
            let games = counted(known.games.into(), "game");
            step += &format!("&nbsp;<i>{games}</i>");
        }
        if known.results.games() > 0 {
            step += &format!("&nbsp;<i>{}</i>", Results(known.results));
        }
        self.position.do_move(known.m);
        step + "</span> "
    }
}

fn end_mark(end: Option<LineEnd>) -> &'static str {
    match end {
        Some(LineEnd::LeavesBook) => "<span class=\"end\">leaves the book</span>",
        Some(LineEnd::Joins) => "<span class=\"end\">as in another line</span>",
        Some(LineEnd::OutsideWindow) => "<span class=\"end\">no move in the window</span>",
        Some(LineEnd::Truncated) => "<span class=\"end\">continues</span>",
        None => "",
    }
}

/// The board at the end of a line, and the line.
fn write_end(page: &Page<'_>, line: &[Move], title: &str, out: &mut dyn Write) -> io::Result<()> {
    let mut position = page.data.root.clone();
    line.iter().for_each(|&m| position.do_move(m));
    let names = page.names.line(&page.data.root, line);
    let caption = format!(
        "<b>{title}</b>, {}<details><summary>the moves</summary>{names}</details>",
        counted(line.len() as u64, "move")
    );
    write_board(out, &position, line.last().copied(), &[], &caption)
}
