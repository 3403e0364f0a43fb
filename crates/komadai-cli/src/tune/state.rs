//! The state of a tuning on disk, from which it continues.

use std::fs::OpenOptions;
use std::path::PathBuf;

use anyhow::{Context as _, bail};
use komadai::matches::Spsa;
use komadai_base::file::{LockedFile, open_locked, read_text, set_aside};
use komadai_console::{create_folder, note, write_file};
use serde_json::{Value, json};

use super::games::Games;
use super::options::TuneArgs;

/// Maximum size of a file of the state in bytes.
const MOST_BYTES: u64 = 64 << 20;

/// The files of a tuning: its settings, and the values with the number of steps done.
#[derive(Debug)]
pub(super) struct State {
    values: PathBuf,
    /// Kept open, because another run would play the same steps.
    _lock: LockedFile,
}

impl State {
    /// Opens the folder, which is created if it does not exist, and continues the tuning in it.
    pub(super) fn open(
        options: &TuneArgs,
        games: &Games,
        tuning: &mut Spsa,
    ) -> anyhow::Result<Self> {
        let folder = options.folder()?;
        create_folder(folder)?;
        let place = |name: &str| folder.join(name);
        let lock = place("tuning.lock");
        let reading = OpenOptions::new().write(true).create(true).truncate(false).clone();
        let lock = open_locked(&reading, &lock, "tuning")
            .with_context(|| format!("cannot use {}", lock.display()))?;
        let (values, settings) = (place("tuning.txt"), place("settings.json"));
        if options.fresh && values.exists() {
            set_aside(&values).with_context(|| values.display().to_string())?;
        }
        let own = own_settings(options, games, tuning);
        if values.exists() {
            compare(&settings, &own)?;
            let cannot_use = || format!("cannot continue from {}", values.display());
            let text = read_text(&values, MOST_BYTES).with_context(cannot_use)?;
            tuning.resume(&text).with_context(cannot_use)?;
            let (done, steps) = tuning.progress();
            note!("continued after step {done} of {steps}");
        } else {
            write_file(&settings, format!("{own:#}\n"))?;
            write_file(&values, tuning.to_text())?;
        }
        Ok(Self { values, _lock: lock })
    }

    /// Saves the values: the old file or the new one is there, never a half of one.
    pub(super) fn save(&mut self, tuning: &Spsa) -> anyhow::Result<()> {
        write_file(&self.values, tuning.to_text())
    }
}

fn own_settings(options: &TuneArgs, games: &Games, tuning: &Spsa) -> Value {
    let parameters = tuning.parameters().iter().map(ToString::to_string);
    json!({
        "parameters": parameters.collect::<Value>(),
        "steps": options.steps,
        "games": games.settings,
    })
}

/// Compares the settings of a state with these.
fn compare(path: &std::path::Path, own: &Value) -> anyhow::Result<()> {
    let cannot_use = || format!("cannot continue from {}", path.display());
    let text = read_text(path, MOST_BYTES).with_context(cannot_use)?;
    let known: Value = serde_json::from_str(&text).with_context(cannot_use)?;
    let different = ["parameters", "steps", "games"].into_iter().find(|key| known[key] != own[key]);
    let Some(key) = different else { return Ok(()) };
    if key == "games" {
        let games = own["games"].as_object().into_iter().flatten();
        let other =
            games.map(|(name, _)| name).find(|name| known["games"][*name] != own["games"][*name]);
        let other = other.map_or("games", String::as_str);
        bail!("{} has other {other}; --fresh starts again", path.display());
    }
    bail!("{} has other {key}; --fresh starts again", path.display())
}
