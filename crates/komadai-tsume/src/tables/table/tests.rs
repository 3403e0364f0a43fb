use komadai_core::PieceKind::{Gold, Pawn, Rook};
use komadai_core::{Hand, Square};

use super::*;

const KEY: u64 = 0x0123_4567_89ab_cdef;

fn table(bytes: usize) -> Table {
    let mut table = Table::new(bytes);
    table.next_generation();
    table
}

fn is_proven(table: &Table, hand: Hand, limit: u32) -> bool {
    matches!(table.look_up(KEY, hand, Plies::new(limit)), Lookup::Proven { .. })
}

fn is_disproven(table: &Table, hand: Hand, limit: u32) -> bool {
    matches!(table.look_up(KEY, hand, Plies::new(limit)), Lookup::Disproven { .. })
}

fn open(proof: u32) -> Open {
    Open { numbers: Numbers::open(proof, 2), min_ply: 3, has_loops: true }
}

#[test]
fn a_proof_holds_for_larger_hands_and_longer_limits() {
    let table = table(1 << 12);
    let gold = Hand::EMPTY.with(Gold, 1);
    let best = Move::drop(Gold, Square::S52);
    table.store_proven(KEY, gold, Plies::new(5), Some(best), 10);
    assert!(is_proven(&table, gold, 5) && is_proven(&table, gold.with(Rook, 1), 7));
    assert!(!is_proven(&table, gold, 3) && !is_proven(&table, Hand::EMPTY.with(Rook, 2), 5));
    assert_eq!(table.look_up(KEY ^ 1, gold, Plies::new(5)), Lookup::Absent);
    table.store_proven(KEY, gold.with(Pawn, 1), Plies::new(3), None, 1);
    let found = table.look_up(KEY, gold.with(Pawn, 2), Plies::new(9));
    assert!(matches!(found, Lookup::Proven { plies, .. } if plies == Plies::new(3)), "{found:?}");
}

#[test]
fn a_disproof_holds_for_smaller_hands_and_shorter_limits() {
    let table = table(1 << 12);
    let gold = Hand::EMPTY.with(Gold, 1);
    table.store_disproven(KEY, gold, Plies::new(5), 10);
    assert!(is_disproven(&table, gold, 5) && is_disproven(&table, Hand::EMPTY, 3));
    assert!(!is_disproven(&table, gold, 7) && !is_disproven(&table, gold.with(Gold, 2), 5));
    table.store_disproven(KEY, gold, Plies::UNLIMITED, 1);
    assert!(is_disproven(&table, gold, 4_000));
}

#[test]
fn an_unsolved_position_is_known_by_its_very_hand() {
    let table = table(1 << 12);
    let gold = Hand::EMPTY.with(Gold, 1);
    table.store_open(KEY, gold, open(7), 1);
    table.store_open(KEY, gold, open(8), 1);
    assert_eq!(table.look_up(KEY, gold, Plies::new(5)), Lookup::Open(open(8)));
    assert_eq!(table.look_up(KEY, Hand::EMPTY, Plies::new(5)), Lookup::Absent);
    // What is solved for a limit stays open beyond it.
    table.store_disproven(KEY, gold.with(Pawn, 1), Plies::new(5), 1);
    assert!(is_disproven(&table, gold, 5));
}

#[test]
fn a_full_bucket_loses_what_took_the_least_work() {
    let table = table(1);
    assert_eq!(table.lines.len(), LINES);
    for number in 0..40 {
        let work = if number == 4 { 1_000_000 } else { number };
        table.store_open(KEY + number, Hand::EMPTY, open(1), work);
    }
    let kept =
        |number: u64| table.look_up(KEY + number, Hand::EMPTY, Plies::new(1)) != Lookup::Absent;
    assert!(kept(4) && kept(39) && !kept(0), "the new one and the dear one stay");
    assert_eq!((0..40).filter(|&number| kept(number)).count(), WAYS);
}

#[test]
fn a_new_generation_knows_nothing_even_after_the_numbers_have_run_out() {
    let mut table = table(1 << 10);
    for _ in 0..=2 * TAG_GENERATIONS {
        table.store_proven(KEY, Hand::EMPTY, Plies::new(1), None, 1);
        assert!(is_proven(&table, Hand::EMPTY, 1));
        table.next_generation();
        assert!(!is_proven(&table, Hand::EMPTY, 1));
    }
}

#[test]
fn what_the_system_does_not_have_is_not_asked_for_twice() {
    let table = Table::new(usize::MAX);
    assert!(table.bytes() > 0 && table.bytes() < usize::MAX / 2);
}

#[test]
fn buckets_are_used_evenly() {
    let mut counts = [0; 10];
    for key in 0..10_000_u64 {
        counts[bucket_index(key.wrapping_mul(0x9e37_79b9_7f4a_7c15), 10)] += 1;
    }
    assert!(counts.iter().all(|&count| (900..1_100).contains(&count)), "{counts:?}");
}

#[test]
fn a_growing_table_loses_nothing_and_a_new_search_starts_small() {
    let mut table = Table::new(64 << 20);
    // Keys that spread over the buckets as those of positions do.
    let key = |i: u64| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ i << 7;
    let hand = |i: u64| Hand::EMPTY.with(Pawn, (i % 18) as u32);
    let mut growing = 0;
    for count in [100_u64, 60_000, 100] {
        let mut lost_meanwhile = 0;
        table.next_generation();
        assert_eq!((*table.buckets.get_mut(), *table.used.0.get_mut()), (table.first_buckets, 0));
        for i in 0..count {
            table.store_proven(key(i), hand(i), Plies::new(i as u32 % 99), None, 1);
            table.grow(2);
            growing += u32::from(table.is_growing());
            // One of the latest, while some buckets have been moved and others have not.
            let some = i / 2;
            let found = table.look_up(key(some), hand(some), Plies::new(99));
            lost_meanwhile += u64::from(found == Lookup::Absent);
        }
        assert!(lost_meanwhile <= count / 1_000, "{lost_meanwhile}");
        let lost = (0..count).filter(|&i| {
            let plies = Plies::new(i as u32 % 99);
            let found = table.look_up(key(i), hand(i), Plies::new(99));
            found != Lookup::Proven { hand: hand(i), plies, best: None }
        });
        // A bucket may be full while half of the table is free; that is rare.
        assert!(lost.count() as u64 <= count / 1_000);
        let buckets = *table.buckets.get_mut();
        let used = *table.used.0.get_mut();
        assert!(used <= count && (table.is_growing() || !table.is_crowded()));
        assert_eq!(table.used_bytes(), used as usize * 36);
        assert_eq!(count > 10_000, buckets > table.first_buckets);
    }
    assert!(growing > 1_000, "{growing}");
}

#[test]
fn a_search_may_end_in_the_middle_of_a_growth() {
    let mut table = Table::new(8 << 20);
    let key = |i: u64| i.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    for generation in 0..2 * TAG_GENERATIONS {
        table.next_generation();
        assert!(!table.is_growing());
        let count = if generation % 500 == 0 { 4_000 } else { 1 };
        for i in 0..count {
            assert_eq!(table.look_up(key(i), Hand::EMPTY, Plies::new(1)), Lookup::Absent);
            table.store_open(key(i), Hand::EMPTY, open(1), 1);
            table.grow(1);
        }
        assert_eq!(table.is_growing(), count > 1);
    }
}

#[test]
fn a_full_table_does_not_grow_beyond_its_memory() {
    let table = table(1 << 20);
    let bytes = table.bytes();
    assert!(bytes <= 1 << 20);
    for i in 0..100_000_u64 {
        table.store_open(i.wrapping_mul(0x9e37_79b9_7f4a_7c15), Hand::EMPTY, open(5), 1);
        table.grow(4);
    }
    let buckets = table.buckets.load(Ordering::Relaxed) as usize;
    assert_eq!((table.bytes(), buckets * LINES * 64), (bytes, bytes));
}

#[test]
fn work_is_counted_in_half_octaves() {
    let levels = [0, 1, 2, 3, 5, 7, 11, 15, 23].map(work_level);
    assert_eq!(levels, [0, 2, 3, 4, 5, 6, 7, 8, 9]);
    assert_eq!((work_level(1 << 15), work_level(u64::MAX)), (30, 31));
}

#[test]
fn threads_never_find_what_no_thread_stored() {
    let table = table(1 << 14);
    // The plies and the move follow from the key, so that a torn entry would show.
    let key_of_number = |i: u64| (i % 3_000).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let plies = |key: u64| Plies::new((key >> 20) as u32 % 900);
    let best = |key: u64| Some(Move::drop(Gold, Square::ALL[(key >> 40) as usize % 81]));
    let found: usize = std::thread::scope(|scope| {
        let work = |thread: u64| {
            let table = &table;
            let mut hits = 0;
            for i in 0..200_000_u64 {
                let key = key_of_number(i * (2 * thread + 1));
                table.store_proven(key, Hand::EMPTY, plies(key), best(key), i % 64);
                let other = key_of_number(i.wrapping_mul(7));
                match table.look_up(other, Hand::EMPTY, Plies::new(4_000)) {
                    Lookup::Absent => {}
                    Lookup::Proven { plies: found, best: m, .. } => {
                        hits += 1;
                        assert_eq!((found, m), (plies(other), best(other)));
                    }
                    wrong => panic!("{wrong:?}"),
                }
            }
            hits
        };
        let threads: Vec<_> = (0..3).map(|thread| scope.spawn(move || work(thread))).collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).sum()
    });
    assert!(found > 10_000, "{found}");
}
