//! The memory of a solver: what its threads share, and what each of them has.

use std::sync::{PoisonError, RwLock, RwLockReadGuard};

use komadai_core::{Color, PieceKind, Position};
use komadai_movegen::CheckClass;

use crate::frame::{Child, Frame};
use crate::options::Techniques;
use crate::path::Path;
use crate::tables::expansions::Expansions;
use crate::tables::loop_table::LoopTable;
use crate::tables::origins::{Origins, Place};
use crate::tables::table::{Apart, Table};

/// The tables of a solver, which threads share.
#[derive(Debug)]
pub(crate) struct Memory {
    pub(crate) table: Table,
    pub(crate) loops: LoopTable,
    /// Threads read this while they use the table, and one of them writes it while the table grows.
    growth: Apart<RwLock<()>>,
    /// A number for the set of pieces, the attacker and the class of checks, if results are kept
    /// from one position to the next.
    salt: u64,
    /// The techniques of the searches.
    pub(crate) techniques: Techniques,
}

impl Memory {
    /// Creates tables of at most `bytes` in all.
    pub(crate) fn new(bytes: usize) -> Self {
        // Few disproofs depend on the path, so an eighth of the memory suffices for them.
        Self {
            table: Table::new(bytes - bytes / 8),
            loops: LoopTable::new(bytes / 8),
            growth: Apart::default(),
            salt: 0,
            techniques: Techniques::default(),
        }
    }

    /// Keeps the table from growing as long as the result is not dropped.
    pub(crate) fn keep_from_growing(&self) -> RwLockReadGuard<'_, ()> {
        // The lock guards no data, so that one that a panicking thread has left is as good as any.
        self.growth.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Grows the table by this number of buckets if it is crowded, while no other thread uses it.
    pub(crate) fn grow_alone(&self, most: u64) {
        if self.table.is_crowded() {
            let _alone = self.growth.0.write().unwrap_or_else(PoisonError::into_inner);
            self.table.grow(most);
        }
    }

    /// Returns the key of a board in the tables.
    #[inline]
    pub(crate) fn key(&self, board_key: u64) -> u64 {
        board_key ^ self.salt
    }

    /// Starts to keep results for a position and a class of checks, beside those for others.
    ///
    /// A result holds for a board, the attacker's hand and the side that attacks, and it presumes
    /// the pieces that the defender then holds. These follow from the set of all pieces, in which
    /// problems may differ. A disproof holds for a class of checks.
    pub(crate) fn keep_for(&mut self, position: &Position, checks: CheckClass) {
        let held = [Color::Black, Color::White].map(|color| position.hand(color));
        let mut salt = 1 + u64::from(position.side() == Color::White);
        salt += 2 * u64::from(checks == CheckClass::Near);
        for kind in PieceKind::HAND {
            let on_board = position.kind(kind).len()
                + kind.promoted().map_or(0, |promoted| position.kind(promoted).len());
            let count = on_board + held[0].count(kind) + held[1].count(kind);
            salt = (salt ^ u64::from(count)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23);
        }
        self.salt = salt;
    }

    /// Returns the memory that results take, in bytes.
    pub(crate) fn used_bytes(&self) -> usize {
        self.table.used_bytes() + self.loops.used_bytes()
    }

    /// Forgets all results.
    pub(crate) fn next_generation(&mut self) {
        self.salt = 0;
        self.table.next_generation();
        self.loops.next_generation();
    }
}

/// Number of links that are followed to find out where two paths have parted.
const MOST_STEPS: usize = 24;

/// The buffers of a thread for its searches, one after the other.
#[derive(Debug)]
pub(crate) struct Workspace {
    pub(crate) path: Path,
    pub(crate) frames: Vec<Frame>,
    pub(crate) children: Vec<Child>,
    pub(crate) expansions: Expansions,
    /// Used only with [`Techniques::MET_ONCE`].
    pub(crate) origins: Option<Origins>,
}

impl Workspace {
    /// Creates a workspace that keeps the moves of visited positions in at most `bytes`.
    pub(crate) fn new(bytes: usize) -> Self {
        Self {
            path: Path::default(),
            frames: Vec::new(),
            children: Vec::new(),
            expansions: Expansions::new(bytes),
            origins: None,
        }
    }

    /// Creates a workspace for searches with these techniques, in at most `bytes`.
    pub(crate) fn for_techniques(techniques: Techniques, bytes: usize) -> Self {
        if techniques.contains(Techniques::MET_ONCE) {
            Self { origins: Some(Origins::new(bytes / 2)), ..Self::new(bytes / 2) }
        } else {
            Self::new(bytes)
        }
    }

    /// Forgets what belongs to earlier searches.
    pub(crate) fn forget(&mut self) {
        self.expansions.clear();
        if let Some(origins) = &mut self.origins {
            origins.clear();
        }
    }

    /// Notes from where the position, which is about to be added to the path, was reached; and if
    /// it was reached from elsewhere before, that two subtrees of a position on the path have met.
    #[cold]
    pub(crate) fn note_origin(&mut self, place: Place, is_known: bool) {
        let Self { frames, children, path, origins, .. } = self;
        let (Some(origins), Some(parent)) = (origins, frames.last()) else { return };
        let parent = Place { board_key: parent.board_key, hand: parent.hand };
        let before = if is_known { origins.find(place) } else { None };
        if before == Some(parent) {
            return;
        }
        origins.insert(place, parent);
        let mut below = place;
        let mut before = before;
        for _ in 0..MOST_STEPS {
            let Some(above) = before else { return };
            if let Some(ply) = path.ply_of(above.board_key, above.hand) {
                let frame = &frames[ply];
                let end = frames.get(ply + 1).map_or(children.len(), |next| next.first_child);
                let siblings = &mut children[frame.first_child..end];
                let other = siblings.iter().position(|child| {
                    child.board_key == below.board_key && child.hand == below.hand
                });
                if let Some(other) = other.filter(|&other| other != frame.current) {
                    for index in [other, frame.current] {
                        let child = &mut siblings[index];
                        if !child.has_met {
                            child.has_met = true;
                            let child = Place { board_key: child.board_key, hand: child.hand };
                            origins.note_meeting(above, child);
                        }
                    }
                }
                return;
            }
            below = above;
            before = origins.find(above);
        }
    }

    /// Returns the allocated memory in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.expansions.bytes() + self.origins.as_ref().map_or(0, Origins::bytes)
    }
}
