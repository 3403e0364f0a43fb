//! Ends of best lines from lost games, against a walk along every best line.

use std::collections::BTreeMap;

use komadai_bookgraph::BookGame;
use komadai_core::{Color, Move, Position};
use komadai_movegen::MoveGen as _;

use super::any_case;
use crate::small_books::{STARTS, book, name, pool};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn unsolved_positions_end_the_best_lines_of_lost_games(
        case in any_case(),
        games in prop::collection::vec((prop::collection::vec(0usize..100, 0..8), 0u8..3), 0..4),
    ) {
        let (graph, _, options) = case;
        let mut played = Vec::new();
        for (choices, winner) in &games {
            let start = &options.roots[played.len() % options.roots.len()];
            let (mut position, mut moves) = (start.clone(), Vec::new());
            for choice in choices {
                let known: Vec<Move> = graph.moves(&position).iter().map(|m| m.m).collect();
                let legal = position.legal_moves().to_vec();
                let from = if known.is_empty() { legal } else { known };
                let Some(&m) = from.get(choice % from.len().max(1)) else { break };
                moves.push(m);
                position.do_move(m);
            }
            let winner = [None, Some(Color::Black), Some(Color::White)][usize::from(*winner)];
            played.push(BookGame::new(start.to_setup(), moves, Color::Black, winner));
        }
        let mut expected = BTreeMap::new();
        for (number, game) in played.iter().enumerate() {
            if game.winner != Some(Color::White) {
                continue;
            }
            let mut position = Position::from_setup(&game.start).unwrap();
            for made in 0..=game.moves.len() {
                let line = graph.best_line(&position, 200);
                let end = line.iter().fold(position.clone(), |at, &m| at.after(m));
                if !line.is_empty() && graph.value(&end).is_none() {
                    let value = graph.value(&position).unwrap();
                    let key = name(&end);
                    expected.entry(key).or_insert((number, made, line, value));
                }
                if let Some(&m) = game.moves.get(made) {
                    position.do_move(m);
                }
            }
        }
        let found = graph.unsolved(&played).expect("the games are legal");
        let count = found.len();
        let found: BTreeMap<_, _> = found
            .into_iter()
            .map(|f| (name(&f.position), (f.number, f.moves_made, f.line, f.value)))
            .collect();
        prop_assert_eq!(found.len(), count);
        prop_assert_eq!(found, expected);
    }
}

#[test]
fn faulty_games_are_reported() {
    let graph = book(&pool(STARTS[0], 5), &[vec![(0, Some(10), 1)]], 0);
    let game = |moves: &[&str]| {
        let moves = moves.iter().map(|m| m.parse().unwrap()).collect();
        BookGame::new(Position::hirate().to_setup(), moves, Color::Black, Some(Color::White))
    };
    assert_eq!(graph.unsolved(&[game(&["7g7f", "3c3d"])]), Ok(Vec::new()));
    let error = graph.unsolved(&[game(&[]), game(&["7g7f", "7g7f"])]).unwrap_err().to_string();
    assert!(error.starts_with("game 1, ply 2: 7g7f is illegal"), "{error}");
}
