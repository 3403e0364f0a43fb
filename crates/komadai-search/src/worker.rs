//! One search thread: its position, its stack of frames and its access to the shared tables.

use core::cell::OnceCell;

use komadai_core::{CheckInfo, Move, PieceKind, Position, Pv};
use komadai_eval::Evaluator;
use komadai_movegen::repetition::SearchRepetition;
use komadai_movegen::{DeclarationRule, MoveGen, Repetition};

use crate::history::Histories;
use crate::history::piece_to::{PLIES_BACK, PieceTo};
use crate::lazy_smp::abdada::{self, AbdadaTable};
use crate::meter::Meter;
use crate::museum::tesuji::TesujiTable;
use crate::node::solver_use::SolverUse;
use crate::options::SearchOptions;
use crate::parameters::Parameters;
use crate::picker::{MoveBuffer, OrderingContext, Picker};
use crate::probcut::DepthPair;
use crate::proof_table::ProofTable;
use crate::pruning::Earliness;
use crate::quiescence_method::Quiescence;
use crate::scaled::{Scaled, Units};
use crate::searcher::move_order::MoveOrder;
use crate::searcher::node_visitor::NoVisitor;
use crate::settings::{AnySettings, Settings};
use crate::tactical::PieceMove;
use crate::techniques::Techniques;
use crate::transposition_table::value_table::ValueTable;
use crate::transposition_table::{Place, TranspositionTable};
use crate::value::{MAX_PLY, SUPERIOR, Value, WON_BY_RULE, mated};

/// Initial capacity of the move buffer: some 40 plies of 100 moves, so that it hardly ever grows.
const MOVE_BUFFER_CAPACITY: usize = 4_096;

/// Number of plies with a frame. Nodes use those of the next two plies (killers, cutoffs).
const FRAMES: usize = MAX_PLY + 2;

/// One search thread, compiled for its [`Settings`].
pub(crate) struct Worker<'a, E: Evaluator, S: Settings = AnySettings> {
    pub(crate) evaluator: &'a Scaled<E>,
    pub(crate) table: &'a TranspositionTable,
    /// Sequences whose completion is extended.
    pub(crate) tesuji: &'a TesujiTable,
    /// The depths at which a shallow search decides a node, with their predictions.
    pub(crate) depth_pairs: &'a [DepthPair],
    pub(crate) options: &'a SearchOptions,
    pub(crate) history: Histories<'a>,
    pub(crate) meter: Meter<'a>,
    pub(crate) position: Position,
    repetition: SearchRepetition,
    boards: BoardsOfLine,
    /// True if a board that is new in the line is no end of the game but by declaration.
    may_only_repeat: bool,
    pub(crate) state: E::State,
    /// The search stack: one frame for each ply from the root.
    pub(crate) frames: Box<[Frame; FRAMES]>,
    /// The principal variation of each ply.
    pub(crate) pvs: Box<[Pv; FRAMES]>,
    /// The piece that the move of each ply leaves on its destination, from [`PLIES_BACK`] plies
    /// before the root on; `None` for those and for null moves.
    moved: Box<[Option<PieceTo>; PLIES_BACK + FRAMES]>,
    pub(crate) buffer: MoveBuffer,
    /// The depth of the iteration.
    pub(crate) iteration: i32,
    /// The depth of the search of the root moves: that of the iteration, or less after fail-highs.
    pub(crate) root_depth: i32,
    /// The principal variation of the last iteration, of the line that is searched.
    pub(crate) last_line: Pv,
    pub(crate) earliness: Earliness,
    /// The longest line of the iteration in plies (selective depth).
    pub(crate) longest: usize,
    /// No null move is tried below this ply: one is being verified. 0 otherwise.
    pub(crate) null_move_min_ply: usize,
    /// The table of the first stage of the two-stage quiescence search.
    pub(crate) stage_one_table: ValueTable,
    /// Adds to the ordering of moves.
    pub(crate) order: Option<&'a dyn MoveOrder>,
    /// Tests nodes of the principal variation for mates.
    pub(crate) solver: Option<SolverUse<'a>>,
    /// Mates that a tree search beside this one has proved.
    pub(crate) proofs: Option<&'a ProofTable>,
    pub(crate) visitor: S::Visitor,
}

/// The state of one ply of the current line, in one cache line.
#[derive(Debug, Clone, Copy, Default)]
#[repr(align(64))]
pub(crate) struct Frame {
    /// The move being searched; `None` for a null move.
    pub(crate) current: Option<Move>,
    /// The kind that the move captures.
    pub(crate) captured: Option<PieceKind>,
    /// True if the transposition table had an entry of the position.
    pub(crate) was_known: bool,
    /// True if the position is or was on a principal variation.
    pub(crate) near_pv: bool,
    /// The index of the move in the order of its node.
    pub(crate) move_index: u16,
    /// The reduction of the move's search in plies.
    pub(crate) reduction: i32,
    /// The histories of the move, on the scale of `reduction_history`; 0 in quiescence.
    pub(crate) history: i32,
    /// The corrected static evaluation; `None` in check.
    pub(crate) static_value: Option<Value>,
    /// Killer moves, the most recent first.
    pub(crate) killers: [Option<Move>; 2],
    /// Number of beta cutoffs at this ply since the ply two before was entered.
    pub(crate) cutoffs: u32,
    /// The place of the position in the transposition table.
    pub(crate) place: Place,
}

/// The boards of the current line as a filter: hardly any node repeats one, which a single look
/// tells, however long the line is.
struct BoardsOfLine {
    /// The number of boards of the line by part of their keys; there are no more than plies.
    counts: [u8; Self::SIZE],
}

const _: () = assert!(FRAMES <= u8::MAX as usize);

impl Default for BoardsOfLine {
    fn default() -> Self {
        Self { counts: [0; Self::SIZE] }
    }
}

impl BoardsOfLine {
    /// With 30 boards, one of seventeen others looks repeated.
    const SIZE: usize = 512;

    /// Returns whether the line may contain a board.
    #[inline]
    fn may_contain(&self, board_key: u64) -> bool {
        self.counts[Self::index(board_key)] != 0
    }

    #[inline]
    fn insert(&mut self, board_key: u64) {
        self.counts[Self::index(board_key)] += 1;
    }

    #[inline]
    fn remove(&mut self, board_key: u64) {
        self.counts[Self::index(board_key)] -= 1;
    }

    #[inline]
    const fn index(board_key: u64) -> usize {
        board_key as usize % Self::SIZE
    }
}

const _: () = assert!(size_of::<Frame>() == 64);

impl Frame {
    /// Stores a quiet move that caused a beta cutoff as the most recent killer.
    pub(crate) fn add_killer(&mut self, m: Move) {
        if self.killers[0] != Some(m) {
            self.killers = [Some(m), self.killers[0]];
        }
    }
}

impl<'a, E: Evaluator> Worker<'a, E> {
    pub(crate) fn new(
        evaluator: &'a Scaled<E>,
        table: &'a TranspositionTable,
        options: &'a SearchOptions,
        history: Histories<'a>,
        meter: Meter<'a>,
        position: &Position,
    ) -> Self {
        Worker::with_visitor(evaluator, table, options, history, meter, position, NoVisitor)
    }
}

impl<'a, E: Evaluator, S: Settings> Worker<'a, E, S> {
    pub(crate) fn with_visitor(
        evaluator: &'a Scaled<E>,
        table: &'a TranspositionTable,
        options: &'a SearchOptions,
        history: Histories<'a>,
        meter: Meter<'a>,
        position: &Position,
        visitor: S::Visitor,
    ) -> Self {
        let repetition = SearchRepetition::new(position);
        Self {
            evaluator,
            table,
            tesuji: TesujiTable::bundled(),
            depth_pairs: DepthPair::for_search(),
            options,
            history,
            meter,
            position: position.clone(),
            repetition,
            boards: BoardsOfLine::default(),
            may_only_repeat: options.max_moves.is_none() && !repetition.counts_the_game(),
            state: evaluator.refresh(position),
            frames: Box::new([Frame::default(); FRAMES]),
            pvs: Box::new(core::array::from_fn(|_| Pv::new())),
            moved: Box::new([None; PLIES_BACK + FRAMES]),
            buffer: MoveBuffer::with_capacity(MOVE_BUFFER_CAPACITY),
            iteration: 0,
            root_depth: 0,
            last_line: Pv::new(),
            earliness: Earliness::FULL,
            longest: 0,
            null_move_min_ply: 0,
            stage_one_table: match options.quiescence {
                Quiescence::TwoStage => ValueTable::for_stage_one(),
                _ => ValueTable::default(),
            },
            order: None,
            solver: None,
            proofs: None,
            visitor,
        }
    }

    #[inline(always)]
    pub(crate) fn parameters(&self) -> &'a Parameters {
        S::parameters(self.options)
    }

    #[inline(always)]
    pub(crate) fn uses(&self, technique: Techniques) -> bool {
        S::techniques(self.options).contains(technique)
    }

    /// Collects what the move ordering of a node depends on.
    #[inline]
    pub(crate) fn ordering_context<'b>(
        &self,
        ply: usize,
        info: Option<&'b OnceCell<CheckInfo>>,
    ) -> OrderingContext<'b>
    where
        'a: 'b,
    {
        OrderingContext {
            ply,
            earlier: *self.earlier_moves(ply),
            info,
            techniques: S::techniques(self.options),
            parameters: self.parameters(),
            order: self.order,
        }
    }

    /// Returns the pieces that the moves before `ply` have left on their destinations, the last
    /// move last.
    #[inline]
    pub(crate) fn earlier_moves(&self, ply: usize) -> &[Option<PieceTo>; PLIES_BACK] {
        let before = self.moved.get(ply..).and_then(|moves| moves.first_chunk());
        before.expect("every ply has so many plies before it")
    }

    /// Returns the piece-to index of the move made `plies` plies before `ply`; `None` before the
    /// root and for a null move.
    #[inline]
    pub(crate) fn piece_to_before(&self, ply: usize, plies: usize) -> Option<PieceTo> {
        self.moved[PLIES_BACK + ply - plies]
    }

    /// Returns the next move of a node.
    #[inline]
    pub(crate) fn next_move(
        &mut self,
        picker: &mut Picker,
        context: &OrderingContext<'_>,
    ) -> Option<Move> {
        picker.next(&self.position, &self.history, context, &mut self.buffer)
    }

    #[inline]
    pub(crate) fn do_move(&mut self, m: Move, ply: usize) {
        self.do_piece_move(&PieceMove::of(&self.position, m), ply);
    }

    #[inline]
    pub(crate) fn do_piece_move(&mut self, moved: &PieceMove, ply: usize) {
        let m = moved.m;
        self.meter.count_node();
        // The next node probes this entry first. It arrives while the move is being done.
        self.table.prefetch(self.position.key_after(m));
        let frame = &mut self.frames[ply];
        (frame.current, frame.captured) = (Some(m), moved.captured);
        self.moved[PLIES_BACK + ply] = Some(moved.piece_to);
        self.longest = self.longest.max(ply + 1);
        self.do_uncounted_move(m);
    }

    /// Does a move that is not a node of the search.
    #[inline]
    pub(crate) fn do_uncounted_move(&mut self, m: Move) {
        let expected = cfg!(debug_assertions).then(|| self.position.key_after(m));
        self.boards.insert(self.position.board_key());
        self.evaluator.do_move(&mut self.position, m, &mut self.state);
        debug_assert!(
            expected.is_none_or(|key| self.position.key() == key),
            "`do_move` of the evaluator has not done {m} on the position"
        );
    }

    /// Returns the ABDADA table and the key after `m`, if moves at this depth are deferred.
    #[inline]
    pub(crate) fn abdada_entry(&self, m: Move, depth: i32) -> Option<(&'a AbdadaTable, u64)> {
        let shared = self.meter.shared_state().filter(|_| depth >= abdada::MIN_DEPTH)?;
        Some((&shared.abdada, self.position.key_after(m)))
    }

    #[inline]
    pub(crate) fn undo_move(&mut self) {
        let plies = self.position.history().len();
        self.evaluator.undo_move(&mut self.position, &mut self.state);
        debug_assert!(
            self.position.history().len() + 1 == plies,
            "`undo_move` of the evaluator has not undone a move of the position: {}",
            self.position
        );
        self.boards.remove(self.position.board_key());
    }

    /// Passes. The evaluator's state stays, because no piece moves.
    #[inline]
    pub(crate) fn do_null_move(&mut self, ply: usize) {
        self.meter.count_node();
        let frame = &mut self.frames[ply];
        (frame.current, frame.captured) = (None, None);
        (frame.move_index, frame.reduction, frame.history) = (0, 0, 0);
        self.moved[PLIES_BACK + ply] = None;
        self.position.do_null_move();
        debug_assert!(
            self.evaluator.evaluate(&self.position, &mut self.state)
                == self.evaluator.evaluate_position(&self.position),
            "the evaluator's state depends on the side to move: {}",
            self.position
        );
    }

    /// Returns the evaluator's value, without correction.
    #[inline]
    pub(crate) fn evaluate(&mut self) -> Value {
        self.evaluator.evaluate(&self.position, &mut self.state)
    }

    /// Returns the conversion between the evaluator's centipawns and those of the search.
    #[inline]
    pub(crate) fn units(&self) -> Units {
        self.evaluator.units
    }

    /// Returns the value if the game ends here by a rule: repetition, the move limit, a
    /// declaration.
    #[inline(always)]
    pub(crate) fn game_end(&self, ply: usize) -> Option<Value> {
        // Three quick looks decide nearly every node.
        let us = self.position.side();
        let king = self.position.king_square(us);
        if self.may_only_repeat
            && !self.boards.may_contain(self.position.board_key())
            && king.is_none_or(|king| !king.is_promotion_zone(us))
        {
            debug_assert_eq!(self.game_end_by_rules(ply), None);
            return None;
        }
        self.game_end_by_rules(ply)
    }

    #[inline(never)]
    fn game_end_by_rules(&self, ply: usize) -> Option<Value> {
        match self.repetition.at(&self.position, ply) {
            Repetition::None => {}
            Repetition::Win => return Some(WON_BY_RULE),
            Repetition::Lose => return Some(-WON_BY_RULE),
            Repetition::Superior => return Some(SUPERIOR),
            Repetition::Inferior => return Some(-SUPERIOR),
            _ => return Some(self.draw(ply)),
        }
        if self.options.max_moves.is_some_and(|limit| limit.is_reached(&self.position)) {
            // A mate by the last move still counts.
            return Some(if self.position.has_legal_move() { self.draw(ply) } else { mated(ply) });
        }
        self.can_declare().then_some(WON_BY_RULE)
    }

    /// Returns the value of a draw for the side to move.
    #[inline]
    pub(crate) fn draw(&self, ply: usize) -> Value {
        // The option is from the point of view of the side to move at the root.
        let value = self.units().value(self.options.draw_value);
        if ply.is_multiple_of(2) { value } else { -value }
    }

    /// Checks whether the side to move can declare a win.
    #[inline]
    pub(crate) fn can_declare(&self) -> bool {
        let us = self.position.side();
        // A cheap test first: the king must be in the opponent's camp under every rule.
        let entered = self.position.king_square(us).is_some_and(|king| king.is_promotion_zone(us));
        entered && self.position.declaration(self.options.declaration).wins()
    }

    /// Checks whether the side not to move could declare a win after the next move: its king has
    /// entered the other camp.
    #[inline]
    pub(crate) fn may_face_declaration(&self) -> bool {
        let them = !self.position.side();
        let king = self.position.king_square(them);
        king.is_some_and(|king| king.is_promotion_zone(them))
            && self.options.declaration != DeclarationRule::None
    }

    /// Stores the principal variation of this ply: `m`, then that of the next ply.
    pub(crate) fn set_pv(&mut self, m: Move, ply: usize) {
        let (head, tail) = self.pvs.split_at_mut(ply + 1);
        head[ply].set(m, &tail[0]);
    }
}
