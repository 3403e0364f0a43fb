//! Every position is a well-formed SFEN.

use komadai_testdata::books::{frontiers, synthetic};
use komadai_testdata::rules::{self, Question};
use komadai_testdata::{
    castles, disagreements, games, handicaps, judged, kifu, openings, packed, perft, planes,
    positions, tsume,
};

/// Checks the board, the side and the hands, and returns the first fault.
fn check_position(board: &str, side: &str, hands: &str) -> Result<(), &'static str> {
    if board.split('/').count() != 9 || board.split('/').any(|rank| squares(rank) != Some(9)) {
        return Err("the board is not nine ranks of nine squares");
    }
    if !matches!(side, "b" | "w") {
        return Err("the side is neither b nor w");
    }
    let letters = hands.trim_matches(|c: char| c.is_ascii_digit());
    let known = |c: char| c.is_ascii_digit() || "RBGSNLPrbgsnlp".contains(c);
    if hands != "-" && (letters.is_empty() || !hands.chars().all(known)) {
        return Err("the hands hold something that is no piece");
    }
    Ok(())
}

/// The number of squares a rank describes.
fn squares(rank: &str) -> Option<u32> {
    let mut count = 0;
    let mut promoted = false;
    for c in rank.chars() {
        match c {
            '+' if !promoted => promoted = true,
            '1'..='9' if !promoted => count += c.to_digit(10)?,
            'K' | 'k' | 'G' | 'g' if !promoted => count += 1,
            'R' | 'B' | 'S' | 'N' | 'L' | 'P' | 'r' | 'b' | 's' | 'n' | 'l' | 'p' => {
                count += 1;
                promoted = false;
            }
            _ => return None,
        }
    }
    (!promoted).then_some(count)
}

fn assert_sfen(sfen: &str) {
    let fields: Vec<_> = sfen.split(' ').collect();
    let [board, side, hands, number] = fields[..] else { panic!("{sfen}: not four fields") };
    assert_eq!(check_position(board, side, hands), Ok(()), "{sfen}");
    assert!(number.parse::<u32>().is_ok_and(|number| number > 0), "{sfen}: the move number");
}

fn assert_moves(moves: &str) {
    for usi in moves.split_whitespace() {
        let plain = usi.strip_suffix('+').unwrap_or(usi).as_bytes();
        let square =
            |file: u8, rank: u8| (b'1'..=b'9').contains(&file) && (b'a'..=b'i').contains(&rank);
        let good = match plain {
            [kind, b'*', file, rank] => {
                b"PLNSGBR".contains(kind) && plain.len() == usi.len() && square(*file, *rank)
            }
            [a, b, c, d] => square(*a, *b) && square(*c, *d),
            _ => false,
        };
        assert!(good, "{usi} is no move");
    }
}

#[test]
fn positions_are_well_formed() {
    positions::bench().iter().for_each(|position| assert_sfen(position.sfen));
    perft::rows().chain(perft::one_king_rows()).for_each(|row| assert_sfen(row.sfen));
    disagreements::rows().for_each(|row| assert_sfen(row.sfen));
    packed::rows().for_each(|row| assert_sfen(row.sfen));
    planes::rows().for_each(|row| assert_sfen(row.sfen));
    planes::entering_king_rows().for_each(|row| assert_sfen(row.sfen));
    handicaps::rows().for_each(|row| assert_sfen(row.sfen));
    castles::pairs().for_each(|pair| pair.judged.sfens.into_iter().for_each(assert_sfen));
    judged::pairs().for_each(|pair| pair.sfens.into_iter().for_each(assert_sfen));
    judged::game_positions().for_each(|position| assert_sfen(position.sfen));
    openings::sfens().for_each(assert_sfen);
    for set in tsume::Set::ALL {
        tsume::set(set).for_each(|problem| assert_sfen(problem.sfen));
    }
    for sample in kifu::samples() {
        assert_sfen(sample.expected.initial_sfen);
        assert_sfen(sample.expected.final_sfen);
    }
    for book in synthetic::books() {
        book.values().for_each(|row| assert_sfen(row.sfen));
    }
}

#[test]
fn frontier_positions_lack_only_the_move_number() {
    for position in frontiers::rows().filter_map(|frontier| frontier.positions).flatten() {
        assert_sfen(&format!("{} 1", position.sfen));
    }
}

#[test]
fn rule_positions_fit_their_question() {
    for case in rules::rows() {
        match case.question {
            Question::MoveLegality { usi, .. } => {
                assert_sfen(case.position);
                assert_moves(usi);
            }
            Question::Declaration27 { .. } => assert_sfen(case.position),
            Question::Repetition(_) => {
                let (start, moves) = case.position.split_once(" moves ").expect("moves");
                if let Some(sfen) = start.strip_prefix("sfen ") {
                    assert_sfen(sfen);
                } else {
                    assert_eq!(start, "startpos");
                }
                assert_moves(moves);
            }
        }
    }
}

#[test]
fn moves_are_well_formed() {
    games::tournament().for_each(|game| assert_moves(game.moves));
    openings::move_lists().for_each(assert_moves);
    kifu::samples().for_each(|sample| assert_moves(sample.main_line));
    packed::move16_rows().for_each(|row| assert_moves(row.usi));
    for position in frontiers::rows().filter_map(|frontier| frontier.positions).flatten() {
        assert_moves(position.moves);
    }
}

#[test]
fn the_check_rejects_malformed_positions() {
    for (board, side, hands) in [
        ("9/9/9/9/9/9/9/9", "b", "-"),
        ("9/9/9/9/9/9/9/9/8", "b", "-"),
        ("9/9/9/9/9/9/9/9/8+", "b", "-"),
        ("9/9/9/9/9/9/9/9/8+K", "b", "-"),
        ("9/9/9/9/9/9/9/9/9", "x", "-"),
        ("9/9/9/9/9/9/9/9/9", "b", ""),
        ("9/9/9/9/9/9/9/9/9", "b", "2"),
        ("9/9/9/9/9/9/9/9/9", "b", "K"),
    ] {
        assert!(check_position(board, side, hands).is_err(), "{board} {side} {hands}");
    }
}
