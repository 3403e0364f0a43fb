//! The build description of a Rust peer.

/// Returns the name of a package, its version in the lock file of this workspace, the compiler and
/// its flags.
#[must_use]
pub fn build_description(package: &str) -> String {
    let version = locked_version(include_str!("../Cargo.lock"), package).unwrap_or("unknown");
    let compiler = env!("PEER_COMPILER");
    let flags = match env!("PEER_FLAGS") {
        "" => "no RUSTFLAGS",
        flags => flags,
    };
    format!("{package} {version} | {compiler} | release, fat LTO, 1 codegen unit, {flags}")
}

/// Returns the version of `package` in the text of a `Cargo.lock`.
fn locked_version<'a>(lock: &'a str, package: &str) -> Option<&'a str> {
    let name = format!("name = \"{package}\"");
    let mut lines = lock.lines().skip_while(|line| **line != *name);
    lines.nth(1)?.strip_prefix("version = \"")?.strip_suffix('"')
}

#[cfg(test)]
mod tests {
    use super::locked_version;

    #[test]
    fn finds_the_version_of_the_requested_package() {
        let lock = "[[package]]\nname = \"ab\"\nversion = \"1.2.3\"\n\n\
                    [[package]]\nname = \"a\"\nversion = \"0.1.0\"\n";
        assert_eq!(locked_version(lock, "a"), Some("0.1.0"));
        assert_eq!(locked_version(lock, "ab"), Some("1.2.3"));
        assert_eq!(locked_version(lock, "b"), None);
    }
}
