//! Animations, decoded picture by picture.

use std::io::Cursor;
use std::time::Duration;

use komadai_core::Position;
use komadai_image::{Animation, AnimationFormat, ImageError, Painter, Picture};
use komadai_report::SvgBoard;

const WIDTH: u32 = 240;

/// The pictures of a short game.
fn pictures() -> Vec<Picture> {
    let mut position = Position::hirate();
    let mut pictures = vec![board(&position)];
    for m in ["7g7f", "3c3d", "8h2b+", "3a2b", "B*4e"] {
        position.do_move(m.parse().unwrap());
        pictures.push(board(&position));
    }
    // A picture that changes nothing.
    pictures.push(pictures[5].clone());
    pictures
}

fn board(position: &Position) -> Picture {
    let last_move = position.moves().last().flatten();
    let board = SvgBoard { last_move, ..SvgBoard::new(position) };
    Painter::new().paint(&board.to_string(), WIDTH).unwrap()
}

fn written(format: AnimationFormat, pictures: &[Picture]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let size = pictures[0].size();
    let mut animation = Animation::new(&mut bytes, format, size, pictures.len() as u32).unwrap();
    for (index, picture) in pictures.iter().enumerate() {
        let time = if index + 1 < pictures.len() { 800 } else { 3_000 };
        animation.add(picture, Duration::from_millis(time)).unwrap();
    }
    animation.finish().unwrap();
    bytes
}

/// Draws a rectangle of pixels on a picture; those that are `None` are transparent.
fn draw(
    shown: &mut [[u8; 3]],
    (left, top, width): (u32, u32, u32),
    pixels: impl Iterator<Item = Option<[u8; 3]>>,
) {
    for (index, pixel) in pixels.enumerate() {
        let (x, y) = (left + index as u32 % width, top + index as u32 / width);
        if let Some(pixel) = pixel {
            shown[(y * WIDTH + x) as usize] = pixel;
        }
    }
}

fn all_pixels(picture: &Picture) -> Vec<[u8; 3]> {
    let (width, height) = picture.size();
    let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    places.map(|(x, y)| picture.pixel(x, y).unwrap()).collect()
}

#[test]
fn an_apng_has_the_same_pixels() {
    let pictures = pictures();
    let bytes = written(AnimationFormat::Apng, &pictures);
    let mut reader = png::Decoder::new(Cursor::new(&bytes)).read_info().unwrap();
    let control = reader.info().animation_control.unwrap();
    assert_eq!((control.num_frames, control.num_plays), (7, 0));
    let mut shown = vec![[0; 3]; all_pixels(&pictures[0]).len()];
    for (index, picture) in pictures.iter().enumerate() {
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let frame = reader.next_frame(&mut pixels).unwrap();
        let control = *reader.info().frame_control.as_ref().unwrap();
        let expected = if index == 6 { 3_000 } else { 800 };
        assert_eq!((control.delay_num, control.delay_den), (expected, 1_000), "{index}");
        let (left, top) = (control.x_offset, control.y_offset);
        let colours = pixels[..frame.buffer_size()].chunks_exact(4);
        let colours = colours.map(|pixel| (pixel[3] > 0).then(|| [pixel[0], pixel[1], pixel[2]]));
        draw(&mut shown, (left, top, control.width), colours);
        assert!(shown == all_pixels(picture), "picture {index} differs");
        // A move changes two squares and perhaps a hand.
        assert!(index == 0 || control.width < WIDTH, "{index}: {}", control.width);
    }
}

#[test]
fn a_gif_has_nearly_the_same_pixels() {
    let pictures = pictures();
    let bytes = written(AnimationFormat::Gif, &pictures);
    let mut reader = gif::DecodeOptions::new().read_info(Cursor::new(&bytes)).unwrap();
    assert_eq!((u32::from(reader.width()), u32::from(reader.height())), pictures[0].size());
    assert_eq!(reader.repeat(), gif::Repeat::Infinite);
    let mut shown = vec![[0; 3]; all_pixels(&pictures[0]).len()];
    for (index, picture) in pictures.iter().enumerate() {
        let frame = reader.read_next_frame().unwrap().unwrap();
        assert_eq!(frame.delay, if index == 6 { 300 } else { 80 }, "{index}");
        let palette = frame.palette.clone().unwrap();
        let colours = frame.buffer.iter().map(|&at| {
            let colour = &palette[usize::from(at) * 3..][..3];
            (Some(at) != frame.transparent).then(|| [colour[0], colour[1], colour[2]])
        });
        let [left, top, width] = [frame.left, frame.top, frame.width].map(u32::from);
        draw(&mut shown, (left, top, width), colours);
        let expected = all_pixels(picture);
        let distance = |(one, other): (&[u8; 3], &[u8; 3])| {
            one.iter().zip(other).map(|(&one, &other)| one.abs_diff(other)).max().unwrap_or(0)
        };
        let distances: Vec<u8> = shown.iter().zip(&expected).map(distance).collect();
        let exact = distances.iter().filter(|&&distance| distance == 0).count();
        let most = distances.iter().max().copied();
        assert!(most.is_some_and(|most| most < 16), "{index}: {most:?}");
        assert!(exact * 100 > expected.len() * 80, "{index}: {exact} of {}", expected.len());
    }
    assert!(reader.read_next_frame().unwrap().is_none());
}

#[test]
fn the_announced_pictures_are_expected() {
    let pictures = pictures();
    let (size, time) = (pictures[0].size(), Duration::from_secs(1));
    for format in [AnimationFormat::Gif, AnimationFormat::Apng] {
        let none = Animation::new(Vec::new(), format, size, 0).unwrap_err();
        assert!(matches!(none, ImageError::OtherCount { .. }), "{none}");
        for size in [(0, 9), (9, 0), (70_000, 9)] {
            let error = Animation::new(Vec::new(), format, size, 1).unwrap_err();
            assert!(matches!(error, ImageError::BadSize { .. }), "{error}");
        }
        let mut animation = Animation::new(Vec::new(), format, size, 2).unwrap();
        animation.add(&pictures[0], time).unwrap();
        let other = Painter::new().paint(&SvgBoard::new(&Position::hirate()).to_string(), 100);
        let error = animation.add(&other.unwrap(), time).unwrap_err();
        assert!(matches!(error, ImageError::OtherSize { .. }), "{error}");
        let error = animation.finish().unwrap_err();
        assert_eq!(error.to_string(), "found 1 pictures in an animation, expected 2");
        // A reader that has left, or a full disk.
        let mut full = [0_u8; 20];
        let begun = Animation::new(&mut full[..], format, size, 2);
        let written = begun.and_then(|mut animation| animation.add(&pictures[0], time));
        assert!(matches!(written, Err(ImageError::Io(_))), "{written:?}");
    }
}
