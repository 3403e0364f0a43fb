//! The copy of training data in another format.

use serde::Serialize;

use super::blocks::{Block, Part};
use super::damage::Damage;
use super::error::ToolError;
use super::fault::Fault;
use super::filter::DropReason;
use super::filtering::{Dropped, options};
use super::joining::{Run, runs};
use super::origin::Origin;
use super::output::Output;
use super::sources::Sources;
use super::watch::Watch;
use crate::records::{GameWriteError, RecordFault, TrainingFormat, TrainingGame};

/// The options in the note of origin.
#[derive(Serialize)]
struct Options {
    format: String,
    lost: Vec<&'static str>,
}

/// Writes all records in a format: PSV, HCPE, HCPE3 or `.pack`. Games stay games where both formats
/// have them. From a format without games, successive records become a game if each leads by its
/// move to the next one, with the next move number and the same outcome, so that files of whole
/// games become these games again; a record that leads to no other one is a game of one move.
///
/// The note of origin states what the format does not keep: see [`conversion_losses`].
///
/// # Examples
///
/// ```
/// use komadai_core::Position;
/// use komadai_data::records::{PackedSfenValue, RecordResult, TrainingFormat};
/// use komadai_data::tools::{Existing, OnDamage, Output, Sources, Watch, convert};
///
/// let folder = tempfile::tempdir()?;
/// let path = |name: &str| folder.path().join(name);
/// let record = PackedSfenValue::new(&Position::hirate(), 35, None, RecordResult::Win)?;
/// std::fs::write(path("games.psv"), [record.to_bytes(); 3].concat())?;
/// let sources = Sources::find(&[path("games.psv")], OnDamage::Refuse)?;
/// let output = Output::create(&path("games.hcpe"), Existing::Refuse)?;
/// let (origin, _) = convert(&sources, output, TrainingFormat::Hcpe, &mut Watch::none())?;
/// assert_eq!((origin.records, std::fs::metadata(path("games.hcpe"))?.len()), (3, 3 * 38));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Returns [`ToolError::NotWritten`] for a format that is only read, [`ToolError::Damaged`] for
/// damage that is not to be skipped, [`ToolError::Io`] if the system refuses, and
/// [`ToolError::Stopped`] if the end was requested. There is no output then.
pub fn convert(
    sources: &Sources,
    mut output: Output,
    format: TrainingFormat,
    watch: &mut Watch<'_>,
) -> Result<(Origin, Damage), ToolError> {
    sources.refuse(output.path())?;
    let mut dropped = Dropped::default();
    let damage = match format {
        TrainingFormat::Psv => sources.read(
            "convert",
            watch,
            |_, record| Ok(record.unpack().map(drop)?),
            |taken| output.write(taken.bytes),
        )?,
        TrainingFormat::Hcpe => sources.read(
            "convert",
            watch,
            |_, record| Ok(record.to_hcpe().map_err(RecordFault::from)?.to_bytes()),
            |taken| output.write(&taken.value),
        )?,
        TrainingFormat::Hcpe3 | TrainingFormat::Pack => {
            let mut games =
                GameWriter { format, output: &mut output, dropped: &mut dropped, run: None };
            let mut has_sound = false;
            let damage = sources.read_blocks(
                "convert",
                watch,
                |_, block| game_parts(block, format),
                |block, _, part| {
                    has_sound = true;
                    games.take(block.input, part)
                },
            )?;
            games.finish()?;
            sources.check_sound(has_sound, damage)?
        }
        _ => return Err(ToolError::NotWritten { format }),
    };
    let mut lost = Vec::new();
    for input in sources.inputs() {
        for loss in conversion_losses(input.format(), format) {
            if !lost.contains(&loss) {
                lost.push(loss);
            }
        }
    }
    let mut origin = Origin::new("convert", options(&Options { format: format.to_string(), lost }));
    dropped.note(&mut origin, sources, &damage);
    Ok((output.finish(origin, sources)?, damage))
}

/// Returns the games of a block.
fn game_parts(block: &Block, format: TrainingFormat) -> Vec<Part<RunPart>> {
    let whole = |game: TrainingGame| GamePart::of(&game, format).map(RunPart::Whole);
    if let Some(games) = block.games(whole) {
        return games;
    }
    let runs = runs(block);
    let last = runs.len().saturating_sub(1);
    let parts = runs.into_iter().enumerate().map(|(index, (at, run))| {
        let part = run.and_then(|run| match run {
            None => Ok(RunPart::Whole(GamePart::Dropped(DropReason::NoMove))),
            // The blocks before and after may have records of the same game.
            Some(run) if index == 0 || index == last => Ok(RunPart::Run(Box::new(run))),
            Some(run) => whole(run.game),
        });
        (at, part)
    });
    parts.collect()
}

/// A game of a block, or a part of one that may begin before or end after the block.
enum RunPart {
    Whole(GamePart),
    Run(Box<Run>),
}

/// Writes the games of successive blocks.
struct GameWriter<'a> {
    format: TrainingFormat,
    output: &'a mut Output,
    dropped: &'a mut Dropped,
    /// The records of a game that may go on, and the index of their file.
    run: Option<(usize, Run)>,
}

impl GameWriter<'_> {
    fn take(&mut self, input: usize, part: RunPart) -> Result<(), ToolError> {
        let run = match (part, &mut self.run) {
            (RunPart::Run(next), Some((file, run))) if *file == input => run.append(*next),
            (RunPart::Run(next), _) => Some(*next),
            (RunPart::Whole(part), _) => {
                self.finish()?;
                return part.write(self.output, self.dropped);
            }
        };
        if let Some(run) = run {
            self.finish()?;
            self.run = Some((input, run));
        }
        Ok(())
    }

    /// Writes the game that may go on.
    fn finish(&mut self) -> Result<(), ToolError> {
        let Some((_, run)) = self.run.take() else { return Ok(()) };
        let part = GamePart::of(&run.game, self.format).expect("the start of a run fits");
        part.write(self.output, self.dropped)
    }
}

/// A game in the bytes of a format, with the number of its records; or the reason why it is not
/// written.
pub(super) enum GamePart {
    Bytes(Vec<u8>, u64),
    Dropped(DropReason),
}

impl GamePart {
    pub(super) fn of(game: &TrainingGame, format: TrainingFormat) -> Result<Self, Fault> {
        let labelled = game.moves.iter().filter(|played| played.is_labelled).count() as u64;
        let written = match format {
            TrainingFormat::Hcpe3 => game.to_hcpe3(),
            // The format has no positions that are not to be learnt from.
            TrainingFormat::Pack if labelled < game.moves.len() as u64 => {
                return Ok(Self::Dropped(DropReason::NoScore));
            }
            TrainingFormat::Pack => game.to_pack(),
            TrainingFormat::Hcpe => {
                let hcpe = game.records().map(|record| Ok(record.to_hcpe()?.to_bytes()));
                hcpe.collect::<Result<Vec<_>, _>>().map(|records| records.concat())
            }
            _ => Ok(game.records().flat_map(|record| record.to_bytes()).collect()),
        };
        match written {
            Ok(bytes) => {
                let records = match format.record_bytes() {
                    Some(length) => bytes.len() as u64 / length as u64,
                    None => labelled,
                };
                Ok(Self::Bytes(bytes, records))
            }
            Err(GameWriteError::Position(error)) => Err(RecordFault::from(error).into()),
            Err(GameWriteError::Unknown) => Ok(Self::Dropped(DropReason::NoResult)),
            Err(GameWriteError::TooLong { .. }) => Ok(Self::Dropped(DropReason::Ply)),
        }
    }

    pub(super) fn write(self, output: &mut Output, dropped: &mut Dropped) -> Result<(), ToolError> {
        match self {
            Self::Bytes(bytes, records) => output.write_part(&bytes, records),
            Self::Dropped(reason) => {
                dropped.add(reason);
                Ok(())
            }
        }
    }
}

/// Returns in words what a conversion between two formats loses or makes up.
pub fn conversion_losses(from: TrainingFormat, to: TrainingFormat) -> Vec<&'static str> {
    use TrainingFormat::{Hcpe, Hcpe3, Pack, Psv, Sbinpack};
    let has_ply = |format| matches!(format, Psv | Pack | Sbinpack);
    let mut lost = Vec::new();
    if from == to {
        return lost;
    }
    match (has_ply(from), has_ply(to)) {
        (true, false) => lost.push("move numbers"),
        (false, true) if from == Hcpe => {
            lost.push("move numbers are unknown and written as 0 or 1")
        }
        (false, true) => lost.push("move numbers are counted from 1 at the start of the record"),
        _ => {}
    }
    if from == Hcpe3 {
        lost.push("visits of candidates");
        if to == Pack {
            lost.push("games with positions that are not to be learnt from");
        }
    }
    if from == Sbinpack {
        lost.push("notes of games, and scores beyond 16 bits");
    }
    match (from.has_games(), to.has_games()) {
        (true, false) => lost.push("kinds of the end, and the connection of positions to games"),
        (false, true) => {
            lost.push("records without a move; games are those whose records follow each other")
        }
        (true, true) => lost.push("kinds of the end that the format does not tell"),
        (false, false) => {}
    }
    if to == Pack {
        lost.push("scores beyond 32,000");
    }
    lost
}
