//! The colours of pictures: one set for light and one for dark surroundings.

use core::fmt;

/// The set of colours of a picture.
///
/// # Examples
///
/// ```
/// use komadai_core::Setup;
/// use komadai_report::{SvgBoard, SvgTheme};
///
/// let picture = SvgBoard { theme: SvgTheme::Dark, ..SvgBoard::new(Setup::hirate()) }.to_string();
/// assert!(!picture.contains("prefers-color-scheme"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum SvgTheme {
    /// Follows the light or dark mode of the viewer; viewers that support no CSS variables show the
    /// light set.
    #[default]
    Auto,
    /// The set for light surroundings.
    Light,
    /// The set for dark surroundings.
    Dark,
}

impl SvgTheme {
    /// Returns a style sheet in these colours.
    ///
    /// The sheet begins with rules in light colours. A block `@supports` follows, whose first lines
    /// define the light and the dark variables, and whose further lines apply them.
    pub(crate) fn style(self, sheet: &str) -> String {
        let Some((plain, block)) = sheet.split_once("@supports") else { return sheet.to_owned() };
        let mut lines = block.lines().skip(2);
        match self {
            Self::Auto => sheet.to_owned(),
            Self::Light => plain.to_owned(),
            Self::Dark => {
                let definitions = lines.next().unwrap_or_default();
                let rules = lines.map(|rule| with_values(rule, definitions));
                let rules = rules.filter(|rule| rule != "}");
                plain.to_owned() + &rules.map(|rule| rule + "\n").collect::<String>()
            }
        }
    }
}

/// Replaces each `var(--name)` of a rule by the value of `--name:value;` in the definitions.
fn with_values(rule: &str, definitions: &str) -> String {
    let mut text = String::new();
    let mut parts = rule.split("var(");
    text.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let (name, rest) = part.split_once(')').unwrap_or((part, ""));
        let value = definitions.split_once(&format!("{name}:")).map_or("", |(_, value)| value);
        text.push_str(value.split([';', '}']).next().unwrap_or_default());
        text.push_str(rest);
    }
    text
}

/// The place in which a picture stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Placement {
    /// A file of its own.
    File,
    /// An HTML page, which has the style sheet and needs no name space.
    Page,
}

/// The beginning of a picture; all texts are escaped.
pub(crate) struct PictureHead<'a> {
    pub(crate) class: &'static str,
    pub(crate) size: (i32, i32),
    pub(crate) title: &'a str,
    pub(crate) description: &'a str,
    pub(crate) style: &'a str,
}

impl PictureHead<'_> {
    /// Writes the start tag, the name, the description and the style sheet.
    pub(crate) fn write(&self, placement: Placement, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (class, (width, height), id) = (self.class, self.size, self.id());
        f.write_str("<svg ")?;
        if placement == Placement::File {
            f.write_str("xmlns=\"http://www.w3.org/2000/svg\" ")?;
        }
        writeln!(
            f,
            r#"class="{class}" role="img" aria-labelledby="{id}t {id}d" viewBox="0 0 {width} {height}" width="{width}" height="{height}">"#
        )?;
        writeln!(f, r#"<title id="{id}t">{}</title>"#, self.title)?;
        writeln!(f, r#"<desc id="{id}d">{}</desc>"#, self.description)?;
        if placement == Placement::File {
            writeln!(f, "<style>{}</style>", self.style)?;
        }
        Ok(())
    }

    /// The beginning of the identifiers, a hash of the texts (FNV-1a, Fowler, Noll and Vo, 1991):
    /// pictures with different texts can stand in one page, and the same picture is always the same
    /// text.
    fn id(&self) -> String {
        let bytes = self.title.bytes().chain([0]).chain(self.description.bytes());
        let hash = bytes
            .fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
        format!("{}-{hash:08x}", self.class)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHEET: &str = "a{fill:#fff}\n@supports (fill:var(--x)){\n.k{--x:#fff;--y:#eee}\n\
                         @media (prefers-color-scheme:dark){.k{--x:#000;--y:#111}}\n\
                         a{fill:var(--x);stroke:var(--y)}\n}\n";

    #[test]
    fn fixed_colours_need_no_variables() {
        assert_eq!(SvgTheme::Auto.style(SHEET), SHEET);
        assert_eq!(SvgTheme::Light.style(SHEET), "a{fill:#fff}\n");
        assert_eq!(SvgTheme::Dark.style(SHEET), "a{fill:#fff}\na{fill:#000;stroke:#111}\n");
    }
}
