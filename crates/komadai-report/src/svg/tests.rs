use komadai_core::{Color, Move, PieceKind, Setup, Square};

use super::board::{SvgArrow, SvgBoard, SvgPieces, SvgStands};
use super::square_values::SquareValues;
use crate::theme::SvgTheme;

fn titled(title: &str) -> SvgBoard {
    SvgBoard { title: Some(title.to_owned()), ..SvgBoard::new(Setup::hirate()) }
}

#[test]
fn titles_are_escaped() {
    let picture = titled("<a> & \"b\"\0\n").to_string();
    assert!(picture.contains("t\">&lt;a&gt; &amp; &quot;b&quot;\u{fffd} </title>"));
}

#[test]
fn every_piece_is_drawn_once() {
    let setup = Setup::from_sfen(
        "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124",
    )
    .unwrap();
    let picture = SvgBoard::new(&setup).to_string();
    let on_board = setup.board.iter().flatten().count();
    assert_eq!(picture.matches(r#"class="kd-piece"#).count(), on_board + 5);
    assert_eq!(picture.matches("kd-piece kd-promoted").count(), 3);
    assert_eq!(picture.matches("×3").count(), 1);
    assert!(picture.contains(&format!("SFEN: {setup}.")));
}

#[test]
fn values_are_drawn_as_colours_and_numbers() {
    let picture = |values, legend: &str| {
        let values = Some(SquareValues { values, legend: legend.to_owned() });
        SvgBoard { values, ..SvgBoard::new(Setup::hirate()) }.to_string()
    };
    let values = vec![(Square::S76, 40), (Square::S19, -80), (Square::S55, 0)];
    let with_values = picture(values, "<legend>");
    // Four parts of the scale have each colour, besides the square.
    for class in ["kd-good", "kd-bad"] {
        assert_eq!(with_values.matches(&format!("class=\"{class}\"")).count(), 5);
    }
    assert_eq!(with_values.matches("class=\"kd-value\"").count(), 2);
    assert!(with_values.contains("&lt;legend&gt;") && with_values.contains(">-80</text>"));
    assert!(with_values.contains("Values: 7f +40 1i -80."));
    assert!(!with_values.contains("NaN"));
    for none in [vec![], vec![(Square::S11, i32::MIN), (Square::S12, i32::MAX)]] {
        let picture = picture(none, "");
        assert!(!picture.contains("NaN") && picture.contains("kd-legend"));
    }
}

#[test]
fn turning_the_board_turns_the_squares() {
    let board = SvgBoard::new(Setup::hirate());
    let (x, y) = board.center(Square::S11);
    let (left, top) = SvgBoard { bottom: Color::White, ..board }.center(Square::S99);
    assert_eq!((x, y), (left, top));
}

#[test]
fn marks_and_arrows_are_drawn_for_board_moves_and_drops() {
    for m in ["7g7f", "8h2b+", "P*5e"] {
        let m: Move = m.parse().unwrap();
        for pieces in [SvgPieces::Kanji, SvgPieces::Letters] {
            let arrows = vec![(m, SvgArrow::Plain); 2];
            let board = SvgBoard::new(Setup::hirate());
            let picture = SvgBoard { pieces, last_move: Some(m), arrows, ..board }.to_string();
            assert_eq!(picture.matches("kd-arrow\"").count(), 2);
            assert_eq!(picture.matches("<circle").count(), usize::from(!m.is_drop()));
            assert!(!picture.contains("NaN") && !picture.contains("inf"));
        }
    }
}

#[test]
fn arrows_differ_by_more_than_their_colours() {
    let m = "7g7f".parse().unwrap();
    let arrows = [SvgArrow::Good, SvgArrow::Bad, SvgArrow::Minor].map(|arrow| (m, arrow)).to_vec();
    let picture = SvgBoard { arrows, ..SvgBoard::new(Setup::hirate()) }.to_string();
    for class in ["good", "bad", "minor"] {
        assert_eq!(picture.matches(&format!("\"kd-arrow kd-arrow-{class}\"")).count(), 1);
        assert!(picture.contains(&format!("Arrow: 7g7f ({class}).")));
    }
}

#[test]
fn screen_readers_get_a_name_and_a_description() {
    let board = titled("<Start>");
    let picture = board.clone().to_string();
    let labels = picture.split("aria-labelledby=\"").nth(1).and_then(|rest| rest.split('"').next());
    let labels: Vec<&str> = labels.unwrap().split(' ').collect();
    assert!(picture.contains("role=\"img\"") && labels.len() == 2);
    assert!(picture.contains(&format!("<title id=\"{}\">&lt;Start&gt;</title>", labels[0])));
    assert!(picture.contains(&format!("<desc id=\"{}\">Black to move", labels[1])));
    // Other pictures have other identifiers.
    let other = SvgBoard { description: Some("先手 & 後手".to_owned()), ..board }.to_string();
    assert!(other.contains(">先手 &amp; 後手</desc>") && !other.contains(labels[0]));
}

#[test]
fn colours_can_be_fixed() {
    let board = SvgBoard::new(Setup::hirate());
    let dark = SvgBoard { theme: SvgTheme::Dark, ..board.clone() }.to_string();
    assert!(dark.contains(".kd-page{fill:#1c1a17}") && !dark.contains("var("), "{dark}");
    let light = SvgBoard { theme: SvgTheme::Light, ..board.clone() }.to_string();
    assert!(!light.contains("#1c1a17") && !light.contains("@"));
    let style = |picture: &str| picture.split("</style>").next().unwrap().matches('{').count();
    assert!(style(&dark) > style(&light));
    assert!(board.to_string().contains("@media (prefers-color-scheme:dark)"));
}

#[test]
fn hands_in_rows_lie_within_the_picture_and_apart_from_the_board() {
    let full = "4k4/9/9/9/9/9/9/9/4K4 b RB2G2S2N2L9Prb2g2s2n2l9p 1";
    for title in [None, Some("Position".to_owned())] {
        for bottom in Color::ALL {
            let board = SvgBoard {
                stands: SvgStands::Rows,
                title: title.clone(),
                bottom,
                ..SvgBoard::new(Setup::from_sfen(full).unwrap())
            };
            let top = board.board_top();
            for color in Color::ALL {
                let ((x, y), (width, height)) = (board.stand_corner(color), board.stand_size());
                assert!(x >= 0 && x + width <= board.width());
                if color == bottom {
                    assert!(y >= top + 9 * 48 + 5 && y + height <= board.content_bottom());
                } else {
                    assert!(y >= 0 && y + height < top - 20);
                }
                for kind in PieceKind::SFEN_HAND {
                    let (at, _) = board.stand_place(color, kind);
                    // The name lies before the pieces, and two digits after the last one.
                    assert!(x + 80 < at && at + 30 < x + width);
                }
            }
        }
    }
}
