//! The page about probable mistakes of opponents.

use std::io::{self, Write};

use komadai_bookgraph::frontier::Trap;

use super::html::{Names, Words, begin, end, write_board};
use crate::book_page::for_black::for_black;
use crate::book_page::look::PageLook;
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
    look: &PageLook,
) -> io::Result<()> {
    let text = look.language.choose(
        "Positions in which a probable reply is a mistake, those of the largest mean gain of a game \
         first. Values are for Black.",
        "相手の指しそうな手が悪手になる局面を、一局あたりの平均の得の大きい順に示します。評価値は先手から見た値です。",
    );
    begin(look, title, text, None, out)?;
    writeln!(out, "<header>\n<h1><bdi>{}</bdi></h1>", Escaped(title))?;
    writeln!(out, "<p>{text}</p>\n</header>\n<main>")?;
    for trap in traps {
        writeln!(out, "<section>\n<details open>")?;
        write_trap(look, trap, out)?;
        writeln!(out, "</details>\n</section>")?;
    }
    writeln!(out, "</main>")?;
    end(look, None, out)
}

fn write_trap(look: &PageLook, trap: &Trap, out: &mut dyn Write) -> io::Result<()> {
    let Trap { position, reply, best, .. } = trap;
    let (language, names, words) = (look.language, Names::new(look), Words(look.language));
    let (ply, loss, probable) = (position.ply(), trap.loss_cp, 100.0 * trap.probability);
    let (name, games) = (names.of(position, *reply), words.games(trap.games.into()));
    let summary = language.choose(
        format!("move {ply}: {name} loses {loss}, with a probability of {probable:.1} % ({games})"),
        format!("{ply}手目：{name} は {loss} の損、確率 {probable:.1} %（{games}）"),
    );
    writeln!(out, "<summary>{summary}</summary>\n<div class=\"boards\">")?;
    let reach = 100.0 * trap.reach;
    let reach =
        language.choose(format!("{reach:.2} % of all games"), format!("全対局の {reach:.2} %"));
    let last = position.moves().last().flatten();
    write_board(out, language, position, last, &[*reply, *best], &reach)?;
    let [mistake, reply_word, gain] =
        language.choose(["mistake", "best reply", "mean gain"], ["悪手", "最善の応手", "平均の得"]);
    writeln!(
        out,
        "<table>\n<tbody>\n<tr><th class=\"text\">{mistake}</th><td>{name}</td><td>{}</td></tr>\n\
         <tr><th class=\"text\">{reply_word}</th><td>{}</td><td>{}</td></tr>\n\
         <tr><th class=\"text\">{gain}</th><td></td><td>{:.2}</td></tr>\n</tbody>\n</table>\n</div>",
        words.value(for_black(trap.reply_score, position.side())),
        names.of(position, *best),
        words.value(for_black(trap.best_score, position.side())),
        trap.gain_cp
    )
}
