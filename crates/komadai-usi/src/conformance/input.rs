//! The checks of lines that are unusual, and of commands at unusual times.

use std::time::Duration;

use crate::conformance::bench::{Bench, is_answer};
use crate::conformance::check::Check;
use crate::conformance::evidence::Evidence;
use crate::conformance::place::Place;
use crate::conformance::search::{Form, Question, ask};
use crate::conformance::setup::{is_ignored, survives};

/// Length of the long line.
const LONG: usize = 64 << 10;

/// Makes all checks of this file.
pub(super) fn check(bench: &mut Bench<'_>) {
    ignored(bench, Check::UnknownCommand, &["xyzzy 1 2 3", "goo", "Position startpos"]);
    ignored(bench, Check::EmptyLine, &["", "  ", "\t"]);
    form(bench, Check::CarriageReturn, Form::CarriageReturn);
    form(bench, Check::Blanks, Form::Blanks);
    long_line(bench);
    idle_stop(bench);
    game_over(bench);
    bench.end();
}

fn ignored(bench: &mut Bench<'_>, check: Check, lines: &[&str]) {
    bench.begin(check);
    if lines.iter().all(|line| bench.say(line)) {
        is_ignored(bench, check);
    }
}

fn form(bench: &mut Bench<'_>, check: Check, form: Form) {
    bench.begin(check);
    let place = Place::opening();
    let limits = format!("nodes {}", bench.limits.nodes);
    let question = Question { form, ..Question::new(&place, limits, bench.limits.wait) };
    match ask(bench, &question) {
        // A line that is misread is that of another position or of no search.
        Ok(search) if search.was_stopped => bench.fail(check, Evidence::line(&search.said)),
        Ok(search) => bench.pass(check, Evidence::line(&search.said)),
        Err(found) => bench.fail_if(check, found),
    }
}

fn long_line(bench: &mut Bench<'_>) {
    bench.begin(Check::LongLine);
    let text = "x".repeat(LONG);
    let option = format!("setoption name NoOptionHasThisName value {text}");
    if bench.say(&text) && bench.say(&option) {
        survives(bench, Check::LongLine, Evidence::new("survived", "動き続けた"));
    }
}

fn idle_stop(bench: &mut Bench<'_>) {
    bench.begin(Check::StopIdle);
    if !bench.say("stop") {
        return;
    }
    let lines = bench.listen(Duration::from_millis(100));
    match lines.iter().find(|(line, _)| is_answer(line)) {
        Some((line, _)) => bench.fail(Check::StopIdle, Evidence::line(line)),
        None => survives(bench, Check::StopIdle, Evidence::new("ignored", "無視された")),
    }
}

/// Ends a game after a search, and another one during a search that has just been stopped.
fn game_over(bench: &mut Bench<'_>) {
    let check = Check::GameOver;
    bench.begin(check);
    for result in ["win", "draw"] {
        if !bench.say(&format!("gameover {result}")) {
            return;
        }
        if let Err(found) = bench.is_alive() {
            return bench.fail(check, found);
        }
    }
    bench.say("usinewgame");
    bench.say(&format!("position {}", Place::opening().text));
    bench.say("go infinite");
    let mut lines = bench.listen(bench.limits.hold);
    bench.say("stop");
    bench.say("gameover lose");
    // The answer of the search that was stopped is owed, before `readyok` or soon after it.
    let wait = bench.limits.wait;
    if let Err(loss) = bench.await_answer(&mut lines, wait) {
        let found = bench.lose(&loss);
        return bench.fail(check, found);
    }
    match bench.is_alive() {
        Ok(_) => bench.pass(check, Evidence::new("ready again", "再び準備完了")),
        Err(found) => bench.fail(check, found),
    }
}
