//! The settings of a player with the options of its preset.

use komadai_search::Techniques;
use komadai_usi::OptionValue;

use crate::preset::Preset;
use crate::settings::Settings;

/// An option with a value that contradicts the preset.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the preset {preset} has {option} {expected}, found {found}")]
pub struct PresetConflict {
    /// The preset.
    pub preset: Preset,
    /// The option.
    pub option: String,
    /// The value that the preset fixes.
    pub expected: String,
    /// The value that is set.
    pub found: String,
}

impl Settings {
    /// Returns the settings with the options of [`preset`](Self::preset).
    ///
    /// # Errors
    ///
    /// [`PresetConflict`] if an option that the preset fixes has another value that is not the
    /// default. A GUI sends the defaults as well, which are no wish of its user.
    pub fn with_preset(&self) -> Result<Self, PresetConflict> {
        let (preset, defaults) = (self.preset, Self::default());
        let mut settings = self.clone();
        let conflict = |option: &str, expected: String, found: String| PresetConflict {
            preset,
            option: option.to_owned(),
            expected,
            found,
        };
        for &(name, text) in preset.options() {
            let value = OptionValue::Text(text.to_owned());
            if let Some(OptionValue::Text(found)) = self.value_of(name)
                && found != text
                && defaults.value_of(name).as_ref() != Some(&OptionValue::Text(found.clone()))
            {
                return Err(conflict(name, text.to_owned(), found));
            }
            // The tests set every preset.
            let _ = settings.set(name, &value);
        }
        if let Some(techniques) = preset.techniques() {
            let changed = self.techniques.symmetric_difference(defaults.techniques);
            let wrong = changed & self.techniques.symmetric_difference(techniques);
            if let Some((name, technique)) = wrong.iter_names().next() {
                let is_on = |techniques: Techniques| techniques.contains(technique).to_string();
                return Err(conflict(name, is_on(techniques), is_on(self.techniques)));
            }
            settings.techniques = techniques;
        }
        Ok(settings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search_mode::SearchMode;

    #[test]
    fn every_preset_sets_what_it_fixes() {
        for preset in Preset::ALL {
            let settings = Settings { preset, ..Settings::default() };
            let with = settings.with_preset().unwrap();
            for &(name, text) in preset.options() {
                let expected = OptionValue::Text(text.to_owned());
                assert_eq!(with.value_of(name), Some(expected), "{preset} {name}");
            }
            if let Some(techniques) = preset.techniques() {
                assert_eq!(with.techniques, techniques);
            }
            assert_eq!(with.with_preset(), Ok(with), "a second time");
            assert_eq!(preset.name().parse(), Ok(preset));
        }
        let modern = Settings::default();
        assert_eq!(modern.with_preset(), Ok(modern));
    }

    #[test]
    fn no_two_presets_are_the_same() {
        let searches: Vec<_> =
            Preset::ALL.map(|preset| (preset.options(), preset.techniques())).to_vec();
        for (index, search) in searches.iter().enumerate() {
            assert!(!searches[..index].contains(search), "{}", Preset::ALL[index]);
        }
    }

    #[test]
    fn a_value_that_contradicts_is_named() {
        let mut settings = Settings { preset: Preset::KfEnd, ..Settings::default() };
        settings.search_mode = SearchMode::MonteCarlo;
        let conflict = settings.with_preset().unwrap_err();
        let text = "the preset KfEnd has SearchMode Abc, found MonteCarlo";
        assert_eq!(conflict.to_string(), text);
        settings.search_mode = SearchMode::Abc;
        settings.techniques ^= Techniques::CHECK_EXTENSION;
        let conflict = settings.with_preset().unwrap_err();
        assert_eq!(conflict.option, "CHECK_EXTENSION", "{conflict}");
        settings.preset = Preset::Modern;
        assert!(settings.with_preset().is_ok());
    }
}
