//! The search modes and the levels of strength, through USI.

use std::time::{Duration, Instant};

use komadai_core::{SplitMix64, UsiPosition};
use komadai_engine::{Parts, UsiEngine};
use komadai_eval::Classical;
use komadai_movegen::{MoveGen, play};
use komadai_usi::{BestMove, EngineMessage, Handler, Info, OptionSpec};

use crate::gui::Gui;

const MODES: [&str; 5] = ["AlphaBeta", "MonteCarlo", "Both", "RealizationProbability", "Abc"];

fn gui(mode: &str) -> Gui {
    let mut gui = Gui::new();
    gui.say("setoption name USI_Hash value 16");
    gui.say(&format!("setoption name SearchMode value {mode}"));
    gui.say("setoption name PvInterval value 0");
    gui.settle();
    gui
}

/// Returns the reports up to the answer.
fn infos(gui: &mut Gui, position: &str, go: &str) -> Vec<Info> {
    gui.heard.clear();
    gui.plays_legally(position, go);
    let infos = gui.heard.drain(..).filter_map(|message| match message {
        EngineMessage::Info(info) => Some(info),
        _ => None,
    });
    infos.collect()
}

fn texts(infos: &[Info]) -> Vec<String> {
    infos.iter().map(ToString::to_string).collect()
}

#[test]
fn every_mode_reports_what_it_knows() {
    for mode in MODES {
        let mut gui = gui(mode);
        let infos = infos(&mut gui, "startpos moves 7g7f", "go nodes 20000");
        let last = infos.iter().rfind(|info| !info.pv().is_empty()).expect("a line");
        for has in [last.depth.is_some(), last.seldepth.is_some(), last.score.is_some()] {
            assert!(has, "{mode}: {last}");
        }
        assert!(last.nodes.is_some_and(|nodes| (1..=41_000).contains(&nodes)), "{mode}: {last}");
        assert!(last.nps.is_some() && last.hash_full.is_some(), "{mode}: {last}");
        let texts = texts(&infos);
        let has = |start: &str| texts.iter().any(|text| text.starts_with(start));
        assert_eq!(has("string tree "), matches!(mode, "MonteCarlo" | "Both"), "{texts:?}");
        assert_eq!(has("string hybrid rule="), mode == "Both", "{texts:?}");
    }
}

#[test]
fn the_settings_of_realization_probability_change_its_search() {
    let mut nodes: Vec<u64> = Vec::new();
    for option in ["MoveModel value Softmax", "MoveModel value Classes", "SurpriseCost value 50"] {
        let mut gui = gui("RealizationProbability");
        gui.say(&format!("setoption name {option}"));
        gui.say("setoption name MateNodes value 0");
        gui.settle();
        let infos = infos(&mut gui, "startpos moves 7g7f 3c3d", "go depth 6");
        nodes.extend(infos.iter().filter_map(|info| info.nodes).max());
    }
    nodes.sort_unstable();
    nodes.dedup();
    assert_eq!(nodes.len(), 3, "{nodes:?}");
}

#[test]
fn the_margin_of_abc_changes_its_search() {
    let nodes = [150, 900, 30_000].map(|margin| {
        let mut gui = gui("Abc");
        gui.say(&format!("setoption name AbcMargin value {margin}"));
        gui.say("setoption name MateNodes value 0");
        gui.settle();
        let infos = infos(&mut gui, "startpos moves 7g7f 3c3d 8h2b+", "go depth 4");
        infos.iter().filter_map(|info| info.nodes).max()
    });
    assert!(nodes[0] != nodes[1] && nodes[1] != nodes[2], "{nodes:?}");
}

#[test]
fn the_tree_has_as_many_lines_as_wanted() {
    let mut gui = gui("MonteCarlo");
    gui.say("setoption name MultiPV value 3");
    gui.settle();
    let infos = infos(&mut gui, "startpos", "go nodes 5000");
    let last: Vec<&Info> = infos.iter().filter(|info| !info.pv().is_empty()).collect();
    let last = &last[last.len() - 3..];
    let ranks: Vec<_> = last.iter().map(|info| info.multi_pv).collect();
    assert_eq!(ranks, [Some(1), Some(2), Some(3)]);
    assert_ne!(last[0].pv()[0], last[1].pv()[0]);
}

#[test]
fn limits_of_depth_end_every_mode() {
    // In the second position the game is over after a few moves, whatever is played.
    for position in ["startpos", "sfen 4k4/9/9/9/9/9/9/9/4K4 b - 1"] {
        for mode in MODES {
            let mut gui = gui(mode);
            for depth in [1, 4, 6] {
                gui.plays_legally(position, &format!("go depth {depth}"));
            }
        }
    }
}

#[test]
fn a_mode_counts_from_the_next_isready_on() {
    let mut gui = gui("AlphaBeta");
    for (mode, has_tree) in [
        ("MonteCarlo", true),
        ("AlphaBeta", false),
        ("Both", true),
        ("RealizationProbability", false),
        ("Abc", false),
    ] {
        gui.say(&format!("setoption name SearchMode value {mode}"));
        let said = gui.settle();
        let is_confirmed = said.iter().any(|line| line.contains(&format!("SearchMode {mode}")));
        assert_eq!(is_confirmed, mode != "AlphaBeta", "{said:?}");
        let texts = texts(&infos(&mut gui, "startpos", "go nodes 3000"));
        assert_eq!(texts.iter().any(|text| text.starts_with("string tree ")), has_tree);
    }
}

#[test]
fn options_without_effect_are_named_after_isready() {
    let mut gui = gui("AlphaBeta");
    gui.say("setoption name TreePreset value Ym2012");
    for (mode, names) in [
        ("AlphaBeta", Some("no effect with SearchMode AlphaBeta: TreePreset")),
        ("MonteCarlo", None),
        ("Both", None),
        (
            "RealizationProbability",
            Some("no effect with SearchMode RealizationProbability: TreePreset"),
        ),
    ] {
        gui.say(&format!("setoption name SearchMode value {mode}"));
        let said = gui.settle();
        let named = said.iter().find_map(|line| Some(&line[line.find("no effect")?..]));
        assert_eq!(named, names, "{said:?}");
        let is_confirmed = said.iter().any(|line| line.ends_with("TreePreset Ym2012"));
        assert_eq!(is_confirmed, names.is_none(), "{said:?}");
        gui.plays_legally("startpos", "go nodes 2000");
    }
}

#[test]
fn increments_and_the_last_seconds_are_thought_about_in_every_mode() {
    for mode in MODES {
        let mut gui = gui(mode);
        for (position, go) in [
            ("startpos", "go btime 0 wtime 0 binc 400 winc 400"),
            ("startpos moves 7g7f", "go btime 0 wtime 0 binc 0 winc 400"),
            ("startpos moves 7g7f 3c3d", "go btime 20 wtime 20 binc 300 winc 300"),
            ("startpos moves 2g2f", "go btime 7000 wtime 7000 byoyomi 0"),
            ("startpos moves 2g2f 8c8d", "go btime 3000 wtime 3000"),
            ("startpos moves 2g2f 3c3d 7g7f", "go btime 90000 wtime 5000 binc 0 winc 0"),
        ] {
            let infos = infos(&mut gui, position, go);
            let nodes = infos.iter().filter_map(|info| info.nodes).max();
            // The first iteration alone takes about a hundred nodes.
            assert!(nodes.is_some_and(|nodes| nodes > 200), "{mode}: {go}: {nodes:?}");
        }
    }
}

#[test]
fn a_level_is_a_tree_of_few_results_in_every_mode() {
    for mode in MODES {
        let mut gui = gui(mode);
        gui.say("setoption name SkillLevel value 2");
        let said = gui.settle();
        assert!(said.iter().any(|line| line.contains("SkillLevel 2")), "{said:?}");
        // The limit of results ends the search long before the clock.
        let infos = infos(&mut gui, "startpos", "go btime 600000 wtime 600000");
        let nodes = infos.iter().filter_map(|info| info.nodes).max();
        assert!(nodes.is_some_and(|nodes| nodes < 20_000), "{nodes:?}");
    }
    let play = |seed: u32| {
        let mut gui = gui("AlphaBeta");
        gui.say("setoption name SkillLevel value 1");
        gui.say(&format!("setoption name RandomSeed value {seed}"));
        gui.settle();
        let mut game = String::from("startpos moves");
        for _ in 0..8 {
            let m = gui.plays_legally(&game, "go nodes 100000");
            game.push_str(&format!(" {m}"));
        }
        game
    };
    let games = [1, 1, 2, 3].map(play);
    assert_eq!(games[0], games[1]);
    assert!(games[1] != games[2] || games[2] != games[3], "{games:?}");
}

#[test]
fn parts_with_one_kind_of_searcher_do_not_offer_modes() {
    let names = |options: Vec<OptionSpec>| -> Vec<String> {
        options.into_iter().map(|option| option.name).collect()
    };
    let standard = names(UsiEngine::new().options());
    let alpha_beta =
        names(UsiEngine::with_parts(Parts::alpha_beta(Classical::default())).options());
    for name in
        ["SearchMode", "TreePreset", "HybridMinNodes", "MoveModel", "SurpriseCost", "SkillLevel"]
    {
        assert!(standard.iter().any(|offered| offered == name));
        assert!(!alpha_beta.iter().any(|offered| offered == name));
    }
}

#[test]
fn the_tree_stops_when_nothing_can_change_or_its_time_is_up() {
    let mut gui = gui("MonteCarlo");
    for option in ["NetworkDelay", "NetworkDelay2", "MinimumThinkingTime", "MateNodes"] {
        gui.say(&format!("setoption name {option} value 0"));
    }
    gui.say("setoption name RoundUpToFullSecond value false");
    gui.settle();
    let mut time = |position: &str, go: &str| {
        let start = Instant::now();
        gui.plays_legally(position, go);
        start.elapsed()
    };
    let ms = Duration::from_millis;
    // A mate: the proof ends the search.
    let proven = time("sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "go btime 3600000 wtime 3600000");
    assert!(proven < ms(10_000), "{proven:?}");
    // One move takes a rook for nothing.
    let clear = time("sfen 4k4/9/9/9/4r4/9/9/9/4R2K1 b - 1", "go btime 600000 wtime 600000");
    assert!(clear < ms(10_000), "{clear:?}");
    let exact = time("startpos", "go movetime 300");
    assert!((ms(250)..ms(5_000)).contains(&exact), "{exact:?}");
}

/// Returns the lower quartile of some times between `stop` and the answer: a busy machine delays
/// the others.
fn usual_stop(mode: &str, go: &str, hit: Option<&str>, threads: u32) -> Duration {
    let mut gui = gui(mode);
    gui.say(&format!("setoption name Threads value {threads}"));
    gui.settle();
    let mut times: Vec<Duration> = (0..11)
        .map(|round| {
            gui.say("position startpos moves 7g7f 3c3d");
            gui.say(go);
            gui.listen(Duration::from_millis(5 + 7 * round));
            if let Some(hit) = hit {
                gui.say(hit);
                gui.listen(Duration::from_millis(5));
            }
            let start = Instant::now();
            gui.say("stop");
            gui.a_move();
            start.elapsed()
        })
        .collect();
    times.sort_unstable();
    times[times.len() / 4]
}

#[test]
fn stop_is_answered_at_once() {
    for mode in ["MonteCarlo", "Both", "RealizationProbability", "Abc"] {
        for (go, hit) in [
            ("go infinite", None),
            ("go ponder btime 60000 wtime 60000", None),
            ("go ponder", Some("ponderhit btime 600000 wtime 600000")),
        ] {
            for threads in [1, 3] {
                let usual = usual_stop(mode, go, hit, threads);
                assert!(usual < Duration::from_millis(50), "{mode} {go} {threads}: {usual:?}");
            }
        }
    }
}

/// Positions with their moves, for random dialogues.
const POSITIONS: [&str; 5] = [
    "startpos",
    "startpos moves 7g7f 3c3d 2g2f",
    "sfen l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1",
    "sfen 8k/9/7+R1/9/9/9/9/9/K8 w - 1",
];

/// Says random commands; every `go` has exactly one answer, which is legal in its position.
fn storm(seed: u64) {
    let mut random = SplitMix64::new(seed);
    let mut gui = Gui::new();
    let mut position = POSITIONS[0];
    gui.say("position startpos");
    for _ in 0..8 {
        let mut one_of = |all: &[&'static str]| all[random.below(all.len() as u64) as usize];
        let option = one_of(&[
            "SearchMode value AlphaBeta",
            "SearchMode value MonteCarlo",
            "SearchMode value Both",
            "SearchMode value RealizationProbability",
            "SearchMode value Abc",
            "MoveModel value Classes",
            "SurpriseCost value -1",
            "SkillLevel value 0",
            "SkillLevel value 1",
            "SkillLevel value 9",
            "Threads value 1",
            "Threads value 3",
            "MultiPV value 1",
            "MultiPV value 4",
            "USI_Hash value 2",
            "Stochastic_Ponder value true",
            "Stochastic_Ponder value false",
            "RandomSeed value 5",
        ]);
        match one_of(&["option", "option", "position", "position", "ready", "game", "none"]) {
            "option" => gui.say(&format!("setoption name {option}")),
            "position" => {
                position = one_of(&POSITIONS);
                gui.say(&format!("position {position}"));
            }
            "ready" => gui.say("isready"),
            "game" => gui.say("usinewgame"),
            _ => {}
        }
        let go =
            one_of(&["infinite", "ponder btime 99 wtime 99", "nodes 500", "depth 3", "byoyomi 5"]);
        gui.say(&format!("go {go}"));
        if one_of(&["wait", "now"]) == "wait" {
            let _ = gui.woken.recv_timeout(Duration::from_millis(3));
        }
        if go.starts_with("ponder") {
            gui.say(one_of(&["ponderhit", "stop", "ponderhit btime 0 wtime 0 byoyomi 9"]));
        }
        if go == "infinite" || one_of(&["stop", "wait"]) == "stop" {
            gui.say(one_of(&["stop", "setoption name SearchMode value Both"]));
            gui.say("stop");
        }
        let board = play(&UsiPosition::from_usi(position).expect("a position")).expect("legal");
        match gui.best_move() {
            BestMove::Move { best, .. } => assert!(board.is_legal(best), "{seed}: {best}"),
            BestMove::Resign => assert!(!board.has_legal_move(), "{seed}: {position}"),
            BestMove::Win => panic!("{seed}: a win in {position}"),
        }
    }
    let after = gui.settle();
    let is_wrong = |line: &String| line.starts_with("bestmove") || line.contains("crashed");
    assert!(!after.iter().any(is_wrong), "{seed}: {after:?}");
    let is_crash = |message: &EngineMessage| message.to_string().contains("crashed");
    assert!(!gui.heard.iter().any(is_crash), "{seed}");
}

#[test]
fn a_storm_of_commands_in_all_modes_has_one_legal_answer_for_each_go() {
    (0..150).for_each(storm);
}
