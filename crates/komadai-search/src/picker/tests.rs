use komadai_core::Color;
use komadai_movegen::exchange::capture_value;
use komadai_movegen::{MoveList, generate_useful};
use komadai_testdata::{openings, positions};

use super::*;
use crate::history::History;
use crate::history::piece_to::PLIES_BACK;
use crate::parameters::Parameters;
use crate::techniques::Techniques;

const NO_REFUTATIONS: [Option<Move>; REFUTATIONS] = [None; REFUTATIONS];

fn ordering_context(parameters: &Parameters) -> OrderingContext<'_> {
    OrderingContext {
        ply: 1,
        earlier: [None; PLIES_BACK],
        info: None,
        techniques: Techniques::default(),
        parameters,
        order: None,
    }
}

fn all_moves(position: &Position, picker: Picker, history: &mut History) -> Vec<Move> {
    let parameters = Parameters::default();
    let context = ordering_context(&parameters);
    let history = history.first();
    let mut buffer = MoveBuffer::with_capacity(0);
    let mut picker = picker;
    let moves =
        core::iter::from_fn(|| picker.next(position, &history, &context, &mut buffer)).collect();
    picker.finish(&mut buffer);
    assert!(buffer.is_empty());
    moves
}

fn useful(position: &Position) -> Vec<Move> {
    let mut list = MoveList::new();
    generate_useful(position, &mut list);
    list.to_vec()
}

fn sorted(mut moves: Vec<Move>) -> Vec<Move> {
    moves.sort_unstable();
    moves
}

fn suite() -> impl Iterator<Item = Position> {
    openings::sfens()
        .chain(positions::bench().map(|position| position.sfen))
        .map(|sfen| Position::from_sfen(sfen).unwrap())
}

#[test]
fn every_move_is_yielded_once_with_any_first_move() {
    let mut history = History::new();
    for position in suite() {
        let moves = useful(&position);
        for (index, &m) in moves.iter().enumerate() {
            history.threads[0].butterfly.update(
                position.side(),
                m,
                (index as i32 * 3_700) % 16_000 - 8_000,
            );
        }
        for (index, &first) in moves.iter().enumerate() {
            let refutations = [2, 3, 5].map(|part| moves.get(index / part).copied());
            let picker =
                Picker::new(&position, Some(first), refutations, &MoveBuffer::with_capacity(0));
            let found = all_moves(&position, picker, &mut history);
            assert_eq!(found[0], first);
            assert_eq!(sorted(found), sorted(moves.clone()));
        }
    }
}

#[test]
fn stages_follow_each_other() {
    let mut history = History::new();
    for position in suite().filter(|position| !position.in_check()) {
        let picker = Picker::new(&position, None, NO_REFUTATIONS, &MoveBuffer::with_capacity(0));
        let loss = |m: Move| {
            let captured = m.from().and_then(|_| position.piece_on(m.to()));
            let score = captured.map_or(0, |piece| capture_value(piece.kind()));
            let p = Parameters::default();
            (score - p.capture_level) * p.capture_exchange / 100
        };
        let place =
            |m: &Move| match (is_capture(&position, *m), position.see_at_least(*m, -loss(*m))) {
                (true, true) => 0,
                (false, _) => 1,
                (true, false) => 2,
            };
        let places: Vec<_> = all_moves(&position, picker, &mut history).iter().map(place).collect();
        assert!(places.is_sorted(), "{}", position);
    }
}

#[test]
fn quiet_moves_come_by_history() {
    let position = Position::hirate();
    let mut history = History::new();
    let favourite: Move = "2g2f".parse().unwrap();
    let second: Move = "7g7f".parse().unwrap();
    let last: Move = "8h7i".parse().unwrap_or(favourite);
    history.threads[0].butterfly.update(Color::Black, favourite, 900);
    history.threads[0].butterfly.update(Color::Black, second, 500);
    for m in useful(&position).into_iter().filter(|&m| m != favourite && m != second) {
        history.threads[0].butterfly.update(Color::Black, m, -10);
    }
    let picker = Picker::new(&position, None, NO_REFUTATIONS, &MoveBuffer::with_capacity(0));
    let moves = all_moves(&position, picker, &mut history);
    assert_eq!(moves[..2], [favourite, second]);
    assert_ne!(moves[0], last);
}

#[test]
fn illegal_table_moves_and_refutations_are_not_yielded() {
    let mut history = History::new();
    let position = Position::hirate();
    let foreign: Move = "P*5e".parse().unwrap();
    let refutations = [Some(foreign), Some("7g7f".parse().unwrap()), None];
    let picker = Picker::new(&position, Some(foreign), refutations, &MoveBuffer::with_capacity(0));
    let moves = all_moves(&position, picker, &mut history);
    assert_eq!(moves[0], "7g7f".parse().unwrap());
    assert_eq!(moves.len(), 30);
}

#[test]
fn the_picker_of_captures_yields_those_that_win() {
    let mut history = History::new();
    for position in suite().filter(|position| !position.in_check()) {
        let moves = useful(&position).into_iter().filter(|&m| is_capture(&position, m));
        let (winning, losing): (Vec<_>, Vec<_>) = moves.partition(|&m| position.see_at_least(m, 0));
        let buffer = MoveBuffer::with_capacity(0);
        let quiet = useful(&position).into_iter().find(|&m| !is_capture(&position, m));
        let picker = Picker::captures(&position, MoveFilter::Winning(0), quiet, &buffer);
        assert_eq!(sorted(all_moves(&position, picker, &mut history)), sorted(winning.clone()));
        let picker = Picker::captures(&position, MoveFilter::Captures, quiet, &buffer);
        let all = [winning, losing].concat();
        assert_eq!(sorted(all_moves(&position, picker, &mut history)), sorted(all));
    }
}

#[test]
fn quiet_moves_with_a_bad_history_come_last() {
    let position = Position::from_sfen("4k4/9/9/9/4p4/4s4/9/4R4/4K4 b - 1").unwrap();
    let moves = useful(&position);
    let mut history = History::new();
    let worst = moves.iter().copied().find(|&m| !is_capture(&position, m)).unwrap();
    for _ in 0..50 {
        history.threads[0].butterfly.update(Color::Black, worst, -2_000);
    }
    let losing: Vec<Move> = moves.into_iter().filter(|&m| is_capture(&position, m)).collect();
    assert!(losing.iter().all(|&m| !position.see_at_least(m, 0)) && losing.len() == 1);
    let picker = Picker::new(&position, None, NO_REFUTATIONS, &MoveBuffer::with_capacity(0));
    let found = all_moves(&position, picker, &mut history);
    assert_eq!(found[found.len() - 2..], [losing[0], worst]);
}

#[test]
fn quiet_moves_can_be_skipped_at_any_time() {
    let (mut history, parameters) = (History::new(), Parameters::default());
    let context = ordering_context(&parameters);
    let history = history.first();
    for position in suite().filter(|position| !position.in_check()) {
        let captures = useful(&position).into_iter().filter(|&m| is_capture(&position, m)).count();
        for before in [0, 1, 5, 30] {
            let mut buffer = MoveBuffer::with_capacity(0);
            let mut picker = Picker::new(&position, None, NO_REFUTATIONS, &buffer);
            let mut next = || picker.next(&position, &history, &context, &mut buffer);
            let early: Vec<Move> = core::iter::from_fn(&mut next).take(before).collect();
            picker.skip_quiets();
            let next = || picker.next(&position, &history, &context, &mut buffer);
            let late: Vec<Move> = core::iter::from_fn(next).collect();
            assert!(late.iter().all(|&m| is_capture(&position, m)));
            let found = early.iter().chain(&late).filter(|&&m| is_capture(&position, m));
            assert_eq!(found.count(), captures);
        }
    }
}

#[test]
fn an_early_counter_move_comes_before_the_captures_and_once() {
    let mut history = History::new();
    for position in suite() {
        let moves = useful(&position);
        let quiet = moves.iter().copied().find(|&m| !is_capture(&position, m));
        let Some(counter) = quiet else { continue };
        for table_move in [None, moves.last().copied()] {
            let buffer = MoveBuffer::with_capacity(0);
            let picker = Picker::new(&position, table_move, [None, None, Some(counter)], &buffer);
            let late = all_moves(&position, picker, &mut history);
            let picker = Picker::new(&position, table_move, [None, None, Some(counter)], &buffer);
            let early = all_moves(&position, picker.with_early_counter_move(), &mut history);
            if position.in_check() {
                assert_eq!(early, late);
                continue;
            }
            assert_eq!(sorted(early.clone()), sorted(moves.clone()));
            let place = usize::from(table_move.is_some_and(|m| m != counter));
            assert_eq!(early[place], counter);
            let without = |moves: &[Move]| -> Vec<Move> {
                moves.iter().copied().filter(|&m| m != counter).collect()
            };
            assert_eq!(without(&early), without(&late));
        }
    }
}
