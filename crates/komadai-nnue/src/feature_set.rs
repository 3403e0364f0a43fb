//! The sets of input features.

use core::fmt;

use crate::bona_piece::{FE_END, KING_OF_OWN, KINGS_OF_BOTH};

/// A set of input features: the properties of a position that a network sees.
///
/// A position is seen from both sides, with the board turned so that the viewing side plays
/// upwards. Every set but [`KP`](Self::KP) and [`KA2`](Self::KA2) combines the square of the
/// viewer's king with each piece on the board and in hand.
///
/// [`Display`](fmt::Display) gives the name in YaneuraOu's names of networks.
///
/// # Examples
///
/// ```
/// use komadai_nnue::FeatureSet;
///
/// assert_eq!(FeatureSet::HalfKp.inputs(), 81 * 1_548);
/// assert_eq!(FeatureSet::HalfKp.to_string(), "halfkp");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FeatureSet {
    /// The own king's square × the pieces other than kings.
    HalfKp,
    /// Squares of kings, and the pieces other than kings, side by side.
    KP,
    /// [`HalfKp`](Self::HalfKp) with the board mirrored if the own king stands on files 6 to 9.
    HalfKpVm,
    /// The own king's square × the pieces with the number of attacks, up to two, of either side on
    /// their squares.
    HalfKpE9,
    /// The own king's square × all pieces, kings included.
    HalfKa1,
    /// The own king's square × all pieces; both kings share one plane.
    HalfKa2,
    /// [`HalfKa1`](Self::HalfKa1), mirrored if the own king stands on files 6 to 9.
    HalfKaHm1,
    /// [`HalfKa2`](Self::HalfKa2), mirrored if the own king stands on files 6 to 9.
    HalfKaHm2,
    /// All pieces, kings in one plane, and the squares of the kings once more in planes of their
    /// own.
    KA2,
    /// The zone of the own king × the pieces other than kings: the set of compact networks. The
    /// nine zones are squares of three by three.
    ZoneKp,
}

impl FeatureSet {
    /// The sets of classical and stacked networks.
    pub const ALL: [Self; 9] = [
        Self::HalfKp,
        Self::KP,
        Self::HalfKpVm,
        Self::HalfKpE9,
        Self::HalfKa1,
        Self::HalfKa2,
        Self::HalfKaHm1,
        Self::HalfKaHm2,
        Self::KA2,
    ];

    /// Returns the number of inputs of one view.
    #[must_use]
    pub const fn inputs(self) -> usize {
        match self {
            Self::KP => FE_END + 2 * 81,
            Self::KA2 => KING_OF_OWN + 2 * 81,
            _ => self.king_buckets() * self.pieces(),
        }
    }

    /// Returns the set of classical and stacked networks with this number of inputs.
    pub(crate) fn of_inputs(inputs: usize) -> Option<Self> {
        Self::ALL.into_iter().find(|set| set.inputs() == inputs)
    }

    /// Returns the set that the description in a file names.
    pub(crate) fn from_description(name: &str) -> Option<Self> {
        let name = name.trim_end_matches('^');
        let name = name.strip_suffix("(Friend)").unwrap_or(name);
        let is_own = |set: &Self| {
            let own = set.description();
            own.strip_suffix("(Friend)").unwrap_or(own) == name
        };
        let other = || OTHER_NAMES.iter().find(|(other, _)| *other == name).map(|(_, set)| *set);
        Self::ALL.into_iter().find(is_own).or_else(other)
    }

    /// The number that stands for the set in the hash of a LayerStack file.
    pub(crate) const fn layer_stack_hash(self) -> u32 {
        match self {
            Self::HalfKa2 => fnv1a(b"halfka-merged"),
            Self::HalfKaHm1 => fnv1a(b"halfka-hm-split"),
            Self::HalfKaHm2 => 0x7F13_4CB8,
            _ => self.hash(),
        }
    }

    /// The name of the set in the description of a LayerStack file.
    pub(crate) const fn layer_stack_description(self) -> &'static str {
        match self {
            Self::HalfKa1 => "HalfKaSplit(Friend)",
            Self::HalfKa2 => "HalfKaMerged(Friend)",
            Self::HalfKaHm1 => "HalfKaHmSplit(Friend)",
            Self::HalfKaHm2 => "HalfKaHmMerged(Friend)",
            _ => self.description(),
        }
    }

    /// Returns whether trainers write this hash before the first layer of a network with these
    /// inputs.
    ///
    /// Some trainers kept the hash of a set when they changed its inputs, so that the hash does not
    /// tell the set; one wrote 0.
    pub(crate) const fn is_written_as(self, width: usize, found: u32) -> bool {
        let hash = found ^ (2 * width) as u32;
        found == 0
            || hash == self.hash()
            || hash == self.layer_stack_hash()
            || matches!(self, Self::HalfKaHm2) && hash == Self::HalfKa1.hash()
    }

    /// Returns the set with this name.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|set| set.name() == name)
    }

    /// The number of classes of the own king's square.
    pub(crate) const fn king_buckets(self) -> usize {
        match self {
            Self::HalfKpVm | Self::HalfKaHm1 | Self::HalfKaHm2 => 45,
            Self::KP | Self::KA2 => 1,
            Self::ZoneKp => 9,
            _ => 81,
        }
    }

    /// The number of features for each class of the own king's square.
    pub(crate) const fn pieces(self) -> usize {
        match self {
            Self::HalfKp | Self::HalfKpVm | Self::ZoneKp => FE_END,
            Self::KP => FE_END + 2 * 81,
            Self::KA2 => KING_OF_OWN + 2 * 81,
            Self::HalfKpE9 => 9 * FE_END,
            Self::HalfKa1 | Self::HalfKaHm1 => KINGS_OF_BOTH,
            Self::HalfKa2 | Self::HalfKaHm2 => KING_OF_OWN,
        }
    }

    /// Returns whether kings are pieces of the set.
    pub(crate) const fn has_kings(self) -> bool {
        !matches!(self, Self::HalfKp | Self::HalfKpVm | Self::HalfKpE9 | Self::ZoneKp)
    }

    /// Returns whether attacks on the square of a piece are part of its feature.
    pub(crate) const fn depends_on_attacks(self) -> bool {
        matches!(self, Self::HalfKpE9)
    }

    /// Returns whether the board is mirrored by the file of the own king.
    pub(crate) const fn is_mirrored(self) -> bool {
        self.king_buckets() == 45
    }

    /// The name of the set in names of architectures.
    const fn name(self) -> &'static str {
        match self {
            Self::HalfKp => "halfkp",
            Self::KP => "kp",
            Self::HalfKpVm => "halfkpvm",
            Self::HalfKpE9 => "halfkpe9",
            Self::HalfKa1 => "halfka1",
            Self::HalfKa2 => "halfka2",
            Self::HalfKaHm1 => "halfkahm1",
            Self::HalfKaHm2 => "halfkahm2",
            Self::KA2 => "ka2",
            Self::ZoneKp => "zonekp",
        }
    }

    /// The name in the description that stands in the file.
    pub(crate) const fn description(self) -> &'static str {
        match self {
            Self::HalfKp => "HalfKP(Friend)",
            Self::KP => "K+P",
            Self::HalfKpVm => "HalfKP_vm(Friend)",
            Self::HalfKpE9 => "HalfKPE9(Friend)",
            Self::HalfKa1 => "HalfKA1(Friend)",
            Self::HalfKa2 => "HalfKA2(Friend)",
            Self::HalfKaHm1 => "HalfKA_hm1(Friend)",
            Self::HalfKaHm2 => "HalfKA_hm2(Friend)",
            Self::KA2 => "K+A2",
            Self::ZoneKp => "ZoneKP",
        }
    }

    /// The number that stands for the set in the hash of a file.
    pub(crate) const fn hash(self) -> u32 {
        match self {
            Self::HalfKp | Self::HalfKpE9 => 0x5D69_D5B8,
            Self::KP => 0xD3CE_E169 ^ 0x764C_FB4B_u32.rotate_left(1),
            Self::HalfKpVm => 0x0B6B_1D9A,
            Self::HalfKa1 => 0x5F13_4CB8,
            Self::HalfKa2 => 0x5F23_4CB8,
            Self::HalfKaHm1 => 0x7F13_4CB8,
            Self::HalfKaHm2 => 0x7F23_4CB8,
            Self::KA2 => 0xD3CE_E169 ^ 0xA20D_CB9B_u32.rotate_left(1),
            // Compact files have a checksum instead.
            Self::ZoneKp => 0,
        }
    }
}

/// The names of sets in the descriptions of other trainers.
const OTHER_NAMES: [(&str, FeatureSet); 6] = [
    ("HalfKA_hm", FeatureSet::HalfKaHm2),
    ("HalfKaHmMerged", FeatureSet::HalfKaHm2),
    ("HalfKaHmSplit", FeatureSet::HalfKaHm1),
    ("HalfKaMerged", FeatureSet::HalfKa2),
    ("HalfKaSplit", FeatureSet::HalfKa1),
    ("HalfKA", FeatureSet::HalfKa1),
];

/// The FNV-1a hash of 32 bits.
const fn fnv1a(bytes: &[u8]) -> u32 {
    let mut hash = 0x811C_9DC5_u32;
    let mut at = 0;
    while at < bytes.len() {
        hash = (hash ^ bytes[at] as u32).wrapping_mul(0x0100_0193);
        at += 1;
    }
    hash
}

impl fmt::Display for FeatureSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
