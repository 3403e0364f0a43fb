//! Positions on the command line.

mod chosen;
mod text;

use std::fs;
use std::io::{self, Read as _};
use std::path::Path;

use anyhow::{Context as _, bail, ensure};
use clap::Args;
use komadai::Position;
use komadai::kifu::{GameReader, Tolerance};
use komadai_console::{bad_usage, note};

use super::record::read_game;
use text::{record_of, resembles_position};

pub(crate) use chosen::Chosen;
pub(crate) use text::position_of;

/// Maximum number of bytes that are read from standard input.
const MAX_INPUT: u64 = 1 << 26;

/// The arguments that name a position, the same for all commands.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct PositionArgs {
    /// Position: an SFEN, `startpos moves …`, `sfen … moves …`, a file with a game, or `-` for any
    /// of these on standard input; by default the start position.
    #[arg(value_name = "POSITION")]
    words: Vec<String>,
    /// Number of moves to make; by default all.
    #[arg(long, value_name = "N")]
    ply: Option<usize>,
    /// Number of the game, from 1, if the file has several.
    #[arg(long, value_name = "N")]
    game: Option<usize>,
    /// Position as SFEN: the former way to give one.
    #[arg(long, hide = true, conflicts_with = "words")]
    sfen: Option<String>,
    /// Moves from there in USI.
    #[arg(long, hide = true, conflicts_with = "words")]
    moves: Option<String>,
}

/// The source of a position.
enum Source<'a> {
    Text(String),
    Stdin,
    File(&'a Path),
}

impl PositionArgs {
    /// Returns the arguments that one word of the command line stands for.
    pub(crate) fn of_word(word: &str) -> Self {
        Self { words: vec![word.to_owned()], ..Self::default() }
    }

    /// Returns the arguments of a command whose position is an option.
    pub(crate) fn of_words(words: &[String], ply: Option<usize>, game: Option<usize>) -> Self {
        Self { words: words.to_vec(), ply, game, ..Self::default() }
    }

    /// Returns the position, with the moves that led to it as its history.
    ///
    /// # Errors
    ///
    /// The reason why a file has no such position, or bad usage.
    pub(crate) fn position(&self) -> anyhow::Result<Position> {
        self.chosen()?.position()
    }

    /// Returns the game and the place in it.
    ///
    /// # Errors
    ///
    /// The reason why a file has no game, or bad usage.
    pub(crate) fn chosen(&self) -> anyhow::Result<Chosen> {
        match self.source() {
            Source::Text(text) => self.of_text(&text),
            Source::Stdin => self.of_stdin(),
            Source::File(path) => {
                if let Err(error) = fs::metadata(path) {
                    let expected = "expected a file, an SFEN, or `startpos moves …`";
                    bail!("{}: {error}; {expected}", path.display());
                }
                let (record, lost_moves) = read_game(path, self.game)?;
                let place = Some(path.display().to_string());
                Ok(Chosen { record, ply: self.ply, place, lost_moves })
            }
        }
    }

    /// Checks for a position that the words or options state themselves, and not a file.
    pub(crate) fn is_text(&self) -> bool {
        let is_text = |word: &String| resembles_position(word) && !Path::new(word).exists();
        self.sfen.is_some() || self.words.first().is_some_and(is_text)
    }

    /// Checks for the choice of a moment of a game.
    pub(crate) fn chooses_moment(&self) -> bool {
        self.ply.is_some() || self.game.is_some()
    }

    /// Returns the words of the command line.
    pub(crate) fn words(&self) -> &[String] {
        &self.words
    }

    fn source(&self) -> Source<'_> {
        if self.sfen.is_some() || self.moves.is_some() {
            return Source::Text(self.former_text());
        }
        match &self.words[..] {
            [] => Source::Text("startpos".to_owned()),
            [word] if word == "-" => Source::Stdin,
            [word] if !self.is_text() => Source::File(Path::new(word)),
            words => Source::Text(words.join(" ")),
        }
    }

    /// Returns the text of the options `--sfen` and `--moves`.
    fn former_text(&self) -> String {
        let start = self.sfen.as_deref().unwrap_or("startpos").trim();
        let moves = self.moves.as_deref().unwrap_or_default();
        let link = if start.contains(" moves") { "" } else { "moves " };
        if moves.is_empty() { start.to_owned() } else { format!("{start} {link}{moves}") }
    }

    fn of_text(&self, text: &str) -> anyhow::Result<Chosen> {
        if self.game.is_some() {
            return Err(bad_usage("--game needs a file with games"));
        }
        let record = record_of(text).map_err(bad_usage)?;
        Ok(Chosen { record, ply: self.ply, place: None, lost_moves: 0 })
    }

    /// Reads a position in words, or a game in any format.
    fn of_stdin(&self) -> anyhow::Result<Chosen> {
        const NAME: &str = "standard input";
        let mut bytes = Vec::new();
        io::stdin().lock().take(MAX_INPUT + 1).read_to_end(&mut bytes).context(NAME)?;
        ensure!(bytes.len() as u64 <= MAX_INPUT, "{NAME}: more than {MAX_INPUT} bytes");
        if let Ok(text) = std::str::from_utf8(&bytes)
            && text.trim().lines().count() == 1
            && resembles_position(text)
        {
            return self.of_text(text);
        }
        let mut games = GameReader::new(&bytes[..], Tolerance::Lenient).context(NAME)?;
        let number = self.game.unwrap_or(1);
        let record = number.checked_sub(1).and_then(|before| games.by_ref().nth(before));
        let record = record.with_context(|| format!("{NAME}: there is no game {number}"))?;
        let record = record.context(NAME)?;
        if self.game.is_none() && games.by_ref().next().is_some() {
            note!("{NAME}: the first of several games; --game N chooses another");
        }
        let skipped = games.into_skipped();
        skipped.first().iter().for_each(|fault| note!("skipped: {NAME}: {fault}"));
        let (place, lost_moves) = (Some(NAME.to_owned()), skipped.lost_moves());
        Ok(Chosen { record, ply: self.ply, place, lost_moves })
    }
}
