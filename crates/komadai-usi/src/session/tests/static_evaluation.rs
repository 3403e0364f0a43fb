//! Dialogues with the command `e`.

use super::*;

/// A prepared engine whose evaluations are 1, 2, …
fn evaluator() -> Stage {
    let mut stage = Stage::ready();
    stage.session.handler.evaluations = Some(0);
    stage
}

#[test]
fn each_evaluation_is_of_its_position() {
    let mut stage = evaluator();
    stage.gui("isready");
    for line in ["position startpos", "e", "position startpos moves 7g7f", "e", "e"] {
        stage.gui(line);
    }
    assert_eq!(stage.said(), NOTHING);
    stage.engine(Event::Ready);
    assert_eq!(stage.said(), ["readyok", "eval = 1", "eval = 2", "eval = 3"]);
    let [first, second] = ["position startpos", "position startpos moves 7g7f"];
    assert_eq!(stage.done(), ["prepare", first, "evaluate", second, "evaluate", "evaluate"]);
}

#[test]
fn an_evaluation_is_answered_during_a_search_unless_commands_wait() {
    let mut stage = evaluator();
    stage.gui("go infinite");
    stage.gui("e");
    assert_eq!(stage.said(), ["eval = 1"]);
    stage.gui("setoption name USI_Hash value 2");
    stage.gui("e");
    assert_eq!(stage.said(), NOTHING, "the option counts from the next preparation on");
    assert_eq!(stage.done(), ["go infinite", "evaluate"], "the search goes on");
    stage.gui("stop");
    stage.plays("7g7f");
    assert_eq!(stage.said(), ["bestmove 7g7f"]);
    assert_eq!(stage.done(), ["stop", "USI_Hash = 2", "prepare"]);
    stage.engine(Event::Ready);
    assert_eq!(stage.said(), ["eval = 2"]);
}

#[test]
fn an_evaluation_prepares_the_engine_or_says_why_not() {
    let mut stage = evaluator();
    stage.gui("setoption name USI_Hash value 2");
    stage.gui("e");
    stage.engine(Event::NotReady("no such file".into()));
    assert_eq!(stage.said(), ["info string Error! : no such file"]);
    assert!(!stage.session.is_busy());
    stage.gui("e");
    stage.engine(Event::Ready);
    assert_eq!(stage.said(), ["eval = 1"], "no `readyok`, because there was no `isready`");
    stage.gui("position nonsense");
    stage.gui("e");
    let said = stage.said();
    assert_eq!(said.len(), 2);
    assert!(said[1].starts_with("info string Error! : no position to evaluate: "), "{said:?}");
}

#[test]
fn an_evaluation_beside_a_held_resignation_waits() {
    let mut stage = evaluator();
    stage.gui("setoption name USI_Hash value 2");
    stage.gui("go infinite");
    stage.engine(Event::NotReady("no such file".into()));
    assert_eq!(stage.said(), ["info string Error! : no such file"]);
    stage.gui("e");
    assert_eq!(stage.said(), NOTHING);
    stage.gui("stop");
    assert_eq!(stage.said(), ["bestmove resign"]);
    stage.engine(Event::Ready);
    assert_eq!(stage.said(), ["eval = 1"]);
}

#[test]
fn an_engine_without_evaluation_does_not_know_the_command() {
    let mut stage = Stage::ready();
    stage.gui("e");
    assert_eq!(stage.said(), ["info string unknown command: e"]);
}

#[test]
fn beyond_the_bound_evaluations_are_refused() {
    let mut stage = evaluator();
    stage.gui("isready");
    stage.session.waiting.most_bytes = 500;
    for _ in 0..1_000 {
        stage.gui("e");
    }
    let said = stage.said();
    assert!((900..1_000).contains(&said.len()), "{}", said.len());
    assert!(said.iter().all(|line| line.starts_with("info string Error! : too many commands")));
    stage.engine(Event::Ready);
    assert_eq!(stage.said().len(), 1 + 1_000 - said.len());
}

#[test]
fn searches_around_an_evaluation_may_be_overtaken() {
    let mut stage = evaluator();
    stage.gui("isready");
    stage.session.waiting.most_bytes = 0;
    for line in ["go depth 1", "go depth 2", "position startpos", "go depth 3"] {
        stage.gui(line);
    }
    stage.session.waiting.most_bytes = 10_000;
    stage.gui("e");
    stage.session.waiting.most_bytes = 0;
    stage.gui("go depth 4");
    stage.said();
    stage.engine(Event::Ready);
    let overtaken = ["bestmove resign", "bestmove resign", "bestmove resign"];
    assert_eq!(stage.said(), [&["readyok"], &overtaken[..], &["eval = 1"]].concat());
    assert_eq!(stage.done()[1..], ["position startpos", "evaluate", "go depth 4"]);
    stage.plays("7g7f");
    assert_eq!(stage.said(), ["bestmove 7g7f"]);
}
