//! One USI option for each technique of the search, so that each can be switched off and measured.

use komadai_search::Techniques;

/// Returns the options that switch techniques, each with its technique: `UseNullMove` for
/// [`Techniques::NULL_MOVE`].
///
/// The names derive from the names of the flags, so that every technique has its switch.
pub(crate) fn switches() -> impl Iterator<Item = (String, Techniques)> {
    Techniques::all()
        .iter_names()
        .filter(|(_, technique)| technique.bits().is_power_of_two())
        .map(|(name, technique)| (option_name(name), technique))
}

/// Converts a name such as `NULL_MOVE` to `UseNullMove`.
fn option_name(flag: &str) -> String {
    let words = flag.split('_').map(|word| {
        let (first, rest) = word.split_at_checked(1).unwrap_or((word, ""));
        first.to_ascii_uppercase() + &rest.to_ascii_lowercase()
    });
    std::iter::once("Use".to_owned()).chain(words).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_are_those_of_the_flags() {
        assert_eq!(option_name("NULL_MOVE"), "UseNullMove");
        assert_eq!(option_name("TABLE"), "UseTable");
        assert_eq!(option_name("MATE_IN_ONE"), "UseMateInOne");
        assert_eq!(option_name("A__B_2"), "UseAB2");
    }

    #[test]
    fn every_technique_has_one_switch() {
        let all = switches().fold(Techniques::empty(), |all, (_, technique)| all | technique);
        assert_eq!(all, Techniques::all());
        let names: BTreeSet<String> = switches().map(|(name, _)| name.to_lowercase()).collect();
        assert_eq!(names.len(), switches().count());
        assert_eq!(names.len(), Techniques::all().bits().count_ones() as usize);
    }
}
