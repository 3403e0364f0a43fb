//! The public interface of every crate, or its changes since a revision:
//!
//! ```console
//! $ cargo run -p tidy                 # the interface of every library
//! $ cargo run -p tidy -- main         # the lines that changed since this revision
//! $ cargo run -p tidy -- v0.1.0 book  # of one crate
//! ```

#![allow(clippy::print_stdout, reason = "the listing is the output of this program")]

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context as _, ensure};
use tidy::api::listing;
use tidy::source::root;

fn main() -> anyhow::Result<()> {
    let mut words = std::env::args().skip(1);
    let revision = words.next();
    let only = words.next();
    let now = interfaces(root(), only.as_deref())?;
    let Some(revision) = revision else {
        for (name, text) in &now {
            println!("==== {name}\n{text}");
        }
        return Ok(());
    };
    let old = std::env::temp_dir().join(format!("tidy-{}", std::process::id()));
    unpack(&revision, &old)?;
    let before = interfaces(&old, only.as_deref());
    std::fs::remove_dir_all(&old)?;
    let before = before?;
    let names: std::collections::BTreeSet<&String> = before.keys().chain(now.keys()).collect();
    for name in names {
        let text = |side: &BTreeMap<String, String>| side.get(name).cloned().unwrap_or_default();
        print_difference(name, &text(&before), &text(&now));
    }
    Ok(())
}

/// The listings of the libraries in `crates/`, or of one of them, by name.
fn interfaces(root: &Path, only: Option<&str>) -> anyhow::Result<BTreeMap<String, String>> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(root.join("crates"))? {
        let folder = entry?.path();
        let name = folder.file_name().unwrap_or_default().display().to_string();
        let is_wanted = only.is_none_or(|only| name == only || name == format!("komadai-{only}"));
        if is_wanted && folder.join("src/lib.rs").exists() {
            found.insert(name, listing(&folder.join("src")));
        }
    }
    ensure!(!found.is_empty(), "no library of that name in crates/");
    Ok(found)
}

/// Writes the crates of a revision to a folder.
fn unpack(revision: &str, folder: &Path) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder)?;
    let mut archive = Command::new("git")
        .args(["archive", revision, "crates"])
        .current_dir(root())
        .stdout(Stdio::piped())
        .spawn()
        .context("git is needed for the earlier interface")?;
    let stream = archive.stdout.take().context("the output of git archive")?;
    let unpacked = Command::new("tar").arg("-x").current_dir(folder).stdin(stream).status()?;
    ensure!(archive.wait()?.success() && unpacked.success(), "no revision {revision}");
    Ok(())
}

/// Prints the lines that only one of two texts has, with the last line before them that both have
/// and that stands at the margin, which names the item.
fn print_difference(name: &str, before: &str, now: &str) {
    let lines = |text: &str| -> Vec<(String, String)> {
        let mut owner = String::new();
        let mut found = Vec::new();
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with("//")) {
            if !line.starts_with([' ', '}', '#']) {
                line.clone_into(&mut owner);
            }
            found.push((owner.clone(), line.to_owned()));
        }
        found
    };
    let old = lines(before);
    let new = lines(now);
    for (sign, one, other) in [('-', &old, &new), ('+', &new, &old)] {
        let other: std::collections::BTreeSet<_> = other.iter().collect();
        for line in one.iter().filter(|line| !other.contains(line)) {
            let owner = if line.0 == line.1 { "" } else { line.0.as_str() };
            println!("{name}: {sign} {owner} {}", line.1.trim());
        }
    }
}
