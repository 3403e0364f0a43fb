//! Positions in which the hybrid has been compared with alpha-beta, and the judgement of the moves.

use komadai::prelude::*;
use komadai::search::hybrid::ChoiceRule;

use crate::hybrid_study::stratum::Stratum;
use crate::monte_carlo_study::referee::{Referee, bootstrap};

/// A position in which the two have been compared.
pub(crate) struct Compared {
    pub(crate) position: Position,
    /// The move of the hybrid and that of alpha-beta on two threads.
    pub(crate) moves: [Move; 2],
    pub(crate) stratum: Stratum,
    pub(crate) rule: ChoiceRule,
    /// By how much the first move is better, in centipawns.
    pub(crate) gain: f64,
}

impl Compared {
    fn differs(&self) -> bool {
        self.moves[0] != self.moves[1]
    }
}

/// Asks the referee where the moves differ, on two threads.
pub(crate) fn judge(compared: &mut [Compared], referee: &Referee) -> anyhow::Result<()> {
    let half = compared.len().div_ceil(2).max(1);
    std::thread::scope(|scope| {
        let judge = |part: &mut [Compared]| -> anyhow::Result<()> {
            for one in part.iter_mut().filter(|one| one.differs()) {
                let [own, other] = one.moves.map(|m| referee.value(&one.position, m));
                one.gain = f64::from(own? - other?);
            }
            Ok(())
        };
        let threads: Vec<_> =
            compared.chunks_mut(half).map(|part| scope.spawn(move || judge(part))).collect();
        threads.into_iter().try_for_each(|thread| {
            thread.join().map_err(|_| anyhow::anyhow!("the referee has panicked"))?
        })
    })
}

/// Prints the gains by stratum and by rule.
pub(crate) fn print(compared: &[Compared]) {
    println!("| positions | number | other move | mean gain of all, cp |");
    println!("|---|---|---|---|");
    let row = |name: String, is_counted: &dyn Fn(&Compared) -> bool| {
        let counted: Vec<&Compared> = compared.iter().filter(|one| is_counted(one)).collect();
        if counted.is_empty() {
            return;
        }
        let gains: Vec<f64> = counted.iter().map(|one| one.gain).collect();
        let mean = bootstrap(&gains);
        let differing = counted.iter().filter(|one| one.differs()).count();
        println!(
            "| {name} | {} | {differing} | {:+.1} [{:+.1}, {:+.1}] |",
            counted.len(),
            mean.mean,
            mean.low,
            mean.high
        );
    };
    row("all".to_owned(), &|_| true);
    for stratum in Stratum::ALL {
        row(stratum.to_string(), &|one| one.stratum == stratum);
    }
    let mut rules: Vec<ChoiceRule> = compared.iter().map(|one| one.rule).collect();
    rules.sort();
    rules.dedup();
    for rule in rules {
        row(format!("rule: {rule}"), &|one| one.rule == rule);
    }
}
