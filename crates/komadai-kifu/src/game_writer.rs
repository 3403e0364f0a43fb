//! Records as text of any format, and a writer of games, one after another.

use std::io::{self, Write};

use crate::error::{KifuError, RecordTextError};
use crate::kifu_format::KifuFormat;
use crate::loss::Loss;
use crate::record::Record;
use crate::record_reader::parse_records;
use crate::text::{TextEncoding, TextForm, TextFormError};
use komadai_base::reading::Tolerance;

impl Record {
    /// Returns the record as text of `format`, which ends with a line end. The functions for single
    /// formats have options.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_kifu::{KifuFormat, Tolerance, parse_records, parse_usi_games};
    ///
    /// let game = parse_usi_games("startpos moves 7g7f", Tolerance::Strict)?.records.remove(0);
    /// for format in [KifuFormat::Csa, KifuFormat::Kif, KifuFormat::Ki2, KifuFormat::Usi] {
    ///     let text = game.to_text(format)?;
    ///     let again = parse_records(text, format, Tolerance::Strict)?.records.remove(0);
    ///     assert_eq!(game.losses(&again), []);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the format has no words for the moves of a constructed record, or its feature is off.
    pub fn to_text(&self, format: KifuFormat) -> Result<String, RecordTextError> {
        Ok(match format {
            KifuFormat::Csa => self.to_csa()?,
            KifuFormat::Kif => self.to_kif()?,
            KifuFormat::Ki2 => self.to_ki2()?,
            KifuFormat::Usi => self.to_usi_line() + "\n",
            KifuFormat::Usen => self.to_usen() + "\n",
            #[cfg(feature = "jkf")]
            KifuFormat::Jkf => self.to_jkf()? + "\n",
            #[cfg(not(feature = "jkf"))]
            KifuFormat::Jkf => return Err(RecordTextError::FeatureOff { format }),
        })
    }
}

/// The reason why a [`GameWriter`] cannot write a game.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GameWriteError {
    /// The format has no words for the game.
    #[error(transparent)]
    Text(#[from] RecordTextError),
    /// The encoding lacks a character; the line is that of the whole file.
    #[error(transparent)]
    Form(#[from] TextFormError),
    /// The text of the game is read back as another number of games, which would be a fault of this
    /// crate.
    #[error("the text of the game is read back as {found} games, expected one")]
    ReadBack {
        /// The number of games found.
        found: usize,
    },
    /// The text of the game cannot be read back, which would be a fault of this crate.
    #[error("the text of the game cannot be read back")]
    Unreadable(#[source] KifuError),
    /// The format holds one game, and there is another.
    #[error("found a second game, expected one: the format {format:?} holds no more")]
    SecondGame {
        /// The format.
        format: KifuFormat,
    },
    /// The output cannot be written.
    #[error("cannot write the games")]
    Io(#[from] io::Error),
}

/// Writes games to a file one after another, so that memory is bounded by one game.
///
/// # Examples
///
/// ```
/// use komadai_kifu::text::TextForm;
/// use komadai_kifu::{GameWriter, KifuFormat, Loss, Tolerance, parse_csa};
///
/// let games = parse_csa("PI\n+\n+7776FU\nT3\n/\nPI\n+\n+2726FU\n", Tolerance::Strict)?.records;
/// let mut writer = GameWriter::new(Vec::new(), KifuFormat::Usi, TextForm::default());
/// assert_eq!(writer.write(&games[0])?, [Loss::Times { count: 1 }]);
/// assert_eq!(writer.write(&games[1])?, []);
/// assert_eq!(writer.into_inner(), b"startpos moves 7g7f\nstartpos moves 2g2f\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct GameWriter<W> {
    out: W,
    format: KifuFormat,
    form: TextForm,
    games: u64,
    lines: usize,
}

impl<W: Write> GameWriter<W> {
    /// Creates a writer. Nothing is written before the first game.
    pub fn new(out: W, format: KifuFormat, form: TextForm) -> Self {
        Self { out, format, form, games: 0, lines: 0 }
    }

    /// Writes the next game, reads its text back and returns what was lost.
    ///
    /// # Errors
    ///
    /// If the format or the encoding cannot express the game, if the format holds one game and this
    /// is the second (only CSA and USI hold many), or if the output fails. Only in the last
    /// case a part of the game may have been written.
    pub fn write(&mut self, record: &Record) -> Result<Vec<Loss>, GameWriteError> {
        if self.games > 0 && !self.format.holds_many_games() {
            return Err(GameWriteError::SecondGame { format: self.format });
        }
        let text = record.to_text(self.format)?;
        let kept = parse_records(&text, self.format, Tolerance::Lenient);
        let kept = kept.map_err(GameWriteError::Unreadable)?.records;
        let [kept] = &kept[..] else {
            return Err(GameWriteError::ReadBack { found: kept.len() });
        };
        let losses = record.losses(kept);
        // The line with the encoding stands at the start of a file only, as does a byte order mark.
        let text = match text.split_once('\n') {
            Some((_, rest)) if self.games > 0 && self.format == KifuFormat::Csa => {
                format!("/\n{rest}")
            }
            _ => text,
        };
        let bytes = self
            .form
            .encode(&text)
            .map_err(|error| TextFormError { line: self.lines + error.line, ..error })?;
        self.out.write_all(&bytes)?;
        if self.form.encoding == TextEncoding::Utf8Bom {
            self.form.encoding = TextEncoding::Utf8;
        }
        self.lines += text.matches('\n').count();
        self.games += 1;
        Ok(losses)
    }

    /// Returns the number of games written.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Returns the output. The writer keeps no text back.
    #[must_use]
    pub fn into_inner(self) -> W {
        self.out
    }
}

#[cfg(test)]
mod tests {
    use komadai_testdata::kifu;

    use super::*;
    use crate::csa::{CsaWriteOptions, write_csa_games};
    use crate::record_reader::{parse_csa, parse_usi_games};

    fn games() -> Vec<Record> {
        let samples = kifu::samples().take(5);
        let read = samples.map(|sample| parse_csa(sample.bytes, Tolerance::Lenient).unwrap());
        read.flat_map(|loaded| loaded.records).collect()
    }

    fn written(games: &[Record], format: KifuFormat, encoding: TextEncoding) -> Vec<u8> {
        let mut writer = GameWriter::new(Vec::new(), format, TextForm::new(encoding));
        for game in games {
            writer.write(game).unwrap();
        }
        assert_eq!(writer.games(), games.len() as u64);
        writer.into_inner()
    }

    #[test]
    fn games_one_by_one_are_the_games_written_at_once() {
        let games = games();
        let at_once = write_csa_games(&games, &CsaWriteOptions::default()).unwrap();
        let one_by_one = written(&games, KifuFormat::Csa, TextEncoding::Utf8);
        assert_eq!(str::from_utf8(&one_by_one).unwrap(), at_once);
        let read = parse_csa(&one_by_one, Tolerance::Strict).unwrap().records;
        assert_eq!(read.len(), games.len());
        let marked = written(&games, KifuFormat::Csa, TextEncoding::Utf8Bom);
        assert_eq!(str::from_utf8(&marked).unwrap(), format!("\u{feff}{at_once}"));
        let lines = written(&games, KifuFormat::Usi, TextEncoding::Utf8);
        let read = parse_usi_games(&lines, Tolerance::Strict).unwrap().records;
        assert!(read.iter().zip(&games).all(|(read, game)| read.to_usi() == game.to_usi()));
    }

    #[test]
    fn each_game_has_been_written_when_the_next_one_is_asked_for() {
        let games = games();
        let mut writer = GameWriter::new(Vec::new(), KifuFormat::Csa, TextForm::default());
        for number in 1..=games.len() {
            writer.write(&games[number - 1]).unwrap();
            let so_far = write_csa_games(&games[..number], &CsaWriteOptions::default()).unwrap();
            assert_eq!(writer.out.len(), so_far.len());
        }
    }

    #[test]
    fn formats_of_one_game_refuse_the_second() {
        let games = games();
        for format in [KifuFormat::Kif, KifuFormat::Ki2, KifuFormat::Usen] {
            let mut writer = GameWriter::new(Vec::new(), format, TextForm::default());
            writer.write(&games[0]).unwrap();
            let before = writer.out.len();
            let error = writer.write(&games[1]).unwrap_err();
            assert!(matches!(error, GameWriteError::SecondGame { .. }), "{error}");
            assert_eq!(writer.out.len(), before);
        }
    }

    #[test]
    fn a_character_that_is_absent_is_found_in_its_line_of_the_file() {
        let mut games = games();
        let first = games[0].to_csa().unwrap().lines().count();
        games[1] = Record::new(komadai_core::Setup::hirate());
        games[1].header.push(crate::header::HeaderKey::Black, "😀");
        let form = TextForm::new(TextEncoding::ShiftJis);
        let mut writer = GameWriter::new(Vec::new(), KifuFormat::Csa, form);
        writer.write(&games[0]).unwrap();
        match writer.write(&games[1]).unwrap_err() {
            GameWriteError::Form(error) => {
                // A line with `/`, then the version and the name.
                assert_eq!((error.line, error.character), (first + 3, '😀'));
            }
            error => panic!("{error}"),
        }
    }
}
