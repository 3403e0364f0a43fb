//! Tests of the joint fit: known answers, games drawn at random, and refused input.

use komadai_core::SplitMix64;
use proptest::prelude::*;

use super::*;

fn pairing(first: usize, second: usize, counts: [u64; 5]) -> Pairing {
    Pairing::new(first, second, Pentanomial::from_counts(counts))
}

#[test]
fn one_match_gives_its_own_difference() {
    let counts = [17, 253, 1_042, 337, 39];
    let ratings = Ratings::fit(2, &[pairing(0, 1, counts)]).unwrap();
    let joint = ratings.difference(0, 1);
    // With the even pair that the fit adds.
    let alone = Pentanomial::from_counts([17, 253, 1_043, 337, 39]).elo().unwrap();
    assert!((joint.elo - alone.elo).abs() < 1e-6, "{joint:?} {alone:?}");
    assert!((joint.low - alone.low).abs() < 0.1 && (joint.high - alone.high).abs() < 0.1);
    assert!((joint.los - alone.los).abs() < 1e-3);
    assert!((ratings.elo(0) + ratings.elo(1)).abs() < 1e-9);
    assert!((ratings.expected_score(0, 1) - 0.5189).abs() < 1e-3);
}

#[test]
fn matches_of_a_circle_are_balanced() {
    // 0 beats 1, 1 beats 2, 2 beats 0, all alike: no one is stronger.
    let counts = [5, 10, 20, 30, 35];
    let circle = [pairing(0, 1, counts), pairing(1, 2, counts), pairing(2, 0, counts)];
    let ratings = Ratings::fit(3, &circle).unwrap();
    for player in 0..3 {
        assert!(ratings.elo(player).abs() < 1e-6);
    }
    let difference = ratings.difference(0, 1);
    assert!(
        difference.low < -20.0 && difference.high > 20.0 && (difference.los - 0.5).abs() < 1e-3
    );
}

#[test]
fn won_matches_have_finite_strengths() {
    let all = [0, 0, 0, 0, 100];
    let ratings = Ratings::fit(3, &[pairing(0, 1, all), pairing(1, 2, all)]).unwrap();
    let lead = ratings.difference(0, 1);
    assert!(lead.elo > 600.0 && lead.elo < 1_200.0 && lead.low.is_finite(), "{lead:?}");
    assert!((ratings.difference(0, 2).elo - 2.0 * lead.elo).abs() < 1e-3);
}

#[test]
fn wrong_players_and_separate_groups_are_refused() {
    let some = [1, 1, 1, 1, 1];
    let error = |players, pairings: &[Pairing]| Ratings::fit(players, pairings).unwrap_err();
    let players = RatingsError::Players { first: 0, second: 3, players: 3 };
    assert_eq!(error(3, &[pairing(0, 3, some)]), players);
    assert!(matches!(error(3, &[pairing(1, 1, some)]), RatingsError::Players { .. }));
    let separate = [pairing(0, 1, some), pairing(2, 3, some)];
    assert_eq!(error(4, &separate), RatingsError::Unconnected { player: 2 });
    let empty = [pairing(0, 1, [0; 5])];
    assert_eq!(error(2, &empty), RatingsError::Unconnected { player: 1 });
    assert_eq!(Ratings::fit(0, &[]).unwrap().players(), 0);
    assert_eq!(Ratings::fit(1, &[]).unwrap().elo(0), 0.0);
}

/// Returns the results of a match with this expected score, each game by itself.
fn played(random: &mut SplitMix64, score: f64, pairs: u32) -> Pentanomial {
    let mut results = Pentanomial::default();
    for _ in 0..pairs {
        let won = |random: &mut SplitMix64| (random.next_u64() as f64 / u64::MAX as f64) < score;
        results.add(2 * usize::from(won(random)) + 2 * usize::from(won(random)));
    }
    results
}

#[test]
fn nineteen_of_twenty_intervals_hold_the_truth() {
    let truth = [0.0, 120.0, 250.0, 60.0];
    let schedule = [(0, 1, 60), (1, 2, 40), (2, 3, 80), (3, 0, 50), (0, 2, 30)];
    let mut random = SplitMix64::new(7);
    let (mut inside, mut all) = (0, 0);
    for _ in 0..400 {
        let pairings: Vec<Pairing> = schedule
            .iter()
            .map(|&(first, second, pairs)| {
                let score = score_of_elo(truth[first] - truth[second]);
                Pairing::new(first, second, played(&mut random, score, pairs))
            })
            .collect();
        let ratings = Ratings::fit(4, &pairings).unwrap();
        for (first, second) in [(0, 1), (0, 2), (1, 3), (2, 3)] {
            let found = ratings.difference(first, second);
            let true_difference = truth[first] - truth[second];
            inside += u32::from(found.low <= true_difference && true_difference <= found.high);
            all += 1;
        }
    }
    let share = f64::from(inside) / f64::from(all);
    assert!((0.93..=0.97).contains(&share), "{share}");
}

proptest! {
    #[test]
    fn any_results_give_finite_strengths(
        results in prop::collection::vec((0_usize..6, 0_usize..6, prop::array::uniform5(0_u64..50)), 0..20),
    ) {
        let pairings: Vec<Pairing> = results
            .into_iter()
            .filter(|(first, second, _)| first != second)
            .map(|(first, second, counts)| pairing(first, second, counts))
            .collect();
        match Ratings::fit(6, &pairings) {
            Ok(ratings) => {
                for player in 0..6 {
                    let difference = ratings.difference(player, 0);
                    prop_assert!(difference.elo.is_finite() && difference.low.is_finite());
                    prop_assert!(difference.low <= difference.elo && difference.elo <= difference.high);
                }
                // At the fit, each player's expected points are those that it made.
                for player in 0..6 {
                    let mut surplus = 0.0;
                    for seen in pairings.iter().filter(|pairing| pairing.results.pairs() > 0).map(Observed::of) {
                        let expected = ratings.expected_score(seen.first, seen.second);
                        let more = seen.games * (seen.mean - expected);
                        surplus += more * f64::from(i8::from(seen.first == player) - i8::from(seen.second == player));
                    }
                    prop_assert!(surplus.abs() < 1e-3, "player {player}: {surplus}");
                }
            }
            Err(error) => {
                let is_unconnected = matches!(error, RatingsError::Unconnected { .. });
                prop_assert!(is_unconnected, "{error}");
            }
        }
    }
}
