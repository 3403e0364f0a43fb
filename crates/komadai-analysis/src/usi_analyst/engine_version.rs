//! The version of an engine as a source of evaluations: fingerprints of what it declares and reads.

use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use komadai_base::file::open_regular;
use komadai_usi::{EngineConfig, EngineProcess, OptionValue};
use sha2::{Digest as _, Sha256};

/// The option for the number of lines.
pub(super) const MULTI_PV: &str = "MultiPV";

/// Options that do not change the analysis of a position, in lower case.
const IRRELEVANT_OPTIONS: [&str; 6] = [
    "usi_ponder",
    "networkdelay",
    "networkdelay2",
    "minimumthinkingtime",
    "slowmover",
    "resignvalue",
];

/// Number of bytes of a network's hash in the version. Nobody constructs networks with equal
/// beginnings here, and with 64 bits they do not meet by chance.
const FILE_BYTES: usize = 8;

/// Number of bytes of the hash of option defaults.
const OPTION_BYTES: usize = 4;

/// Returns the version of a running engine: `options:1f6c2a9b nn.bin:0123456789abcdef`. A part that
/// is not known is left out.
pub(super) fn engine_version(config: &EngineConfig, process: &EngineProcess) -> String {
    let options = defaults(config, process);
    let network = network_file(config, process);
    let parts = [(!options.is_empty()).then(|| hash_of_options(&options)), network];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// Returns whether an option may change the analysis of a position.
pub(super) fn is_relevant(name: &str) -> bool {
    !IRRELEVANT_OPTIONS.contains(&name.to_ascii_lowercase().as_str())
}

/// Returns the options that `config` does not set, with their defaults, sorted by name.
///
/// The number of lines is not among them: jobs set it, and the options of an identity have it.
fn defaults(config: &EngineConfig, process: &EngineProcess) -> Vec<(String, String)> {
    let is_set = |name: &str| {
        name.eq_ignore_ascii_case(MULTI_PV)
            || config.options.iter().any(|(known, _)| known.eq_ignore_ascii_case(name))
    };
    let mut defaults: Vec<(String, String)> = process
        .options()
        .iter()
        .filter(|option| is_relevant(&option.name) && !is_set(&option.name))
        .filter_map(|option| {
            Some((option.name.to_ascii_lowercase(), value_of(option.default_value()?)?))
        })
        .collect();
    defaults.sort();
    defaults
}

fn hash_of_options(options: &[(String, String)]) -> String {
    let mut hash = Sha256::new();
    for (name, value) in options {
        // No name and no value contains a line break.
        hash.update(format!("{name}\n{value}\n"));
    }
    format!("options:{}", hex(&hash.finalize()[..OPTION_BYTES]))
}

/// Returns the name and hash of the file from which the engine has read its network: the first of
/// the usual places where there is one.
fn network_file(config: &EngineConfig, process: &EngineProcess) -> Option<String> {
    let folder = engine_folder(config);
    let named = |option: &str| value_in_force(config, process, option).filter(|name| is_path(name));
    let eval_folder = named("EvalDir").map(|name| folder.join(name));
    let eval_file = named("EvalFile");
    let in_eval_folder = |name: &str| eval_folder.as_ref().map(|folder| folder.join(name));
    let places = [
        eval_file.as_deref().and_then(in_eval_folder),
        eval_file.as_deref().map(|name| folder.join(name)),
        in_eval_folder("nn.bin"),
    ];
    places.into_iter().flatten().find_map(|path| {
        let hash = hash_of_file(&path).ok()?;
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
        Some(format!("{name}:{hash}"))
    })
}

/// Returns whether the value of an option can name a file: engines write `<internal>` for a network
/// of their own.
fn is_path(name: &str) -> bool {
    !name.is_empty() && !name.starts_with('<')
}

/// Returns the value that an option of the engine has.
fn value_in_force(config: &EngineConfig, process: &EngineProcess, name: &str) -> Option<String> {
    let option = process.options().iter().find(|option| option.is_named(name))?;
    let is_it = |(known, _): &&(String, String)| known.eq_ignore_ascii_case(name);
    match config.options.iter().rev().find(is_it) {
        Some((_, value)) => value_of(option.accept(Some(value)).ok()?),
        None => value_of(option.default_value()?),
    }
}

fn value_of(value: OptionValue) -> Option<String> {
    match value {
        OptionValue::Check(is_on) => Some(is_on.to_string()),
        OptionValue::Spin(number) => Some(number.to_string()),
        OptionValue::Text(text) => Some(text),
        _ => None,
    }
}

/// Returns the folder from which the engine reads its files; the current one for a program that is
/// searched in `PATH`.
fn engine_folder(config: &EngineConfig) -> PathBuf {
    let own = config.directory.as_deref().or_else(|| config.program.parent());
    own.unwrap_or(Path::new("")).to_owned()
}

/// Returns the beginning of the SHA-256 of a file's content.
fn hash_of_file(path: &Path) -> io::Result<String> {
    let mut file = open_regular(path)?;
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(hex(&hash.finalize()[..FILE_BYTES])),
            length => hash.update(&buffer[..length]),
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
