//! The softmax over tables of weights.

use std::sync::{Arc, LazyLock};

use komadai_core::{Move, Position};

use super::features::Features;
use super::move_table_file;
use super::move_table_file::MoveTableError;
use super::tables;
use crate::move_probability::MoveProbability;

/// A model of the probability of moves with a weight for each entry of many small tables.
///
/// The score of a move is the sum of the weights of its features: kind and squares by phase of the
/// game, squares relative to both kings, the pieces around the destination, captures, exchanges,
/// attacks on and by the piece, checks, evasions, lines, and the last two moves. The command
/// `komadai train moves` fits the weights.
///
/// # Examples
///
/// ```
/// use komadai_core::Position;
/// use komadai_movegen::MoveGen;
/// use komadai_search::{MoveProbability, SoftmaxMoves};
///
/// // White's bishop has just been exchanged on 2二; Black's silver or gold takes it back.
/// let mut position = Position::hirate();
/// for m in ["7g7f", "3c3d", "8h2b+"] {
///     position.do_move(m.parse()?);
/// }
/// let moves = position.legal_moves();
/// let probabilities = SoftmaxMoves::default().probabilities(&position, &moves);
/// let best = (0..moves.len()).max_by(|&a, &b| probabilities[a].total_cmp(&probabilities[b]));
/// assert_eq!(best.map(|index| moves[index]), Some("3a2b".parse()?));
/// # Ok::<(), komadai_core::UsiError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct SoftmaxMoves {
    /// Weights in units of [`SoftmaxMoves::UNIT`].
    weights: Arc<[i8]>,
}

impl SoftmaxMoves {
    /// The number of weights.
    pub const COUNT: usize = tables::COUNT;

    /// The unit of weights, in natural logarithms of probabilities.
    pub const UNIT: f32 = 1.0 / 32.0;

    /// Returns the model of these weights, rounded to multiples of [`Self::UNIT`] from −127 to 127.
    ///
    /// `None` unless there are [`Self::COUNT`] weights. One that is no number counts as zero.
    pub fn new(weights: &[f32]) -> Option<Self> {
        let rounded = |&weight: &f32| (weight / Self::UNIT).round().clamp(-127.0, 127.0) as i8;
        let weights: Arc<[i8]> = weights.iter().map(rounded).collect();
        (weights.len() == Self::COUNT).then_some(Self { weights })
    }

    /// Returns the model of [`default`](Self::default).
    pub(crate) fn bundled() -> &'static Self {
        static BUNDLED: LazyLock<SoftmaxMoves> = LazyLock::new(|| {
            SoftmaxMoves::from_bytes(include_bytes!("softmax.bin"))
                .expect("a test reads the bundled weights")
        });
        &BUNDLED
    }

    /// Reads a model from the bytes of a file.
    ///
    /// The file is a text that states the format and the names and lengths of all tables, a line
    /// each, then an empty line, then a byte for each weight: its multiple of [`Self::UNIT`] as a
    /// signed number.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is another one, or if there are not as many weights as it
    /// states.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_search::SoftmaxMoves;
    ///
    /// let model = SoftmaxMoves::default();
    /// assert_eq!(SoftmaxMoves::from_bytes(&model.to_bytes())?, model);
    /// assert!(SoftmaxMoves::from_bytes(b"GIF89a").is_err());
    /// # Ok::<(), komadai_search::MoveTableError>(())
    /// ```
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, MoveTableError> {
        let weights = move_table_file::read(bytes)?;
        Ok(Self { weights: weights.iter().map(|byte| byte.cast_signed()).collect() })
    }

    /// Returns the bytes of a file, which [`Self::from_bytes`] reads.
    pub fn to_bytes(&self) -> Vec<u8> {
        move_table_file::write(&self.weights)
    }

    /// Calls `add` with the index of a move and the number of each of its features, which is less
    /// than [`Self::COUNT`]. A feature may come twice, and then counts twice.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::Position;
    /// use komadai_movegen::MoveGen;
    /// use komadai_search::SoftmaxMoves;
    ///
    /// let position = Position::hirate();
    /// let mut features = [0; 30];
    /// SoftmaxMoves::features(&position, &position.legal_moves(), |index, feature| {
    ///     assert!(feature < SoftmaxMoves::COUNT);
    ///     features[index] += 1;
    /// });
    /// assert!(features.iter().all(|&count| count > 20));
    /// ```
    pub fn features(position: &Position, moves: &[Move], mut add: impl FnMut(usize, usize)) {
        let features = Features::new(position);
        for (index, &m) in moves.iter().enumerate() {
            features.each(m, &mut |feature| add(index, feature));
        }
    }
}

impl Default for SoftmaxMoves {
    /// Returns the bundled model, fitted on 2026-11-27 to 4,700,026 positions of self-play.
    ///
    /// In held-out games the best move of the search is the most probable one in a share of 0.362
    /// of the positions, among the first three in 0.626, and its mean log-likelihood is −2.253; in
    /// tournament games the played move in 0.338 and 0.583, with −2.403 (`docs/learning_moves.md`).
    fn default() -> Self {
        Self::bundled().clone()
    }
}

impl MoveProbability for SoftmaxMoves {
    fn scores(&self, position: &Position, moves: &[Move]) -> Vec<f32> {
        let features = Features::new(position);
        let score = |&m: &Move| {
            let mut sum = 0_i32;
            features.each(m, &mut |feature| sum += i32::from(self.weights[feature]));
            sum as f32 * Self::UNIT
        };
        moves.iter().map(score).collect()
    }
}
