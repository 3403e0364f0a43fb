//! Engines composed with a name, parts and options of their own, in USI dialogues.

use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use komadai_core::Position;
use komadai_engine::{Settings, UsiEngine, UsiEngineBuilder};
use komadai_eval::{Classical, Material, from_fn};
use komadai_movegen::MateInOne;
use komadai_search::AlphaBeta;
use komadai_usi::{OptionSpec, OptionValue, Session, serve};

/// Runs a script of USI commands and returns the output, line by line.
fn dialogue(builder: UsiEngineBuilder, script: &str) -> Vec<String> {
    let mut output = Vec::new();
    let input = std::io::Cursor::new(script.to_owned().into_bytes());
    serve(builder.build(), input, &mut output).expect("no input fails");
    String::from_utf8(output).expect("USI is text").lines().map(str::to_owned).collect()
}

fn small() -> Settings {
    let mut settings = Settings::default();
    (settings.hash_mib, settings.mate_hash_mib) = (1, 1);
    settings
}

#[test]
fn name_and_defaults_are_those_of_the_program() {
    let builder = UsiEngine::builder().identity("Own 1.0", "someone").settings(small());
    let output = dialogue(builder, "usi\nisready\n");
    assert_eq!(output[..2], ["id name Own 1.0", "id author someone"]);
    let hash = "option name USI_Hash type spin default 1 min 1 max 4096";
    assert!(output.iter().any(|line| line == hash), "{output:?}");
    let summary = "info string threads 1, hash 1 MiB, mate hash 1 MiB";
    assert!(output.iter().any(|line| line == summary), "{output:?}");
}

/// The line without the time and the speed, which differ from run to run.
fn without_times(line: &str) -> String {
    let words: Vec<&str> = line.split(' ').collect();
    let is_timed = |at: usize| words.get(at).is_some_and(|word| ["time", "nps"].contains(word));
    let is_kept = |at: usize| !is_timed(at) && !at.checked_sub(1).is_some_and(is_timed);
    let kept: Vec<&str> = (0..words.len()).filter(|&at| is_kept(at)).map(|at| words[at]).collect();
    kept.join(" ")
}

#[test]
fn the_standard_composition_is_the_standard_engine() {
    let script = "usi\nsetoption name USI_Hash value 1\nposition startpos\ngo nodes 2000\n";
    let mut output = Vec::new();
    serve(UsiEngine::new(), script.as_bytes(), &mut output).expect("no input fails");
    let output = String::from_utf8(output).expect("USI is text");
    let last = output.lines().rev().find(|line| line.contains(" score ")).expect("a report");
    let last = without_times(last);
    let composed = dialogue(UsiEngine::builder(), script);
    assert!(composed.iter().any(|line| without_times(line) == last), "{composed:?}, {last}");
    let said = |line: &&str| !line.starts_with("info depth");
    let others: Vec<&str> = output.lines().filter(said).collect();
    let composed: Vec<&str> = composed.iter().map(String::as_str).filter(said).collect();
    assert_eq!(composed, others);
}

#[test]
fn an_own_option_receives_its_default_and_then_each_value() {
    let values = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&values);
    let note = move |value: &OptionValue| log.lock().expect("no panic").push(value.clone());
    let again = note.clone();
    let builder = UsiEngine::builder()
        .settings(small())
        .option(OptionSpec::spin("Style", 1, 0..=9), |_| panic!("it is replaced"))
        .option(OptionSpec::spin("style", 5, 0..=10), note)
        .option(OptionSpec::button("MultiPV"), again);
    let script = "usi\nsetoption name Style value 99\nsetoption name Style value much\n\
                  setoption name MultiPV\nposition startpos\ngo nodes 300\n";
    let output = dialogue(builder, script);
    let named = |name: &str| {
        let start = format!("option name {name} ").to_lowercase();
        output.iter().filter(|line| line.to_lowercase().starts_with(&start)).collect::<Vec<_>>()
    };
    assert_eq!(named("Style"), ["option name style type spin default 5 min 0 max 10"]);
    assert_eq!(named("MultiPV"), ["option name MultiPV type button"]);
    assert!(output.last().is_some_and(|line| line.starts_with("bestmove ")), "{output:?}");
    let values = values.lock().expect("no panic").clone();
    assert_eq!(values, [OptionValue::Spin(5), OptionValue::Spin(10), OptionValue::Pressed]);
}

#[test]
fn an_own_option_clears_what_was_learned() {
    /// Feeds lines and returns the last report before the answer that begins so.
    fn report_before(session: &mut Session<UsiEngine>, lines: &[&str], answer: &str) -> String {
        lines.iter().for_each(|line| session.feed_line(line));
        let mut last = String::new();
        for _ in 0..60_000 {
            for message in session.poll() {
                let line = message.to_string();
                if line.starts_with(answer) {
                    return without_times(&last);
                }
                last = line;
            }
            thread::sleep(Duration::from_millis(2));
        }
        panic!("no {answer}")
    }

    let option = OptionSpec::check("Own", false);
    let engine = UsiEngine::builder().settings(small()).option(option, |_| ()).build();
    let mut session = Session::new(engine);
    let mut search = |between: &str| {
        report_before(&mut session, &[between, "isready"], "readyok");
        report_before(&mut session, &["position startpos", "go nodes 3000"], "bestmove ")
    };
    let fresh = search("usi");
    assert_ne!(search("isready"), fresh, "the table helps the second search");
    assert_eq!(search("setoption name Own value true"), fresh);
}

#[test]
fn evaluator_searcher_and_solver_can_be_replaced() {
    let hanging = "position sfen 4k4/9/9/9/4r4/9/9/9/4R2K1 b - 1\ngo nodes 500\n";
    let upside_down = from_fn(|position: &Position| {
        use komadai_eval::Evaluator as _;
        -Material.evaluate_position(position).raw()
    });
    let answer = |builder: UsiEngineBuilder, script: &str| {
        dialogue(builder.settings(small()), script).pop().expect("an answer")
    };
    assert_eq!(answer(UsiEngine::builder().evaluator(Material), hanging), "bestmove 5i5e");
    assert_ne!(answer(UsiEngine::builder().evaluator(upside_down), hanging), "bestmove 5i5e");
    let by_searcher = UsiEngine::builder()
        .searcher(|options| AlphaBeta::new(Classical::default(), options.clone()))
        .solver(|_| MateInOne);
    let mate = "position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1\ngo mate 60000\n";
    assert_eq!(answer(by_searcher, mate), "checkmate G*5b");
}
