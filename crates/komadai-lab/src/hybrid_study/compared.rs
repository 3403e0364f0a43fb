//! Positions in which the hybrid has been compared with alpha-beta, and the judgement of the moves.

use komadai::prelude::*;
use komadai::search::hybrid::ChoiceRule;
use rayon::prelude::*;

use crate::hybrid_study::stratum::Stratum;
use crate::referee::Referee;
use crate::statistics::bootstrap;

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

/// Asks the referee where the moves differ.
pub(crate) fn judge(compared: &mut [Compared], referee: &Referee) -> anyhow::Result<()> {
    compared.par_iter_mut().filter(|one| one.differs()).try_for_each(|one| {
        let [own, other] = one.moves.map(|m| referee.value(&one.position, m));
        one.gain = f64::from(own? - other?);
        Ok(())
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
