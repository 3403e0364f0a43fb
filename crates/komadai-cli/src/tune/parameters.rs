//! The parameters of a tuning: the file, and the options of the engine.

use std::io::Write as _;
use std::path::Path;

use anyhow::{Context as _, anyhow, ensure};
use komadai::core::Language;
use komadai::matches::SpsaParameter;
use komadai::usi::{EngineConfig, EngineProcess, OptionKind, OptionSpec};
use komadai_base::file::read_text;
use komadai_console::{bad_usage, describe, stdout};

/// Maximum size of a file of parameters in bytes.
const MOST_BYTES: u64 = 1 << 20;

/// The usual change in the last step, as a share of the perturbation.
const USUAL_R_END: f64 = 0.002;

/// Reads the file, and compares it with the options of the engine.
pub(super) fn read(path: &Path, config: &EngineConfig) -> anyhow::Result<Vec<SpsaParameter>> {
    let place = || path.display().to_string();
    let text = read_text(path, MOST_BYTES).with_context(place)?;
    let mut parameters = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.split('#').next().unwrap_or_default().trim();
        if !line.is_empty() {
            let parameter: SpsaParameter =
                line.parse().map_err(|error| anyhow!("{}:{number}: {error}", path.display()))?;
            parameters.push((number, parameter));
        }
    }
    ensure!(!parameters.is_empty(), "{} has no parameter", path.display());
    let (_, options) = EngineProcess::identify(config.clone())?;
    parameters
        .into_iter()
        .map(|(number, parameter)| {
            check(&parameter, &options)
                .map_err(|error| anyhow!("{}:{number}: {error}", path.display()))?;
            Ok(parameter)
        })
        .collect::<anyhow::Result<_>>()
        .map_err(|error| bad_usage(describe(&error)))
}

/// Checks that a parameter is a number of the engine, within its range.
fn check(parameter: &SpsaParameter, options: &[OptionSpec]) -> anyhow::Result<()> {
    let SpsaParameter { name, start, min, max, c_end, .. } = parameter;
    let option = options.iter().find(|option| option.is_named(name));
    let option = option.with_context(|| format!("the engine has no option {name:?}"))?;
    let OptionKind::Spin { min: least, max: most, .. } = option.kind else {
        let kind = kind_word(&option.kind);
        anyhow::bail!("{name} is a {kind}: only numbers (spin) can be tuned");
    };
    let is_inside = *min >= least as f64 && *max <= most as f64;
    ensure!(is_inside, "{name} is from {least} to {most}, found min {min} and max {max}");
    let is_whole = [start, min, max].iter().all(|number| number.fract() == 0.0);
    ensure!(is_whole, "{name}: expected whole numbers for start, min and max");
    ensure!(*c_end >= 0.5, "{name}: expected c_end of at least 0.5, as less is rounded away");
    Ok(())
}

/// Prints a file of parameters with all numbers of an engine.
pub(super) fn list(config: EngineConfig, language: Language) -> anyhow::Result<()> {
    let (identity, options) = EngineProcess::identify(config)?;
    let mut out = stdout();
    writeln!(out, "# {}: name, int, start, min, max, c_end, r_end", identity.name)?;
    for option in &options {
        match spin(option) {
            Some(parameter) => writeln!(out, "{parameter}")?,
            None => {
                let kind = kind_word(&option.kind);
                let reason = language.choose("not a number to tune", "調整できる数値ではない");
                writeln!(out, "# {}: {kind}, {reason}", option.name)?;
            }
        }
    }
    Ok(())
}

/// The parameter for a number of an engine, at its default.
fn spin(option: &OptionSpec) -> Option<SpsaParameter> {
    let OptionKind::Spin { default, min, max } = option.kind else { return None };
    (min < max && min <= default && default <= max).then(|| {
        let (start, min, max) = (default as f64, min as f64, max as f64);
        let c_end = ((max - min) / 20.0).max(0.5);
        SpsaParameter { name: option.name.clone(), start, min, max, c_end, r_end: USUAL_R_END }
    })
}

fn kind_word(kind: &OptionKind) -> &'static str {
    match kind {
        OptionKind::Check { .. } => "check",
        OptionKind::Spin { .. } => "spin",
        OptionKind::Combo { .. } => "combo",
        OptionKind::String { .. } => "string",
        OptionKind::Filename { .. } => "filename",
        OptionKind::Button => "button",
        _ => "option of another type",
    }
}
