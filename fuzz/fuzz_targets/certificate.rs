//! No text makes the checker of certificates panic, and what it accepts is true.

#![no_main]

use komadai_core::Budget;
use komadai_movegen::{CheckClass, MateResult, MateSolver};
use komadai_problems::certificate::{Claim, check};
use komadai_tsume::{DfPn, DfPnOptions, Goal};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let checked = match check(data, 200) {
        Ok(checked) => checked,
        Err(error) => {
            let lines = data.iter().filter(|&&byte| byte == b'\n').count() as u64;
            assert!((1..=lines + 2).contains(&error.line()), "{error}");
            assert!(error.to_string().len() < 500, "{error}");
            return;
        }
    };
    assert!((1..=200).contains(&checked.positions));
    // The bound alone decides whether the file is too large.
    assert!(check(data, checked.positions).is_ok());
    assert!(check(data, checked.positions - 1).is_err());
    let options = DfPnOptions { hash_mib: 1, goal: Goal::ShortestMate, ..DfPnOptions::default() };
    let budget = Budget::nodes(5_000);
    let report = DfPn::new(options).solve(&checked.position, &budget, CheckClass::All);
    match (checked.claim, report.result) {
        (Claim::NoMate, result) => {
            let is_mate =
                matches!(result, MateResult::Mate { .. } | MateResult::MateWithoutLine { .. });
            assert!(!is_mate, "{}: {result:?}", checked.position);
        }
        (Claim::MateWithin(within), result) => {
            assert_ne!(result, MateResult::NoMate, "{}", checked.position);
            assert!(report.no_mate_within < within, "{}: {within}", checked.position);
        }
    }
});
