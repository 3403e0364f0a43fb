//! The gain of a mate solver inside the search: problems solved, and nodes spent.

use clap::Args;
use komadai::eval::Classical;
use komadai::prelude::*;
use komadai::search::{AlphaBeta, SearchOptions, Techniques};
use komadai::tsume::DfPn;
use komadai_testdata::tsume::{Set, set};

/// Options of `mates`.
#[derive(Debug, Args)]
pub(crate) struct Mates {
    /// Nodes of each search, those of the solver included.
    #[arg(long, default_value_t = 20_000)]
    nodes: u64,
    /// Number of problems of each set.
    #[arg(long, default_value_t = 100)]
    problems: usize,
}

/// The places at which the solver is called.
const PLACES: [(&str, Techniques); 4] = [
    ("nowhere", Techniques::empty()),
    ("root", Techniques::MATE_SOLVER),
    ("root, variation", Techniques::MATE_SOLVER.union(Techniques::PV_MATE_SOLVER)),
    ("root, variation, rises", Techniques::ANY_MATE_SOLVER),
];

/// The sets with mates, and their names.
const SETS: [(&str, Set); 4] = [
    ("short mates from self-play", Set::ShortSelfplay),
    ("random compositions", Set::RandomMate),
    ("self-play positions with a check", Set::Realistic),
    ("classic problems", Set::Classic),
];

impl Mates {
    pub(crate) fn run(&self) -> anyhow::Result<()> {
        println!("{} nodes a search.\n", self.nodes);
        println!("| positions | solver at | mates found | nodes |");
        println!("|---|---|---|---|");
        for (name, problems) in SETS {
            for (used, change) in PLACES {
                let (mates, nodes) = self.search(problems, Techniques::default() | change);
                println!("| {name}, {} | {used} | {mates} | {nodes} |", self.problems);
            }
        }
        Ok(())
    }

    /// Returns the number of mates found and of nodes spent.
    fn search(&self, problems: Set, techniques: Techniques) -> (usize, u64) {
        let options = SearchOptions { techniques, ..SearchOptions::default() };
        let mut searcher = AlphaBeta::new(Classical::default(), options);
        searcher.set_mate_solver(Some(Box::new(DfPn::default())));
        let (mut mates, mut nodes) = (0, 0);
        for problem in set(problems).take(self.problems) {
            let position = Position::from_sfen(problem.sfen).expect("the sets hold positions");
            searcher.new_game();
            let analysis = searcher.search(&position, &Budget::nodes(self.nodes), &mut |_| {});
            let mates_us = |score: Score| score.is_mate() && score.raw() > 0;
            mates += usize::from(analysis.score().is_some_and(mates_us));
            nodes += analysis.nodes;
        }
        (mates, nodes)
    }
}
