//! Facts about networks.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Args;
use komadai::data::file_sha256;
use komadai::networks::{LayerStatistics, NetworkInfo, network_info};
use komadai_base::text::{printable, shorten};
use komadai_console::{describe, grouped, note, print_json, stdout};
use serde_json::{Value, json};

use super::open::{ReadArgs, name};

/// Print what networks are: architecture, sizes, scale, header, doubts, statistics of the layers.
///
/// The bytes of a file decide its architecture; what its text or its hashes state otherwise is a
/// doubt. `<bundled>` stands for the network of this program. A file that cannot be read is
/// reported, and the next one follows.
#[derive(Debug, Args)]
#[command(after_help = "Example: komadai net info eval/nn.bin\n\n\
                  Exit codes: 0 done, 1 a file cannot be read, 2 bad usage.")]
pub(super) struct Options {
    /// Files of networks.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    read: ReadArgs,
    /// Print one JSON object, and nothing else, on standard output.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let mut found = Vec::new();
    for path in &options.files {
        match read(options, path) {
            Ok((info, sha256)) if options.json => {
                let mut value = serde_json::to_value(&info)?;
                value["path"] = json!(name(path));
                value["sha256"] = json!(sha256);
                found.push(value);
            }
            Ok((info, sha256)) => {
                let text = to_text(&info, &name(path), sha256.as_deref());
                write!(stdout(), "{}{text}", if found.is_empty() { "" } else { "\n" })?;
                found.push(Value::Null);
            }
            Err(error) => note!("error: {}", describe(&error)),
        }
    }
    if options.json {
        print_json(&json!({ "networks": found }))?;
    }
    let all = found.len() == options.files.len();
    Ok(if all { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn read(options: &Options, path: &Path) -> anyhow::Result<(NetworkInfo, Option<String>)> {
    let nnue = options.read.open(path)?;
    let info = network_info(&nnue);
    let sha256 = info.file.is_some() && path.exists();
    let sha256 = sha256.then(|| file_sha256(path).with_context(|| name(path))).transpose()?;
    Ok((info, sha256))
}

fn to_text(info: &NetworkInfo, path: &str, sha256: Option<&str>) -> String {
    let path = printable(path);
    let mut text = format!("{path}\n  architecture  {}\n", info.architecture);
    let [first, second] = info.hidden;
    text += &format!(
        "  layers        {} {} inputs, {} x 2",
        info.features,
        grouped(info.inputs as u64),
        info.width
    );
    if first > 0 {
        text += &format!(", {first}, {second}");
    }
    text += &format!(", 1; stacks {}; {} parameters\n", info.stacks, grouped(info.parameters));
    match info.fv_scale {
        Some(scale) => text += &format!("  FV_SCALE      {scale}: {}\n", info.scale_source),
        None => text += "  FV_SCALE      none is needed\n",
    }
    text += &format!("  centipawn     {:.2} of the bundled network's\n", info.centipawn);
    text += &format!("  text          {}\n", printable(&shorten(&info.text, 400)));
    if let Some(file) = &info.file {
        let [found, usual] = &file.hash;
        let bytes = grouped(file.bytes);
        text += &format!("  file          {bytes} bytes, version {}, hash {found}", file.version);
        text += &if found == usual { "\n".to_owned() } else { format!(", usual {usual}\n") };
    }
    if let Some(sha256) = sha256 {
        text += &format!("  SHA-256       {sha256}\n");
    }
    for doubt in &info.doubts {
        text += &format!("  doubt         {}\n", printable(doubt));
    }
    text += &format!(
        "  {:<28} {:>11} {:>9} {:>9} {:>9} {:>8} {:>8}\n",
        "numbers", "count", "min", "max", "mean |n|", "zeros", "limits"
    );
    for LayerStatistics { layer, biases, weights } in &info.layers {
        for (numbers, what) in [(biases.as_ref(), "biases"), (Some(weights), "weights")] {
            let Some(numbers) = numbers else { continue };
            let name =
                if what == "biases" { format!("{layer}, biases") } else { (*layer).to_owned() };
            text += &format!(
                "  {name:<28} {:>11} {:>9} {:>9} {:>9.1} {:>7.1}% {:>7.2}%\n",
                grouped(numbers.count),
                numbers.min,
                numbers.max,
                numbers.mean_size,
                100.0 * numbers.zeros,
                100.0 * numbers.at_limit,
            );
        }
    }
    text
}
