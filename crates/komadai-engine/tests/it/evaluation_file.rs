//! Networks in files: `EvalFile`, `EvalDir`, `FV_SCALE` and the command `e`.

use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use komadai_core::{Budget, Position, UsiPosition};
use komadai_engine::{
    Evaluation, EvaluationError, Parts, Player, PlayerError, Settings, UsiEngine,
};
use komadai_eval::{Classical, Evaluator, Material};
use komadai_movegen::play;
use komadai_nnue::linear::{FeatureGroups, LinearEvaluator, LinearModel};
use komadai_nnue::{Architecture, FeatureSet, Network, NetworkError, Nnue};
use komadai_search::{AlphaBeta, SearchOptions, Searcher};
use komadai_usi::{BestMove, EngineMessage, Handler, serve};
use tempfile::TempDir;

use crate::gui::Gui;

/// The side to move has no legal move in the last one.
const POSITIONS: [&str; 4] = [
    "startpos",
    "startpos moves 7g7f",
    "sfen l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    "sfen 8k/9/7+R1/9/9/9/9/9/K8 w - 1",
];

fn position(text: &str) -> Position {
    play(&UsiPosition::from_usi(text).expect("a position")).expect("legal moves")
}

/// A small network with weights made from a seed, as a file has them.
fn network(seed: u64) -> (Network, Vec<u8>) {
    let small = Architecture::new(FeatureSet::KP, 32, 8, 8).expect("supported widths");
    let network = Network::random(small, seed);
    let mut bytes = Vec::new();
    network.write(&mut bytes).expect("memory can be written");
    (network, bytes)
}

/// A folder for networks.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a temporary directory"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        fs::write(self.path(name), bytes).expect("it can be written");
        self.path(name)
    }

    fn write_network(&self, name: &str, seed: u64) -> (PathBuf, Nnue) {
        let (network, bytes) = network(seed);
        (self.write(name, &bytes), Nnue::new(network))
    }
}

fn set(gui: &mut Gui, option: &str, value: impl AsRef<Path>) {
    gui.say(&format!("setoption name {option} value {}", value.as_ref().display()));
}

/// Returns the values that `e` prints.
fn values(gui: &mut Gui) -> [i32; 4] {
    POSITIONS.map(|text| {
        gui.say(&format!("position {text}"));
        gui.said.clear();
        gui.say("e");
        gui.wait_for("a value", |message| match message {
            EngineMessage::Unknown(line) => line.strip_prefix("eval = ")?.parse().ok(),
            _ => None,
        })
    })
}

fn values_of(nnue: &Nnue) -> [i32; 4] {
    POSITIONS.map(|text| {
        let position = position(text);
        nnue.value(&position, &mut nnue.refresh(&position))
    })
}

/// Sends `isready` to an engine that must not become ready, and returns the reason.
fn refusal(gui: &mut Gui) -> String {
    gui.say("isready");
    gui.wait_for("an error", |message| match message {
        EngineMessage::ReadyOk => panic!("ready without its evaluation"),
        message => message.to_string().strip_prefix("info string Error! : ").map(str::to_owned),
    })
}

#[test]
fn weights_may_stay_in_their_file() {
    let folder = Folder::new();
    let (path, nnue) = folder.write_network("nn.bin", 1);
    let mut gui = Gui::new();
    for mapped in ["true", "false"] {
        gui.say(&format!("setoption name EvalMapped value {mapped}"));
        set(&mut gui, "EvalFile", &path);
        gui.settle();
        assert_eq!(values(&mut gui), values_of(&nnue), "EvalMapped {mapped}");
    }
    // The faults of a file are the same.
    let path = folder.write("short.bin", &network(2).1[..1_000]);
    set(&mut gui, "EvalFile", &path);
    let read = refusal(&mut gui);
    gui.say("setoption name EvalMapped value true");
    assert_eq!(refusal(&mut gui), read);
}

/// The values, moves and nodes are those of the evaluator in a program.
#[test]
fn a_linear_evaluation_is_loaded_and_plays() {
    let groups: FeatureGroups = "p+kp".parse().expect("the groups exist");
    let mut model = LinearModel::new(groups);
    for (index, weight) in model.weights_mut().iter_mut().enumerate() {
        *weight = (index * 31 % 97) as f32 - 48.0;
    }
    let linear = LinearEvaluator::of(&model);
    let mut bytes = Vec::new();
    linear.write(&mut bytes).expect("memory can be written");
    let folder = Folder::new();
    let path = folder.write("learned.linear", &bytes);
    let mut gui = Gui::new();
    gui.say("setoption name MateNodes value 0");
    set(&mut gui, "EvalFile", &path);
    let said = gui.settle();
    let confirmed = format!("info string evaluation {}: linear p+kp", path.display());
    assert!(said.contains(&confirmed), "{said:?}, expected {confirmed}");
    let expected = POSITIONS.map(|text| linear.evaluate_position(&position(text)).raw());
    assert_eq!(values(&mut gui), expected);
    gui.say("position startpos moves 7g7f");
    gui.say("go nodes 3000");
    let best = gui.wait_for("a move", |message| match message {
        EngineMessage::BestMove(best) => Some(*best),
        _ => None,
    });
    let start = position("startpos moves 7g7f");
    let options = SearchOptions { hash_mib: 1, ..SearchOptions::default() };
    let analysis =
        AlphaBeta::new(linear, options).search(&start, &Budget::nodes(3_000), &mut |_| {});
    let BestMove::Move { best, .. } = best else { panic!("{best:?}") };
    assert_eq!(Some(best), analysis.best_move());
    // A part of it is refused with the place and what was expected.
    let path = folder.write("learned.linear", &bytes[..1_000]);
    set(&mut gui, "EvalFile", &path);
    let reason = refusal(&mut gui);
    let expected = format!("expected {} bytes", bytes.len());
    assert!(reason.contains("byte 1000") && reason.contains(&expected), "{reason}");
}

#[test]
fn a_network_is_loaded_and_plays() {
    let folder = Folder::new();
    let (path, nnue) = folder.write_network("a network.bin", 1);
    let mut gui = Gui::new();
    set(&mut gui, "EvalFile", &path);
    set(&mut gui, "FV_SCALE", "24");
    let said = gui.settle();
    let kernels = nnue.network().kernels();
    let start = format!("info string evaluation {}: ", path.display());
    let confirmed = format!("{start}kp_32x2-8-8, FV_SCALE 24 (the option), {kernels}");
    assert!(said.contains(&confirmed), "{said:?}, expected {confirmed}");
    for text in &POSITIONS[..3] {
        gui.plays_legally(text, "go nodes 2000");
    }
    // Settings that stay the same cost nothing, and the network stays.
    assert!(gui.settle().contains(&confirmed));
    // Without the option the file beside the network counts, and a change of it is seen.
    set(&mut gui, "FV_SCALE", "0");
    for (options, expected) in [
        ("FV_SCALE 40", "40 (eval_options.txt)"),
        ("FV_SCALE 4", "4 (eval_options.txt)"),
        ("Threads 4", "16 (the default, the file names none)"),
    ] {
        folder.write("eval_options.txt", options.as_bytes());
        let confirmed = format!("{start}kp_32x2-8-8, FV_SCALE {expected}, {kernels}");
        let said = gui.settle();
        assert!(said.contains(&confirmed), "{said:?}, expected {confirmed}");
    }
}

#[test]
fn doubts_about_a_network_are_said() {
    let folder = Folder::new();
    let (_, mut bytes) = network(3);
    let place = bytes.windows(4).position(|bytes| bytes == b"32x2").expect("a description");
    bytes[place..place + 4].copy_from_slice(b"64x2");
    let path = folder.write("nn.bin", &bytes);
    let mut gui = Gui::new();
    set(&mut gui, "EvalFile", &path);
    let doubt = format!(
        "info string evaluation {}: its text says 64x2-8-8, its bytes 32x2-8-8; the bytes count",
        path.display()
    );
    let said = gui.settle();
    assert!(said.contains(&doubt), "{said:?}, expected {doubt}");
}

#[test]
fn e_prints_the_value_of_the_network_and_nothing_else() {
    let folder = Folder::new();
    let (path, nnue) = folder.write_network("nn.bin", 2);
    let mut gui = Gui::new();
    set(&mut gui, "EvalFile", &path);
    gui.settle();
    assert_eq!(values(&mut gui), values_of(&nnue));
    assert_eq!(gui.said, [], "one line");
    set(&mut gui, "FV_SCALE", "32");
    gui.settle();
    let halves = values(&mut gui);
    assert_eq!(halves, values_of(&nnue.with_fv_scale(32)));
    assert_eq!(halves, values_of(&Nnue::new(network(2).0)).map(|value| value / 2));
    assert_ne!(halves, [0; 4]);

    // The evaluations of the program are in centipawns.
    set(&mut gui, "EvalFile", "<internal>");
    gui.settle();
    let bundled = Nnue::new(Network::bundled());
    let network = POSITIONS.map(|text| bundled.evaluate_position(&position(text)).raw());
    assert_eq!(values(&mut gui), network);
    set(&mut gui, "EvalFile", "<material>");
    gui.settle();
    let material = POSITIONS.map(|text| Material.evaluate_position(&position(text)).raw());
    assert_eq!(values(&mut gui), material);
    assert_ne!(material, network);
    set(&mut gui, "EvalFile", "<classical>");
    gui.settle();
    let classical =
        POSITIONS.map(|text| Classical::default().evaluate_position(&position(text)).raw());
    assert_eq!(values(&mut gui), classical);
    assert_ne!(classical, network);
}

#[test]
fn e_in_a_script_sees_the_position_before_it() {
    let folder = Folder::new();
    let (path, nnue) = folder.write_network("nn.bin", 3);
    let mut script = format!(
        "setoption name USI_Hash value 1\nsetoption name EvalFile value {}\n",
        path.display()
    );
    for text in POSITIONS {
        script += &format!("position {text}\ne\n");
    }
    let mut output = Vec::new();
    let script = Cursor::new(script.into_bytes());
    serve(UsiEngine::new(), script, &mut output).expect("memory can be written");
    let output = String::from_utf8(output).expect("text");
    let printed: Vec<&str> = output.lines().filter(|line| line.starts_with("eval")).collect();
    assert_eq!(printed, values_of(&nnue).map(|value| format!("eval = {value}")));
    assert!(!output.contains("readyok"), "nobody has asked: {output}");
}

#[test]
fn a_folder_has_a_network_of_the_usual_name_or_of_another() {
    let folder = Folder::new();
    let (_, usual) = folder.write_network("nn.bin", 4);
    let (path, other) = folder.write_network("other.bin", 5);
    let mut gui = Gui::new();
    set(&mut gui, "EvalDir", folder.0.path());
    gui.settle();
    assert_eq!(values(&mut gui), values_of(&usual));
    set(&mut gui, "EvalFile", "other.bin");
    gui.settle();
    assert_eq!(values(&mut gui), values_of(&other));
    set(&mut gui, "EvalDir", "<internal>");
    assert!(refusal(&mut gui).contains("other.bin"));
    set(&mut gui, "EvalFile", &path);
    gui.settle();
    assert_eq!(values(&mut gui), values_of(&other));
}

#[test]
fn a_faulty_file_is_refused_with_its_place_until_another_one_is_named() {
    let folder = Folder::new();
    let (good, nnue) = folder.write_network("good.bin", 6);
    let bytes = fs::read(&good).expect("just written");
    let short = folder.write("short.bin", &bytes[..bytes.len() / 2]);
    let long = folder.write("long.bin", &[&bytes[..], b"more"].concat());
    let foreign = folder.write("foreign.bin", &[b"not a network", &bytes[13..]].concat());
    let empty = folder.write("empty.bin", &[]);
    let missing = folder.path("missing.bin");
    let len = bytes.len();
    let mut gui = Gui::new();
    let mut begins_well = false;
    for (path, parts) in [
        (&missing, &["cannot open the evaluation "][..]),
        (&short, &["the file ends in ", "expected ", &format!("byte {}: ", len / 2)]),
        (&long, &["found more data, expected the end", &format!("byte {len}: ")]),
        (&foreign, &["byte 0: found version 0x20746F6E, expected 0x7AF32F16"]),
        (&empty, &["byte 0: the file ends in "]),
        (&folder.0.path().to_owned(), &["cannot open the evaluation "]),
    ] {
        set(&mut gui, "EvalFile", path);
        let reason = refusal(&mut gui);
        assert!(reason.contains(&path.display().to_string()), "{reason}");
        assert!(parts.iter().all(|part| reason.contains(part)), "{reason}, expected {parts:?}");
        // Neither a search nor `e` falls back to another evaluation.
        gui.say("position startpos");
        gui.said.clear();
        gui.heard.clear();
        gui.say("go nodes 1000");
        assert_eq!(gui.best_move(), BestMove::Resign);
        let heard: Vec<_> = gui.heard.drain(..).map(|message| message.to_string()).collect();
        assert!(heard.iter().any(|line| line.contains(&reason)), "{heard:?}");
        assert!(!heard.iter().any(|line| line.contains(" pv ")), "{heard:?}");
        gui.say("e");
        gui.wait_for("an error", |message| {
            let line = message.to_string();
            assert!(!line.starts_with("eval"), "{line}");
            line.contains(&reason).then_some(())
        });
        if begins_well {
            // The next fault finds a player with a network.
            set(&mut gui, "EvalFile", &good);
            gui.settle();
            assert_eq!(values(&mut gui), values_of(&nnue));
            gui.plays_legally("startpos", "go nodes 1000");
        }
        begins_well = true;
    }
}

#[test]
fn a_changed_file_is_loaded_again() {
    let folder = Folder::new();
    let (path, first) = folder.write_network("nn.bin", 7);
    let mut gui = Gui::new();
    set(&mut gui, "EvalFile", &path);
    gui.settle();
    assert_eq!(values(&mut gui), values_of(&first));
    let (_, second) = folder.write_network("nn.bin", 8);
    // The two files may have been written within one tick of the clock.
    let later = SystemTime::now() + Duration::from_secs(2);
    fs::File::open(&path).and_then(|file| file.set_modified(later)).expect("it can be set");
    gui.settle();
    assert_eq!(values(&mut gui), values_of(&second));
    gui.plays_legally("startpos", "go nodes 1000");
    fs::remove_file(&path).expect("it can be removed");
    assert!(refusal(&mut gui).contains("cannot open the evaluation"));
}

#[test]
fn every_search_and_any_number_of_threads_use_the_network() {
    let folder = Folder::new();
    let (path, _) = folder.write_network("nn.bin", 9);
    for (mode, threads, level) in
        [("AlphaBeta", 3, 0), ("MonteCarlo", 2, 0), ("Both", 3, 0), ("AlphaBeta", 1, 3)]
    {
        let scores = [true, false].map(|has_network| {
            let mut gui = Gui::new();
            for (option, value) in [
                ("USI_Hash", "16".to_owned()),
                ("SearchMode", mode.to_owned()),
                ("Threads", threads.to_string()),
                ("SkillLevel", level.to_string()),
                ("PvInterval", "0".to_owned()),
            ] {
                set(&mut gui, option, value);
            }
            if has_network {
                set(&mut gui, "EvalFile", &path);
            }
            gui.settle();
            POSITIONS[..3].iter().for_each(|text| {
                gui.plays_legally(text, "go nodes 3000");
            });
            // Two evaluations may agree about one position.
            POSITIONS[..3].iter().map(|text| shallow_score(&mut gui, text)).collect::<Vec<_>>()
        });
        assert_ne!(scores[0], scores[1], "{mode} {threads} {level}");
    }
}

/// Returns the score of a search of one ply, as the engine prints it.
fn shallow_score(gui: &mut Gui, position: &str) -> String {
    gui.plays_legally(position, "go depth 1");
    let mut said = gui.heard.iter().map(ToString::to_string);
    let line = said.rfind(|line| line.contains(" score cp ")).expect("a report");
    let (_, score) = line.split_once(" score cp ").expect("it is there");
    score.split(' ').next().unwrap_or_default().to_owned()
}

#[test]
fn a_player_reports_its_evaluation_and_keeps_it_if_another_one_is_faulty() {
    let folder = Folder::new();
    let (path, nnue) = folder.write_network("nn.bin", 10);
    let mut settings = Settings::default();
    (settings.hash_mib, settings.mate_hash_mib) = (1, 1);
    settings.eval_file = Some(path);
    let mut player = Player::new(settings.clone()).expect("the file is good");
    let start = Position::hirate();
    assert_eq!(player.evaluation().value(&start), values_of(&nnue)[0]);
    let loaded = player.evaluation().clone();

    let mut faulty = settings.clone();
    faulty.eval_file = Some(folder.write("faulty.bin", b"no network"));
    faulty.multi_pv = 3;
    let error = player.set_settings(faulty).expect_err("it is no network");
    let PlayerError::Evaluation(EvaluationError::Network { path, source }) = error else {
        panic!("{error}");
    };
    assert!(path.ends_with("faulty.bin") && matches!(source, NetworkError::Version { .. }));
    assert_eq!((player.evaluation(), player.settings()), (&loaded, &settings), "nothing changes");

    // Another divisor takes the weights that are there.
    settings.fv_scale = 8;
    player.set_settings(settings.clone()).expect("the file is good");
    let Evaluation::Network(changed) = player.evaluation() else { panic!("a network") };
    let Evaluation::Network(loaded) = &loaded else { panic!("a network") };
    assert!(Arc::ptr_eq(changed.network(), loaded.network()));
    assert_eq!(changed.fv_scale(), 8);
    settings.eval_file = None;
    player.set_settings(settings).expect("no file is needed");
    assert_eq!(player.evaluation(), &Evaluation::default());
}

#[test]
fn parts_with_their_own_evaluator_read_no_network() {
    fn names(handler: &impl Handler) -> Vec<String> {
        handler.options().into_iter().map(|option| option.name).collect()
    }
    let has = |names: Vec<String>| {
        ["EvalFile", "EvalDir", "FV_SCALE", "EvalStackRule"]
            .map(|name| names.iter().any(|other| other == name))
    };
    assert_eq!(has(names(&UsiEngine::new())), [true; 4]);
    assert_eq!(has(names(&UsiEngine::builder().build())), [true; 4]);
    let own = UsiEngine::builder().evaluator(Material).build();
    let lacks_modes = !names(&own).contains(&"SearchMode".to_owned());
    assert!(has(names(&own)) == [false; 4] && !lacks_modes);
    let alpha_beta = Parts::alpha_beta(Material);
    assert_eq!(has(names(&UsiEngine::with_parts(alpha_beta.clone()))), [false; 4]);
    let eval_file = Some("/no/such/nn.bin".into());
    let settings = Settings { eval_file, hash_mib: 1, mate_hash_mib: 1, ..Settings::default() };
    assert!(Player::with_parts(alpha_beta, settings).is_ok());

    let mut output = Vec::new();
    let script = "setoption name USI_Hash value 1\nposition startpos\ne\n";
    serve(own, script.as_bytes(), &mut output).expect("memory can be written");
    let output = String::from_utf8(output).expect("text");
    assert!(output.ends_with("info string unknown command: e\n"), "{output}");
}
