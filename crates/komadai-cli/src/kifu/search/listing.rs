//! The list of games that were found.

use std::io::{self, BufWriter, Write as _};

use komadai::Color;
use komadai::core::Language;
use komadai::kifu::Outcome;
use komadai_console::Output;
use serde_json::json;

use super::found::{FoundGame, place};
use super::options::Options;

/// The output on the terminal.
pub(super) struct Listing {
    out: BufWriter<Output>,
    form: Form,
    language: Language,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Text,
    Json,
    Count,
}

impl Listing {
    pub(super) fn new(options: &Options) -> Self {
        let form = match (options.json, options.count) {
            (true, _) => Form::Json,
            (_, true) => Form::Count,
            _ => Form::Text,
        };
        let out = BufWriter::new(Output::json_if(options.json));
        Self { out, form, language: options.appearance.language() }
    }

    pub(super) fn write(&mut self, found: &FoundGame) -> io::Result<()> {
        match self.form {
            Form::Text => {
                let line = line(found, self.language);
                writeln!(self.out, "{line}")
            }
            Form::Json => writeln!(self.out, "{}", value(found)),
            Form::Count => Ok(()),
        }
    }

    pub(super) fn finish(mut self, count: u64) -> io::Result<()> {
        if self.form == Form::Count {
            writeln!(self.out, "{count}")?;
        }
        self.out.flush()
    }
}

/// Returns the line of a game, with tabs between its parts.
fn line(found: &FoundGame, language: Language) -> String {
    let game = &found.game;
    let name = |color: Color| match game.players[color.index()].as_str() {
        "" => "?".to_owned(),
        // A tab would be the end of the part.
        name => name.replace(['\t', '\n', '\r'], " "),
    };
    let date = game.date.map_or("-".to_owned(), |date| date.to_string());
    let [black, white] = Color::ALL.map(name);
    let moves = game.moves.len();
    let moves = language.choose(format!("{moves} moves"), format!("{moves}手"));
    let result = result_words(game.outcome, language);
    let place = place(&game.place);
    let mut line = format!("{date}\t{black} – {white}\t{result}\t{moves}\t{place}");
    if let Some(ply) = found.hit.ply {
        let turned = match found.hit.is_mirrored {
            true => language.choose(", colours exchanged", "（先後逆）"),
            false => "",
        };
        line += &language.choose(format!("\tmove {ply}{turned}"), format!("\t{ply}手目{turned}"));
    }
    line
}

fn result_words(outcome: Outcome, language: Language) -> &'static str {
    match outcome {
        Outcome::Win(Color::Black) => language.choose("Black wins", "先手勝ち"),
        Outcome::Win(Color::White) => language.choose("White wins", "後手勝ち"),
        Outcome::Draw => language.choose("draw", "引き分け"),
        Outcome::Unknown => language.choose("no result", "結果なし"),
    }
}

fn value(found: &FoundGame) -> serde_json::Value {
    let game = &found.game;
    let result = match game.outcome {
        Outcome::Win(Color::Black) => Some("black"),
        Outcome::Win(Color::White) => Some("white"),
        Outcome::Draw => Some("draw"),
        Outcome::Unknown => None,
    };
    json!({
        "file": game.place.path.to_string_lossy(),
        "entry": game.place.entry,
        "game": game.place.game,
        "black": game.players[0],
        "white": game.players[1],
        "event": game.event,
        "date": game.date.map(|date| date.to_string()),
        "result": result,
        "moves": game.moves.len(),
        "ply": found.hit.ply,
        "mirrored": found.hit.is_mirrored,
    })
}
