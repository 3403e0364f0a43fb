//! The positions of a training.

use std::path::Path;

use komadai_core::SplitMix64;
use komadai_data::records::PackedSfenValue;
use komadai_data::tools::{Damage, OnDamage, Sources, ToolError, Watch};

use super::sample::Sample;

/// The positions that a network learns from, and those of held-out games by which it is judged.
///
/// Only quiet positions are kept: the side to move is not in check, its best move neither captures
/// nor promotes, and the score is less than 3,000 centipawns, for a network does not see captures
/// coming. Each position takes 40 bytes of memory.
///
/// # Examples
///
/// ```
/// use komadai_data::tools::{OnDamage, Sources, Watch};
/// use komadai_train::network::TrainingSet;
///
/// let mut set = TrainingSet::new();
/// set.read(&Sources::find(&[], OnDamage::Refuse)?, &mut Watch::none())?;
/// assert_eq!((set.training(), set.held_out(), set.records()), (0, 0, 0));
/// # Ok::<(), komadai_data::tools::ToolError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct TrainingSet {
    pub(super) samples: Vec<Sample>,
    pub(super) held_out_samples: Vec<Sample>,
    records: u64,
    games: u64,
}

/// One game in this many is held out.
const HELD_OUT_ONE_IN: u64 = 20;

impl TrainingSet {
    /// Returns a set without positions.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the quiet positions of a folder of training data, or of a file of records. Damaged
    /// data are an error.
    ///
    /// [`read`](Self::read) takes several sources, tolerates damage and shows its progress.
    ///
    /// # Errors
    ///
    /// Those of [`Sources::find`] and [`Sources::read`].
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_data::Dataset;
    /// use komadai_eval::Material;
    /// use komadai_train::network::TrainingSet;
    ///
    /// let folder = tempfile::tempdir()?;
    /// let data = Dataset::generate(folder.path(), &Material, 100)?;
    /// let set = TrainingSet::of_folder(folder.path())?;
    /// assert_eq!(set.records(), data.positions());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_folder(path: impl AsRef<Path>) -> Result<Self, ToolError> {
        let sources = Sources::find(&[path.as_ref().to_owned()], OnDamage::Refuse)?;
        let mut set = Self::new();
        set.read(&sources, &mut Watch::none())?;
        Ok(set)
    }

    /// Adds the quiet positions of all records, whole games in their order.
    ///
    /// A game begins where the move number is not the next one. A twentieth of the games is held
    /// out, chosen by the first position, so that a game of another file that begins alike is held
    /// out as well, and more data leave the choice as it is.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Sources::read`]. The games before are kept.
    pub fn read(&mut self, sources: &Sources, watch: &mut Watch<'_>) -> Result<Damage, ToolError> {
        let mut game: Vec<(PackedSfenValue, Option<Sample>)> = Vec::new();
        let mut file = 0;
        let damage = sources.read(
            "read",
            watch,
            |_, record| Ok(Sample::of_quiet(record)?),
            |found| {
                let is_next = found.index == file
                    && game.last().is_some_and(|(last, _)| {
                        u32::from(last.ply) + 1 == u32::from(found.record.ply)
                    });
                if !is_next {
                    self.add_game(&mut game);
                }
                file = found.index;
                game.push((found.record, found.value));
                Ok(())
            },
        );
        self.add_game(&mut game);
        damage
    }

    /// Adds the quiet positions of a game, and empties it.
    fn add_game(&mut self, game: &mut Vec<(PackedSfenValue, Option<Sample>)>) {
        let Some((first, _)) = game.first() else { return };
        let is_apart = is_held_out(first);
        let to = if is_apart { &mut self.held_out_samples } else { &mut self.samples };
        self.games += 1;
        self.records += game.len() as u64;
        for (plies_left, (_, sample)) in (1..=game.len()).rev().zip(game.drain(..)) {
            let plies_left = plies_left.min(u16::MAX.into()) as u16;
            to.extend(sample.map(|sample| sample.with_plies_left(plies_left)));
        }
    }

    /// Returns the set without its positions to train with, for judgements.
    #[must_use]
    pub fn without_training(&self) -> Self {
        let held_out_samples = self.held_out_samples.clone();
        Self { samples: Vec::new(), held_out_samples, records: self.records, games: self.games }
    }

    /// The number of positions to train with.
    pub fn training(&self) -> usize {
        self.samples.len()
    }

    /// The number of positions held out.
    pub fn held_out(&self) -> usize {
        self.held_out_samples.len()
    }

    /// The number of records read, those that are not quiet included.
    pub fn records(&self) -> u64 {
        self.records
    }

    /// The number of games read.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// A number that depends on all positions and their order.
    pub(super) fn hash(&self) -> u64 {
        let samples = self.samples.iter().chain(&self.held_out_samples);
        samples
            .fold(self.samples.len() as u64, |hash, sample| SplitMix64::mix(hash ^ sample.hash()))
    }

    #[cfg(test)]
    pub(super) fn from_samples(samples: Vec<Sample>, held_out_samples: Vec<Sample>) -> Self {
        Self { samples, held_out_samples, records: 0, games: 0 }
    }
}

/// Returns true if the game that begins with this record is held out.
pub(crate) fn is_held_out(first: &PackedSfenValue) -> bool {
    first_hash(first).is_multiple_of(HELD_OUT_ONE_IN)
}

/// The hash of the first record of a game, which decides whether the game is held out.
fn first_hash(record: &PackedSfenValue) -> u64 {
    let words = record.position.as_bytes().chunks_exact(8);
    words.fold(0, |hash, bytes| {
        let word = bytes.iter().fold(0, |word, byte| word << 8 | u64::from(*byte));
        SplitMix64::mix(hash ^ word)
    })
}

#[cfg(test)]
mod tests {
    use komadai_core::{Move, PackedSfen, Piece, Position, Setup};
    use komadai_data::records::RecordFault;
    use komadai_data::tools::{Damaged, Fault, OnDamage};
    use proptest::prelude::*;

    use super::*;

    const QUIET: &str = "4k4/9/9/9/9/9/9/9/4K4 b R 1";

    fn record(sfen: &str, score: i16, usi: &str, ply: u16) -> Vec<u8> {
        let position = PackedSfen::of(&Position::from_sfen(sfen).unwrap()).unwrap();
        let best_move: Move = usi.parse().unwrap();
        let mut bytes = position.as_bytes().to_vec();
        bytes.extend(score.to_le_bytes());
        bytes.extend(best_move.to_bits().to_le_bytes());
        bytes.extend(ply.to_le_bytes());
        bytes.extend([1, 0]);
        bytes
    }

    fn read(bytes: &[u8]) -> (TrainingSet, Result<Damage, ToolError>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("records.psv");
        std::fs::write(&path, bytes).unwrap();
        let mut set = TrainingSet::new();
        let sources = Sources::find(&[path], OnDamage::Refuse);
        let result = sources.and_then(|sources| set.read(&sources, &mut Watch::none()));
        (set, result)
    }

    #[test]
    fn quiet_positions_are_kept() {
        let kept = |sfen: &str, score, usi: &str| {
            let (set, result) = read(&record(sfen, score, usi, 1));
            result.unwrap();
            assert_eq!((set.records(), set.games()), (1, 1));
            set.training() + set.held_out()
        };
        assert_eq!(kept(QUIET, 2_999, "R*5e"), 1);
        assert_eq!(kept(QUIET, -2_999, "R*5e"), 1);
        assert_eq!(kept(QUIET, 3_000, "R*5e"), 0);
        assert_eq!(kept(QUIET, i16::MIN, "R*5e"), 0);
        let check = "4k4/9/9/9/4r4/9/9/9/4K4 b - 1";
        assert_eq!(kept(check, 0, "5i4i"), 0);
        let capture = "4k4/9/9/9/3p5/3R5/9/9/4K4 b - 1";
        assert_eq!([kept(capture, 0, "6f6e"), kept(capture, 0, "6f5f")], [0, 1]);
        let promotion = "4k4/9/9/3R5/9/9/9/9/4K4 b - 1";
        assert_eq!([kept(promotion, 0, "6d6c+"), kept(promotion, 0, "6d6c")], [0, 1]);
    }

    #[test]
    fn games_are_held_out_whole() {
        let start = |column: usize| format!("4k4/9/9/9/9/9/9/{}P{}/4K4 b R 1", column, 8 - column);
        let starts = (1..8).map(start).chain([QUIET.to_owned()]);
        let mut bytes = Vec::new();
        for (game, sfen) in starts.cycle().take(160).enumerate() {
            // Move numbers alone end a game, even one that follows another at once.
            let first = if game % 2 == 0 { 1 } else { 30 };
            bytes.extend((0..5).flat_map(|ply| record(&sfen, game as i16, "R*5e", first + ply)));
        }
        let (set, result) = read(&bytes);
        result.unwrap();
        assert_eq!((set.games(), set.records()), (160, 800));
        assert_eq!(set.training() + set.held_out(), 800);
        for samples in [&set.samples, &set.held_out_samples] {
            for game in samples.chunks(5) {
                assert!(game.iter().all(|sample| sample.score() == game[0].score()));
                let left: Vec<u16> = game.iter().map(|sample| sample.plies_left()).collect();
                assert_eq!(left, [5, 4, 3, 2, 1]);
            }
        }
    }

    #[test]
    fn a_twentieth_of_the_games_is_held_out() {
        let mut random = SplitMix64::new(1);
        let held_out = (0..20_000).filter(|_| {
            let mut bytes = [0; PackedSfenValue::BYTES];
            bytes[..8].copy_from_slice(&random.next_u64().to_le_bytes());
            let record = PackedSfenValue::from_bytes(&bytes).unwrap();
            is_held_out(&record)
        });
        assert!((900..1_100).contains(&held_out.count()));
    }

    #[test]
    fn faults_name_their_record() {
        let good = record(QUIET, 1, "R*5e", 7);
        let damaged = |bytes: &[u8]| match read(bytes) {
            (set, Err(ToolError::Damaged(Damaged { record, fault, .. }))) => {
                (set.records(), record.unwrap(), fault)
            }
            (_, result) => panic!("{result:?}"),
        };
        let (read_before, record, fault) = damaged(&[&good[..], &good[..39]].concat());
        assert!(matches!(fault, Fault::Truncated { found: 39, .. }), "{fault}");
        assert_eq!((read_before, record), (0, 2));
        // A result that is none, and kings on squares that are none.
        let result = [&good[..38], &[7, 0]].concat();
        let (_, record, fault) = damaged(&[&good[..], &good, &result, &good].concat());
        assert!(
            record == 3 && matches!(fault, Fault::Record(RecordFault::Result { .. })),
            "{fault}"
        );
        let kings = [&[0xfe, 0xff][..], &good[2..]].concat();
        let (_, record, fault) = damaged(&[&good[..], &kings, &good].concat());
        assert!(record == 2 && matches!(fault, Fault::Record(RecordFault::Position(_))), "{fault}");
        let mut illegal = Setup::empty();
        illegal.board[0] = Some(Piece::BlackKing);
        illegal.board[1] = Some(Piece::WhiteKing);
        let mut bytes = good.clone();
        bytes[..32].copy_from_slice(PackedSfen::from_setup(&illegal).unwrap().as_bytes());
        let (_, record, fault) = damaged(&[&good[..], &good, &bytes].concat());
        assert!(record == 3 && matches!(fault, Fault::Record(RecordFault::Position(_))), "{fault}");
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(bytes: Vec<u8>, position: [u8; 40]) {
            let _ = read(&bytes);
            let _ = read(&position);
            let mut damaged = record(QUIET, 1, "R*5e", 7);
            for (at, byte) in bytes.iter().enumerate().take(3) {
                let at = (at * 97 + usize::from(*byte)) % damaged.len();
                damaged[at] ^= byte;
            }
            let _ = read(&damaged);
        }
    }
}
