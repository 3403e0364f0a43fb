//! Game records for other programs: all games of a match in the file `games.csa`.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use komadai::Color;
use komadai::kifu::{Comment, End, HeaderKey, Record, RecordMove};
use komadai::matches::MatchGame;

use crate::arguments::played_game::{end_kind, value_comment};

/// The file of records. It is rewritten from the log when a match continues.
#[derive(Debug)]
pub(super) struct Records {
    path: PathBuf,
    out: BufWriter<File>,
    names: [String; 2],
    is_first: bool,
}

impl Records {
    /// Creates an empty file in a folder.
    pub(super) fn create(folder: &Path, names: &[String; 2]) -> anyhow::Result<Self> {
        let path = folder.join("games.csa");
        let file =
            File::create(&path).with_context(|| format!("cannot write {}", path.display()))?;
        Ok(Self { path, out: BufWriter::new(file), names: names.clone(), is_first: true })
    }

    /// Appends a game.
    pub(super) fn add(&mut self, played: &MatchGame) -> anyhow::Result<()> {
        let text = self.record(played).to_csa()?;
        let separator = if std::mem::take(&mut self.is_first) { "" } else { "/\n" };
        write!(self.out, "{separator}{text}").with_context(|| self.cannot_write())
    }

    /// Writes buffered records to the file.
    pub(super) fn flush(&mut self) -> anyhow::Result<()> {
        self.out.flush().with_context(|| self.cannot_write())
    }

    fn cannot_write(&self) -> String {
        format!("cannot write {}", self.path.display())
    }

    fn record(&self, played: &MatchGame) -> Record {
        let game = &played.game;
        let mut record = Record::new(game.opening.setup.clone());
        let black = usize::from(played.first == Color::White);
        record.header.set(HeaderKey::Black, self.names[black].as_str());
        record.header.set(HeaderKey::White, self.names[1 - black].as_str());
        record.header.set(HeaderKey::Event, format!("game {}", played.number + 1));
        record.header.set(HeaderKey::Opening, format!("number {}", played.opening + 1));
        record.moves.extend(game.opening.moves.iter().map(|&m| RecordMove::new(m)));
        for made in &game.moves {
            let mut entry = RecordMove::new(made.m);
            entry.time = Some(made.elapsed);
            let comment = |score| value_comment(score, made.bound, record.side_at_end());
            entry.comments.extend(made.score.map(comment));
            record.moves.push(entry);
        }
        let mut end = End::new(end_kind(game.verdict, record.side_at_end()));
        let detail = format!("{} {}", game.verdict.ending, game.detail);
        end.comments.push(Comment::Remark(detail.trim_end().to_owned()));
        record.end = Some(end);
        record
    }
}
