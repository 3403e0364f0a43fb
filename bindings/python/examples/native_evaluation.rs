//! The native loop beside which `benches/speed.py` measures batches of network evaluations.
//!
//! It reads a file of records (PSV) into memory, then lines with a number of rounds. Each is
//! answered with the number of positions evaluated by the bundled network, and the CPU time in
//! nanoseconds.

#![forbid(unsafe_code)]

use std::hint::black_box;
use std::io::{self, BufRead as _, Write as _};

use cpu_time::ProcessTime;
use komadai::data::records::{PackedSfenValue, TrainingRecord as _};
use komadai::eval::Evaluator as _;
use komadai::nnue::{Network, Nnue};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("expected a file of records")?;
    let records = std::fs::read(&path)?;
    let nnue = Nnue::new(Network::bundled());
    let mut output = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let rounds: u64 = line?.trim().parse()?;
        let (start, mut positions) = (ProcessTime::now(), 0);
        for _ in 0..rounds {
            let mut values = Vec::new();
            for record in records.chunks_exact(PackedSfenValue::BYTES) {
                let position = PackedSfenValue::from_slice(record)?.unpack()?;
                values.push(nnue.evaluate_position(&position).raw());
            }
            positions += black_box(values).len();
        }
        writeln!(output, "{positions} {}", start.elapsed().as_nanos())?;
        output.flush()?;
    }
    Ok(())
}
