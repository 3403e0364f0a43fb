//! Searches with fixed nodes, to compare builds with each other: reads lines with a number of nodes, a tab and a
//! position, and prints best move, nodes, depth, score and line of each. The tests of the npm package compare it with
//! the module.

use std::io;

use komadai_core::{Budget, UsiPosition};
use komadai_engine::{Aim, MoveRequest, Player, Settings};
use komadai_movegen::play;

/// The defaults of the npm package.
const HASH_MIB: usize = 32;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for line in io::stdin().lines() {
        let line = line?;
        let (nodes, position) = line.split_once('\t').ok_or("expected a tab")?;
        let position = play(&UsiPosition::from_usi(position)?)?;
        let settings =
            Settings { hash_mib: HASH_MIB, mate_hash_mib: HASH_MIB, ..Settings::default() };
        let mut player = Player::new(settings)?;
        let mut request = MoveRequest::new(&position, Budget::nodes(nodes.parse()?));
        request.aim = Aim::Analyse;
        let choice = player.choose(&request, &mut |_| {});
        let analysis = &choice.analysis;
        let (score, moves) = match analysis.lines.first() {
            Some(line) => (line.score.to_string(), line.pv.to_string()),
            None => (String::new(), String::new()),
        };
        println!("{} {} {} {score} {moves}", choice.best, analysis.nodes, analysis.depth);
    }
    Ok(())
}
