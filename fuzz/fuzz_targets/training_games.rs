//! Files of training games in all formats: a damaged game costs what the format states, sound games
//! are written and read as the same, and the size of the pieces that a source returns is of no
//! consequence.

#![no_main]

use std::io::{self, Read};

use komadai_data::records::{
    Candidate, TrainingError, TrainingFormat, TrainingGame, TrainingGameReader,
};
use komadai_kifu::Tolerance;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|file: &[u8]| {
    let _ = TrainingFormat::detect(file, None);
    let _ = TrainingFormat::detect(file, Some(file.len() as u64));
    for format in [TrainingFormat::Pack, TrainingFormat::Hcpe3, TrainingFormat::Sbinpack] {
        let mut reader = TrainingGameReader::new(file, format, Tolerance::Lenient);
        let games: Vec<TrainingGame> =
            reader.by_ref().map(|game| game.expect("memory can be read on")).collect();
        let strict = TrainingGameReader::new(Pieces(file), format, Tolerance::Strict);
        let mut error = None;
        let first: Vec<TrainingGame> =
            strict.map_while(|game| game.map_err(|fault| error = Some(fault)).ok()).collect();
        assert_eq!(games[..first.len()], first, "{format}");
        assert_eq!(error.is_some(), reader.skipped().count() > 0, "{format}: {error:?}");
        match error {
            None => assert_eq!(games, first),
            Some(TrainingError::Game(damage)) => {
                assert_eq!(damage.game, first.len() as u64 + 1);
                assert!(damage.offset <= damage.at && damage.at <= file.len() as u64, "{damage}");
                assert!(!damage.is_final || games == first, "{damage}");
            }
            Some(other) => panic!("{format}: {other}"),
        }
        for game in &games {
            check(game);
        }
    }
});

/// A source that returns few bytes at once.
struct Pieces<'a>(&'a [u8]);

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = 1 + self.0.len() % 7;
        let length = most.min(buffer.len());
        self.0.read(&mut buffer[..length])
    }
}

/// Checks that a game is written and read as the same, except for what a format does not keep.
fn check(game: &TrainingGame) {
    let labelled = game.moves.iter().filter(|played| played.is_labelled).count();
    assert!(game.records().count() <= labelled);
    if let Ok(bytes) = game.to_pack() {
        let mut back = read(&bytes, TrainingFormat::Pack);
        assert!(back.moves.iter().zip(&game.moves).all(|(back, played)| {
            back.score == played.score.clamp(-32_000, 32_000) && back.played == played.played
        }));
        assert!(back.start.same_placement(&game.start));
        assert_eq!((back.moves.len(), back.outcome), (game.moves.len(), game.outcome));
        back.start = game.start.clone();
        assert_eq!(
            read(&back.to_pack().expect("it was written"), TrainingFormat::Pack).moves,
            back.moves
        );
    }
    if let Ok(bytes) = game.to_hcpe3() {
        let mut back = read(&bytes, TrainingFormat::Hcpe3);
        assert!(back.start.same_placement(&game.start));
        assert_eq!(back.outcome, game.outcome);
        for (back, played) in back.moves.iter_mut().zip(&game.moves) {
            if played.is_labelled && played.candidates.is_empty() {
                assert_eq!(back.candidates, [Candidate { m: played.played, visits: 1 }]);
                back.candidates.clear();
            }
        }
        assert_eq!(back.moves, game.moves);
    }
}

/// Reads a file of one game.
fn read(bytes: &[u8], format: TrainingFormat) -> TrainingGame {
    let mut games = TrainingGameReader::new(bytes, format, Tolerance::Strict);
    let game = games.next().expect("one game").expect("as written");
    assert!(games.next().is_none());
    game
}
