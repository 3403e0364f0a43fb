//! The options of pictures that consist of pixels. Their commands name the options with the files
//! as the group `pixels`.

use std::path::PathBuf;

use anyhow::{Context as _, bail};
use clap::Args;
use komadai::image::{ImageError, Painter, Picture};
use komadai_base::file::read_bounded;

/// Maximum size of a font file: large collections have 100 MB.
const MOST_FONT: u64 = 256 << 20;

/// The size of a picture and the font of its texts.
#[derive(Debug, Args)]
pub(crate) struct PixelArgs {
    /// Width of the picture in pixels, from 32 to 4096; its height follows.
    #[arg(
        long, value_name = "PIXELS", default_value_t = 640, requires = "pixels",
        value_parser = clap::value_parser!(u32).range(32..=4096)
    )]
    width: u32,
    /// Font file (TTF, OTF, TTC) for characters of headings that komadai has no outlines of. It needs
    /// none for boards, moves and the letters of English.
    #[arg(long, value_name = "FILE", requires = "pixels")]
    font: Option<PathBuf>,
}

impl PixelArgs {
    /// Returns a painter with the font.
    pub(crate) fn painter(&self) -> anyhow::Result<Painter> {
        let Some(path) = &self.font else { return Ok(Painter::new()) };
        let named = || format!("--font {}", path.display());
        Painter::with_font(read_bounded(path, MOST_FONT).with_context(named)?).with_context(named)
    }

    /// Draws an SVG picture in the width.
    pub(crate) fn paint(&self, painter: &Painter, svg: &str) -> anyhow::Result<Picture> {
        match painter.paint(svg, self.width) {
            Err(ImageError::NoOutline { characters }) => bail!(
                "found no outline of {characters:?} for a picture; --font FILE names a font with these characters"
            ),
            painted => Ok(painted?),
        }
    }
}

/// Returns a picture as a PNG file.
pub(crate) fn png_file(picture: &Picture) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    picture.write_png(&mut bytes)?;
    Ok(bytes)
}
