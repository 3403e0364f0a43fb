//! Pictures one after another in one file.

use std::fmt;
use std::io::{self, Write};
use std::time::Duration;

use gif::{DisposalMethod, Frame, Repeat};
use png::{BitDepth, BlendOp, ColorType, Compression, DisposeOp};

use crate::changed_area::ChangedArea;
use crate::error::ImageError;
use crate::palette::Palette;
use crate::picture::{Picture, of_png};

/// The largest size of an animation in bytes; chats and pages take less.
const MAX_BYTES: u64 = 64 << 20;

/// The file format of an animation.
///
/// # Examples
///
/// ```
/// use komadai_image::{Animation, AnimationFormat};
///
/// let gif = Animation::new(Vec::new(), AnimationFormat::Gif, (64, 64), 3);
/// assert!(gif.is_ok());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AnimationFormat {
    /// GIF: at most 256 colours a picture, delays in hundredths of a second. Every chat shows it.
    Gif,
    /// Animated PNG: all colours. Programs without support show the first picture.
    Apng,
}

/// An animation that is written picture by picture: of each only the part that differs from the one
/// before, so that a game takes little more space than its moves. It repeats without end.
///
/// # Examples
///
/// ```
/// use std::time::Duration;
///
/// use komadai_core::Setup;
/// use komadai_image::{Animation, AnimationFormat, ImageError, Painter};
/// use komadai_report::SvgBoard;
///
/// let start = Painter::new().paint(&SvgBoard::new(Setup::hirate()).to_string(), 200)?;
/// let mut bytes = Vec::new();
/// let mut animation = Animation::new(&mut bytes, AnimationFormat::Apng, start.size(), 1)?;
/// animation.add(&start, Duration::from_secs(1))?;
/// // Formats state the number of pictures at their beginning.
/// let more = animation.add(&start, Duration::from_secs(1));
/// assert!(matches!(more, Err(ImageError::OtherCount { found: 2, expected: 1 })));
/// animation.finish()?;
/// assert!(bytes.starts_with(b"\x89PNG"));
/// # Ok::<(), ImageError>(())
/// ```
pub struct Animation<W: Write> {
    encoder: Encoder<W>,
    size: (u32, u32),
    pictures: u32,
    added: u32,
    before: Option<Picture>,
}

enum Encoder<W: Write> {
    Gif(Box<gif::Encoder<Bounded<W>>>),
    Apng(Box<png::Writer<Bounded<W>>>),
}

impl<W: Write> Animation<W> {
    /// Begins an animation of so many pictures of a size.
    ///
    /// # Errors
    ///
    /// Returns the errors of `out`, or one if there is no picture or a side is 0 or longer than
    /// 65,535 pixels.
    pub fn new(
        out: W,
        format: AnimationFormat,
        size: (u32, u32),
        pictures: u32,
    ) -> Result<Self, ImageError> {
        let out = Bounded { out, left: MAX_BYTES };
        let bad_size = ImageError::BadSize { width: size.0, height: size.1 };
        let (Ok(width @ 1..), Ok(height @ 1..)) = (u16::try_from(size.0), u16::try_from(size.1))
        else {
            return Err(bad_size);
        };
        if pictures == 0 {
            return Err(ImageError::OtherCount { found: 0, expected: 1 });
        }
        let encoder = match format {
            AnimationFormat::Gif => {
                let mut encoder = gif::Encoder::new(out, width, height, &[]).map_err(of_gif)?;
                encoder.set_repeat(Repeat::Infinite).map_err(of_gif)?;
                Encoder::Gif(Box::new(encoder))
            }
            AnimationFormat::Apng => {
                let mut encoder = png::Encoder::new(out, size.0, size.1);
                encoder.set_color(ColorType::Rgba);
                encoder.set_depth(BitDepth::Eight);
                encoder.set_compression(Compression::High);
                encoder.set_animated(pictures, 0).map_err(of_png)?;
                encoder.set_dispose_op(DisposeOp::None).map_err(of_png)?;
                encoder.set_blend_op(BlendOp::Source).map_err(of_png)?;
                Encoder::Apng(Box::new(encoder.write_header().map_err(of_png)?))
            }
        };
        Ok(Self { encoder, size, pictures, added: 0, before: None })
    }

    /// Adds a picture that is shown for a time, at most 65 seconds.
    ///
    /// # Errors
    ///
    /// Returns an error if the picture has another size than the animation, there are enough
    /// pictures already, or the file cannot be written or would be larger than 64 MiB.
    pub fn add(&mut self, picture: &Picture, time: Duration) -> Result<(), ImageError> {
        if picture.size() != self.size {
            return Err(ImageError::OtherSize { found: picture.size(), expected: self.size });
        }
        if self.added == self.pictures {
            let found = self.added.saturating_add(1);
            return Err(ImageError::OtherCount { found, expected: self.pictures });
        }
        let area = ChangedArea::between(self.before.as_ref(), picture);
        let before = self.before.as_ref();
        match &mut self.encoder {
            Encoder::Gif(encoder) => add_to_gif(encoder, area, before, picture, time)?,
            Encoder::Apng(writer) => add_to_apng(writer, area, before, picture, time)?,
        }
        self.before = Some(picture.clone());
        self.added += 1;
        Ok(())
    }

    /// Ends the file.
    ///
    /// # Errors
    ///
    /// Returns an error if pictures are missing or the file cannot be written.
    pub fn finish(self) -> Result<(), ImageError> {
        if self.added != self.pictures {
            return Err(ImageError::OtherCount { found: self.added, expected: self.pictures });
        }
        match self.encoder {
            Encoder::Gif(encoder) => Ok(encoder.into_inner().map_err(of_gif)?.out.flush()?),
            Encoder::Apng(writer) => writer.finish().map_err(of_png),
        }
    }
}

impl<W: Write> fmt::Debug for Animation<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { size, pictures, added, .. } = self;
        write!(f, "Animation of {size:?}, {added} of {pictures} pictures")
    }
}

/// Adds an area with its own colours. Pixels without change are transparent, which compresses well.
fn add_to_gif<W: Write>(
    encoder: &mut gif::Encoder<W>,
    area: ChangedArea,
    before: Option<&Picture>,
    picture: &Picture,
    time: Duration,
) -> Result<(), ImageError> {
    let palette = Palette::of(area.rows(picture).flatten());
    let mut buffer = Vec::with_capacity((area.width * area.height) as usize);
    match before {
        None => buffer.extend(area.rows(picture).flatten().map(|&pixel| palette.index(pixel))),
        Some(before) => {
            let pairs = area.rows(before).flatten().zip(area.rows(picture).flatten());
            let index = |(old, new): (&[u8; 3], &[u8; 3])| match old == new {
                true => palette.unchanged(),
                false => palette.index(*new),
            };
            buffer.extend(pairs.map(index));
        }
    }
    let side = |length: u32| u16::try_from(length).expect("the sides of an animation are short");
    let frame = Frame {
        delay: u16::try_from(time.as_millis() / 10).unwrap_or(u16::MAX),
        dispose: DisposalMethod::Keep,
        transparent: Some(palette.unchanged()),
        left: side(area.left),
        top: side(area.top),
        width: side(area.width),
        height: side(area.height),
        palette: Some(palette.bytes()),
        buffer: buffer.into(),
        ..Frame::default()
    };
    encoder.write_frame(&frame).map_err(of_gif)
}

/// Adds an area over the picture before, in which pixels without change are transparent.
fn add_to_apng<W: Write>(
    writer: &mut png::Writer<W>,
    area: ChangedArea,
    before: Option<&Picture>,
    picture: &Picture,
    time: Duration,
) -> Result<(), ImageError> {
    let milliseconds = u16::try_from(time.as_millis()).unwrap_or(u16::MAX);
    writer.set_frame_delay(milliseconds, 1_000).map_err(of_png)?;
    writer.set_frame_dimension(area.width, area.height).map_err(of_png)?;
    writer.set_frame_position(area.left, area.top).map_err(of_png)?;
    let mut bytes = Vec::with_capacity((area.width * area.height) as usize * 4);
    match before {
        None => {
            let pixels = area.rows(picture).flatten();
            bytes.extend(pixels.flat_map(|&[red, green, blue]| [red, green, blue, 0xff]));
        }
        Some(before) => {
            writer.set_blend_op(BlendOp::Over).map_err(of_png)?;
            let pairs = area.rows(before).flatten().zip(area.rows(picture).flatten());
            bytes.extend(pairs.flat_map(|(old, &new)| match (*old == new, new) {
                (true, _) => [0; 4],
                (false, [red, green, blue]) => [red, green, blue, 0xff],
            }));
        }
    }
    writer.write_image_data(&bytes).map_err(of_png)
}

/// Returns an error of the encoder, which only writing can cause.
fn of_gif(error: gif::EncodingError) -> ImageError {
    match error {
        gif::EncodingError::Io(error) => ImageError::Io(error),
        other => ImageError::Io(io::Error::other(other)),
    }
}

/// A writer that refuses more than a number of bytes.
struct Bounded<W> {
    out: W,
    left: u64,
}

impl<W: Write> Write for Bounded<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let left = self.left.checked_sub(bytes.len() as u64);
        self.left = left.ok_or_else(|| {
            let limit = MAX_BYTES >> 20;
            let reason = format!(
                "found an animation of more than {limit} MiB, expected fewer or smaller pictures"
            );
            io::Error::new(io::ErrorKind::FileTooLarge, reason)
        })?;
        self.out.write_all(bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_files_are_refused() {
        let mut out = Bounded { out: io::sink(), left: 10 };
        assert_eq!(out.write(&[0; 10]).unwrap(), 10);
        let error = out.write(&[0]).unwrap_err();
        assert!(error.to_string().contains("more than 64 MiB"), "{error}");
    }
}
