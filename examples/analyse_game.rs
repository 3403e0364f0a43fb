//! A game record analysed on two threads: the moves that lost most, and the record with the values
//! as comments.
//!
//! ```text
//! cargo run --release --example analyse_game                  # a short game
//! cargo run --release --example analyse_game -- game.kif
//! ```

use std::num::NonZero;

use komadai::analysis::game_analysis::{AnnotationForm, GameAnalyst, Judgement, OldAnalyses};
use komadai::kifu::{GameReader, KifuFormat, Notation, Tolerance};
use komadai::prelude::*;

/// The rook takes a pawn that a gold defends.
const GAME: &str = "startpos moves 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 2e2d 2c2d 2h2d P*2c 2d2c+ 3b2c";

fn main() -> anyhow::Result<()> {
    let first = match std::env::args().nth(1) {
        Some(path) => GameReader::open(path, Tolerance::Lenient)?.next(),
        None => GameReader::new(GAME.as_bytes(), Tolerance::Strict)?.next(),
    };
    let Some(record) = first.transpose()? else { anyhow::bail!("the file has no game") };

    // The result does not depend on the number of threads. `GameAnalyst::usi` asks other engines.
    let threads = NonZero::new(2).expect("2 is not 0");
    let analysis = GameAnalyst::embedded(threads).with_nodes(20_000).analyse(&record, |_| {})?;

    for (step, ply) in record.positions()?.zip(&analysis.plies) {
        let (position, played) = step?;
        if let (Some(judgement @ Judgement::Blunder), Some(loss)) = (ply.judgement, ply.loss_cp) {
            let name = Notation::Japanese.name(&position, played.m);
            println!("{}. {name}{}: {loss} cp, a {judgement}", ply.ply, judgement.mark());
        }
    }
    for side in [Color::Black, Color::White] {
        println!(
            "{side:?}: {:.0} cp a move",
            analysis.summary(side).average_loss_cp().unwrap_or(0.0)
        );
    }
    let noted = analysis.annotate(&record, AnnotationForm::ShogiHome, OldAnalyses::Keep);
    print!("{}", noted.to_text(KifuFormat::Kif)?);
    Ok(())
}
