//! SVG pictures drawn as pixels.

use resvg::tiny_skia::{Color, Pixmap, Transform};
use resvg::usvg::{ImageHrefResolver, Options, Tree};

use crate::error::ImageError;
use crate::outlined_svg::outlined;
use crate::outlines::Outlines;
use crate::picture::Picture;
use crate::size_limits::{MAX_SIDE, MIN_WIDTH};

/// Draws the SVG pictures that `komadai-report` writes.
///
/// Texts are drawn by the outlines of the crate, which has the characters of boards, moves and
/// graphs; a [font](Self::with_font) adds others. Colours of a picture that follows the mode of its
/// viewer are those for light surroundings. Pictures within a picture are not drawn: no file is
/// read.
///
/// # Examples
///
/// ```
/// use komadai_core::{Setup, Square};
/// use komadai_image::Painter;
/// use komadai_report::{SvgBoard, SvgTheme};
///
/// let board = SvgBoard { theme: SvgTheme::Dark, ..SvgBoard::new(Setup::hirate()) };
/// let picture = Painter::new().paint(&board.to_string(), 320)?;
/// assert_eq!(picture.size(), (320, 238));
/// assert_eq!(picture.pixel(0, 0), Some([0x1c, 0x1a, 0x17]), "the page of the dark set");
/// # Ok::<(), komadai_image::ImageError>(())
/// ```
#[derive(Debug, Default)]
pub struct Painter {
    outlines: Outlines,
}

impl Painter {
    /// A painter with the outlines of the crate.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A painter that takes characters without an outline in the crate from a TrueType or OpenType
    /// font, also the first of a collection.
    ///
    /// # Errors
    ///
    /// Returns an error if the bytes are no font.
    pub fn with_font(font: Vec<u8>) -> Result<Self, ImageError> {
        Ok(Self { outlines: Outlines::with_font(font)? })
    }

    /// Draws a picture in a width in pixels, from 32 to 4,096; its height follows from its shape.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is no SVG, a character has no outline, or the size is outside
    /// the limits.
    pub fn paint(&self, svg: &str, width: u32) -> Result<Picture, ImageError> {
        let options = Options {
            image_href_resolver: ImageHrefResolver {
                resolve_data: Box::new(|_, _, _| None),
                resolve_string: Box::new(|_, _| None),
            },
            ..Options::default()
        };
        let tree = Tree::from_str(&outlined(svg, &self.outlines)?, &options)
            .map_err(|error| ImageError::BadSvg { reason: error.to_string() })?;
        let scale = width as f32 / tree.size().width();
        // A row that the picture covers in part would mix with the ground.
        let height = (tree.size().height() * scale + 0.001) as u32;
        let is_allowed =
            (MIN_WIDTH..=MAX_SIDE).contains(&width) && (1..=MAX_SIDE).contains(&height);
        let pixmap = is_allowed.then(|| Pixmap::new(width, height)).flatten();
        let mut pixmap = pixmap.ok_or(ImageError::BadSize { width, height })?;
        pixmap.fill(Color::WHITE);
        resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixmap.as_mut());
        // The white ground is opaque, so that no colour is multiplied by an opacity.
        let pixels = pixmap.pixels().iter().map(|pixel| [pixel.red(), pixel.green(), pixel.blue()]);
        Ok(Picture::new((width, height), pixels.collect()))
    }
}
