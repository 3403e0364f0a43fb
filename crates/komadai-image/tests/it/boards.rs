//! Boards as pixels.

use komadai_core::{Color, Hand, Move, Piece, PieceKind, Setup, Square};
use komadai_image::{ImageError, Painter, Picture};
use komadai_report::{EvaluationGraph, GraphPoint, SvgArrow, SvgBoard, SvgPieces, SvgTheme};
use proptest::prelude::*;

/// The width of a board in its own units (`komadai-report`, grid.rs), so that a pixel is a unit.
const WIDTH: u32 = 644;

fn paint(board: &SvgBoard, width: u32) -> Picture {
    Painter::new().paint(&board.to_string(), width).unwrap()
}

/// The top left corner of a square of a board without a heading, Black at the bottom.
fn corner(square: Square) -> (u32, u32) {
    let (column, row) = (8 - square.file() as u32, square.rank() as u32);
    (118 + column * 44, 34 + row * 48)
}

/// The colour near the left end of the upper edge of a square, beside every piece.
fn ground(picture: &Picture, square: Square) -> [u8; 3] {
    let (x, y) = corner(square);
    picture.pixel(x + 3, y + 3).unwrap()
}

/// The colour of a piece below its character, or of the ground of an empty square.
fn face(picture: &Picture, square: Square) -> [u8; 3] {
    let (x, y) = corner(square);
    picture.pixel(x + 10, y + 38).unwrap()
}

const BOARD: [u8; 3] = [0xee, 0xcb, 0x8d];
const FACE: [u8; 3] = [0xfd, 0xec, 0xc4];

#[test]
fn a_written_picture_has_its_size_and_colours() {
    let picture = paint(&SvgBoard::new(Setup::hirate()), WIDTH);
    let mut bytes = Vec::new();
    picture.write_png(&mut bytes).unwrap();
    let mut reader = png::Decoder::new(std::io::Cursor::new(&bytes)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!((info.width, info.height), (644, 480));
    assert_eq!((info.width, info.height), picture.size());
    for y in 0..480 {
        for x in 0..644 {
            let at = (y * 644 + x) as usize * 3;
            assert_eq!(picture.pixel(x, y).unwrap(), pixels[at..at + 3], "{x}, {y}");
        }
    }
    assert_eq!((picture.pixel(644, 0), picture.pixel(0, 480)), (None, None));
    let setup = Setup::hirate();
    for square in Square::ALL {
        assert_eq!(ground(&picture, square), BOARD, "{square}");
        let expected = if setup.board[square].is_some() { FACE } else { BOARD };
        // The pieces of White are turned, and have their narrow end here.
        if square.rank() as u8 >= 5 {
            assert_eq!(face(&picture, square), expected, "{square}");
        }
    }
    assert_eq!(picture.pixel(0, 0), Some([0xfb, 0xf8, 0xf2]), "the page");
}

#[test]
fn characters_are_drawn_in_the_colours_of_their_kinds() {
    let count = |kind: &str, colour: [u8; 3]| {
        let setup = Setup::from_sfen(&format!("4k4/9/9/9/4{kind}4/9/9/9/4K4 b - 1")).unwrap();
        let picture = paint(&SvgBoard::new(&setup), WIDTH);
        let (left, top) = corner(Square::S55);
        let pixels = (0..48).flat_map(|y| (0..44).map(move |x| (left + x, top + y)));
        pixels.filter(|&(x, y)| picture.pixel(x, y) == Some(colour)).count()
    };
    let (ink, promoted) = ([0x23, 0x1a, 0x10], [0xb3, 0x20, 0x1a]);
    for kind in ["P", "L", "N", "S", "G", "B", "R", "p", "l", "n", "s", "g", "b", "r"] {
        assert!(count(kind, ink) > 25, "{kind}: {}", count(kind, ink));
        assert_eq!(count(kind, promoted), 0, "{kind}");
    }
    for kind in ["+P", "+L", "+N", "+S", "+B", "+R", "+p", "+r"] {
        assert!(count(kind, promoted) > 25, "{kind}: {}", count(kind, promoted));
    }
}

#[test]
fn boards_that_differ_in_a_piece_differ_only_there() {
    for (one, other) in [("P", "1"), ("P", "L"), ("+R", "R"), ("G", "g")] {
        let picture = |kind: &str| {
            let sfen = format!("4k4/9/9/9/4{kind}4/9/9/9/4K4 b - 1");
            paint(&SvgBoard::new(Setup::from_sfen(&sfen).unwrap()), WIDTH)
        };
        let (one_picture, other_picture) = (picture(one), picture(other));
        let (left, top) = corner(Square::S55);
        let mut different = 0;
        for y in 0..480 {
            for x in 0..644 {
                let is_inside = (left..left + 44).contains(&x) && (top..top + 48).contains(&y);
                if one_picture.pixel(x, y) != other_picture.pixel(x, y) {
                    assert!(is_inside, "{one} and {other} at {x}, {y}");
                    different += 1;
                }
            }
        }
        assert!(different > 30, "{one} and {other}: {different}");
    }
}

#[test]
fn sizes_and_texts_have_limits() {
    let svg = SvgBoard::new(Setup::hirate()).to_string();
    for width in [0, 31, 4_097, u32::MAX] {
        let error = Painter::new().paint(&svg, width).unwrap_err();
        assert!(matches!(error, ImageError::BadSize { .. }), "{error}");
    }
    assert_eq!(Painter::new().paint(&svg, 32).unwrap().size(), (32, 23));
    let tall = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 1 1000'/>";
    let error = Painter::new().paint(tall, 100).unwrap_err();
    assert!(error.to_string().contains("100 × 100000"), "{error}");
    for bad in ["", "<svg", "<p/>", "no picture"] {
        let error = Painter::new().paint(bad, 100).unwrap_err();
        assert!(matches!(error, ImageError::BadSvg { .. }), "{bad}: {error}");
    }
    let titled =
        SvgBoard { title: Some("第1局 鬱".to_owned()), ..SvgBoard::new(Setup::hirate()) };
    let error = Painter::new().paint(&titled.to_string(), 100).unwrap_err();
    assert!(
        matches!(&error, ImageError::NoOutline { characters } if characters == "鬱"),
        "{error}"
    );
}

#[test]
fn no_file_of_a_picture_is_read() {
    let svg = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 64 64'>\
               <image href='/etc/hostname' width='9' height='9'/>\
               <image href='data:image/svg+xml;base64,PHN2Zy8+' width='9' height='9'/></svg>";
    let picture = Painter::new().paint(svg, 64).unwrap();
    assert!((0..64).all(|x| picture.pixel(x, 5) == Some([0xff; 3])));
}

#[test]
fn graphs_are_drawn() {
    let points =
        (0..60).map(|ply| GraphPoint::new(ply, Some(komadai_core::Score::cp(ply as i32 * 30))));
    for language in [komadai_core::Language::English, komadai_core::Language::Japanese] {
        let graph = EvaluationGraph { language, ..EvaluationGraph::new(points.clone()) };
        let picture = Painter::new().paint(&graph.to_string(), 720).unwrap();
        assert_eq!(picture.size(), (720, 240));
    }
}

fn pieces() -> impl Strategy<Value = Option<Piece>> {
    let kinds = proptest::sample::select(PieceKind::ALL.to_vec());
    let piece = (kinds, any::<bool>()).prop_map(|(kind, is_black)| {
        Piece::new(if is_black { Color::Black } else { Color::White }, kind)
    });
    proptest::option::of(piece)
}

fn hands() -> impl Strategy<Value = Hand> {
    let counts = [18, 4, 4, 4, 4, 2, 2].map(|most| 0..=most as u32);
    counts.prop_map(|counts| {
        let kinds = [
            PieceKind::Pawn,
            PieceKind::Lance,
            PieceKind::Knight,
            PieceKind::Silver,
            PieceKind::Gold,
            PieceKind::Bishop,
            PieceKind::Rook,
        ];
        kinds
            .into_iter()
            .zip(counts)
            .fold(Hand::EMPTY, |hand, (kind, count)| hand.with(kind, count))
    })
}

fn setups() -> impl Strategy<Value = Setup> {
    let board = proptest::collection::vec(pieces(), 81);
    (board, [hands(), hands()], any::<bool>()).prop_map(|(board, hands, is_white)| {
        let mut setup = Setup { hands, ..Setup::empty() };
        setup.side = if is_white { Color::White } else { Color::Black };
        Square::ALL.into_iter().zip(board).for_each(|(square, piece)| setup.board[square] = piece);
        setup
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn every_setup_has_a_picture(
        setup in setups(),
        width in 32_u32..400,
        squares in (0..81_usize, 0..81_usize),
        look in 0..12_usize,
    ) {
        let theme = [SvgTheme::Auto, SvgTheme::Light, SvgTheme::Dark][look % 3];
        let pieces = [SvgPieces::Kanji, SvgPieces::Letters][look / 3 % 2];
        let bottom = Color::ALL[look / 6];
        let (from, to) = (Square::ALL[squares.0], Square::ALL[squares.1]);
        prop_assume!(from != to);
        let m = Move::new(from, to);
        let board = SvgBoard {
            theme,
            pieces,
            bottom,
            last_move: Some(m),
            arrows: vec![(m, SvgArrow::Good)],
            title: Some("12 ▲７六歩".to_owned()),
            ..SvgBoard::new(setup)
        };
        let picture = paint(&board, width);
        prop_assert_eq!(picture.size().0, width);
        let page = if theme == SvgTheme::Dark { [0x1c, 0x1a, 0x17] } else { [0xfb, 0xf8, 0xf2] };
        prop_assert_eq!(picture.pixel(0, 0), Some(page));
    }
}
