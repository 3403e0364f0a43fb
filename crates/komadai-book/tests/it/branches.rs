//! The figures of Shiba's paper from games with these results.

use komadai_book::games::{BranchPoint, Branches, Mover};
use komadai_bookgraph::BookGame;
use komadai_core::{Color, Position};

use crate::sample_games::{game, moves, turned};

/// The line to the position of figure 2, in which White, the book's side, makes the eighteenth move.
const FIGURE_2: &str = "7g7f 8c8d 2g2f 4a3b 6i7h 8d8e 8h7g 3c3d 7i8h 2b7g+ 8h7g 3a2b 3i3h 7a7b 4g4f \
                        9c9d 3h4g";

/// Returns 200 games of the book's side with the results of the paper, White having the book.
fn paper_games() -> Vec<BookGame> {
    let mut games = Vec::new();
    let mut add = |count: usize, line: &str, winner: Option<Color>| {
        games.extend(vec![game(line, Color::White, winner); count]);
    };
    let (won, lost) = (Some(Color::White), Some(Color::Black));
    let (pawn_7, pawn_6) = (format!("{FIGURE_2} 7c7d 4i5h"), format!("{FIGURE_2} 6c6d 4i5h"));
    add(32, &pawn_7, won);
    add(2, &pawn_7, None);
    add(60, &pawn_6, won);
    add(4, &pawn_6, lost);
    add(1, &pawn_6, None);
    add(165 - 32 - 60, "7g7f 3c3d", won);
    add(6 - 4, "7g7f 3c3d", lost);
    add(6 - 2 - 1, "7g7f 3c3d", None);
    add(23, "2g2f 8c8d", won);
    games
}

fn rows(point: &BranchPoint) -> Vec<String> {
    point.moves.iter().map(|made| format!("{} {}", made.m, made.results)).collect()
}

fn points(mut branches: Branches, games: &[BookGame]) -> Vec<BranchPoint> {
    games.iter().for_each(|game| branches.add(game).unwrap());
    branches.points()
}

#[test]
fn figures_of_the_paper_come_out_digit_for_digit() {
    let games = paper_games();
    assert_eq!(games.len(), 200);
    let figure_1 = points(Branches::at(1), &games);
    assert_eq!((figure_1.len(), figure_1[0].mover), (1, Mover::Opponent));
    // Wins, draws, losses: the paper has 165 wins, 6 losses and 6 draws, and 23 wins.
    assert_eq!(rows(&figure_1[0]), ["7g7f 165-6-6", "2g2f 23-0-0"]);
    let mut through = Position::hirate();
    moves(FIGURE_2).into_iter().for_each(|m| through.do_move(m));
    for branches in [Branches::at(18), Branches::after(&through, 18).unwrap()] {
        let figure_2 = points(branches, &games);
        assert_eq!((figure_2.len(), figure_2[0].mover), (1, Mover::BookSide));
        assert_eq!(rows(&figure_2[0]), ["6c6d 60-1-4", "7c7d 32-2-0"]);
        assert_eq!(figure_2[0].position.to_string(), through.to_string());
    }
    let table = figure_1[0].to_string();
    assert!(table.starts_with("move 1 by the opponent: lnsgkgsnl/"), "{table}");
    assert!(table.contains("7g7f    177  165-6-6"), "{table}");
}

#[test]
fn only_games_through_a_position_count() {
    let games: Vec<BookGame> = paper_games()
        .iter()
        .enumerate()
        .map(|(index, game)| if index % 2 == 0 { turned(game) } else { game.clone() })
        .collect();
    let first = Position::hirate().after("2g2f".parse().unwrap());
    let after_2g2f = points(Branches::after(&first, 2).unwrap(), &games);
    assert_eq!(after_2g2f.len(), 1);
    assert_eq!(after_2g2f[0].moves[0].results.to_string(), "23-0-0");
    let start = points(Branches::after(&Position::hirate(), 18).unwrap(), &games);
    assert_eq!(start[0].moves.iter().map(|made| made.results.games()).sum::<u64>(), 99);
    // A position that the games reach only after the move.
    let mut late = first.clone();
    late.do_move("8c8d".parse().unwrap());
    assert!(points(Branches::after(&late, 2).unwrap(), &games).is_empty());
}

#[test]
fn games_that_a_declaration_ended_are_counted() {
    let declared = |line| BookGame {
        ending: "declaration".to_owned(),
        ..game(line, Color::White, Some(Color::White))
    };
    let games = [declared("7g7f 3c3d"), declared("2g2f"), game("7g7f", Color::White, None)];
    let first = points(Branches::at(1), &games);
    let counts: Vec<_> = first[0].moves.iter().map(|made| made.declarations).collect();
    assert_eq!(
        (rows(&first[0]), counts),
        (vec!["7g7f 1-1-0".into(), "2g2f 1-0-0".into()], vec![1, 1])
    );
}
