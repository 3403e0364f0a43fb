//! The report about an engine.

use std::collections::BTreeMap;

use crate::conformance::check::Check;
use crate::conformance::evidence::Evidence;
use crate::handler::Identity;

/// Number of faults that a finding keeps. More of the same kind tell nothing new.
const MOST_FAULTS: usize = 3;

/// The result of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Outcome {
    /// The engine keeps the rule.
    Pass,
    /// The engine breaks the rule.
    Fail,
    /// The check does not apply to the engine, or could not be made.
    NotApplicable,
    /// Something worth to know that breaks no rule.
    Note,
}

impl Outcome {
    /// The word for the result in reports, which does not change.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::NotApplicable => "not-applicable",
            Self::Note => "note",
        }
    }
}

/// A check with its result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The check.
    pub check: Check,
    /// The result.
    pub outcome: Outcome,
    /// The first faults, or the sign that the rule is kept.
    pub found: Vec<Evidence>,
}

/// The report about an engine: each check with its result.
///
/// # Examples
///
/// ```
/// use std::sync::atomic::AtomicBool;
///
/// use komadai_usi::EngineConfig;
/// use komadai_usi::conformance::{Check, Outcome, TestLimits, check_engine};
///
/// let config = EngineConfig::new("/no/such/engine");
/// let report = check_engine(&config, &TestLimits::default(), &AtomicBool::new(false), &mut |_| {});
/// assert_eq!(report.finding(Check::Launch).outcome, Outcome::Fail);
/// assert_eq!(report.finding(Check::Quit).outcome, Outcome::NotApplicable);
/// assert_eq!(report.count(Outcome::Fail), 1);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConformanceReport {
    /// Name and author of the engine, as it told them.
    pub identity: Identity,
    findings: Vec<Finding>,
}

impl ConformanceReport {
    /// Returns the report with the checks that were made; those that were not do not apply.
    pub(super) fn new(identity: Identity, made: Findings) -> Self {
        let mut made = made.0;
        let finding = |&check: &Check| {
            made.remove(&check).unwrap_or_else(|| {
                let found = Evidence::new("not tried", "未実施");
                Finding { check, outcome: Outcome::NotApplicable, found: vec![found] }
            })
        };
        Self { identity, findings: Check::ALL.iter().map(finding).collect() }
    }

    /// All checks with their results, in the order of [`Check::ALL`].
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// The result of a check.
    pub fn finding(&self, check: Check) -> &Finding {
        // The checks stand in the order of their numbers, none is missing.
        &self.findings[check as usize]
    }

    /// The number of checks with this result.
    pub fn count(&self, outcome: Outcome) -> usize {
        self.findings.iter().filter(|finding| finding.outcome == outcome).count()
    }
}

/// The findings so far.
#[derive(Debug, Default)]
pub(super) struct Findings(BTreeMap<Check, Finding>);

impl Findings {
    /// Adds a result. Faults are collected and outweigh all other results; of these the last one
    /// counts.
    pub(super) fn add(&mut self, check: Check, outcome: Outcome, found: Evidence) {
        let new = Finding { check, outcome, found: vec![found.clone()] };
        let finding = self.0.entry(check).or_insert_with(|| new.clone());
        match (finding.outcome, outcome) {
            (Outcome::Fail, Outcome::Fail) => {
                if finding.found.len() < MOST_FAULTS && !finding.found.contains(&found) {
                    finding.found.push(found);
                }
            }
            (Outcome::Fail, _) => {}
            _ => *finding = new,
        }
    }

    /// Returns whether a check has a result.
    pub(super) fn has(&self, check: Check) -> bool {
        self.0.contains_key(&check)
    }

    /// Returns whether a check has failed.
    pub(super) fn has_failed(&self, check: Check) -> bool {
        self.0.get(&check).is_some_and(|finding| finding.outcome == Outcome::Fail)
    }
}
