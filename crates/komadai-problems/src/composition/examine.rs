//! The search for flaws along a line.
use komadai_core::{Budget, Move, Position};
use komadai_movegen::{MateResult, MoveGen, MoveList, generate_checks};
use komadai_tsume::{DfPn, DfPnOptions};

use super::cook::{Cook, CookKind};
use super::lengths::{Distance, Distances};
use super::options::{CompositionError, CompositionOptions};

/// Nodes to spend on a check that does not mate within the limit, to find out whether it mates at
/// all. A heuristic: more nodes leave fewer checks unsettled.
const REFUTATION_NODES: u64 = 20_000;

/// The flaws found so far, with what is needed to find more.
#[derive(Debug)]
pub(super) struct Examination<'a> {
    distances: Distances<'a>,
    /// Refutes mates of any length.
    solver: DfPn,
    budget: &'a Budget,
    options: &'a CompositionOptions,
    line: &'a [Move],
    /// Limit for the plies to the mate on the line.
    most: u32,
    /// `[n]`: the position before move `n` of the line; the last one is the mate.
    positions: Vec<Position>,
    pub(super) cooks: Vec<Cook>,
    /// Checks after which there is no mate within the limit, but perhaps a longer one.
    pub(super) unsettled: Vec<(u32, Move)>,
    /// Number of the first move that has been examined, from 1.
    pub(super) examined_from: u32,
}

/// A move beside that of the line.
#[derive(Debug, Clone, Copy)]
struct Alternative {
    m: Move,
    kind: CookKind,
    /// Plies to the mate after the move.
    rest: u32,
}

impl<'a> Examination<'a> {
    /// Starts the examination of `line` from `position`, which is `plies` plies from the mate.
    pub(super) fn new(
        position: &Position,
        plies: u32,
        line: &'a [Move],
        distances: Distances<'a>,
        options: &'a CompositionOptions,
    ) -> Self {
        let mut positions = vec![position.without_history()];
        for &m in line {
            let next = positions[positions.len() - 1].after(m).without_history();
            positions.push(next);
        }
        Self {
            distances,
            solver: DfPn::new(DfPnOptions { hash_mib: 4, ..DfPnOptions::default() }),
            budget: &options.budget,
            options,
            line,
            most: plies.max(line.len() as u32) + options.longer_by,
            positions,
            cooks: Vec::new(),
            unsettled: Vec::new(),
            examined_from: line.len() as u32 + 1,
        }
    }

    /// Returns the nodes so far.
    pub(super) fn nodes(&self) -> u64 {
        self.distances.nodes()
    }

    /// Examines the moves from the last to the first, since what is found for later positions helps
    /// with earlier ones. Stops when the budget is spent.
    ///
    /// # Errors
    ///
    /// [`IntendedLine`](CompositionError::IntendedLine) if the attacker does not mate after a move
    /// of the line.
    pub(super) fn run(&mut self) -> Result<(), CompositionError> {
        for index in (0..self.line.len()).rev() {
            let result = if index % 2 == 0 { self.attack(index) } else { self.defence(index) };
            match result {
                Ok(()) => self.examined_from = index as u32 + 1,
                Err(CompositionError::Budget) => break,
                Err(error) => return Err(error),
            }
        }
        self.cooks.sort_by_key(|cook| (cook.ply, cook.kind, cook.plies));
        self.unsettled.sort_by_key(|&(ply, _)| ply);
        Ok(())
    }

    /// Returns the plies to the mate after move `index` of the line.
    fn own_rest(&mut self, index: usize) -> Result<u32, CompositionError> {
        let rest = self.distances.exact(&self.positions[index + 1], self.most)?;
        rest.ok_or(CompositionError::IntendedLine { ply: index as u32 + 1 })
    }

    /// Examines the checks beside move `index`.
    fn attack(&mut self, index: usize) -> Result<(), CompositionError> {
        let own = self.own_rest(index)?;
        let most = own + self.options.longer_by;
        let mut position = self.positions[index].clone();
        let mut checks = MoveList::new();
        generate_checks(&position, &mut checks);
        let mut found = Vec::new();
        let mut unsettled = Vec::new();
        for m in checks.into_iter().filter(|&m| m != self.line[index]) {
            position.do_move(m);
            let distance = self.distances.within(&position, most)?;
            match distance {
                Distance::Mate(rest) => {
                    let kind = self.kind_of_check(&position, index, m, own, rest)?;
                    found.push(Alternative { m, kind, rest });
                }
                Distance::Longer if !self.is_refuted(&mut position)? => {
                    unsettled.push((index as u32 + 1, m));
                }
                Distance::Longer | Distance::Never => {}
            }
            position.undo_move();
        }
        // Not earlier: a move at which the budget ends counts as not examined.
        self.unsettled.extend(unsettled);
        self.add(index, &found);
        Ok(())
    }

    /// Returns true if a search of at most [`REFUTATION_NODES`] nodes finds a reply without any
    /// mate.
    fn is_refuted(&mut self, position: &mut Position) -> Result<bool, CompositionError> {
        let mut left = REFUTATION_NODES;
        for m in &position.legal_moves() {
            let budget = Budget { nodes: Some(left), ..self.budget.clone() };
            position.do_move(m);
            let report = self.solver.solve_mate(position, &budget);
            position.undo_move();
            self.distances.add_nodes(report.nodes)?;
            left = left.saturating_sub(report.nodes);
            if report.result == MateResult::NoMate {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns the kind of the check `m`, which mates in `rest` plies after it; `position` is the
    /// one after it.
    fn kind_of_check(
        &mut self,
        position: &Position,
        index: usize,
        m: Move,
        own: u32,
        rest: u32,
    ) -> Result<CookKind, CompositionError> {
        let main = self.line[index];
        if own == 0 {
            return Ok(CookKind::LastMove);
        }
        if rest < own {
            return Ok(CookKind::ShorterMate);
        }
        if rest == own {
            let is_same_piece = m.from() == main.from() && m.dropped() == main.dropped();
            match (is_same_piece, m.is_drop()) {
                (true, _) if m.to() == main.to() => return Ok(CookKind::Promotion),
                (true, true) => return Ok(CookKind::DropSquare),
                (true, false) => return Ok(CookKind::Destination),
                (false, _) => {}
            }
        }
        if self.avoids_the_line(position, rest)? {
            Ok(CookKind::SecondSolution)
        } else if rest == own {
            Ok(CookKind::MoveOrder)
        } else {
            Ok(CookKind::Detour)
        }
    }

    /// Returns true if the attacker mates without a position of the line, in at most as many plies
    /// more as other mates may have.
    fn avoids_the_line(
        &mut self,
        position: &Position,
        rest: u32,
    ) -> Result<bool, CompositionError> {
        let attacks: Vec<Position> = self.positions.iter().step_by(2).cloned().collect();
        let convention = self.options.convention;
        let nodes = self.distances.nodes();
        let root = &self.positions[0];
        let mut avoiding = Distances::avoiding(convention, &attacks, root, self.budget, nodes);
        let result = avoiding.is_mate_within(position, rest + self.options.longer_by);
        self.distances.add_nodes(avoiding.nodes() - nodes)?;
        result
    }

    /// Examines the replies beside move `index`.
    fn defence(&mut self, index: usize) -> Result<(), CompositionError> {
        let own = self.own_rest(index)?;
        let distance = self.distances.exact(&self.positions[index], self.most)?;
        // The reply is a futile interposition if it takes more plies than the check before it
        // leaves.
        let Some(longest) = distance.and_then(|plies| plies.checked_sub(1)) else { return Ok(()) };
        if own > longest {
            return Ok(());
        }
        let mut position = self.positions[index].clone();
        let mut found = Vec::new();
        for m in position.legal_moves().into_iter().filter(|&m| m != self.line[index]) {
            position.do_move(m);
            let is_sooner = own >= 2 && self.distances.is_mate_within(&position, own - 2)?;
            let rest = if is_sooner { None } else { self.distances.exact(&position, longest)? };
            position.undo_move();
            // Without a number of plies, the reply is a futile interposition.
            if let Some(rest) = rest {
                let kind =
                    if rest > own { CookKind::LongerVariation } else { CookKind::EqualVariation };
                found.push(Alternative { m, kind, rest });
            }
        }
        self.add(index, &found);
        Ok(())
    }

    /// Adds the alternatives of one move, those of one kind and length together.
    fn add(&mut self, index: usize, found: &[Alternative]) {
        let ply = index as u32 + 1;
        for &Alternative { m, kind, rest } in found {
            let plies = ply + rest;
            let same =
                |cook: &&mut Cook| cook.ply == ply && cook.kind == kind && cook.plies == plies;
            match self.cooks.iter_mut().find(same) {
                Some(cook) => cook.moves.push(m),
                None => self.cooks.push(Cook { ply, kind, moves: vec![m], plies }),
            }
        }
    }
}
