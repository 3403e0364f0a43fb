//! Tests of the signs, and of whole games on a simulated clock.

use komadai_core::{Color, Line, SplitMix64};
use komadai_usi::ClockTimes;

use super::*;
use crate::clock::{ClockPolicy, GameStage};

fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

fn iteration(best: &str, score: i32) -> Analysis {
    let pv = best.parse().expect("a move");
    let line = Line::exact(Score::cp(score), pv);
    Analysis { lines: vec![line], ..Analysis::default() }
}

fn difficulty(last_move: Option<i32>, iterations: &[(&str, i32)]) -> f64 {
    let mut stability = Stability::after(last_move.map(Score::cp));
    iterations.iter().for_each(|&(best, score)| stability.add(&iteration(best, score)));
    stability.difficulty()
}

#[test]
fn the_signs_do_not_depend_on_the_size_of_a_centipawn() {
    let difficulty = |size: i32| {
        let mut stability = Stability::after(Some(Score::cp(60)));
        stability.scale = f64::from(size);
        for score in [100, 90, -40, -900, -700] {
            stability.add(&iteration("7g7f", size * score));
        }
        (stability.difficulty(), stability.score())
    };
    assert_eq!(difficulty(4), difficulty(1));
}

#[test]
fn the_signs_of_a_hard_move_add_up() {
    let usual = difficulty(None, &[("7g7f", 0); 4]);
    assert!((0.8..1.2).contains(&usual), "{usual}");
    let clear = difficulty(None, &[("7g7f", 0); 12]);
    assert!(clear < usual);
    let unclear = difficulty(None, &[("7g7f", 0), ("2g2f", 0), ("7g7f", 0), ("2g2f", 0)]);
    assert!(unclear > 1.5 * usual, "{unclear}");
    let falling = difficulty(None, &[("7g7f", 0), ("7g7f", 0), ("7g7f", 0), ("7g7f", -100)]);
    assert!(falling > 1.2 * usual, "{falling}");
    let since_last_move = difficulty(Some(200), &[("7g7f", 0); 4]);
    assert!(since_last_move > 1.2 * usual, "{since_last_move}");
    let rising = difficulty(Some(-500), &[("7g7f", 0); 4]);
    assert!((0.8 * usual..usual).contains(&rising), "{rising}");
    // In a decided game changes of the value mean nothing.
    assert_eq!(difficulty(Some(20_000), &[("7g7f", 30_000); 4]), usual);
}

#[test]
fn nothing_known_is_nothing_special() {
    assert_eq!(Stability::after(None).difficulty(), 1.0);
    assert_eq!(Stability::after(None).score(), None);
    let mut stability = Stability::after(None);
    stability.add(&Analysis::default());
    assert_eq!(stability.difficulty(), 1.0);
}

#[test]
fn exact_limits_are_kept_whatever_happens() {
    let mut stability = Stability::after(None);
    let limits = TimeLimits::exactly(ms(5_000));
    for elapsed in [1, 100, 4_999] {
        stability.add(&iteration("7g7f", 0));
        assert_eq!(stability.end(&limits, ms(elapsed), ms(elapsed)), ms(5_000));
    }
}

/// Simulates a search with iterations of growing length and random best moves and values. Returns
/// the time until it ends.
fn think(limits: &TimeLimits, random: &mut SplitMix64) -> Duration {
    let mut stability = Stability::after(Some(Score::ZERO));
    let (mut now, mut iteration_time) = (Duration::ZERO, Duration::from_micros(300));
    let mut end = limits.maximum;
    while now < end {
        // Every iteration but the first may be cut off.
        now += iteration_time;
        if now >= end && iteration_time > Duration::from_micros(300) {
            return end;
        }
        let best = ["7g7f", "2g2f"][usize::from(random.below(6) == 0)];
        stability.add(&iteration(best, random.below(100) as i32 - 50));
        end = stability.end(limits, now, now);
        iteration_time = iteration_time * (110 + random.below(190) as u32) / 100;
    }
    now.max(end)
}

/// The use of time by one side in a game.
#[derive(Debug)]
struct Played {
    moves: u32,
    /// The rest of the main time at the end.
    left: Duration,
    longest: Duration,
    total: Duration,
}

/// Simulates a game of `plies` on a clock with a delay of at most `lost` milliseconds a move.
/// Panics if the time runs out.
fn play(policy: &ClockPolicy, control: [u64; 3], plies: u32, lost: u64, seed: u64) -> Played {
    let [main, byoyomi, increment] = control.map(ms);
    let mut random = SplitMix64::new(seed);
    let mut played = Played { moves: 0, left: main, longest: ms(0), total: ms(0) };
    for ply in (1..=plies).step_by(2) {
        let mut clock = ClockTimes::byoyomi(byoyomi);
        clock.main = [played.left; 2];
        clock.increment = [increment; 2];
        let stage = GameStage { ply, ..GameStage::default() };
        let limits = policy.limits(&clock, Color::Black, stage);
        let used = think(&limits, &mut random) + ms(random.below(lost + 1));
        let own = clock.side(Color::Black);
        assert!(used <= own.available(), "{control:?} ply {ply}: {used:?} of {own:?}, {limits:?}");
        played.left = own.rest_after(used);
        played.longest = played.longest.max(used);
        played.total += used;
        played.moves += 1;
    }
    played
}

/// Main time, byoyomi and increment in milliseconds.
const CONTROLS: [[u64; 3]; 20] = [
    [0, 100, 0],
    [0, 1_000, 0],
    [0, 10_000, 0],
    [60_000, 10_000, 0],
    [600_000, 30_000, 0],
    [1_000, 0, 0],
    [10_000, 0, 0],
    [600_000, 0, 0],
    [10_000, 0, 100],
    [60_000, 0, 1_000],
    [300_000, 0, 10_000],
    [900_000, 0, 5_000],
    [3_000, 0, 0],
    [7_000, 0, 0],
    [0, 0, 100],
    [0, 0, 1_000],
    [0, 0, 10_000],
    [100, 0, 5_000],
    [2_000, 0, 500],
    [5_000, 10_000, 2_000],
];

#[test]
fn no_game_is_lost_on_time() {
    for (network_delay, worst) in [(0, 0), (10, 50), (120, 1_120)] {
        let policy = ClockPolicy {
            network_delay: ms(network_delay),
            network_delay_worst: ms(worst),
            ..ClockPolicy::default()
        };
        for control in CONTROLS {
            let lost = network_delay.max(2);
            let [main, byoyomi, increment] = control;
            // If the delay is longer than the time added per move, no policy lasts for ever.
            let moves = if byoyomi.max(increment) > lost { 250 } else { 150.min(main / 4 / lost) };
            for seed in 0..20 {
                play(&policy, control, 2 * moves as u32, lost, seed);
            }
        }
    }
}

#[test]
fn time_is_there_to_be_used() {
    let policy = ClockPolicy::default();
    for seed in 0..20 {
        // Nearly all of the byoyomi, for every move.
        let played = play(&policy, [0, 10_000, 0], 200, 0, seed);
        assert_eq!(played.total, ms(8_880) * played.moves);
        // A game of 160 plies uses most of the main time, and some is left at any time.
        let played = play(&policy, [600_000, 0, 0], 160, 0, seed);
        assert!(played.left < ms(150_000) && played.left > ms(8_000), "{played:?}");
        assert!(played.longest > ms(15_000), "{played:?}");
        // An increment is used as it comes in.
        let played = play(&policy, [300_000, 0, 10_000], 300, 0, seed);
        assert!(played.total > ms(150 * 10_000) && played.left < ms(240_000), "{played:?}");
        // Also where there is nothing else.
        let played = play(&policy, [0, 0, 10_000], 200, 0, seed);
        assert!(played.total > ms(7_000) * played.moves, "{played:?}");
    }
}

#[test]
fn whole_seconds_are_used_whole() {
    let policy = ClockPolicy::default();
    let mut random = SplitMix64::new(3);
    let clock = ClockTimes::main([ms(900_000); 2]);
    let limits = policy.limits(&clock, Color::Black, GameStage::default());
    for _ in 0..50 {
        let used = think(&limits, &mut random);
        let arrival = used + policy.network_delay;
        assert!(arrival.subsec_nanos() == 0 || used == limits.maximum, "{used:?}");
        assert!(arrival >= policy.minimum);
    }
}

#[test]
fn a_tree_search_ends_when_no_move_can_overtake_the_best_one() {
    let limits = TimeLimits {
        minimum: ms(1_000),
        optimum: ms(10_000),
        maximum: ms(40_000),
        before_second: None,
    };
    let mut stability = Stability::after(None);
    let lead = |visits| Lead { visits, results: 1_000 };
    assert_eq!(stability.end_of_tree(&limits, ms(1), ms(1), lead(1_000)), ms(40_000));
    stability.add_snapshot(&iteration("7g7f", 0), ms(10));
    let at = |thought, elapsed, visits| {
        stability.end_of_tree(&limits, ms(thought), ms(elapsed), lead(visits))
    };
    let wanted = at(5_000, 5_000, 0);
    assert!((ms(8_000)..ms(15_000)).contains(&wanted), "{wanted:?}");
    // In 5 seconds 1,000 results: until the end there will be about as many.
    assert_eq!(at(5_000, 5_000, 500), wanted);
    assert_eq!(at(7_000, 7_000, 999), ms(7_000));
    assert_eq!(at(100, 100, u32::MAX), ms(1_000), "not before the minimum");
    // Time spent pondering counts.
    assert_eq!(at(50_000, 0, 0), ms(0));
    assert_eq!(at(2_000, 1_000, 0), wanted - ms(1_000));
    let exact = TimeLimits::exactly(ms(3_000));
    assert_eq!(stability.end_of_tree(&exact, ms(1_000), ms(1_000), lead(1_000)), ms(3_000));
}

#[test]
fn states_of_a_tree_count_as_iterations_when_the_time_has_grown() {
    let mut stability = Stability::after(None);
    let mut difficulty = |from: u64, to: u64| {
        for time in (from..to).step_by(100) {
            stability.add_snapshot(&iteration("7g7f", 0), ms(time));
        }
        stability.difficulty()
    };
    let early = difficulty(100, 300);
    let late = difficulty(300, 5_000);
    assert!(early > late && late > 0.7, "{early} {late}");
    assert!(difficulty(5_000, 100_000) <= late);
}
