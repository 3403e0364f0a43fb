//! In any game, the incremental data of a position equal those computed from scratch, and undoing
//! moves restores every earlier position.

#![no_main]

use komadai_core::Position;
use komadai_fuzz::{choose, pairs, start};
use komadai_movegen::MoveGen;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let (mut position, choices) = start(data);
    let mut earlier = Vec::new();
    for choice in pairs(choices).take(200) {
        // Now and then a null move, which is possible only out of check.
        let passes = choice % 37 == 0 && !position.in_check();
        let before = position.clone();
        if passes {
            position.do_null_move();
        } else {
            let Some(m) = choose(&position, choice) else { break };
            let gives_check = position.gives_check(m);
            position.do_move(m);
            assert_eq!(position.in_check(), gives_check, "{m}");
        }
        earlier.push(before);
        check_from_scratch(&position);
    }
    for before in earlier.into_iter().rev() {
        position.undo_move();
        assert_eq!(position, before);
    }
});

fn check_from_scratch(position: &Position) {
    let fresh = Position::from_setup(&position.to_setup()).expect("legal moves keep the rules");
    assert_eq!(position.key(), fresh.key());
    assert_eq!(position.board_key(), fresh.board_key());
    assert_eq!(position.hand_key(), fresh.hand_key());
    assert_eq!(position.checkers(), fresh.checkers());
    assert_eq!(position.without_history(), fresh);
}
