//! Found mates are played out: the distance falls with every move, whatever the defender plays.

use komadai_core::{Budget, Move, Position, SplitMix64};
use komadai_engine::{Choice, MoveRequest, MoveSource, Parts, Player, Settings};
use komadai_movegen::{CheckClass, MateReport, MateResult, MateSolver, MoveGen};
use komadai_testdata::tsume::{Set, set};
use komadai_tsume::{DfPn, DfPnOptions, Goal};
use komadai_usi::BestMove;

fn player() -> Player {
    let mut settings = Settings::default();
    (settings.hash_mib, settings.mate_hash_mib, settings.ponders) = (1, 16, true);
    Player::new(settings).expect("no book can fail")
}

/// A defender: returns a legal move.
type Defender<'a> = dyn FnMut(&Position) -> Move + 'a;

/// Returns the reply that delays the mate longest, by exact lengths.
fn longest(solver: &mut DfPn, position: &Position) -> Move {
    let replies = position.legal_moves();
    let length =
        |&m: &Move| match solver.solve_mate(&position.after(m), &Budget::nodes(100_000)).result {
            MateResult::Mate { line, .. } => line.len(),
            _ => usize::MAX,
        };
    replies.into_iter().max_by_key(length).expect("the defender is not mated")
}

/// The moves and nodes of a mate that was played out.
#[derive(Default)]
struct Played {
    plies: u32,
    announced: u32,
    first_nodes: u64,
    later_nodes: u64,
    deviations: u32,
}

fn chosen(choice: &Choice) -> (Move, Option<Move>, u32) {
    let BestMove::Move { best, ponder } = choice.best else { panic!("{choice:?}") };
    let plies = choice.analysis.score().and_then(|score| score.mate_plies());
    (best, ponder, plies.expect("a mate is announced").unsigned_abs())
}

/// Plays from a position with a mate to its end.
fn play_out(
    player: &mut Player,
    mut position: Position,
    nodes: u64,
    defend: &mut Defender<'_>,
) -> Played {
    let mut played = Played::default();
    let mut before = u32::MAX;
    let mut expected = None;
    player.new_game();
    loop {
        let budget = Budget::nodes(nodes);
        let choice = player.choose(&MoveRequest::new(&position, budget), &mut |_| {});
        let (best, ponder, plies) = chosen(&choice);
        assert_eq!(choice.source, MoveSource::Mate, "{position}");
        assert!(plies < before && plies % 2 == 1, "{plies} after {before} in {position}");
        if played.plies == 0 {
            (played.announced, played.first_nodes) = (plies, choice.analysis.nodes);
        } else {
            played.later_nodes += choice.analysis.nodes;
            if expected == position.moves().last().flatten() {
                assert_eq!(choice.analysis.nodes, 0, "the line goes on without a search");
            } else {
                played.deviations += 1;
            }
        }
        (before, expected) = (plies, ponder);
        position.do_move(best);
        played.plies += 1;
        assert!(position.in_check());
        if !position.has_legal_move() {
            assert!(played.plies <= played.announced);
            return played;
        }
        position.do_move(defend(&position));
        played.plies += 1;
    }
}

/// Returns positions in which the player finds a mate with this number of nodes.
fn mates(nodes: u64, count: usize) -> Vec<Position> {
    let mut player = player();
    let positions = set(Set::ShortSelfplay)
        .chain(set(Set::RandomMate))
        .map(|problem| Position::from_sfen(problem.sfen).expect("a position"));
    let is_found = |position: &Position| {
        player.new_game();
        let request = MoveRequest::new(position, Budget::nodes(nodes));
        player.choose(&request, &mut |_| {}).source == MoveSource::Mate
    };
    positions.filter(is_found).take(count).collect()
}

const NODES: u64 = 100_000;

#[test]
fn against_random_replies() {
    let (mut player, mut random) = (player(), SplitMix64::new(7));
    let mut total = Played::default();
    for position in mates(NODES, 120) {
        let mut defend = |position: &Position| {
            let replies = position.legal_moves();
            replies[random.below(replies.len() as u64) as usize]
        };
        let played = play_out(&mut player, position, NODES, &mut defend);
        total.first_nodes += played.first_nodes;
        total.later_nodes += played.later_nodes;
        total.deviations += played.deviations;
    }
    assert!(total.deviations >= 40, "{} deviations", total.deviations);
    // What was proven for the first move answers the later ones.
    let Played { first_nodes, later_nodes, .. } = total;
    assert!(2 * later_nodes < first_nodes, "{later_nodes} later, {first_nodes} first");
}

#[test]
fn against_the_longest_resistance() {
    let mut player = player();
    let options = DfPnOptions { hash_mib: 8, goal: Goal::ShortestMate, ..DfPnOptions::default() };
    let mut solver = DfPn::new(options);
    for position in mates(NODES, 60) {
        play_out(&mut player, position, NODES, &mut |position| longest(&mut solver, position));
    }
}

/// Does not tell the line of the first mate that it finds after it has forgotten everything.
struct FirstMoveOnly(DfPn, bool);

impl MateSolver for FirstMoveOnly {
    fn solve(&mut self, position: &Position, budget: &Budget, class: CheckClass) -> MateReport {
        let mut report = self.0.solve(position, budget, class);
        if let MateResult::Mate { line, .. } = &report.result
            && std::mem::take(&mut self.1)
        {
            report.result = MateResult::MateWithoutLine { first: line.first().copied() };
        }
        report
    }

    fn forget(&mut self) {
        self.0.forget();
        self.1 = true;
    }
}

#[test]
fn a_mate_of_which_only_the_first_move_is_known() {
    let mut settings = Settings::default();
    (settings.hash_mib, settings.mate_hash_mib) = (1, 16);
    let parts = Parts::default().with_solver(|&options| FirstMoveOnly(DfPn::new(options), true));
    let mut player = Player::with_parts(parts, settings).expect("no book can fail");
    let mut random = SplitMix64::new(3);
    for position in mates(NODES, 40) {
        let mut defend = |position: &Position| {
            let replies = position.legal_moves();
            replies[random.below(replies.len() as u64) as usize]
        };
        let request = MoveRequest::new(&position, Budget::nodes(NODES));
        player.new_game();
        let choice = player.choose(&request, &mut |_| {});
        assert_eq!(choice.analysis.lines[0].pv.len(), 1);
        let played = play_out(&mut player, position, NODES, &mut defend);
        assert_eq!(played.announced, chosen(&choice).2);
    }
}

#[test]
fn the_side_to_be_mated_delays_it() {
    let options = DfPnOptions { hash_mib: 8, goal: Goal::ShortestMate, ..DfPnOptions::default() };
    let mut solver = DfPn::new(options);
    let mut player = player();
    let (mut games, mut longest) = (0, 0);
    for position in mates(NODES, 120) {
        let report = solver.solve_mate(&position, &Budget::nodes(100_000));
        let MateResult::Mate { line, shortest: true } = report.result else { continue };
        let after = position.after(line[0]);
        let mut length =
            |m: Move| match solver.solve_mate(&after.after(m), &Budget::nodes(100_000)).result {
                MateResult::Mate { line, .. } => line.len(),
                _ => usize::MAX,
            };
        let lengths: Vec<usize> = after.legal_moves().into_iter().map(&mut length).collect();
        let (Some(&least), Some(&most)) = (lengths.iter().min(), lengths.iter().max()) else {
            continue;
        };
        if least == most {
            continue;
        }
        player.new_game();
        let request = MoveRequest::new(&after, Budget::nodes(50_000));
        let choice = player.choose(&request, &mut |_| {});
        let BestMove::Move { best, .. } = choice.best else { continue };
        games += 1;
        longest += usize::from(length(best) == most);
    }
    // All, when this was written; the search is not exhaustive.
    assert!(games >= 30 && 20 * longest >= 19 * games, "{longest} of {games}");
}
