//! Files of networks with another header, or in the form of another program.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use komadai::networks::{ConvertError, ConvertOptions, NetworkForm, convert};
use komadai::nnue::StackRule;
use komadai_base::text::{printable, shorten};
use komadai_console::{check_is_new, print_json, stdout};

/// Write a network with a true header, or in the form of another program.
///
/// The hashes are those of the bytes, and so is the text if the old one is false. Stacked networks
/// have two forms: SFNN (YaneuraOu) with stacks `k3k3`, and LayerStack (rshogi, tatara) with
/// `kingrank9`. The file gets its name only after it was read again and has given the same outputs
/// on 462 positions of real games.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  komadai net convert nn.bin mended.bin --fv-scale 24\n  \
                  komadai net convert layerstack.bin nn.bin --to yaneuraou\n\n\
                  Exit codes: 0 written, 1 failed, 2 bad usage.")]
pub(super) struct Options {
    /// File to read.
    input: PathBuf,
    /// File to write.
    output: PathBuf,
    /// Form to write; by default that of the input.
    #[arg(long, value_enum)]
    to: Option<Form>,
    /// Text to write, without a scale.
    #[arg(long)]
    text: Option<String>,
    /// Divisor of the output that the text states.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i32).range(1..=128))]
    fv_scale: Option<i32>,
    /// Rule that chooses among the stacks of a LayerStack network: kingrank9 or progress8kpabs.
    #[arg(long, value_name = "RULE")]
    stack_rule: Option<StackRule>,
    /// Replace the output if it exists.
    #[arg(long)]
    force: bool,
    /// Print one JSON object, and nothing else, on standard output.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Form {
    /// SFNN.
    #[value(name = "yaneuraou")]
    YaneuraOu,
    /// LayerStack.
    Rshogi,
}

pub(super) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    check_is_new(&options.output, options.force)?;
    let mut wanted = ConvertOptions {
        form: options.to.map(|form| match form {
            Form::YaneuraOu => NetworkForm::YaneuraOu,
            Form::Rshogi => NetworkForm::Rshogi,
        }),
        text: options.text.clone(),
        fv_scale: options.fv_scale,
        ..ConvertOptions::default()
    };
    wanted.read.stack_rule = options.stack_rule;
    let report = convert(&options.input, &options.output, &wanted).map_err(|error| {
        let is_of_output = matches!(error, ConvertError::Write(_));
        let named = if is_of_output { &options.output } else { &options.input };
        anyhow::Error::new(error).context(named.display().to_string())
    })?;
    if options.json {
        print_json(&serde_json::to_value(&report)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut out = stdout();
    let arrow = |[old, new]: [&str; 2]| {
        let (old, new) = (printable(&shorten(old, 400)).into_owned(), shorten(new, 400));
        let separator = if old.len() > 60 { "\n            → " } else { " → " };
        if old == new { old } else { format!("{old}{separator}{}", printable(&new)) }
    };
    let of = |texts: &[String; 2]| arrow(texts.each_ref().map(String::as_str));
    writeln!(out, "network     {}", of(&report.architectures))?;
    writeln!(out, "text        {}", of(&report.texts))?;
    writeln!(out, "FV_SCALE    {}", of(&report.fv_scales.map(|scale| scale.to_string())))?;
    writeln!(out, "compared    {} positions, all outputs equal", report.compared)?;
    if report.handicaps_differ {
        writeln!(out, "handicap games have other values: LayerStack does not see missing pieces")?;
    }
    writeln!(out, "written     {}", options.output.display())?;
    Ok(ExitCode::SUCCESS)
}
