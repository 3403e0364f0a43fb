//! Compares the speed of move generation and move making between shogi libraries.
//!
//! ```text
//! RUSTFLAGS="-C target-cpu=native" cargo run --release --bin compare -- --markdown
//! ```
//!
//! Each peer is a process that implements the line protocol of the README. For each measure and
//! position the batches of the peers alternate, A B C … A B C …, so that a change of the machine's
//! speed affects all of them. Times are the peers' own CPU times.

#![forbid(unsafe_code)]

mod agreement;
mod args;
mod fresh_build;
mod peer_process;
mod report;
mod samples;
mod timing;

use anyhow::Context;
use clap::Parser;
use komadai_peers::{Measure, POSITIONS, machine};

use args::Args;
use peer_process::PeerProcess;
use report::Report;

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    anyhow::ensure!(!cfg!(debug_assertions), "only optimised builds are timed: add --release");
    fresh_build::build_peers()?;

    let mut peers = start_peers(&args)?;
    let positions: Vec<_> =
        POSITIONS.into_iter().filter(|position| args.wants_position(position.name)).collect();
    anyhow::ensure!(!peers.is_empty() && !positions.is_empty(), "nothing to compare");

    println!("machine: {}", machine::description());
    for peer in &mut peers {
        println!("{}: {}", peer.name().to_owned(), peer.description()?);
    }

    let measures: Vec<Measure> = args.measures();
    for disagreement in agreement::check(&mut peers, &measures, &positions) {
        println!("COUNT DIFFERS {disagreement}");
    }

    let names: Vec<String> = peers.iter().map(|peer| peer.name().to_owned()).collect();
    for &measure in &measures {
        let cells: Vec<_> = positions
            .iter()
            .map(|position| {
                eprintln!("timing {measure} {}", position.name);
                timing::time_position(&mut peers, measure, position, &args.plan())
            })
            .collect();
        let report = Report::new(measure, &names, &positions, &cells, &args.reference);
        println!("\n{}", report.render(args.layout()));
    }
    println!("\nmachine afterwards: {}", machine::description());
    Ok(())
}

/// The bundled peers: the name in the report and the program.
const BUNDLED: [(&str, &str); 3] =
    [("komadai", "peer_komadai"), ("haitaka", "peer_haitaka"), ("rsshogi", "peer_rsshogi")];

/// Starts the bundled peers, then the external ones in the order given.
fn start_peers(args: &Args) -> anyhow::Result<Vec<PeerProcess>> {
    let own_path = std::env::current_exe().context("finding this program's folder")?;
    let bundled = BUNDLED.iter().map(|&(name, program)| {
        let file = format!("{program}{}", std::env::consts::EXE_SUFFIX);
        (name.to_owned(), own_path.with_file_name(file))
    });
    let external = args.external.iter().map(|peer| (peer.name.clone(), peer.path.clone()));
    bundled
        .chain(external)
        .filter(|(name, _)| args.wants_peer(name))
        .map(|(name, path)| PeerProcess::start(name, &path))
        .collect()
}
