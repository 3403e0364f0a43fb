//! The beginning of an SVG picture: its size, its accessible name and its style sheet.

use core::fmt;

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
