//! The checks of the end of the process.

use crate::conformance::bench::Bench;
use crate::conformance::check::Check;
use crate::conformance::evidence::Evidence;
use crate::conformance::place::Place;

/// Makes all checks of this file.
pub(super) fn check(bench: &mut Bench<'_>) {
    for (check, searches, closes) in [
        (Check::Quit, false, false),
        (Check::QuitSearching, true, false),
        (Check::EndOfInput, false, true),
        (Check::EndOfInputSearching, true, true),
    ] {
        bench.begin(check);
        let Some(mut engine) = bench.take() else { return };
        if searches {
            engine.say(&format!("position {}", Place::opening().text));
            engine.say("go infinite");
            if let Err(loss) = engine.listen(bench.limits.hold) {
                bench.fail(check, loss.evidence());
                continue;
            }
        }
        if closes {
            engine.close_input();
        } else {
            engine.say("quit");
        }
        match engine.await_exit(bench.limits.exit) {
            None => bench.fail(check, Evidence::silence(bench.limits.exit)),
            Some(took) => {
                bench.pass(check, Evidence::took(took));
                judge_children(bench, engine.left_behind());
            }
        }
    }
}

fn judge_children(bench: &mut Bench<'_>, left: Option<usize>) {
    let check = Check::NoChildren;
    match left {
        None => {
            let found = Evidence::new("this system does not tell", "この OS では調べられない");
            bench.skip(check, found);
        }
        Some(0) => bench.pass(check, Evidence::new("none", "なし")),
        Some(number) => bench.fail(check, Evidence::count(number as u64, "left", "残り")),
    }
}
