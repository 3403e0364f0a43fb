use komadai_core::Color;
use komadai_movegen::generate_useful;
use komadai_testdata::{openings, positions};

use super::*;

fn all_moves(position: &Position, picker: Picker, history: &History) -> Vec<Move> {
    let mut buffer = MoveBuffer::new();
    let mut picker = picker;
    let moves = core::iter::from_fn(|| picker.next(position, history, &mut buffer)).collect();
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
fn every_move_is_handed_out_once_whatever_comes_first() {
    let mut history = History::new();
    for position in suite() {
        let moves = useful(&position);
        for (index, &m) in moves.iter().enumerate() {
            history.update(position.side(), m, (index as i32 * 37) % 500 - 250);
        }
        for (index, &first) in moves.iter().enumerate() {
            let killers = [moves.get(index / 2).copied(), moves.get(index / 3).copied()];
            let killers = if killers[0] == killers[1] { [killers[0], None] } else { killers };
            let picker = Picker::new(&position, Some(first), killers, &MoveBuffer::new());
            let found = all_moves(&position, picker, &history);
            assert_eq!(found[0], first);
            assert_eq!(sorted(found), sorted(moves.clone()));
        }
    }
}

#[test]
fn stages_follow_each_other() {
    let history = History::new();
    for position in suite().filter(|position| !position.in_check()) {
        let picker = Picker::new(&position, None, [None; 2], &MoveBuffer::new());
        let place = |m: &Move| match (is_tactical(&position, *m), position.see_at_least(*m, 0)) {
            (true, true) => 0,
            (false, _) => 1,
            (true, false) => 2,
        };
        let places: Vec<_> = all_moves(&position, picker, &history).iter().map(place).collect();
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
    history.update(Color::Black, favourite, 900);
    history.update(Color::Black, second, 500);
    for m in useful(&position).into_iter().filter(|&m| m != favourite && m != second) {
        history.update(Color::Black, m, -10);
    }
    let picker = Picker::new(&position, None, [None; 2], &MoveBuffer::new());
    let moves = all_moves(&position, picker, &history);
    assert_eq!(moves[..2], [favourite, second]);
    assert_ne!(moves[0], last);
}

#[test]
fn foreign_moves_are_not_handed_out() {
    let history = History::new();
    let position = Position::hirate();
    let foreign: Move = "P*5e".parse().unwrap();
    let killers = [Some(foreign), Some("7g7f".parse().unwrap())];
    let picker = Picker::new(&position, Some(foreign), killers, &MoveBuffer::new());
    let moves = all_moves(&position, picker, &history);
    assert_eq!(moves[0], "7g7f".parse().unwrap());
    assert_eq!(moves.len(), 30);
}

#[test]
fn quiescence_wants_captures_and_promotions_that_win() {
    let history = History::new();
    for position in suite().filter(|position| !position.in_check()) {
        let moves = useful(&position).into_iter().filter(|&m| is_tactical(&position, m));
        let (winning, losing): (Vec<_>, Vec<_>) = moves.partition(|&m| position.see_at_least(m, 0));
        let buffer = MoveBuffer::new();
        let quiet = useful(&position).into_iter().find(|&m| !is_tactical(&position, m));
        let picker = Picker::quiescence(&position, Wanted::Winning, quiet, &buffer);
        assert_eq!(sorted(all_moves(&position, picker, &history)), sorted(winning.clone()));
        let picker = Picker::quiescence(&position, Wanted::Tactical, quiet, &buffer);
        let all = [winning, losing].concat();
        assert_eq!(sorted(all_moves(&position, picker, &history)), sorted(all));
    }
}

#[test]
fn without_order_no_move_is_lost() {
    let history = History::new();
    for position in suite() {
        let mut buffer = MoveBuffer::new();
        let mut picker = Picker::new(&position, None, [None; 2], &buffer);
        let mut found = Vec::new();
        while let Some(m) = picker.next(&position, &history, &mut buffer) {
            found.push(m);
            if found.len() == 5 {
                picker.stop_ordering();
            }
        }
        assert_eq!(sorted(found), sorted(useful(&position)));
    }
}
