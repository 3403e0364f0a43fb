//! The part of each piece in the value of a position.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use komadai::core::{Color, PieceKind, Square};
use komadai::networks::{NetworkExplanation, PieceWorth, explain};
use komadai_console::{print_json, state_json::side_word, stdout};
use serde_json::json;

use super::open::ReadArgs;
use crate::arguments::position::PositionArgs;

/// Show how much each piece counts for a network: the centipawns that its owner loses when it is
/// taken out of the game.
///
/// The parts do not add up to the value. `?` stands for a piece whose absence opens a check.
#[derive(Debug, Args)]
#[command(after_help = "Example: komadai net explain eval/nn.bin \
                  \"4k4/9/4p4/9/9/9/4P4/9/4K4 b RG2bg 1\"\n\n\
                  Exit codes: 0 done, 1 failed, 2 bad usage.")]
pub(super) struct Options {
    /// File of a network, or `<bundled>`.
    file: PathBuf,
    #[command(flatten)]
    position: PositionArgs,
    #[command(flatten)]
    read: ReadArgs,
    /// Print one JSON object, and nothing else, on standard output.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let position = options.position.position()?;
    let nnue = options.read.open(&options.file)?;
    let found = explain(&nnue, &position);
    if options.json {
        let mut value = serde_json::to_value(&found)?;
        value["side"] = json!(side_word(position.side()));
        print_json(&value)?;
    } else {
        write!(stdout(), "{}", to_text(&found))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The width of a square in the board.
const CELL: usize = 7;

/// Returns the value and a board with the worth of each piece.
pub(crate) fn to_text(found: &NetworkExplanation) -> String {
    let side = found.position.side();
    let mut text = format!(
        "{}\nvalue {:+} for {side:?}, who moves; for Black {:+}\n\n",
        found.position, found.value, found.black
    );
    let hand = |owner: Color| {
        let held =
            found.pieces.iter().filter(|part| part.square.is_none() && part.piece.color() == owner);
        let held: Vec<String> = held
            .map(|part| {
                let count = if part.count > 1 { part.count.to_string() } else { String::new() };
                format!("{}{count} {}", part.piece.kind().to_sfen(), worth(part))
            })
            .collect();
        let held = if held.is_empty() { "nothing".to_owned() } else { held.join(", ") };
        format!("{owner:?} in hand: {held}\n")
    };
    text += &hand(Color::White);
    let cell = |text: &str| format!("{text:>CELL$}");
    text += &(1..=9).rev().map(|file: i32| cell(&file.to_string())).collect::<String>();
    text.push('\n');
    for rank in 0..9 {
        let mut lines = [String::new(), String::new()];
        for file in (0..9).rev() {
            let Some(square) = Square::ALL.get(9 * file + rank) else { continue };
            let [name, value] = match found.position.piece_on(*square) {
                None => [".".to_owned(), String::new()],
                Some(piece) => {
                    let part = found.pieces.iter().find(|part| part.square == Some(*square));
                    let value = part.map_or_else(String::new, worth);
                    let is_king = piece.kind() == PieceKind::King;
                    [piece.to_string(), if is_king { String::new() } else { value }]
                }
            };
            lines[0] += &cell(&name);
            lines[1] += &cell(&value);
        }
        let letter = char::from(b'a' + rank as u8);
        text += &format!("{}  {letter}\n{}\n", lines[0], lines[1].trim_end());
    }
    text += &hand(Color::Black);
    text
}

fn worth(part: &PieceWorth) -> String {
    part.worth.map_or("?".to_owned(), |worth| worth.to_string())
}
