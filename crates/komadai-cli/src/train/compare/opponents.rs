//! Games of a learned evaluation against the others.

use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use komadai::analysis::EmbeddedContestant;
use komadai::engine::{Parts, Settings};
use komadai::eval::{Classical, Evaluator, Material};
use komadai::matches::{
    Adjudication, Contestant, ContestantFactory, Match, Opening, Rules, Tally, TimeControl,
};
use komadai::train::linear::LinearEvaluator;

/// The games of every comparison.
pub(super) struct Games {
    plan: Match,
    threads: NonZero<usize>,
}

/// Size of the transposition table in MiB; a larger one takes longer to clear than a short game to
/// play.
const HASH_MIB: usize = 16;

impl Games {
    pub(super) fn new(
        games: usize,
        nodes: u64,
        seed: u64,
        threads: NonZero<usize>,
    ) -> anyhow::Result<Self> {
        let adjudication = Some(Adjudication { score_cp: 2_000, moves: 4 });
        let plan = Match {
            openings: Opening::bundled(),
            games,
            random_plies: 0,
            controls: [TimeControl::nodes(nodes), TimeControl::nodes(nodes)],
            rules: Rules { adjudication, ..Rules::default() },
            seed,
        };
        Ok(Self { plan, threads })
    }

    /// Plays against material and against the embedded evaluation.
    pub(super) fn against_both(
        &self,
        evaluator: &Arc<LinearEvaluator>,
        stop: &Arc<AtomicBool>,
    ) -> anyhow::Result<[Tally; 2]> {
        let material = self.play(evaluator, &Arc::new(Material), stop)?;
        let classical = self.play(evaluator, &Arc::new(Classical::default()), stop)?;
        Ok([material, classical])
    }

    fn play<E: Evaluator + 'static>(
        &self,
        first: &Arc<LinearEvaluator>,
        second: &Arc<E>,
        stop: &Arc<AtomicBool>,
    ) -> anyhow::Result<Tally> {
        let mut tally = Tally::default();
        if self.plan.games > 0 {
            let (first, second) = (|| contestant(first), || contestant(second));
            let players: [&ContestantFactory<'_>; 2] = [&first, &second];
            self.plan.run(players, self.threads, &|_| false, stop, &mut |game| {
                tally.add(&game);
                ControlFlow::Continue(())
            })?;
        }
        Ok(tally)
    }
}

type Started = Result<Box<dyn Contestant>, Box<dyn std::error::Error + Send + Sync>>;

fn contestant<E: Evaluator + 'static>(evaluator: &Arc<E>) -> Started {
    let mut settings = Settings::default();
    (settings.hash_mib, settings.mate_hash_mib) = (HASH_MIB, 1);
    let parts = Parts::alpha_beta(Arc::clone(evaluator));
    Ok(Box::new(EmbeddedContestant::with_parts(parts, settings)?))
}
