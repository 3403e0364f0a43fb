//! Comments of own moves: value and expected moves.

use komadai_core::{Move, Score};
use komadai_csa::{Action, Answer, CsaClient, CsaPlayer, FinishedGame, Turn};
use komadai_kifu::{Tolerance, parse_csa};

use crate::server::{Peer, start, summary};

/// Answers with one move, a value and a line.
struct Scripted {
    line: Vec<Move>,
    score: Option<Score>,
    games: Vec<FinishedGame>,
}

impl CsaPlayer for Scripted {
    fn choose(&mut self, _: &Turn<'_>) -> Result<Answer, Box<dyn std::error::Error + Send + Sync>> {
        let mut answer = Answer::new(Action::Move(self.line[0]));
        answer.score = self.score;
        answer.line = self.line[1..].to_vec();
        Ok(answer)
    }

    fn game_over(&mut self, game: &FinishedGame) {
        self.games.push(game.clone());
    }
}

#[test]
fn value_and_expected_moves_are_sent_and_recorded() {
    let long = "2g2f 8c8d 7g7f 8d8e 8h7g 3c3d 7i8h 2b7g+ 8h7g 3a2b 3i3h 2b3c 4g4f 7c7d 3g3f 7a7b 3h4g 7b7c \
                5g5f 7c6d 4i5h 6c6d 6g6f 6a5b 5i6h 5a4b 6h7h 4b3b 2i3g 8a7c";
    for (turn, line, score, expected) in [
        ('+', "7g7f 3c3d", Some(Score::cp(8)), "+7776FU,'* 8 -3334FU"),
        ('+', "7g7f 3c3d 2g2f", Some(Score::cp(-40)), "+7776FU,'* -40 -3334FU +2726FU"),
        ('-', "3c3d 2g2f", Some(Score::cp(8)), "-3334FU,'* -8 +2726FU"),
        ('+', "7g7f", Some(Score::cp(8)), "+7776FU,'* 8"),
        ('+', "7g7f 3c3d", None, "+7776FU"),
        ('+', "7g7f 3c3d", Some(Score::mate_in(5)), "+7776FU,'* 30000 -3334FU"),
        ('-', "3c3d 2g2f", Some(Score::mate_in(5)), "-3334FU,'* -30000 +2726FU"),
        // Moves after one that cannot be made are left out, and lines are bounded.
        ('+', "7g7f 3c3d 8h3c+ 8h3c+ 2b3c", Some(Score::cp(1)), "+7776FU,'* 1 -3334FU +8833UM"),
        ('+', long, Some(Score::cp(1)), "+2726FU,'* 1 -8384FU +7776FU -8485FU"),
    ] {
        let (config, server) = start(move |listener| {
            let mut player = Peer::accept(&listener);
            let names = [player.log_in(), "B".to_owned()];
            player.send(&summary(&names, turn, "Total_Time:60", "PI\n+"));
            player.receive();
            player.send(if turn == '+' { "START:test-1" } else { "START:test-1\n+7776FU,T1" });
            let sent = player.receive();
            player.send(&format!("{},T1\n#CHUDAN", sent.split(',').next().unwrap()));
            sent
        });
        let line = line.split_whitespace().map(|m| m.parse().unwrap()).collect();
        let mut player = Scripted { line, score, games: Vec::new() };
        CsaClient::play_games(&config, 1, &mut player).unwrap();
        let sent = server.join().unwrap();
        assert!(sent.starts_with(expected) && sent.len() < 230, "{sent}");
        assert!(sent.len() > 150 || sent == expected, "{sent}");
        // The record has the same in the form of floodgate, and reads back.
        let text = player.games[0].record.to_csa().unwrap();
        let comment = sent.split_once(",'").map(|(_, comment)| format!("\n'*{comment}\n"));
        assert!(comment.is_none_or(|comment| text.contains(&comment)), "{text}");
        let read = parse_csa(&text, Tolerance::Strict).unwrap().records.remove(0);
        let last = read.moves.last().unwrap();
        assert_eq!(last.comments, player.games[0].record.moves.last().unwrap().comments);
    }
}
