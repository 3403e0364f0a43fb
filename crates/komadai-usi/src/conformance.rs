//! Conformance reports: does an engine keep the rules of USI?
//!
//! [`check_engine`] starts an engine as often as it needs, speaks to it as GUIs do and as broken
//! programs do, and judges what comes back by the rules of [`Check`]. An engine that is dead, mute
//! or endless ends the checks that need it, never the report.

mod check;
mod evidence;
mod report;
mod test_limits;
mod option_syntax;
mod info_syntax;
mod dialogue;
mod place;
mod bench;
mod search;
mod setup;
mod searches;
mod input;
mod process_end;

use std::sync::atomic::AtomicBool;

use crate::conformance::bench::Bench;
use crate::launch::EngineConfig;

pub use self::check::Check;
pub use self::evidence::Evidence;
pub use self::report::{ConformanceReport, Finding, Outcome};
pub use self::test_limits::TestLimits;

/// Checks an engine by the rules of USI.
///
/// The options of `config` are set after each start; its patience limits the waits for `usiok` and
/// `readyok`. `on_check` is told when a check begins. When `stop` is set, the report is returned at
/// once, and the checks that were not made do not apply.
///
/// # Examples
///
/// ```no_run
/// use std::sync::atomic::AtomicBool;
///
/// use komadai_core::Language;
/// use komadai_usi::EngineConfig;
/// use komadai_usi::conformance::{Outcome, TestLimits, check_engine};
///
/// let config = EngineConfig::new("/opt/engines/some-engine");
/// let report = check_engine(&config, &TestLimits::default(), &AtomicBool::new(false), &mut |_| {});
/// for finding in report.findings().iter().filter(|finding| finding.outcome == Outcome::Fail) {
///     let found: Vec<&str> = finding.found.iter().map(|found| found.text(Language::English)).collect();
///     println!("{}: {}; {}", finding.check.id(), finding.check.rule(Language::English), found.join("; "));
/// }
/// ```
pub fn check_engine(
    config: &EngineConfig,
    limits: &TestLimits,
    stop: &AtomicBool,
    on_check: &mut dyn FnMut(Check),
) -> ConformanceReport {
    let mut bench = Bench::new(config, limits, stop, on_check);
    bench.begin(Check::Launch);
    if bench.ready().is_some() {
        setup::check(&mut bench);
        searches::check(&mut bench);
        input::check(&mut bench);
        process_end::check(&mut bench);
        bench.judge_unseen();
    }
    ConformanceReport::new(bench.identity, bench.findings)
}
