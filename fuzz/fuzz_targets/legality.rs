//! The generator, the legality test, the classes of moves and the checks agree in any position.

#![no_main]

use komadai_core::{Move, Position};
use komadai_fuzz::{choose, pairs, start};
use komadai_movegen::{MoveClass, MoveGen, MoveList, count_legal, generate_checks, generate_class};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let (mut position, choices) = start(data);
    check(&position);
    for choice in pairs(choices).take(60) {
        // The legality test must accept any 16 bits that are a move.
        if let Some(m) = Move::from_bits(choice) {
            let legal = position.legal_moves().contains(&m);
            assert_eq!(position.is_legal(m), legal, "{m}");
            assert_eq!(position.check_legality(m).is_ok(), legal, "{m}");
        }
        let Some(m) = choose(&position, choice) else { break };
        position.do_move(m);
        check(&position);
    }
});

fn check(position: &Position) {
    let mut legal = position.legal_moves().to_vec();
    legal.sort_unstable();
    assert!(legal.windows(2).all(|pair| pair[0] != pair[1]), "a move is written twice");
    assert_eq!(count_legal(position), legal.len() as u64);
    assert_eq!(position.has_legal_move(), !legal.is_empty());
    for &m in &legal {
        assert_eq!(position.check_legality(m), Ok(()), "{m}");
        let exchange = position.see(m);
        assert!(position.see_at_least(m, exchange) && !position.see_at_least(m, exchange + 1));
    }

    let kinds = [MoveClass::CAPTURES, MoveClass::PROMOTIONS, MoveClass::QUIETS, MoveClass::DROPS];
    let mut list = MoveList::new();
    kinds.into_iter().for_each(|kind| generate_class(position, kind, &mut list));
    let mut together = list.to_vec();
    together.sort_unstable();
    assert_eq!(together, legal, "the four kinds make up the legal moves");

    list.clear();
    generate_checks(position, &mut list);
    let mut generated = list.to_vec();
    generated.sort_unstable();
    legal.retain(|&m| position.gives_check(m));
    assert_eq!(generated, legal, "the checks");

    if let Some(mate) = position.mate_in_one() {
        assert!(legal.contains(&mate), "{mate}");
        assert!(!position.after(mate).has_legal_move(), "{mate}");
    }
}
