//! The player without a protocol.

use komadai_core::{Analysis, Budget, Move, Position, Score};
use komadai_engine::{Aim, Choice, MoveRequest, MoveSource, Player, Settings};
use komadai_movegen::{DeclarationRule, MoveGen};
use komadai_usi::BestMove;

fn settings() -> Settings {
    Settings { hash_mib: 1, mate_hash_mib: 1, ..Settings::default() }
}

fn player() -> Player {
    Player::new(settings()).expect("no book can fail")
}

fn choose(player: &mut Player, sfen: &str, nodes: u64) -> Choice {
    let position = Position::from_sfen(sfen).expect("a position");
    player.choose(&MoveRequest::new(&position, Budget::nodes(nodes)), &mut |_| {})
}

const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

fn nodes(choice: &Choice) -> u64 {
    choice.analysis.nodes
}

#[test]
fn a_new_game_makes_the_same_choices() {
    let mut player = player();
    let without_time = |choice: Choice| Analysis { time: Default::default(), ..choice.analysis };
    let first = without_time(choose(&mut player, START, 5_000));
    player.new_game();
    player.new_game();
    assert_eq!(without_time(choose(&mut player, START, 5_000)), first);
}

#[test]
fn the_budget_includes_the_mate_solver() {
    let checks = "4k4/9/9/4P4/9/9/9/9/4K4 b RBGSN 1";
    for budget in [1, 10, 100, 1_000, 10_000] {
        let choice = choose(&mut player(), checks, budget);
        // The first iteration is always finished.
        assert!(nodes(&choice) <= budget.max(2_000), "{} of {budget}", nodes(&choice));
        assert!(matches!(choice.best, BestMove::Move { .. }));
    }
}

#[test]
fn thoughts_come_from_the_search_alone() {
    let position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/4K4 b G 1").expect("a position");
    let mut player = player();
    let request = MoveRequest::new(&position, Budget::nodes(1_000));
    assert_eq!(player.choose(&request, &mut |_| {}).source, MoveSource::Mate);
    let request = MoveRequest { aim: Aim::Analyse, ..request };
    let choice = player.choose(&request, &mut |_| {});
    assert_eq!(
        (choice.source, choice.analysis.score()),
        (MoveSource::Search, Some(Score::mate_in(1)))
    );
}

#[test]
fn a_choice_can_be_narrowed() {
    let position = Position::hirate();
    let among: Vec<Move> = ["9i9h", "5e5d"].iter().map(|m| m.parse().expect("a move")).collect();
    let request = MoveRequest { among: &among, ..MoveRequest::new(&position, Budget::nodes(500)) };
    let choice = player().choose(&request, &mut |_| {});
    assert_eq!(choice.best, BestMove::Move { best: among[0], ponder: None });
}

#[test]
fn progress_is_told_and_ends_with_the_choice() {
    let position = Position::hirate();
    let mut depths = Vec::new();
    let request = MoveRequest::new(&position, Budget::depth(4));
    let choice = player().choose(&request, &mut |analysis| depths.push(analysis.depth));
    assert_eq!((depths, choice.analysis.depth), (vec![1, 2, 3, 4], 4));
}

#[test]
fn the_rules_go_before_everything() {
    let mut settings = settings();
    settings.declaration = DeclarationRule::Csa27;
    let mut player = Player::new(settings).expect("no book can fail");
    let entered = "K+P+P+P+P+P+P+P+B/+R+R+B6/9/9/9/9/9/9/4k4 b P 1";
    let choice = choose(&mut player, entered, 100);
    assert_eq!((choice.best, choice.source), (BestMove::Win, MoveSource::Rules));
    let mated = choose(&mut player, "4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1", 100);
    assert_eq!((mated.best, mated.source), (BestMove::Resign, MoveSource::Rules));
}

#[test]
fn settings_change_what_they_say_and_no_more() {
    let mut player = player();
    let first = choose(&mut player, START, 5_000);
    let mut changed = player.settings().clone();
    changed.multi_pv = 2;
    player.set_settings(changed.clone()).expect("no book can fail");
    let second = choose(&mut player, START, 5_000);
    assert_eq!((first.analysis.lines.len(), second.analysis.lines.len()), (1, 2));
    assert!(player.searcher().state().hash_full > Some(0), "the table is kept");
    changed.hash_mib = 2;
    player.set_settings(changed.clone()).expect("no book can fail");
    assert_eq!(
        (player.searcher().state().memory_mib, player.searcher().state().hash_full),
        (2, Some(0))
    );
    changed.book_files = vec!["/no/such/book.db".into()];
    assert!(player.set_settings(changed.clone()).is_err());
    assert!(player.set_settings(changed).is_err(), "it is still not there");
}

#[test]
fn whole_games_are_legal() {
    let mut player = player();
    for seed in 0..3 {
        let mut position = Position::hirate();
        let opening = komadai_testdata::openings::move_lists().nth(seed * 7).expect("200 of them");
        opening.split(' ').for_each(|m| position.do_move(m.parse().expect("a move")));
        player.new_game();
        while position.ply() < 300 {
            let request = MoveRequest::new(&position, Budget::nodes(200));
            let BestMove::Move { best, .. } = player.choose(&request, &mut |_| {}).best else {
                break;
            };
            assert!(position.is_legal(best));
            position.do_move(best);
        }
    }
}
