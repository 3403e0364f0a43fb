//! The build of the peers before a run.

use std::process::Command;

use anyhow::Context;

/// Builds the bundled peers when the runner was started by Cargo.
///
/// `cargo run --bin compare` alone would build the runner only, and the results of outdated peers
/// would be misleading.
pub(crate) fn build_peers() -> anyhow::Result<()> {
    let (Some(cargo), Some(folder)) =
        (std::env::var_os("CARGO"), std::env::var_os("CARGO_MANIFEST_DIR"))
    else {
        return Ok(());
    };
    let own_path = std::env::current_exe()?;
    let target = own_path.ancestors().nth(2).context("the runner is not in a target folder")?;
    let status = Command::new(cargo)
        .args(["build", "--release", "--bins", "--quiet", "--target-dir"])
        .arg(target)
        .current_dir(folder)
        .status()
        .context("starting cargo")?;
    anyhow::ensure!(status.success(), "the peers do not build");
    Ok(())
}
