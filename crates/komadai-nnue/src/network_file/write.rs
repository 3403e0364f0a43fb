//! Writing of network files.

use std::io::{self, BufWriter, Write};

use super::compact;
use super::format::{LAYER_STACKS, VERSION};
use crate::architecture::Architecture;
use crate::dense::Dense;
use crate::layers::{Layers, Selector, Stacked};
use crate::leb128::write_block;
use crate::network::Network;
use crate::stack::{first_hidden_rows, gather};

/// Writes a network as a file.
pub(super) fn write(network: &Network, to: impl Write) -> io::Result<()> {
    if let Layers::Compact(compact) = network.layers() {
        return compact::write(network, compact, to);
    }
    let architecture = network.architecture();
    let mut to = BufWriter::new(to);
    let description = network.description().as_bytes();
    let stacks = architecture.layer_stacks();
    let version = if stacks.is_some() { LAYER_STACKS } else { VERSION };
    let header = [version, architecture.hash(), description.len() as u32];
    header.into_iter().try_for_each(|number| write_number(&mut to, number))?;
    to.write_all(description)?;
    stacks.iter().try_for_each(|stacks| write_number(&mut to, stacks.count as u32))?;
    write_number(&mut to, architecture.features_hash())?;
    match network.layers() {
        Layers::Classical(layers) => {
            for weight in network.biases().iter().chain(network.weights()) {
                to.write_all(&weight.to_le_bytes())?;
            }
            write_number(&mut to, architecture.layers_hash())?;
            write_layers(&mut to, &layers[..])?;
        }
        Layers::Stacked(stacked) => write_stacked(&mut to, network, stacked)?,
        Layers::Compact(_) => {}
    }
    to.flush()
}

fn write_stacked(to: &mut impl Write, network: &Network, stacked: &Stacked) -> io::Result<()> {
    let architecture = network.architecture();
    for numbers in [network.biases(), network.weights()] {
        let mut numbers = gather(architecture, numbers);
        if let Selector::Classes(..) = stacked.selector {
            // The sums of these networks are doubled in memory.
            numbers.iter_mut().for_each(|number| *number >>= 1);
        }
        write_block(to, &numbers)?;
    }
    if let Selector::Classes(_, Some(model)) = &stacked.selector {
        write_number(to, Architecture::PROGRESS)?;
        for weight in [model.bias].iter().chain(&model.weights) {
            to.write_all(&weight.to_le_bytes())?;
        }
    }
    if let Some(psqt) = &stacked.psqt {
        for value in psqt.biases.iter().chain(&psqt.weights) {
            to.write_all(&value.to_le_bytes())?;
        }
    }
    for stack in &stacked.stacks {
        write_number(to, architecture.layers_hash())?;
        let [first, rest @ ..] = &stack.layers;
        let (biases, rows) = first_hidden_rows(architecture, first);
        write_dense(to, biases, &rows)?;
        write_layers(to, rest)?;
    }
    Ok(())
}

fn write_layers(to: &mut impl Write, layers: &[Dense]) -> io::Result<()> {
    layers.iter().try_for_each(|layer| {
        let (biases, rows) = layer.to_rows();
        write_dense(to, biases, &rows)
    })
}

fn write_dense(to: &mut impl Write, biases: &[i32], rows: &[i8]) -> io::Result<()> {
    for bias in biases {
        to.write_all(&bias.to_le_bytes())?;
    }
    rows.iter().try_for_each(|weight| to.write_all(&weight.to_le_bytes()))
}

fn write_number(to: &mut impl Write, number: u32) -> io::Result<()> {
    to.write_all(&number.to_le_bytes())
}
