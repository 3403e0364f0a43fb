//! The checks before a game: `usi`, `isready` and options.

use std::time::Duration;

use crate::conformance::bench::Bench;
use crate::conformance::check::Check;
use crate::conformance::evidence::Evidence;
use crate::option::{OptionKind, OptionSpec, OptionValue};

/// Makes all checks of this file.
pub(super) fn check(bench: &mut Bench<'_>) {
    again(bench);
    kinds(bench);
    unknown_option(bench);
    bad_values(bench);
    reserved(bench);
    bench.end();
}

/// The second `isready` and the second `usi`.
fn again(bench: &mut Bench<'_>) {
    bench.begin(Check::ReadyAgain);
    if bench.ready().is_none() {
        return;
    }
    match bench.is_alive() {
        Ok(wait) => bench.pass(Check::ReadyAgain, Evidence::took(wait.took)),
        Err(found) => bench.fail(Check::ReadyAgain, found),
    }
    bench.begin(Check::UsiAgain);
    if bench.say("usi") {
        match bench.await_word("usiok", bench.limits.wait) {
            Ok(wait) => bench.pass(Check::UsiAgain, Evidence::took(wait.took)),
            Err(found) => bench.fail(Check::UsiAgain, found),
        }
    }
}

/// Sets each option to its default, and does not press buttons.
fn kinds(bench: &mut Bench<'_>) {
    bench.begin(Check::OptionKinds);
    if bench.ready().is_none() {
        return;
    }
    let defaults: Vec<String> = bench.options.iter().filter_map(default_command).collect();
    if defaults.is_empty() {
        return bench.skip(Check::OptionKinds, Evidence::new("no options", "オプションなし"));
    }
    if let Err(found) = send_all(bench, &defaults) {
        return bench.fail(Check::OptionKinds, found);
    }
    let count = Evidence::count(defaults.len() as u64, "options", "オプション数");
    survives(bench, Check::OptionKinds, count);
}

/// Sends commands that have no answer. The pauses keep the pipe from filling up.
fn send_all(bench: &mut Bench<'_>, commands: &[String]) -> Result<(), Evidence> {
    for command in commands {
        bench.say(command);
        let lines = bench.listen(Duration::from_millis(1));
        bench.refuse_answers(&lines);
        if !bench.is_running() {
            return Err(Evidence::fault(command, "the process has ended", "プロセスが終了した"));
        }
    }
    Ok(())
}

fn default_command(option: &OptionSpec) -> Option<String> {
    let value = match option.default_value()? {
        OptionValue::Check(value) => value.to_string(),
        OptionValue::Spin(value) => value.to_string(),
        OptionValue::Text(text) if text.is_empty() => "<empty>".to_owned(),
        OptionValue::Text(text) => text,
        OptionValue::Pressed => return None,
    };
    Some(format!("setoption name {} value {value}", option.name))
}

fn unknown_option(bench: &mut Bench<'_>) {
    bench.begin(Check::OptionUnknown);
    if bench.say("setoption name NoOptionHasThisName value 1") {
        is_ignored(bench, Check::OptionUnknown);
    }
}

/// Sends values that no option has. Numbers are below the range, not above it: an engine that takes
/// them would ask for all memory.
fn bad_values(bench: &mut Bench<'_>) {
    bench.begin(Check::OptionValues);
    if bench.ready().is_none() {
        return;
    }
    let mut commands = vec!["setoption".to_owned(), "setoption name".to_owned()];
    for option in bench.options.iter().take(50) {
        let values = match &option.kind {
            OptionKind::Spin { min, .. } => vec![min.saturating_sub(1).to_string(), "many".into()],
            OptionKind::Check { .. } => vec!["perhaps".to_owned()],
            OptionKind::Combo { .. } => vec!["no_such_choice".to_owned()],
            _ => continue,
        };
        let name = &option.name;
        commands.extend(values.iter().map(|value| format!("setoption name {name} value {value}")));
        commands.extend([format!("setoption name {name} value"), format!("setoption name {name}")]);
    }
    if let Err(found) = send_all(bench, &commands) {
        return bench.fail(Check::OptionValues, found);
    }
    let count = Evidence::count(commands.len() as u64, "commands", "コマンド数");
    survives(bench, Check::OptionValues, count);
    bench.end();
}

fn reserved(bench: &mut Bench<'_>) {
    bench.begin(Check::OptionReserved);
    if bench.say("setoption name USI_Hash value 16") {
        bench.say("setoption name USI_Ponder value true");
        bench.say("setoption name USI_Ponder value false");
        is_ignored(bench, Check::OptionReserved);
    }
}

/// Passes a check if the engine is still there.
pub(super) fn survives(bench: &mut Bench<'_>, check: Check, found: Evidence) {
    match bench.is_alive() {
        Ok(_) => bench.pass(check, found),
        Err(found) => bench.fail(check, found),
    }
}

/// Passes a check if the engine is still there and has said nothing but `info string`.
pub(super) fn is_ignored(bench: &mut Bench<'_>, check: Check) {
    match bench.is_alive() {
        Ok(wait) => match wait.chatter() {
            Some(line) => bench.fail(check, Evidence::line(line)),
            None => bench.pass(check, Evidence::new("ignored", "無視された")),
        },
        Err(found) => bench.fail(check, found),
    }
}
