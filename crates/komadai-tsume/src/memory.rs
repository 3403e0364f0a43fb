//! The memory of a solver: what its threads share, and what each of them has.

use std::sync::{PoisonError, RwLock, RwLockReadGuard};

use komadai_core::{Color, PieceKind, Position};
use komadai_movegen::CheckClass;

use crate::frame::{Child, Frame};
use crate::options::Techniques;
use crate::path::Path;
use crate::tables::expansions::Expansions;
use crate::tables::loop_table::LoopTable;
use crate::tables::origins::Origins;
use crate::tables::table::{Apart, Table};

/// The tables of a solver, which threads share.
#[derive(Debug)]
pub(crate) struct Memory {
    pub(crate) table: Table,
    pub(crate) loops: LoopTable,
    /// Threads read this while they use the table, and one of them writes it while the table grows.
    growth: Apart<RwLock<()>>,
    /// A number for the set of pieces, the attacker and the class of checks, if results are kept from one position to
    /// the next.
    salt: u64,
    /// The techniques of the searches.
    pub(crate) techniques: Techniques,
}

impl Memory {
    /// Creates tables of at most `bytes` in all.
    pub(crate) fn new(bytes: usize) -> Self {
        // Few disproofs depend on the path, so an eighth of the memory suffices for them.
        let (table, loops) = (Table::new(bytes - bytes / 8), LoopTable::new(bytes / 8));
        Self { table, loops, growth: Apart::default(), salt: 0, techniques: Techniques::default() }
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
    /// A result holds for a board, the attacker's hand and the side that attacks, and it presumes the pieces that
    /// the defender then holds. These follow from the set of all pieces, in which problems may differ. A disproof
    /// holds for a class of checks.
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
        let expansions = Expansions::new(bytes);
        let (path, frames, children) = (Path::default(), Vec::new(), Vec::new());
        Self { path, frames, children, expansions, origins: None }
    }

    /// Creates a workspace for searches with these techniques, in at most `bytes`.
    pub(crate) fn for_techniques(techniques: Techniques, bytes: usize) -> Self {
        match techniques.contains(Techniques::MET_ONCE) {
            true => Self { origins: Some(Origins::new(bytes / 2)), ..Self::new(bytes / 2) },
            false => Self::new(bytes),
        }
    }

    /// Forgets what belongs to earlier searches.
    pub(crate) fn forget(&mut self) {
        self.expansions.clear();
        if let Some(origins) = &mut self.origins {
            origins.clear();
        }
    }

    /// Returns the allocated memory in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.expansions.bytes() + self.origins.as_ref().map_or(0, Origins::bytes)
    }
}
