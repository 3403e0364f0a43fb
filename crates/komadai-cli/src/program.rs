//! Errors for people.

/// What happened and why, each thing once: many errors state their cause themselves.
pub(crate) fn describe(error: &anyhow::Error) -> String {
    error.chain().fold(String::new(), |told, cause| match cause.to_string() {
        cause if told.is_empty() => cause,
        cause if told.contains(&cause) => told,
        cause => format!("{told}: {cause}"),
    })
}
