//! Writing of network files.

use std::io::{self, BufWriter, Write};

use super::compact;
use super::format::VERSION;
use crate::architecture::Architecture;
use crate::dense::Dense;
use crate::layers::{Layers, Stacked};
use crate::leb128::write_block;
use crate::network::Network;

/// Writes a network as a file.
pub(super) fn write(network: &Network, to: impl Write) -> io::Result<()> {
    if let Layers::Compact(compact) = network.layers() {
        return compact::write(network, compact, to);
    }
    let architecture = network.architecture();
    let mut to = BufWriter::new(to);
    let description = network.description().as_bytes();
    let header = [VERSION, architecture.hash(), description.len() as u32];
    header.into_iter().try_for_each(|number| write_number(&mut to, number))?;
    to.write_all(description)?;
    write_number(&mut to, architecture.features_hash())?;
    match network.layers() {
        Layers::Classical(layers) => {
            for weight in network.biases().iter().chain(network.weights()) {
                to.write_all(&weight.to_le_bytes())?;
            }
            write_number(&mut to, architecture.layers_hash())?;
            write_layers(&mut to, layers)?;
        }
        Layers::Stacked(stacked) => write_stacked(&mut to, network, stacked)?,
        Layers::Compact(_) => {}
    }
    to.flush()
}

fn write_stacked(to: &mut impl Write, network: &Network, stacked: &Stacked) -> io::Result<()> {
    for doubled in [network.biases(), network.weights()] {
        let numbers: Vec<i16> = doubled.iter().map(|number| number >> 1).collect();
        write_block(to, &numbers)?;
    }
    if let Some(model) = &stacked.progress {
        write_number(to, Architecture::PROGRESS)?;
        for weight in [model.bias].iter().chain(&model.weights) {
            to.write_all(&weight.to_le_bytes())?;
        }
    }
    for stack in &stacked.stacks {
        write_number(to, network.architecture().layers_hash())?;
        write_layers(to, &stack.layers)?;
    }
    Ok(())
}

fn write_layers(to: &mut impl Write, layers: &[Dense; 3]) -> io::Result<()> {
    for layer in layers {
        let (biases, rows) = layer.to_rows();
        for bias in biases {
            to.write_all(&bias.to_le_bytes())?;
        }
        for weight in rows {
            to.write_all(&weight.to_le_bytes())?;
        }
    }
    Ok(())
}

fn write_number(to: &mut impl Write, number: u32) -> io::Result<()> {
    to.write_all(&number.to_le_bytes())
}
