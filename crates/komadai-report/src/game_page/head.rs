//! The head of the page: players, result, and the other entries of the header.

use core::fmt;

use komadai_core::{Color, Handicap, Language};
use komadai_kifu::formation::Formations;
use komadai_kifu::{HeaderKey, Record};

use super::words::{end_words, key_words, result_words};
use crate::text::Escaped;

/// Returns the names of the players or, without them, of the event; not escaped.
pub(super) fn title_of(record: &Record, language: Language) -> String {
    let [black, white] = Color::ALL.map(|color| name(record, color));
    match (black, white) {
        (None, None) => {
            let event = record.header.event().filter(|event| !event.trim().is_empty());
            event.unwrap_or(language.choose("A game of shogi", "棋譜")).to_owned()
        }
        (black, white) => {
            let sides = side_names(record, language);
            let versus = language.choose(" – ", " 対 ");
            let (black, white) = (black.unwrap_or(sides[0]), white.unwrap_or(sides[1]));
            format!("{black}{versus}{white}")
        }
    }
}

/// Returns the names of the sides, which are 下手 and 上手 in games with a handicap.
pub(super) fn side_names(record: &Record, language: Language) -> [&'static str; 2] {
    let handicap = Handicap::from_setup(&record.setup);
    let is_even = handicap.is_none_or(|handicap| handicap == Handicap::Hirate);
    let japanese = if is_even { ["先手", "後手"] } else { ["下手", "上手"] };
    language.choose(["Black", "White"], japanese)
}

/// Returns the name of a player, if the record has one.
pub(super) fn name(record: &Record, color: Color) -> Option<&str> {
    record.header.player(color).map(str::trim).filter(|name| !name.is_empty())
}

/// Returns a sentence about the game for those who see a link to it; not escaped.
pub(super) fn summary(record: &Record, language: Language) -> String {
    let sides = side_names(record, language);
    let result = result_words(record.outcome(), record.moves.len(), sides, language);
    let about = [HeaderKey::Event, HeaderKey::Date];
    let about = about.iter().filter_map(|key| record.header.get(key));
    let parts = about.map(str::trim).filter(|text| !text.is_empty()).chain([result.as_str()]);
    parts.collect::<Vec<_>>().join(language.choose(", ", "、"))
}

/// Writes the heading, the result and the header.
pub(super) fn write(
    record: &Record,
    title: &str,
    language: Language,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    writeln!(f, "<header>\n<h1><bdi>{}</bdi></h1>", Escaped(title))?;
    let sides = side_names(record, language);
    let result = result_words(record.outcome(), record.moves.len(), sides, language);
    write!(f, "<p class=\"result\">{result}")?;
    if let Some(end) = &record.end {
        let words = Escaped(end_words(&end.kind, language));
        let [open, close] = language.choose([" (", ")"], ["（", "）"]);
        write!(f, "{open}<bdi>{words}</bdi>{close}")?;
    }
    writeln!(f, "</p>")?;
    if let Some(line) = Formations::of(record).line(language) {
        writeln!(f, "<p class=\"formations\">{}</p>", Escaped(&line))?;
    }
    let entries = record.header.iter().filter_map(|(key, value)| {
        Some((key_words(key, language)?, value)).filter(|_| !value.trim().is_empty())
    });
    let mut entries = entries.peekable();
    if entries.peek().is_some() {
        writeln!(
            f,
            "<details open><summary>{}</summary>\n<dl>",
            language.choose("About the game", "対局情報")
        )?;
        for (key, value) in entries {
            write!(f, "<div><dt>{}</dt><dd><bdi>", Escaped(key))?;
            // Records of the Japan Shogi Association have the escape in place of a line end.
            for (number, line) in value.replace("\\n", "\n").lines().enumerate() {
                let line_break = if number == 0 { "" } else { "<br>" };
                write!(f, "{line_break}{}", Escaped(line))?;
            }
            writeln!(f, "</bdi></dd></div>")?;
        }
        writeln!(f, "</dl></details>")?;
    }
    writeln!(f, "</header>")
}
