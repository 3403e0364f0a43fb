use komadai_core::{Move, Setup, Square};

use super::board::{SvgArrow, SvgBoard, SvgPieces};
use crate::theme::SvgTheme;

#[test]
fn titles_are_escaped() {
    let picture = SvgBoard::new(Setup::hirate()).title("<a> & \"b\"\0\n").to_string();
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
    let values = [(Square::S76, 40), (Square::S19, -80), (Square::S55, 0)];
    let board = SvgBoard::new(Setup::hirate());
    let picture = board.clone().square_values(values, "<legend>").to_string();
    // Four parts of the scale have each colour, besides the square.
    for class in ["kd-good", "kd-bad"] {
        assert_eq!(picture.matches(&format!("class=\"{class}\"")).count(), 5);
    }
    assert_eq!(picture.matches("class=\"kd-value\"").count(), 2);
    assert!(picture.contains("&lt;legend&gt;") && picture.contains(">-80</text>"));
    assert!(picture.contains("Values: 7f +40 1i -80."));
    assert!(!picture.contains("NaN"));
    for none in [vec![], vec![(Square::S11, i32::MIN), (Square::S12, i32::MAX)]] {
        let picture = board.clone().square_values(none, "").to_string();
        assert!(!picture.contains("NaN") && picture.contains("kd-legend"));
    }
}

#[test]
fn turning_the_board_turns_back() {
    let board = SvgBoard::new(Setup::hirate());
    assert_ne!(board.clone().flipped(), board);
    assert_eq!(board.clone().flipped().flipped(), board);
    let (x, y) = board.center(Square::S11);
    let (left, top) = board.clone().flipped().center(Square::S99);
    assert_eq!((x, y), (left, top));
}

#[test]
fn marks_and_arrows_are_drawn_for_board_moves_and_drops() {
    for m in ["7g7f", "8h2b+", "P*5e"] {
        let m: Move = m.parse().unwrap();
        for pieces in [SvgPieces::Kanji, SvgPieces::Letters] {
            let board = SvgBoard::new(Setup::hirate()).pieces(pieces);
            let picture = board.last_move(m).arrow(m).arrow(m).to_string();
            assert_eq!(picture.matches("kd-arrow\"").count(), 2);
            assert_eq!(picture.matches("<circle").count(), usize::from(!m.is_drop()));
            assert!(!picture.contains("NaN") && !picture.contains("inf"));
        }
    }
}

#[test]
fn arrows_differ_by_more_than_their_colours() {
    let m = "7g7f".parse().unwrap();
    let board = SvgBoard::new(Setup::hirate()).arrow_of(m, SvgArrow::Good);
    let picture = board.arrow_of(m, SvgArrow::Bad).arrow_of(m, SvgArrow::Minor).to_string();
    for class in ["good", "bad", "minor"] {
        assert_eq!(picture.matches(&format!("\"kd-arrow kd-arrow-{class}\"")).count(), 1);
        assert!(picture.contains(&format!("Arrow: 7g7f ({class}).")));
    }
}

#[test]
fn screen_readers_get_a_name_and_a_description() {
    let board = SvgBoard::new(Setup::hirate()).title("<Start>");
    let picture = board.clone().to_string();
    let labels = picture.split("aria-labelledby=\"").nth(1).and_then(|rest| rest.split('"').next());
    let labels: Vec<&str> = labels.unwrap().split(' ').collect();
    assert!(picture.contains("role=\"img\"") && labels.len() == 2);
    assert!(picture.contains(&format!("<title id=\"{}\">&lt;Start&gt;</title>", labels[0])));
    assert!(picture.contains(&format!("<desc id=\"{}\">Black to move", labels[1])));
    // Other pictures have other identifiers.
    let other = board.description("先手 & 後手").to_string();
    assert!(other.contains(">先手 &amp; 後手</desc>") && !other.contains(labels[0]));
}

#[test]
fn colours_can_be_fixed() {
    let board = SvgBoard::new(Setup::hirate());
    let dark = board.clone().theme(SvgTheme::Dark).to_string();
    assert!(dark.contains(".kd-page{fill:#1c1a17}") && !dark.contains("var("), "{dark}");
    let light = board.clone().theme(SvgTheme::Light).to_string();
    assert!(!light.contains("#1c1a17") && !light.contains("@"));
    let style = |picture: &str| picture.split("</style>").next().unwrap().matches('{').count();
    assert!(style(&dark) > style(&light));
    assert!(board.to_string().contains("@media (prefers-color-scheme:dark)"));
}
