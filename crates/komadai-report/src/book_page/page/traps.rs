//! The page about probable mistakes of opponents.

use std::io::{self, Write};

use komadai_bookgraph::frontier::Trap;
use komadai_kifu::Notation;

use super::html::{Names, begin, counted, end, value_for_black, write_board};
use crate::book_page::for_black::for_black;
use crate::text::Escaped;

/// Writes the traps of a book, with a board for each on which arrows show the mistake and the best
/// reply, as one HTML page that needs no other file.
///
/// # Errors
///
/// Returns the errors of `out`.
pub fn write_traps(
    out: &mut impl Write,
    title: &str,
    traps: &[Trap],
    notation: Notation,
) -> io::Result<()> {
    let names = Names::new(notation);
    begin(title, out)?;
    writeln!(out, "<header>\n<h1>{}</h1>", Escaped(title))?;
    writeln!(
        out,
        "<p>Positions in which a probable reply is a mistake, those of the largest mean gain of a \
         game first. Values are for Black.</p>\n</header>\n<main>"
    )?;
    for trap in traps {
        writeln!(out, "<section>\n<details open>")?;
        write_trap(names, trap, out)?;
        writeln!(out, "</details>\n</section>")?;
    }
    writeln!(out, "</main>")?;
    end(out)
}

fn write_trap(names: Names, trap: &Trap, out: &mut dyn Write) -> io::Result<()> {
    let Trap { position, reply, best, .. } = trap;
    writeln!(
        out,
        "<summary>move {}: {} loses {}, with a probability of {:.1} % ({})</summary>",
        position.ply(),
        names.of(position, *reply),
        trap.loss_cp,
        100.0 * trap.probability,
        counted(trap.games.into(), "game")
    )?;
    writeln!(out, "<div class=\"boards\">")?;
    let reach = format!("{:.2} % of all games", 100.0 * trap.reach);
    let last = position.moves().last().flatten();
    write_board(out, position, last, &[*reply, *best], &reach)?;
    writeln!(
        out,
        "<table>\n<tbody>\n<tr><th class=\"text\">mistake</th><td>{}</td><td>{}</td></tr>\n\
         <tr><th class=\"text\">best reply</th><td>{}</td><td>{}</td></tr>\n\
         <tr><th class=\"text\">mean gain</th><td></td><td>{:.2}</td></tr>\n</tbody>\n</table>\n</div>",
        names.of(position, *reply),
        value_for_black(for_black(trap.reply_score, position.side())),
        names.of(position, *best),
        value_for_black(for_black(trap.best_score, position.side())),
        trap.gain_cp
    )
}
