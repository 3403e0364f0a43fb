//! Repetition against comparing whole positions, one with all the others.

use std::cell::Cell;

use komadai_core::history::Ply;
use komadai_core::{Color, Move, Position, Setup};
use komadai_movegen::repetition::SearchRepetition;
use komadai_movegen::{MoveGen, Repetition};
use proptest::prelude::*;

use crate::oracle::positions::runner;

/// The course of a game, kept in full.
pub(crate) struct Game {
    setups: Vec<Setup>,
    /// True for each move that gave check.
    checks: Vec<bool>,
}

impl Game {
    pub(crate) fn new(start: &Position) -> Self {
        Self { setups: vec![without_number(start)], checks: Vec::new() }
    }

    pub(crate) fn add(&mut self, position: &Position) {
        self.setups.push(without_number(position));
        self.checks.push(position.in_check());
    }

    fn side(&self) -> Color {
        self.setups.last().unwrap().side
    }

    pub(crate) fn fourfold(&self) -> Repetition {
        let now = self.setups.last().unwrap();
        let mut same = self.setups.iter().enumerate().rev().filter(|(_, setup)| *setup == now);
        match same.nth(3) {
            Some((first, _)) => self.verdict(first),
            None => Repetition::None,
        }
    }

    /// The verdict on a repetition of the position with index `since`.
    fn verdict(&self, since: usize) -> Repetition {
        let perpetual = |color: Color| {
            (since..self.checks.len())
                .filter(|&index| self.setups[index].side == color)
                .all(|index| self.checks[index])
        };
        match (perpetual(self.side()), perpetual(!self.side())) {
            (true, false) => Repetition::Lose,
            (false, true) => Repetition::Win,
            _ => Repetition::Draw,
        }
    }

    fn in_search(&self, ply_from_root: usize) -> Repetition {
        let last = self.setups.len() - 1;
        let now = &self.setups[last];
        let root = last.saturating_sub(ply_from_root);
        let first = if ply_from_root > last { 0 } else { root + 1 };
        for index in (first..last).rev() {
            let then = &self.setups[index];
            if (then.side, &then.board) != (now.side, &now.board) {
                continue;
            }
            let (mine, before) = (now.hands[self.side()], then.hands[self.side()]);
            if then.hands == now.hands {
                return self.verdict(index);
            }
            if mine.dominates(before) {
                return Repetition::Superior;
            }
            if before.dominates(mine) {
                return Repetition::Inferior;
            }
        }
        self.fourfold()
    }
}

fn without_number(position: &Position) -> Setup {
    Setup { ply: 1, ..position.to_setup() }
}

/// Games in which both sides like to go back where they came from, or to give check.
pub(crate) fn wandering() -> impl Strategy<Value = (Position, Vec<(u8, u16)>)> {
    let start = prop::sample::select(vec![
        "8k/9/9/9/9/9/9/7R1/K8 b - 1",
        "k8/9/9/9/9/9/9/1r7/8K w - 1",
        "4k4/9/9/9/4R4/9/9/9/4K4 w r 1",
        "k8/9/4r4/9/9/4P4/9/9/K8 b RPp 1",
        "4k4/9/9/2b6/9/9/6B2/9/4K4 b 2P2p 1",
        "9/9/9/9/4k4/9/9/9/R8 b - 1",
    ]);
    let start = start.prop_map(|sfen| Position::from_sfen(sfen).unwrap());
    (start, prop::collection::vec((0..8u8, any::<u16>()), 0..60))
}

pub(crate) fn choose(position: &Position, (mood, choice): (u8, u16)) -> Option<Move> {
    let moves = position.legal_moves();
    let own_last = position.history().last().and_then(Ply::last_move);
    let back = own_last.and_then(|m| Some(Move::new(m.to(), m.from()?)));
    if let Some(back) = back.filter(|&m| mood < 5 && position.is_legal(m)) {
        return Some(back);
    }
    let checks: Vec<Move> = moves.iter().copied().filter(|&m| position.gives_check(m)).collect();
    let choices = if mood < 7 && !checks.is_empty() { &checks } else { &*moves };
    (!choices.is_empty()).then(|| choices[usize::from(choice) % choices.len()])
}

#[test]
fn repetition_is_what_comparing_all_positions_says() {
    let seen: [Cell<u32>; 6] = Default::default();
    let run = |(start, choices): (Position, Vec<(u8, u16)>)| {
        let mut game = Game::new(&start);
        let mut position = start;
        let mut roots = vec![SearchRepetition::new(&position)];
        for choice in choices {
            let Some(m) = choose(&position, choice) else { break };
            position.do_move(m);
            game.add(&position);
            roots.push(SearchRepetition::new(&position));
            for (ply_from_root, root) in roots.iter().rev().enumerate() {
                let found = root.at(&position, ply_from_root);
                prop_assert_eq!(found, game.in_search(ply_from_root), "{}", ply_from_root);
            }
            let found = position.repetition();
            prop_assert_eq!(found, game.fourfold());
            for ply_from_root in [0, 1, 4, 5, 8, 13, 1_000] {
                let found = position.search_repetition(ply_from_root);
                prop_assert_eq!(found, game.in_search(ply_from_root), "{}", ply_from_root);
            }
            let kind = [Repetition::None, Repetition::Draw, Repetition::Win, Repetition::Lose]
                .into_iter()
                .position(|kind| kind == found)
                .expect("the fourfold rule has no other result");
            seen[kind].set(seen[kind].get() + 1);
            match position.search_repetition(1_000) {
                Repetition::Superior => seen[4].set(seen[4].get() + 1),
                Repetition::Inferior => seen[5].set(seen[5].get() + 1),
                _ => {}
            }
        }
        Ok(())
    };
    runner(1_500).run(&wandering(), run).unwrap();
    for (kind, count) in ["none", "draw", "win", "lose", "superior", "inferior"].iter().zip(&seen) {
        assert!(count.get() > 20, "{kind} was met only {} times", count.get());
    }
}

#[test]
fn a_null_move_hides_what_was_before_it() {
    let mut position = Position::hirate();
    for _ in 0..8 {
        position.do_null_move();
        assert_eq!(position.repetition(), Repetition::None);
        assert_eq!(position.search_repetition(100), Repetition::None);
    }
}
