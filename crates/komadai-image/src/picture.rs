//! Pixels, and their file format.

use std::io::Write;

use png::{BitDepth, ColorType, Compression, Encoder, EncodingError};

use crate::error::ImageError;

/// A picture of opaque pixels.
///
/// # Examples
///
/// ```
/// use komadai_image::Painter;
///
/// let svg = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 10 5'><path fill='#f00' d='M0 0h5v5h-5z'/></svg>";
/// let picture = Painter::new().paint(svg, 100)?;
/// assert_eq!(picture.size(), (100, 50));
/// assert_eq!(picture.pixel(20, 20), Some([255, 0, 0]));
/// assert_eq!(picture.pixel(80, 20), Some([255, 255, 255]));
/// let twice = picture.above(&picture);
/// assert_eq!(twice.size(), (100, 100));
/// # Ok::<(), komadai_image::ImageError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    size: (u32, u32),
    /// Rows from the top, pixels from the left: red, green, blue.
    pixels: Vec<[u8; 3]>,
}

impl Picture {
    /// Makes a picture of its rows.
    pub(crate) fn new(size: (u32, u32), pixels: Vec<[u8; 3]>) -> Self {
        debug_assert_eq!(pixels.len(), size.0 as usize * size.1 as usize);
        Self { size, pixels }
    }

    /// Returns the width and the height in pixels.
    pub fn size(&self) -> (u32, u32) {
        self.size
    }

    /// Returns red, green and blue of a pixel, counted from the top left; `None` outside.
    pub fn pixel(&self, x: u32, y: u32) -> Option<[u8; 3]> {
        let (width, height) = self.size;
        (x < width && y < height).then(|| self.pixels[(y * width + x) as usize])
    }

    /// Returns the pixels of a row.
    pub(crate) fn row(&self, y: u32) -> &[[u8; 3]] {
        let width = self.size.0 as usize;
        &self.pixels[y as usize * width..][..width]
    }

    /// Returns this picture with another one below it; the narrower one gets a white margin on its
    /// right.
    #[must_use]
    pub fn above(&self, other: &Self) -> Self {
        let width = self.size.0.max(other.size.0);
        let mut pixels = Vec::with_capacity(width as usize * (self.size.1 + other.size.1) as usize);
        for picture in [self, other] {
            for y in 0..picture.size.1 {
                pixels.extend_from_slice(picture.row(y));
                pixels.resize(pixels.len() + (width - picture.size.0) as usize, [0xff; 3]);
            }
        }
        Self::new((width, self.size.1 + other.size.1), pixels)
    }

    /// Writes the picture as PNG.
    ///
    /// # Errors
    ///
    /// Returns the errors of `out`.
    pub fn write_png(&self, out: impl Write) -> Result<(), ImageError> {
        let mut encoder = Encoder::new(out, self.size.0, self.size.1);
        encoder.set_color(ColorType::Rgb);
        encoder.set_depth(BitDepth::Eight);
        encoder.set_compression(Compression::High);
        let mut writer = encoder.write_header().map_err(of_png)?;
        writer.write_image_data(self.pixels.as_flattened()).map_err(of_png)?;
        writer.finish().map_err(of_png)
    }
}

/// Returns an error of the encoder, which only writing can cause.
pub(crate) fn of_png(error: EncodingError) -> ImageError {
    ImageError::Io(error.into())
}
